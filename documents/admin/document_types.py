from __future__ import annotations

from django.contrib import admin

from accounts.admin.base import RowAdmin
from documents.models import DocumentType, HeldRun, TypeDecision, TypeModelChoice


@admin.register(DocumentType)
class DocumentTypeAdmin(RowAdmin):
    list_display = ("name", "key", "is_on", "organization", "schema", "prompt")
    list_select_related = ("organization", "schema", "prompt")
    list_filter = ("is_on", "organization")
    search_fields = ("=id", "=key", "name_folded__contains")


@admin.register(TypeDecision)
class TypeDecisionAdmin(RowAdmin):
    """Why a document has its type. The words that decided are shown on its own row only, never in lists."""

    list_display = ("document", "source", "decided_by", "created_at")
    list_select_related = ("document", "decided_by")
    list_filter = ("source", "document__organization")
    search_fields = ("=id", "=document__id")


@admin.register(TypeModelChoice)
class TypeModelChoiceAdmin(RowAdmin):
    list_display = ("organization", "model", "month_micros", "created_at")
    list_select_related = ("organization",)
    list_filter = ("organization",)
    search_fields = ("=id", "=model")


@admin.register(HeldRun)
class HeldRunAdmin(RowAdmin):
    list_display = ("document", "prompt", "status", "decided_by", "created_at")
    list_select_related = ("document", "prompt", "decided_by")
    list_filter = ("status", "document__organization")
    search_fields = ("=id", "=document__id")
