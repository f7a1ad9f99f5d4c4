"""Browser sessions, for what goes on after a request was let in: sockets, streams and long answers."""

from __future__ import annotations

from datetime import datetime
from importlib import import_module

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.utils.crypto import constant_time_compare

from accounts.models import User
from kit.errors import Unauthenticated

ENDED = "Your session has ended. Sign in again."


def get_user(session_key: str | None) -> User:
    """Find the user of the session at this moment, read from its row.

    Raises Unauthenticated when it was signed out, has run out, was begun with an earlier password, or its user is
    switched off. Unlike Django's `get_user` it changes nothing: a socket cannot set the cookie of a renewed session.
    """
    session = _load_session(session_key)
    user = User.objects.filter(pk=session.get(SESSION_KEY), is_active=True).first()
    if user is None or not _is_of_password(session, user):
        raise Unauthenticated(ENDED)
    return user


def get_end(session_key: str | None) -> datetime | None:
    """When the session runs out unless it is used before; None when it is over already."""
    rows = Session.objects.filter(session_key=session_key or "")
    return rows.values_list("expire_date", flat=True).first()


def _load_session(session_key: str | None) -> SessionBase:
    engine = import_module(settings.SESSION_ENGINE)
    session: SessionBase = engine.SessionStore(session_key)
    return session


def _is_of_password(session: SessionBase, user: User) -> bool:
    stored = session.get(HASH_SESSION_KEY, "")
    known = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(stored, each) for each in known)
