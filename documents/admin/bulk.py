from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin.base import RowAdmin, as_operator
from documents import bulk
from documents.models import BulkAction, BulkItem, ResultFile


@admin.register(BulkAction)
class BulkActionAdmin(RowAdmin):
    rows_of = ("items",)
    list_display = (
        "kind",
        "status",
        "total_count",
        "done_count",
        "left_out_count",
        "failed_count",
        "organization",
        "requested_by",
        "created_at",
    )
    list_select_related = ("organization", "requested_by")
    list_filter = ("kind", "status", "organization", "created_at")
    search_fields = ("=id", "=requested_by__email")
    actions = ("stop", "undo")

    @admin.action(description="Stop before the next document", permissions=["view"])
    def stop(self, request: HttpRequest, queryset: QuerySet[BulkAction]) -> None:
        rows = queryset.select_related("organization")
        self.each(
            request,
            rows,
            lambda row: bulk.stop(as_operator(request, row.organization), action=row),
            "Stopped before the next document",
        )

    @admin.action(description="Undo what it changed", permissions=["view"])
    def undo(self, request: HttpRequest, queryset: QuerySet[BulkAction]) -> None:
        rows = queryset.select_related("organization")
        self.each(
            request,
            rows,
            lambda row: bulk.undo(as_operator(request, row.organization), action=row),
            "Undoing what it changed",
        )


@admin.register(BulkItem)
class BulkItemAdmin(RowAdmin):
    list_display = ("document", "status", "code", "reason", "action")
    list_select_related = ("document", "action")
    list_filter = ("status", "action__kind", "action__organization")
    search_fields = ("=action__id", "=document__id")
    ordering = ("-id",)


@admin.register(ResultFile)
class ResultFileAdmin(RowAdmin):
    """Its bytes are nobody's to see here: whoever asked for it gets it from the list of documents."""

    list_display = ("name", "size", "row_count", "expires_at", "action", "created_at")
    list_select_related = ("action",)
    list_filter = ("action__organization", "expires_at")
    search_fields = ("=action__id", "=action__requested_by__email")
