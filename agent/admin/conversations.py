from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest

from accounts.actor import Actor
from accounts.admin.base import RowAdmin, as_operator, money_column
from agent.models import (
    AgentSettings,
    Citation,
    Event,
    FocusItem,
    McpClient,
    McpRequest,
    Message,
    ReadingAlias,
    StandingWish,
    Thread,
    ThreadSummary,
    Turn,
)
from agent.policy import agent_settings
from agent.turns import turns


@admin.register(Thread)
class ThreadAdmin(RowAdmin):
    rows_of = ("turns", "messages", "wishes", "focus_items", "calls", "events", "rules", "reading_aliases")
    list_display = ("title", "owner", "document", "organization", "mode", "model", "updated_at")
    list_select_related = ("owner", "document", "organization")
    list_filter = ("mode", ("trashed_at", admin.EmptyFieldListFilter), "organization", "updated_at")
    search_fields = ("=id", "title", "owner__email", "=document__id")
    ordering = ("-updated_at",)


@admin.register(Turn)
class TurnAdmin(RowAdmin):
    rows_of = ("calls", "messages", "citations")
    list_display = (
        "thread",
        "number",
        "status",
        "pause_reason",
        "origin",
        "model",
        "round",
        money_column("spent_micros", "spent"),
        "started_by",
        "created_at",
    )
    list_select_related = ("thread", "started_by")
    list_filter = ("status", "pause_reason", "origin", "thread__organization", "created_at")
    search_fields = ("=id", "=thread__id", "thread__title", "started_by__email")
    actions = ("cancel", "resume")

    @admin.action(description="Stop the turn", permissions=["view"])
    def cancel(self, request: HttpRequest, queryset: QuerySet[Turn]) -> None:
        self.each(request, _whole(queryset), lambda turn: turns.cancel(_as(request, turn), turn=turn), "Turn stopped")

    @admin.action(description="Resume a paused turn, or try a failed one again", permissions=["view"])
    def resume(self, request: HttpRequest, queryset: QuerySet[Turn]) -> None:
        self.each(
            request,
            _whole(queryset),
            lambda turn: turns.resume(_as(request, turn), turn=turn),
            "Turn resumed; a worker goes on with it",
        )


def _whole(rows: QuerySet[Turn]) -> QuerySet[Turn]:
    return rows.select_related("thread__organization", "thread__owner")


def _as(request: HttpRequest, turn: Turn) -> Actor:
    return as_operator(request, turn.thread.organization)


@admin.register(McpClient)
class McpClientAdmin(RowAdmin):
    list_display = ("name", "user", "token", "thread", "organization", "created_at")
    list_select_related = ("user", "token", "thread", "organization")
    list_filter = ("organization", "created_at")
    search_fields = ("=id", "name", "user__email")


@admin.register(McpRequest)
class McpRequestAdmin(RowAdmin):
    """What makes a repeated request find the cards of the first."""

    list_display = ("tool", "key", "turn", "token", "created_at")
    list_select_related = ("turn__thread", "token")
    list_filter = ("tool", "turn__thread__organization", "created_at")
    search_fields = ("=id", "=turn__id", "=key")


@admin.register(Message)
class MessageAdmin(RowAdmin):
    """What was said is shown on its own row only."""

    rows_of = ("calls",)
    list_display = ("thread", "number", "role", "round", "model", "complete", "created_at")
    list_select_related = ("thread",)
    list_filter = ("role", "complete", "thread__organization", "created_at")
    search_fields = ("=id", "=thread__id", "=turn__id", "thread__title")


@admin.register(Event)
class EventAdmin(RowAdmin):
    list_display = ("thread", "seq", "kind", "created_at")
    list_select_related = ("thread",)
    list_filter = ("kind", "thread__organization")
    search_fields = ("=id", "=thread__id")
    ordering = ("-created_at", "-seq")


@admin.register(ThreadSummary)
class ThreadSummaryAdmin(RowAdmin):
    """What the model reads instead of older rounds; the text is shown on its own row only."""

    list_display = ("thread", "turn", "upto", "tokens_before", "tokens_after", "created_at")
    list_select_related = ("thread", "turn__thread")
    list_filter = ("thread__organization", "created_at")
    search_fields = ("=id", "=thread__id", "thread__title")


@admin.register(StandingWish)
class StandingWishAdmin(RowAdmin):
    """What a person wants to hold in a thread; the text is shown on its own row only."""

    list_display = ("thread", "added_by", "created_at", "updated_at")
    list_select_related = ("thread", "added_by")
    list_filter = ("thread__organization", "created_at")
    search_fields = ("=id", "=thread__id", "thread__title")


@admin.register(FocusItem)
class FocusItemAdmin(RowAdmin):
    """Objects that a thread is about just now."""

    list_display = ("object", "thread", "how", "position", "named_at")
    list_select_related = ("thread", "document", "schema", "prompt", "tag")
    list_filter = ("how", "thread__organization", "named_at")
    search_fields = ("=id", "=thread__id", "=document__id", "thread__title")


@admin.register(ReadingAlias)
class ReadingAliasAdmin(RowAdmin):
    """What D3 means in a thread, and which lines of it the thread has read."""

    list_display = ("name", "thread", "reading", "created_at")
    list_select_related = ("thread", "reading__document")
    list_filter = ("thread__organization", "created_at")
    search_fields = ("=id", "=thread__id", "=reading__id", "=reading__document__id")


@admin.register(Citation)
class CitationAdmin(RowAdmin):
    """What a number in an answer stands for; the words are shown on its own row only."""

    list_display = ("turn", "number", "reading", "page", "line", "created_at")
    list_select_related = ("turn__thread", "reading__document")
    list_filter = ("turn__thread__organization", "created_at")
    search_fields = ("=id", "=turn__id", "=turn__thread__id", "=reading__id", "=reading__document__id")


@admin.register(AgentSettings)
class AgentSettingsAdmin(RowAdmin):
    editable = (
        "default_model",
        "allowed_models",
        "max_rounds",
        "turn_limit_micros",
        "tool_seconds",
        "research_seconds",
        "research_min_tokens",
        "rerank_model",
        "scope_model",
        "default_mode",
        "disabled_tools",
        "organization_instructions",
    )
    list_display = ("organization", "default_model", "default_mode", "max_rounds", "updated_by", "updated_at")
    list_select_related = ("organization", "updated_by")
    search_fields = ("=id", "organization__name", "=organization__id")

    def save_model(
        self, request: HttpRequest, obj: AgentSettings, form: ModelForm[AgentSettings], change: bool
    ) -> None:
        changes = {name: form.cleaned_data[name] for name in form.changed_data}
        agent_settings.change(as_operator(request, obj.organization), **changes)
