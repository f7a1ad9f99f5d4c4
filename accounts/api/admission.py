"""Admission of large bodies before they are read, so that a stranger cannot fill memory and disk."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from accounts.access import enter
from accounts.api.access import NOT_A_MEMBER, has_admin_rights
from accounts.api.authentication import NO_CREDENTIALS, reaches, read_secret
from accounts.models import AccessToken, Role, User
from accounts.services import tokens
from accounts.services.sign_in import sessions
from kit.errors import Denied, NotFound, Unauthenticated


def admit(request: HttpRequest, organization_id: str, role: Role) -> None:
    """Raises Unauthenticated, or Denied for who may not do it in that organization (an empty id asks for none).

    The view asks everything again: this only decides whether the body is taken.
    """
    user, token = identify(request)
    if not organization_id:
        return
    try:
        enter(user, organization_id, role, token=token)
    except NotFound:
        if not has_admin_rights(user, token):
            raise Denied(NOT_A_MEMBER) from None


def identify(request: HttpRequest) -> tuple[User, AccessToken | None]:
    """By token as /v0 does, else by the browser's session."""
    secret = read_secret(request)
    if secret is not None:
        token = tokens.find(secret)
        if not reaches(token, request.path):
            raise Unauthenticated(tokens.UNKNOWN)
        return token.user, token
    session_key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if not session_key:
        raise Unauthenticated(NO_CREDENTIALS)
    return sessions.get_user(session_key), None
