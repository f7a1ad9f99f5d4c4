from __future__ import annotations

from django.contrib import admin

from accounts.admin.base import RowAdmin
from documents.models import IndexedPage, IndexedWord, WordIndex


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


@admin.register(IndexedWord)
class IndexedWordAdmin(RowAdmin):
    ordering = ("-pk",)
    list_display = ("word", "organization")
    list_select_related = ("organization",)
    list_filter = ("organization",)
    search_fields = ("=word",)
