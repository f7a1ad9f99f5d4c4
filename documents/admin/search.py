from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest

from accounts.admin.base import RowAdmin, as_operator
from documents.index.vectors.choice import choose_model, remove_choice
from documents.models import (
    CondensedReading,
    EmbeddingChoice,
    FileChunk,
    IndexedPage,
    IndexedWord,
    PageChunk,
    PaperMark,
    QueryVector,
    RankedDocuments,
    StoredComparison,
    WordIndex,
)


@admin.register(WordIndex)
class WordIndexAdmin(RowAdmin):
    ordering = ("-pk",)
    list_display = ("organization", "word_count")
    list_select_related = ("organization",)


@admin.register(IndexedPage)
class IndexedPageAdmin(RowAdmin):
    ordering = ("-pk",)
    list_display = ("document", "number", "part", "reading")
    list_select_related = ("document", "reading__document")
    list_filter = ("organization",)
    search_fields = ("=document__id",)


@admin.register(FileChunk)
class FileChunkAdmin(RowAdmin):
    ordering = ("-pk",)
    list_display = ("name", "kind", "title", "reading")
    list_select_related = ("reading__document",)
    list_filter = ("kind",)
    search_fields = ("name", "=reading__document__id")


@admin.register(IndexedWord)
class IndexedWordAdmin(RowAdmin):
    ordering = ("-pk",)
    list_display = ("word", "organization")
    list_select_related = ("organization",)
    list_filter = ("organization",)
    search_fields = ("=word",)


@admin.register(EmbeddingChoice)
class EmbeddingChoiceAdmin(RowAdmin):
    """What was read before gets its vectors by `manage.py reindex --embeddings`."""

    list_display = ("organization", "model")
    list_select_related = ("organization",)
    raw_id_fields = ("organization",)
    editable = ("organization", "model")
    actions = ("remove",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def save_model(
        self, request: HttpRequest, obj: EmbeddingChoice, form: ModelForm[EmbeddingChoice], change: bool
    ) -> None:
        obj.pk = choose_model(as_operator(request, obj.organization), model=obj.model).pk

    @admin.action(description="Remove and use EMBEDDING_MODEL again", permissions=["view"])
    def remove(self, request: HttpRequest, queryset: QuerySet[EmbeddingChoice]) -> None:
        self.each(
            request,
            queryset,
            lambda choice: remove_choice(as_operator(request, choice.organization), choice=choice),
            "Removed; EMBEDDING_MODEL is used again",
        )


@admin.register(PageChunk)
class PageChunkAdmin(RowAdmin):
    ordering = ("-pk",)
    list_display = ("document", "page", "first_line", "last_line", "model", "dimensions")
    list_select_related = ("document",)
    list_filter = ("organization",)
    search_fields = ("=document__id",)


@admin.register(QueryVector)
class QueryVectorAdmin(RowAdmin):
    list_display = ("text", "organization", "model", "problem", "created_at")
    list_select_related = ("organization",)
    list_filter = ("organization",)


@admin.register(CondensedReading)
class CondensedReadingAdmin(RowAdmin):
    """What models made of readings for research, which is paid once."""

    list_display = ("document", "question", "model", "created_at")
    list_select_related = ("document",)
    list_filter = ("organization",)
    search_fields = ("=document__id",)


@admin.register(StoredComparison)
class StoredComparisonAdmin(RowAdmin):
    """Comparisons of two texts, which are computed once."""

    list_display = ("one", "other", "size", "version", "created_at")
    list_select_related = ("one__document", "other__document")
    list_filter = ("organization",)
    search_fields = ("=one__document__id", "=other__document__id")


@admin.register(RankedDocuments)
class RankedDocumentsAdmin(RowAdmin):
    list_display = ("key", "organization", "model", "created_at")
    list_select_related = ("organization",)
    list_filter = ("organization",)


@admin.register(PaperMark)
class PaperMarkAdmin(RowAdmin):
    ordering = ("-pk",)
    list_display = ("document", "organization")
    list_select_related = ("document", "organization")
