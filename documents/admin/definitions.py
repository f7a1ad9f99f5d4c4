from __future__ import annotations

from django.contrib import admin

from accounts.admin.base import RowAdmin
from documents.models import Prompt, PromptRevision, SavedView, Schema, SchemaRevision


class HeadAdmin(RowAdmin):
    rows_of = ("revisions",)
    list_display = ("name", "organization", "latest_number", "created_by", "trashed_at", "created_at")
    list_select_related = ("organization", "latest", "created_by")
    list_filter = (("trashed_at", admin.EmptyFieldListFilter), "organization", "created_at")
    search_fields = ("=id", "name_folded")

    @admin.display(description="latest version", ordering="latest__number")
    def latest_number(self, row: Schema | Prompt) -> int | None:
        return row.latest.number if row.latest else None


@admin.register(Schema)
class SchemaAdmin(HeadAdmin):
    pass


@admin.register(Prompt)
class PromptAdmin(HeadAdmin):
    pass


@admin.register(SchemaRevision)
class SchemaRevisionAdmin(RowAdmin):
    """Revisions are immutable: a change is a new one, made by a member."""

    rows_of = ("prompt_revisions", "extractions")
    list_display = ("schema", "number", "status", "created_by", "created_at")
    list_select_related = ("schema", "created_by")
    list_filter = ("status", "created_at", "schema__organization")
    search_fields = ("=id", "=schema__id", "schema__name_folded")


@admin.register(PromptRevision)
class PromptRevisionAdmin(RowAdmin):
    rows_of = ("extractions",)
    list_display = ("prompt", "number", "status", "model", "schema_revision", "created_by", "created_at")
    list_select_related = ("prompt", "schema_revision__schema", "created_by")
    list_filter = ("status", "created_at", "model", "prompt__organization")
    search_fields = ("=id", "=prompt__id", "prompt__name_folded")


@admin.register(SavedView)
class SavedViewAdmin(RowAdmin):
    list_display = ("name", "organization", "owner", "query", "position", "created_at")
    list_select_related = ("organization", "owner")
    list_filter = ("organization", "created_at")
    search_fields = ("=id", "name")
