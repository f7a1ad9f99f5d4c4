from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as PasswordAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.admin.base import RowAdmin
from accounts.models import AccessToken, OutgoingMail, User
from accounts.services import audit, password_resets, tokens, users
from kit.errors import Denied, Invalid

# Rights come from roles and from the system admin's flag; groups would be a third source.
admin.site.unregister(Group)


class NewUserForm(AdminUserCreationForm):  # type: ignore[type-arg]  # not subscriptable at run time
    class Meta:
        model = User
        fields = ("email", "name", "is_superuser")


@admin.display(description="password")
def password_link(user: User) -> SafeString:
    address = reverse("admin:auth_user_password_change", args=[user.pk])
    return format_html('<a href="{}">Set another one</a>', address)


@admin.register(User)
class UserAdmin(RowAdmin, PasswordAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """People are not deleted: their edits, decisions and audit rows would lose a name. Switch them off instead."""

    fieldsets = None
    add_fieldsets = ((None, {"fields": ("email", "name", "is_superuser", "password1", "password2")}),)
    add_form = NewUserForm
    filter_horizontal = ()
    editable = ("email", "name", "is_active", "is_superuser", "email_verified")
    rows_of = ("memberships", "access_tokens", "threads")
    secret = ("is_staff",)
    list_display = ("email", "name", "is_active", "is_superuser", "last_login", "created_at")
    list_filter = ("is_active", "is_superuser", "created_at")
    search_fields = ("=id", "email", "name")
    actions = ("make_reset_links",)

    @admin.action(description="Create a password reset link", permissions=["view"])
    def make_reset_links(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        maker = request.user
        assert isinstance(maker, User)  # noqa: S101 - the admin let them in
        for user in queryset:
            try:
                link = password_resets.make_link(maker, user=user)
            except Denied as error:
                self.message_user(request, f"{user}: {error.sentence}", messages.WARNING)
            else:
                self.message_user(
                    request,
                    f"Hand this link to {user}; nothing changes until it is used, once and within an hour: {link}",
                )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        fields = super().get_readonly_fields(request, obj)
        fields = [name for name in fields if name not in ("groups", "user_permissions")]
        return [*fields, password_link] if obj else []

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Signs the person out everywhere else; the new password is told to them by whoever set it."""
        answer: HttpResponse = super().user_change_password(request, id, form_url)
        if request.method == "POST" and answer.status_code == 302:
            assert isinstance(request.user, User)  # noqa: S101 - the admin let them in
            audit.record_outside(request.user, "changed password", User.objects.get(pk=id))
        return answer

    @transaction.atomic
    def save_model(self, request: HttpRequest, obj: User, form: ModelForm[User], change: bool) -> None:
        if change and obj.pk == request.user.pk and not (obj.is_superuser and obj.is_active):
            raise Invalid("You cannot take the administration from yourself. Another system admin can.")
        if change and not (obj.is_superuser and obj.is_active):
            users.require_another_system_admin(obj)
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

    @admin.action(description="Revoke: programs with this token are refused now", permissions=["view"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[AccessToken]) -> None:
        revoker = request.user
        assert isinstance(revoker, User)  # noqa: S101 - the admin let them in
        rows = queryset.select_related("organization")
        self.each(
            request,
            rows,
            lambda token: tokens.revoke(revoker, token=token),
            "Revoked; programs with it are refused now",
        )


@admin.register(OutgoingMail)
class OutgoingMailAdmin(RowAdmin):
    """Mails of late, and the reason why one could not be sent."""

    list_display = ("email", "kind", "status", "reason", "attempt", "due_at", "sent_at", "created_at")
    list_filter = ("status", "kind", "created_at")
    search_fields = ("=id", "email")
