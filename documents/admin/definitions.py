from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.actor import Actor
from accounts.admin.base import RowAdmin, as_operator
from documents.definitions import definitions
from documents.definitions.definition_kinds import Definition
from documents.definitions.prompts import PROMPTS
from documents.definitions.schemas import SCHEMAS
from documents.models import ColumnChoice, Prompt, PromptRevision, ResultChoice, SavedView, Schema, SchemaRevision


class HeadAdmin(RowAdmin):
    rows_of = ("revisions",)
    list_display = ("name", "organization", "latest_number", "created_by", "trashed_at", "created_at")
    list_select_related = ("organization", "latest", "created_by")
    list_filter = (("trashed_at", admin.EmptyFieldListFilter), "organization", "created_at")
    search_fields = ("=id", "name_folded")
    actions = ("trash", "restore")
    definition: Definition[Any, Any, Any]

    @admin.action(description="Move to the trash (it can be restored)", permissions=["view"])
    def trash(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        rows = queryset.select_related("organization")
        self.each(
            request,
            rows,
            lambda row: self.definition.trash(_actor(request, row), head=row),
            "Moved to the trash; it can be restored",
        )

    @admin.action(description="Restore from the trash", permissions=["view"])
    def restore(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        rows = queryset.select_related("organization")
        self.each(
            request, rows, lambda row: definitions.restore(_actor(request, row), head=row), "Restored from the trash"
        )

    @admin.display(description="latest version", ordering="latest__number")
    def latest_number(self, row: Schema | Prompt) -> int | None:
        return row.latest.number if row.latest else None


@admin.register(Schema)
class SchemaAdmin(HeadAdmin):
    definition = SCHEMAS


@admin.register(Prompt)
class PromptAdmin(HeadAdmin):
    definition = PROMPTS


def _actor(request: HttpRequest, row: Schema | Prompt) -> Actor:
    return as_operator(request, row.organization)


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


@admin.register(ResultChoice)
class ResultChoiceAdmin(RowAdmin):
    list_display = ("user", "schema", "organization", "created_at")
    list_select_related = ("user", "schema", "organization")
    list_filter = ("organization",)
    search_fields = ("=user__email",)


@admin.register(ColumnChoice)
class ColumnChoiceAdmin(RowAdmin):
    list_display = ("user", "organization", "columns", "created_at")
    list_select_related = ("organization", "user")
    list_filter = ("organization", "created_at")
    search_fields = ("=id", "user__email")
