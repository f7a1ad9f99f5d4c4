from __future__ import annotations

from django.contrib import admin

from accounts.admin.base import RowAdmin
from agent.models import Decision, Rule, ToolCall


@admin.register(ToolCall)
class ToolCallAdmin(RowAdmin):
    """Cards are decided on the document's page, where what they change can be seen; here they are looked up."""

    rows_of = ("decisions",)
    list_display = ("tool", "status", "thread", "round", "position", "version", "access", "reach", "created_at")
    list_select_related = ("thread",)
    list_filter = ("status", "tool", "access", "reach", "effect", "thread__organization", "created_at")
    search_fields = ("=id", "=turn__id", "=thread__id", "tool", "wire_id")


@admin.register(Decision)
class DecisionAdmin(RowAdmin):
    """Decisions are append-only."""

    list_display = ("call", "version", "kind", "user", "rule", "mode", "edited", "created_at")
    list_select_related = ("call", "user", "rule")
    list_filter = ("kind", "mode", "edited", "call__thread__organization", "created_at")
    search_fields = ("=id", "=call__id", "call__tool", "user__email", "reason")


@admin.register(Rule)
class RuleAdmin(RowAdmin):
    """Rules are revoked, never deleted."""

    rows_of = ("decisions",)
    list_display = ("tool", "verdict", "scope", "organization", "user", "thread", "created_by", "revoked_at")
    list_select_related = ("organization", "user", "thread", "created_by")
    list_filter = ("verdict", "scope", ("revoked_at", admin.EmptyFieldListFilter), "organization", "tool")
    search_fields = ("=id", "tool", "user__email", "=thread__id")
