"""Tells the open connections of a user that what they may see may have changed; each of them then looks for itself.

By signals of the rows rather than by a call in each service: the administration, commands and cascades change these
rows as well, and one forgotten call would leave a socket open to somebody who was removed.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from django.contrib.auth import SESSION_KEY
from django.db.models import Model
from django.db.models.signals import post_delete, post_save

from kit import events

_FIELDS = frozenset({"password", "is_active", "is_superuser", "deleted_at"})


def connect() -> None:
    """Once, when all models are loaded."""
    post_save.connect(_announce_user, sender="accounts.User")
    for model in ("accounts.Member", "accounts.AccessToken"):
        post_save.connect(_announce_owner, sender=model)
        post_delete.connect(_announce_owner, sender=model)
    post_delete.connect(_announce_session, sender="sessions.Session")


class OwnedRow(Protocol):
    """A user's membership or access token."""

    user_id: str


class EndedSession(Protocol):
    """The part of a session that is asked for here; its model cannot be imported before all are loaded."""

    def get_decoded(self) -> dict[str, object]: ...


def announce(user_id: object) -> None:
    """On commit, before whatever the same transaction publishes later."""
    events.publish(events.user_group(user_id), events.ACCESS_CHANGED)


def _announce_user(instance: Model, created: bool, update_fields: Collection[str] | None, **kwargs: object) -> None:
    """Not at each sign-in, which saves the time of it alone."""
    if not created and (update_fields is None or _FIELDS & set(update_fields)):
        announce(instance.pk)


def _announce_owner(instance: OwnedRow, created: bool = False, **kwargs: object) -> None:
    if not created:
        announce(instance.user_id)


def _announce_session(instance: EndedSession, **kwargs: object) -> None:
    """A session that was ended: by its sign-out, by a new password in the same browser, or by an operator."""
    user_id = instance.get_decoded().get(SESSION_KEY)
    if user_id:
        announce(user_id)
