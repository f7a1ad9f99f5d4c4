from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from worker.models import ProcessLease


@admin.register(ProcessLease)
class LeaseAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """To look at. A lease ends by itself; a row changed by hand would let two schedulers work."""

    list_display = ["name", "holder", "lease_until", "fence"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: ProcessLease | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: ProcessLease | None = None) -> bool:
        return False
