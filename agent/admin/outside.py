from __future__ import annotations

from typing import TypeAlias

from django import forms
from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from accounts.admin.base import RowAdmin, as_operator
from agent.models import OutsideServer, OutsideTool
from agent.outside import servers

Field: TypeAlias = str | list[str] | tuple[str, ...] | tuple[()]


class NewServerForm(forms.ModelForm):  # type: ignore[type-arg]
    secret = forms.CharField(required=False, widget=forms.PasswordInput, help_text="The header's text; kept encrypted.")

    class Meta:
        model = OutsideServer
        fields = ("organization", "name", "url", "command", "header")


@admin.register(OutsideServer)
class OutsideServerAdmin(RowAdmin):
    """Here, and only here, a server is added by a command, which OUTSIDE_MCP_COMMANDS names."""

    rows_of = ("tools",)
    secret = ("sealed",)
    list_display = ("name", "place", "organization", "failure", "listed_at", "created_by")
    list_select_related = ("organization", "created_by")
    list_filter = ("organization", "listed_at")
    search_fields = ("=id", "name", "url", "command", "organization__name_folded")
    raw_id_fields = ("organization",)
    actions = ("list_again", "remove")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    form = NewServerForm

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Field]:
        return super().get_fields(request, obj) if obj else [*NewServerForm.Meta.fields, "secret"]

    def save_model(self, request: HttpRequest, obj: OutsideServer, form: NewServerForm, change: bool) -> None:
        added = servers.add_server(
            as_operator(request, obj.organization),
            name=obj.name,
            url=obj.url,
            command=obj.command,
            header=obj.header,
            secret=form.cleaned_data["secret"],
        )
        obj.pk = added.pk

    @admin.action(description="List the tools again", permissions=["view"])
    def list_again(self, request: HttpRequest, queryset: QuerySet[OutsideServer]) -> None:
        rows = queryset.select_related("organization")
        self.each(
            request,
            rows,
            lambda row: servers.list_again(as_operator(request, row.organization), server=row),
            "Asked for its tools; the list follows the answer",
        )

    @admin.action(description="Remove with its tools", permissions=["view"])
    def remove(self, request: HttpRequest, queryset: QuerySet[OutsideServer]) -> None:
        rows = queryset.select_related("organization")
        self.each(
            request,
            rows,
            lambda row: servers.remove_server(as_operator(request, row.organization), server=row),
            "Removed with its tools",
        )


@admin.register(OutsideTool)
class OutsideToolAdmin(RowAdmin):
    """Switched on one by one on the page of its organization, where its words are read; here only off."""

    list_display = ("tool", "server", "is_on", "only_fetches", "revision", "problem", "seen_by", "seen_at", "gone_at")
    list_select_related = ("server", "seen_by")
    list_filter = ("is_on", "only_fetches", "server__organization", "seen_at")
    search_fields = ("=id", "tool", "name", "server__name")
    actions = ("switch_off",)

    @admin.action(description="Switch the tool off", permissions=["view"])
    def switch_off(self, request: HttpRequest, queryset: QuerySet[OutsideTool]) -> None:
        rows = queryset.select_related("server__organization")
        self.each(
            request,
            rows,
            lambda row: servers.switch_tool(as_operator(request, row.server.organization), tool=row, is_on=False),
            "Switched off; the agent cannot call it",
        )
