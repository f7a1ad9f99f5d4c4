from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest

from accounts.admin.base import RowAdmin, as_operator
from accounts.models import OutboundRequest, OutboundRule
from accounts.services.outbound import rules


@admin.register(OutboundRule)
class OutboundRuleAdmin(RowAdmin):
    """A rule is added and removed; none is changed, so that the audit log says what held when."""

    list_display = ("pattern", "effect", "organization", "created_by", "created_at")
    list_select_related = ("organization", "created_by")
    list_filter = ("effect", "organization")
    search_fields = ("=id", "pattern", "organization__name_folded")
    raw_id_fields = ("organization",)
    actions = ("remove",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return super().get_fields(request, obj) if obj else ["organization", "effect", "pattern"]

    def save_model(self, request: HttpRequest, obj: OutboundRule, form: ModelForm[OutboundRule], change: bool) -> None:
        actor = as_operator(request, obj.organization)
        obj.pk = rules.add_rule(actor, effect=obj.effect, pattern=obj.pattern).pk

    @admin.action(description="Remove the rule", permissions=["view"])
    def remove(self, request: HttpRequest, queryset: QuerySet[OutboundRule]) -> None:
        rows = queryset.select_related("organization")
        self.each(
            request, rows, lambda row: rules.remove_rule(as_operator(request, row.organization), row), "Rule removed"
        )


@admin.register(OutboundRequest)
class OutboundRequestAdmin(RowAdmin):
    list_display = ("created_at", "origin", "purpose", "status", "is_denied", "reason", "organization", "user")
    list_select_related = ("organization", "user")
    list_filter = ("is_denied", "purpose", "organization", "created_at")
    search_fields = ("=id", "origin", "address", "organization__name_folded")
