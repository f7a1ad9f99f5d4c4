"""The views that every /v0 route is made from, and its access check: who may do what, with the contract's codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.encoding import escape_uri_path
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import enter, renew, renew_user
from accounts.actor import Actor
from accounts.api.wire.fields import RequestBody
from accounts.models import AccessToken, Organization, Role, User
from accounts.services.activity import record_activity
from kit.errors import Denied, NotFound
from kit.ids import is_id
from kit.json_types import JsonObject

NOT_A_MEMBER = "You are not a member of this organization"
NOT_AN_ADMIN = "You are not an admin of this organization"
NOT_A_SYSTEM_ADMIN = "Admin access required"
UPLOADS_ONLY = "This token is for uploads only."
HAS_CEILING = "This token has a role ceiling, so it changes nothing of the account. Use one without, or sign in."


class AccountView(APIView):
    """A route of the signed-in user: a session or an account token."""

    http_method_names = ("get", "head", "post", "put", "patch", "delete")
    # Whether its GET gives an ETag, which PUT and DELETE take in If-Match (accounts.api.wire.conditions).
    is_conditional: ClassVar[bool] = False
    # Each method's body, which is also its description; a method without one ignores a body.
    bodies: ClassVar[Mapping[str, type[RequestBody]]] = {}
    # A handler that is inherited does this here, in place of its own summary.
    summaries: ClassVar[Mapping[str, str]] = {}

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        # A wrong method is 405 for everyone, before any question about who asks.
        if request.method is None or request.method.lower() not in self._list_methods():
            raise MethodNotAllowed(request.method or "")
        super().initial(request, *args, **kwargs)
        if isinstance(request.auth, AccessToken) and request.auth.is_limited:
            self.check_limits(request.auth, "GET" if request.method == "HEAD" else request.method)

    def check_limits(self, token: AccessToken, method: str) -> None:
        """A limited token only reads its user's account, and one for uploads not even that."""
        if token.upload_only:
            raise Denied(UPLOADS_ONLY)
        if method != "GET":
            raise Denied(HAS_CEILING)

    def read_body(self) -> JsonObject:
        """Check the body by the serializer of this method. Raises ValidationError."""
        serializer = self.bodies[str(self.request.method)](data=self.request.data)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def _list_methods(self) -> set[str]:
        return {name for name in self.http_method_names if hasattr(self, name)}

    @property
    def user(self) -> User:
        user = self.request.user
        assert isinstance(user, User)  # noqa: S101 - IsAuthenticated let it in
        return user

    @property
    def is_system_admin(self) -> bool:
        """Whether this request has a system admin's rights: a limited token has none, whoever made it."""
        return has_system_rights(self.request)

    def require_system_admin(self) -> None:
        if not self.is_system_admin:
            raise Denied(NOT_A_SYSTEM_ADMIN)


class OpenView(AccountView):
    """A route that asks for no credentials."""

    authentication_classes = ()
    permission_classes = (AllowAny,)


class OrganizationView(AccountView):
    """A route inside one organization. `roles` names the least role for each method; a method without one is refused.

    The path holds `<str:organization_id>`; handlers get the remaining path arguments and use `self.actor`.
    """

    roles: ClassVar[Mapping[str, Role]]
    # Routes that system admins may use in every organization, with an admin's rights.
    open_to_system_admins: ClassVar[bool] = False
    # Methods that a token for uploads only may use.
    open_to_uploads: ClassVar[frozenset[str]] = frozenset()
    actor: Actor

    def dispatch(
        self, request: HttpRequest, *args: object, organization_id: str = "", **kwargs: object
    ) -> HttpResponseBase:
        self.organization_id = organization_id
        return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        super().initial(request, *args, **kwargs)
        method = "GET" if request.method == "HEAD" else str(request.method)
        self.actor = enter_v0(
            request, self.organization_id, self.roles[method], system_admins=self.open_to_system_admins
        )
        record_activity(self.actor)

    def check_limits(self, token: AccessToken, method: str) -> None:
        """Its role ceiling a token meets where it enters."""
        if token.upload_only and method not in self.open_to_uploads:
            raise Denied(UPLOADS_ONLY)


def enter_v0(request: Request, organization_id: str, role: Role, *, system_admins: bool = False) -> Actor:
    """As `accounts.access.enter`, with the codes and sentences of /v0. `system_admins` need not be members."""
    if not is_id(organization_id):
        raise NotFound("Organization not found")
    user, (token, session_key) = request.user, get_credentials(request)
    assert isinstance(user, User)  # noqa: S101 - IsAuthenticated let it in
    try:
        actor = enter(user, organization_id, token=token, session_key=session_key)
    except NotFound:
        if not (system_admins and has_system_rights(request)):
            raise Denied(NOT_A_MEMBER) from None
        actor = replace(_system_admin_in(user, organization_id), token=token, session_key=session_key)
    if role == Role.ADMIN and not actor.may(role):
        raise Denied(NOT_AN_ADMIN)
    actor.require(role)
    return actor


def renew_v0(actor: Actor) -> Actor:
    """As `accounts.access.renew`, with the codes and sentences of /v0."""
    try:
        return renew(actor)
    except NotFound:
        raise Denied(NOT_A_MEMBER) from None


def has_system_rights(request: Request) -> bool:
    user = request.user
    return isinstance(user, User) and has_admin_rights(
        user, request.auth if isinstance(request.auth, AccessToken) else None
    )


def has_admin_rights(user: User, token: AccessToken | None) -> bool:
    """Whether this is a system admin, whose rights no limited token carries."""
    return user.is_superuser and not (token and token.is_limited)


def renew_system_admin(actor: Actor) -> None:
    """For what only system admins do, in any organization. Raises Unauthenticated, or Denied for a demoted one."""
    if not renew_user(actor).is_superuser:
        raise Denied(NOT_A_SYSTEM_ADMIN)


def get_credentials(request: Request) -> tuple[AccessToken | None, str]:
    """The token that the request came with, or the key of the session."""
    if isinstance(request.auth, AccessToken):
        return request.auth, ""
    return None, request.session.session_key or ""


def _system_admin_in(user: User, organization_id: str) -> Actor:
    organization = Organization.objects.filter(pk=organization_id, closed_at=None).first()
    if organization is None:
        raise NotFound("Organization not found")
    return Actor(user, organization, Role.ADMIN)


class UnknownRoute(OpenView):
    """Every path under /v0 that no route has: 307 without its trailing slash, else 404 in the contract's shape."""

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if request.path.endswith("/") and (path := request.path.rstrip("/")) != "/v0":
            query = request.META.get("QUERY_STRING", "")
            return TemporaryRedirect(escape_uri_path(path) + (f"?{query}" if query else ""))
        return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        raise NotFound("Not Found")


class TemporaryRedirect(HttpResponseRedirect):
    """307 keeps method and body."""

    status_code = 307
