from __future__ import annotations

from collections.abc import Callable

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin.base import RowAdmin, as_operator, money_column
from documents import extractions
from documents.models import CurrentValue, DuplicateKey, Extraction, FieldEdit, ReviewTime, Verification


@admin.register(Extraction)
class ExtractionAdmin(RowAdmin):
    rows_of = ("edits", "verifications")
    list_display = (
        "document",
        "number",
        "status",
        "failed_check_count",
        "prompt_revision",
        "model",
        money_column("cost_micros", "cost"),
        "requested_by",
        "created_at",
    )
    list_select_related = ("document", "prompt_revision__prompt", "requested_by")
    list_filter = ("status", "model", "document__organization", "created_at")
    search_fields = ("=id", "=document__id", "=call_id", "document__name_folded__contains")
    actions = ("run_again",)

    @admin.action(description="Run the same prompt again, as a new extraction", permissions=["view"])
    def run_again(self, request: HttpRequest, queryset: QuerySet[Extraction]) -> None:
        self.each(
            request,
            queryset.select_related("document__organization", "prompt_revision"),
            _again(request),
            "Queued as a new extraction with the same prompt",
        )


def _again(request: HttpRequest) -> Callable[[Extraction], object]:
    return lambda row: extractions.start(
        as_operator(request, row.document.organization), document=row.document, prompt_revision=row.prompt_revision
    )


@admin.register(DuplicateKey)
class DuplicateKeyAdmin(RowAdmin):
    list_display = ("document", "digest", "is_current", "peers_due", "created_at")
    list_select_related = ("document",)
    list_filter = ("is_current", "peers_due", "document__organization")
    search_fields = ("=id", "=document__id", "=extraction__id", "=digest")


@admin.register(ReviewTime)
class ReviewTimeAdmin(RowAdmin):
    ordering = ("-day", "seconds")
    list_display = ("organization", "day", "seconds", "document_count")
    list_select_related = ("organization",)
    list_filter = ("organization", "day")
    search_fields = ("=organization__id",)


@admin.register(FieldEdit)
class FieldEditAdmin(RowAdmin):
    """Edits are never changed: the newest that counts wins, and the others are its history."""

    list_display = ("extraction", "number", "kind", "where", "origin", "user", "created_at")
    list_select_related = ("extraction__document", "user")
    list_filter = ("kind", "origin", "extraction__document__organization", "created_at")
    search_fields = ("=id", "=extraction__id", "=call_id", "where")


@admin.register(Verification)
class VerificationAdmin(RowAdmin):
    list_display = ("extraction", "where", "user", "created_at", "cleared_at")
    list_select_related = ("extraction__document", "user")
    list_filter = (("cleared_at", admin.EmptyFieldListFilter), "extraction__document__organization", "created_at")
    search_fields = ("=id", "=extraction__id", "where")


@admin.register(CurrentValue)
class CurrentValueAdmin(RowAdmin):
    ordering = ("-pk",)
    list_display = ("document", "path", "text", "number", "day")
    list_select_related = ("document",)
    list_filter = ("organization",)
    search_fields = ("=document__id", "=path")
