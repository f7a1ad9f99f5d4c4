from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest

from accounts.admin.base import RowAdmin
from accounts.models import AccessToken, User
from accounts.services import audit, tokens
from docrouter.kit.errors import Invalid

# Rights come from roles and from the system admin's flag; groups would be a third source.
admin.site.unregister(Group)


class NewUserForm(AdminUserCreationForm):  # type: ignore[type-arg]  # not subscriptable at run time
    class Meta:
        model = User
        fields = ("email", "name", "is_superuser")


@admin.register(User)
class UserAdmin(RowAdmin):
    """People are not deleted: their edits, decisions and audit rows would lose a name. Switch them off instead."""

    editable = ("email", "name", "is_active", "is_superuser", "email_verified")
    rows_of = ("memberships", "access_tokens", "threads")
    secret = ("is_staff",)
    list_display = ("email", "name", "is_active", "is_superuser", "last_login", "created_at")
    list_filter = ("is_active", "is_superuser", "created_at")
    search_fields = ("=id", "email", "name")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> type[ModelForm]:  # type: ignore[type-arg]
        if obj is None:
            return NewUserForm
        return super().get_form(request, obj, change, **kwargs)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        if obj is None:
            return ["email", "name", "is_superuser", "password1", "password2"]
        shown = super().get_fields(request, obj)
        return [name for name in shown if name not in ("groups", "user_permissions")]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        shown = super().get_readonly_fields(request, obj)
        return [name for name in shown if name not in ("groups", "user_permissions")]

    @transaction.atomic
    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        if change and obj.pk == request.user.pk and not (obj.is_superuser and obj.is_active):
            raise Invalid("You cannot take the administration from yourself. Another system admin can.")
        obj.email = User.objects.normalize_email(obj.email)
        obj.is_staff = obj.is_superuser
        super().save_model(request, obj, form, change)
        assert isinstance(request.user, User)  # noqa: S101 - the admin let them in
        action = "changed" if change else "created"
        changed = [name for name in form.changed_data if not name.startswith("password")]
        audit.record_outside(request.user, action, obj, fields=changed)


@admin.register(AccessToken)
class AccessTokenAdmin(RowAdmin):
    """A token's secret was shown once, to its owner; here it can only be looked up and ended."""

    secret = ("digest",)
    list_display = ("name", "start", "user", "organization", "last_used_at", "expires_at", "created_at")
    list_select_related = ("user", "organization")
    list_filter = ("organization", "last_used_at", "expires_at")
    search_fields = ("=id", "name", "start", "user__email")
    actions = ("revoke",)

    @admin.action(description="Revoke: it stops working at once", permissions=["view"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[AccessToken]) -> None:
        revoker = request.user
        assert isinstance(revoker, User)  # noqa: S101 - the admin let them in
        rows = queryset.select_related("organization")
        self.each(request, rows, lambda token: tokens.revoke(revoker, token=token), "Revoked")
