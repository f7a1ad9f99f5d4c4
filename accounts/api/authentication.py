"""Callers of /v0 and MCP: a Bearer token, else an X-Api-Key, else the browser's session with its CSRF check."""

from __future__ import annotations

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import AccessToken, User
from accounts.services import tokens
from kit.errors import Unauthenticated
from kit.http.client_address import client_address

# Where MCP is served, beside Django's own addresses. The token says which organization is meant.
MCP_PATHS = ("/mcp", "/mcp/")
NO_CREDENTIALS = "No authentication credentials provided"


class TokenOrSession(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, AccessToken | None] | None:
        secret = read_secret(request)
        if secret is None:
            return SessionAuthentication().authenticate(request)
        try:
            token = tokens.find(secret)
        except Unauthenticated as error:
            raise AuthenticationFailed(error.sentence) from None
        if not reaches(token, request.path):
            raise AuthenticationFailed(tokens.UNKNOWN)
        tokens.record_use(token, address=client_address(request))
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def read_secret(request: Request | HttpRequest) -> str | None:
    """A Bearer header wins even when it is wrong; X-Api-Key counts only without one."""
    scheme, _, value = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    return request.headers.get("X-Api-Key")


def reaches(token: AccessToken, path: str) -> bool:
    """An organization's token opens that organization's paths only; an account's token opens all of its user's."""
    if token.organization_id is None:
        return True
    return path in MCP_PATHS or path.startswith(f"/v0/orgs/{token.organization_id}/")
