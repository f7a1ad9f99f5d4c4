"""Who verifies which document at the moment: a sign in the cache, renewed by the open page and gone soon after it.

It says who is there and keeps two people from being handed the same document. It forbids nothing, and it is no data:
without Redis nobody is seen.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from django.core.cache import cache
from django.utils import timezone
from redis.exceptions import RedisError

from accounts.actor import Actor

log = logging.getLogger(__name__)
SIGN_SECONDS = 20
# Two signs may be lost.
KEPT_SECONDS = 65
# Documents that others verify are passed over up to this number.
MAX_PASSED = 50


@dataclass(frozen=True)
class Presence:
    """`seconds`: how long the page was open and in sight; `seen_at`: when it last said so, in seconds."""

    user_id: str
    name: str
    seconds: float = 0
    seen_at: float = 0


def claim(actor: Actor, document_id: str) -> bool:
    """Says that the actor is there from now on. False when somebody else is: of two who come at once one gets it."""
    now = timezone.now().timestamp()
    presence = Presence(actor.user.pk, actor.shown_name, seen_at=now)
    try:
        if cache.add(_key(document_id), asdict(presence), KEPT_SECONDS):
            return True
        before = _read(cache.get(_key(document_id)))
        if before is None or before.user_id != actor.user.pk:
            return False
        # A page that was not in sight gave no sign: that time does not count.
        seconds = before.seconds + min(max(0.0, now - before.seen_at), SIGN_SECONDS * 1.5)
        cache.set(_key(document_id), asdict(replace(before, seconds=seconds, seen_at=now)), KEPT_SECONDS)
    except (RedisError, OSError) as error:
        log.warning("sign of a reviewer not kept: %s", error)
    return True


def hand_out(actor: Actor, document_ids: Iterable[str]) -> str | None:
    """The first of these that nobody else verifies; from then on the actor does."""
    return next((document_id for document_id in document_ids if claim(actor, document_id)), None)


def release(actor: Actor, document_id: str) -> float:
    """The actor is no longer there. Gives how many seconds they were; 0 when nobody knows."""
    if not claim(actor, document_id):
        return 0
    try:
        presence = _read(cache.get(_key(document_id)))
        cache.delete(_key(document_id))
    except (RedisError, OSError) as error:
        log.warning("sign of a reviewer not taken back: %s", error)
        return 0
    return presence.seconds if presence else 0


def find_others(actor: Actor, document_ids: Sequence[str]) -> dict[str, str]:
    """The names of those other than the actor who verify one of these documents."""
    try:
        signs = cache.get_many([_key(document_id) for document_id in document_ids])
    except (RedisError, OSError) as error:
        log.warning("signs of reviewers not read: %s", error)
        return {}
    presences = {document_id: _read(signs.get(_key(document_id))) for document_id in document_ids}
    return {key: each.name for key, each in presences.items() if each and each.user_id != actor.user.pk}


def _read(kept: dict[str, object] | None) -> Presence | None:
    return Presence(**kept) if kept else None  # type: ignore[arg-type]


def _key(document_id: str) -> str:
    return f"review:{document_id}"
