from __future__ import annotations

from typing import ClassVar

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from oauth2_provider import models as oauth

from accounts.admin.base import RowAdmin
from accounts.models import Connection, ConnectionKey, User
from accounts.services import tokens
from accounts.services.connections import clients

# The library's own pages show codes and secrets, and let them be written.
for model in (oauth.Application, oauth.AccessToken, oauth.RefreshToken, oauth.Grant, oauth.IDToken):
    admin.site.unregister(model)


@admin.register(oauth.Application)
class ClientAdmin(RowAdmin):
    """A program that registered itself. To remove it ends what people connected with it."""

    secret = ("client_secret",)
    ordering: ClassVar[tuple[str, ...]] = ("-created",)
    list_display = ("name", "client_id", "registration_source", "updated", "created")
    list_filter = ("registration_source", "created")
    search_fields = ("client_id", "name")
    rows_of = ("connections",)
    actions = ("remove",)

    @admin.action(description="Remove and end its connections", permissions=["view"])
    def remove(self, request: HttpRequest, queryset: QuerySet[Model]) -> None:
        self.each(
            request,
            queryset,
            lambda client: clients.remove(_get_user(request), client=client),
            "Removed with its connections",
        )


@admin.register(Connection)
class ConnectionAdmin(RowAdmin):
    secret = ("code_digest", "family_digest")
    list_display = ("token", "client", "ended_for", "created_at")
    list_filter = ("ended_for",)
    list_select_related = ("token", "client")
    search_fields = ("=id", "token__name", "token__user__email")
    rows_of = ("keys",)
    actions = ("revoke",)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[str]:
        return [name for name in super().get_readonly_fields(request, obj) if name != "refresh_token"]

    @admin.action(description="Revoke: its client is refused from now on", permissions=["view"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[Connection]) -> None:
        rows, user = queryset.select_related("token__organization"), _get_user(request)
        self.each(
            request,
            rows,
            lambda connection: tokens.revoke(user, token=connection.token),
            "Revoked; its client is refused now",
        )


@admin.register(ConnectionKey)
class ConnectionKeyAdmin(RowAdmin):
    secret = ("access_token",)
    list_display = ("connection", "created_at")
    list_select_related = ("connection__token",)
    search_fields = ("=id", "connection__token__name")


def _get_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 - the admin let them in
    return request.user
