from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest

from accounts.admin.base import RowAdmin, as_operator
from accounts.models import AuditEntry, FirstRun, Invitation, Member, Organization, Role
from accounts.services import members, organizations


@admin.register(Organization)
class OrganizationAdmin(RowAdmin):
    """An organization is not deleted from here: all of its documents and the proof of every decision would go along."""

    editable = (
        "name",
        "type",
        "default_prompt_enabled",
        "failed_checks_need_reason",
        "people_in_usage",
        "identical_files",
        "experimental_features",
        "agent_stopped",
        "local_models_only",
        "auto_setup_default",
    )
    rows_of = (
        "memberships",
        "access_tokens",
        "documents",
        "tags",
        "threads",
        "rules",
        "usages",
        "audit_entries",
        "outbound_rules",
        "outbound_requests",
    )
    list_display = ("name", "type", "agent_stopped", "default_prompt_enabled", "created_at")
    list_filter = ("type", "agent_stopped", "created_at")
    search_fields = ("=id", "name_folded")

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return [name for name in super().get_readonly_fields(request, obj) if name != "members"]

    def save_model(self, request: HttpRequest, obj: Organization, form: ModelForm[Organization], change: bool) -> None:
        actor = as_operator(request, obj)
        changes = {name: form.cleaned_data[name] for name in form.changed_data}
        stopped, local = changes.pop("agent_stopped", None), changes.pop("local_models_only", None)
        organizations.change(actor, **changes)
        if stopped is not None:
            organizations.stop_agent(actor, stopped=stopped)
        if local is not None:
            organizations.keep_text_local(actor, local=local)


@admin.register(Member)
class MemberAdmin(RowAdmin):
    editable = ("role",)
    list_display = ("user", "organization", "role", "last_active_at", "created_at")
    list_select_related = ("user", "organization")
    list_filter = ("role", "organization")
    search_fields = ("=id", "user__email", "user__name", "organization__name_folded")
    raw_id_fields = ("user", "organization")
    actions = ("remove",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return super().get_fields(request, obj) if obj else ["organization", "user", "role"]

    def save_model(self, request: HttpRequest, obj: Member, form: ModelForm[Member], change: bool) -> None:
        actor, role = as_operator(request, obj.organization), Role(obj.role)
        if change:
            members.change_role(actor, member=obj, role=role)
        else:
            obj.pk = members.add(actor, user=obj.user, role=role).pk

    @admin.action(description="Remove from the organization", permissions=["view"])
    def remove(self, request: HttpRequest, queryset: QuerySet[Member]) -> None:
        rows = queryset.select_related("organization", "user")
        self.each(
            request,
            rows,
            lambda row: members.remove(as_operator(request, row.organization), member=row),
            "Removed from the organization; their documents stay",
        )


@admin.register(Invitation)
class InvitationAdmin(RowAdmin):
    list_display = ("email", "organization", "role", "invited_by", "expires_at", "created_at")
    list_select_related = ("organization", "invited_by")
    list_filter = ("role", "organization")
    search_fields = ("=id", "email", "organization__name_folded")


@admin.register(AuditEntry)
class AuditEntryAdmin(RowAdmin):
    list_display = ("created_at", "action", "target_kind", "target_id", "user", "origin", "organization")
    list_select_related = ("user", "organization")
    list_filter = ("origin", "target_kind", "organization", "created_at")
    search_fields = ("=id", "=target_id", "action", "user__email")


@admin.register(FirstRun)
class FirstRunAdmin(RowAdmin):
    secret = ("code_digest",)
    list_display = ("__str__", "created_at", "claimed_at")
