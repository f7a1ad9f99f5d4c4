from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin.base import RowAdmin, as_operator
from agent.models import Decision, Rule, ToolCall
from agent.policy import rules


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
    list_display = (
        "tool",
        "verdict",
        "occasion",
        "scope",
        "organization",
        "user",
        "thread",
        "created_by",
        "expires_at",
        "revoked_at",
    )
    list_select_related = ("organization", "user", "thread", "created_by")
    list_filter = ("verdict", "occasion", "scope", ("revoked_at", admin.EmptyFieldListFilter), "organization", "tool")
    search_fields = ("=id", "tool", "user__email", "=thread__id")
    actions = ("revoke",)

    @admin.action(description="Revoke: later calls ask again", permissions=["view"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[Rule]) -> None:
        """No card made by the rule is undone; the next calls ask again."""
        rows = queryset.select_related("organization", "thread")
        self.each(
            request,
            rows,
            lambda rule: rules.revoke_rule(as_operator(request, rule.organization), rule=rule),
            "Revoked; later calls ask again",
        )
