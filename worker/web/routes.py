"""Routes by a request's address, before its body is read: how much it may hold, and who may send that."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from urllib.parse import unquote

from django.core.handlers.asgi import ASGIRequest
from django.urls import Resolver404, resolve

from accounts.api import rate_limits
from accounts.api.admission import admit
from accounts.api.authentication import MCP_PATHS
from accounts.models import Role
from kit.http.bodies import Body, format_size, kind_taken_by

_WITH_BODY = {"POST", "PUT", "PATCH"}


@dataclass(frozen=True)
class Head:
    """The first line and the headers of a request, and the address that it comes from."""

    method: str
    path: str
    headers: list[tuple[bytes, bytes]]
    sender: str

    @property
    def is_api(self) -> bool:
        return self.path.startswith("/v0/") or self.path in MCP_PATHS

    def as_request(self) -> ASGIRequest:
        """As Django sees it, without its query and its body."""
        scope = {
            "type": "http",
            "method": self.method,
            "path": self.path,
            "query_string": b"",
            "headers": self.headers,
            "client": (self.sender, 0),
        }
        return ASGIRequest(scope, BytesIO())


@dataclass(frozen=True)
class Route:
    """`organization_id` is empty outside of organizations."""

    body: Body
    organization_id: str = ""

    @property
    def too_large(self) -> str:
        sentence = f"The request is larger than the {format_size(self.body.max_bytes)} that are taken here."
        if self.body is Body.BASE64:
            sentence += " Send the files one by one to the address that ends in /multipart."
        return sentence


def head_of(method: bytes, target: bytes, headers: list[tuple[bytes, bytes]], sender: str) -> Head:
    path = unquote(target.partition(b"?")[0].decode("latin-1"))
    return Head(method.decode("latin-1"), path, [(name.lower(), value) for name, value in headers], sender)


def route_of(head: Head) -> Route:
    """An unknown address takes what a form does: its answer is a page like any other."""
    if head.method not in _WITH_BODY:
        return Route(Body.FORM)
    if head.path in MCP_PATHS:
        return Route(Body.TEXT)
    try:
        match = resolve(head.path)
    except Resolver404:
        return Route(Body.FORM)
    organization_id = match.kwargs.get("org_id") or match.kwargs.get("organization_id") or ""
    return Route(kind_taken_by(match.func), str(organization_id))


def check_sender(head: Head, route: Route) -> None:
    """Asks Redis and the database. Raises an AppError for who may not send a large body there, or not now."""
    request = head.as_request()
    if head.is_api:
        rate_limits.check_sender(request)
    role = Role.REVIEWER if route.body in (Body.FILE, Body.BASE64) else Role.VIEWER
    admit(request, route.organization_id, role)
