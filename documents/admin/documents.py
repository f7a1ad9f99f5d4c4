from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.admin.base import RowAdmin, as_operator
from documents.index import integrity
from documents.models import Document, MetadataPair, Page, Reading, ReadingShare, Tag
from documents.reading import reading
from documents.retention import families, trash


@admin.register(Document)
class DocumentAdmin(RowAdmin):
    """Documents, those in the trash included. The file is opened on the document's own page, as a member."""

    rows_of = ("readings", "extractions", "threads")
    list_display = ("name", "state", "organization", "uploaded_by_name", "size", "trashed_at", "created_at")
    list_select_related = ("organization",)
    list_filter = (
        "state",
        ("trashed_at", admin.EmptyFieldListFilter),
        ("file_missing_since", admin.EmptyFieldListFilter),
        "organization",
        "media_type",
        "created_at",
    )
    search_fields = ("=id", "=sha256", "name_folded__contains")
    actions = ("read_again", "mend_index", "trash", "restore", "delete_for_good")

    @admin.action(description="Read the pages again", permissions=["view"])
    def read_again(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        self._each(request, queryset, reading.start, "Queued to be read again")

    @admin.action(description="Check and repair the search index", permissions=["view"])
    def mend_index(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        self._each(request, queryset, integrity.mend_document, "Found by what they say")

    @admin.action(description="Move to the trash", permissions=["view"])
    def trash(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        self._each(request, queryset, families.trash, "In the trash with what is in it")

    @admin.action(description="Restore from the trash", permissions=["view"])
    def restore(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        self._each(request, queryset, families.restore, "Restored with what went there with it")

    @admin.action(description="Delete permanently (trash only)", permissions=["view"])
    def delete_for_good(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        self._each(request, queryset, trash.delete_for_good, "Being deleted")

    def _each(self, request: HttpRequest, rows: QuerySet[Document], service: Callable[..., object], done: str) -> None:
        documents = rows.select_related("organization")
        self.each(request, documents, lambda row: service(as_operator(request, row.organization), document=row), done)


@admin.register(Reading)
class ReadingAdmin(RowAdmin):
    rows_of = ("pages", "extractions")
    secret = ("settings",)
    list_display = (
        "document",
        "number",
        "status",
        "engine",
        "pages_read",
        "page_count",
        "computing_ms",
        "reason",
        "created_at",
    )
    list_select_related = ("document",)
    list_filter = ("status", "reason_code", "engine", "document__organization", "created_at")
    search_fields = ("=id", "=document__id", "document__name_folded__contains")
    actions = ("read_again",)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return [*super().get_readonly_fields(request, obj), display_settings] if obj else []

    @admin.action(description="Read the document again", permissions=["view"])
    def read_again(self, request: HttpRequest, queryset: QuerySet[Reading]) -> None:
        documents = Document.objects.filter(readings__in=queryset).select_related("organization").distinct()
        self.each(
            request,
            documents,
            lambda row: reading.start(as_operator(request, row.organization), document=row),
            "Queued to be read again",
        )


@admin.display(description="settings")
def display_settings(row: Reading) -> SafeString:
    """The password of a locked PDF stays out, sealed as it is."""
    kept = {name: "given" if name == "password" else value for name, value in row.settings.items()}
    return format_html("{}", ", ".join(f"{name}: {value}" for name, value in kept.items()) or "none")


@admin.register(ReadingShare)
class ReadingShareAdmin(RowAdmin):
    list_display = ("organization", "began_at_ms", "next_at_ms")
    list_select_related = ("organization",)
    search_fields = ("organization__name_folded__contains",)


@admin.register(Page)
class PageAdmin(RowAdmin):
    """The text of a page is shown on its own row only, never in lists."""

    list_display = ("reading", "number", "engine", "confidence", "width", "height", "rotation")
    list_select_related = ("reading__document",)
    list_filter = ("engine", "reading__document__organization")
    search_fields = ("=id", "=reading__id", "=reading__document__id")
    ordering = ("-created_at", "number")


@admin.register(Tag)
class TagAdmin(RowAdmin):
    list_display = ("name", "color", "organization", "created_by", "created_at")
    list_select_related = ("organization", "created_by")
    list_filter = ("organization",)
    search_fields = ("=id", "name")


@admin.register(MetadataPair)
class MetadataPairAdmin(RowAdmin):
    """Digests that documents are found by; the metadata itself stands in the document."""

    list_display = ("document", "digest")
    list_select_related = ("document",)
    search_fields = ("=document__id", "=digest")
    ordering = ("-id",)
