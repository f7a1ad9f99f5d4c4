from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from documents.models import DataFolder


@admin.register(DataFolder)
class DataFolderAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """To look at. `manage.py adopt_data_dir` changes it, in the folder itself."""

    list_display = ["name", "marker", "named_by", "named_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: DataFolder | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: DataFolder | None = None) -> bool:
        return False
