"""What the owner of a thread does with its standing wishes: adds, changes and removes them."""

from __future__ import annotations

from django.db import transaction

from accounts.actor import Actor
from accounts.services import audit
from agent import feed, wishes
from agent.conversation.threads import require_owner
from agent.models import StandingWish, Thread
from kit.errors import NotFound

CHANGED = "wishes.changed"


@transaction.atomic
def add(actor: Actor, *, thread: Thread, text: str, message_number: int | None = None) -> StandingWish:
    """Raises Invalid for an empty or too long text or one too many, NotFound for the message that says it."""
    require_owner(actor, thread)
    message = wishes.fetch_message(thread, message_number) if message_number is not None else None
    wish = wishes.store(actor, thread=thread, text=text, message=message)
    feed.append(thread.pk, CHANGED)
    return wish


@transaction.atomic
def change(actor: Actor, *, wish: StandingWish, text: str) -> StandingWish:
    """Raises as `add` does, and NotFound for one that is gone."""
    require_owner(actor, wish.thread)
    wish, others = _lock(wish)
    wish.text = wishes.check_text(text, others)
    wish.save(update_fields=["text", "updated_at"])
    wishes.record(actor, "changed a standing wish", wish)
    feed.append(wish.thread_id, CHANGED)
    return wish


@transaction.atomic
def remove(actor: Actor, *, wish: StandingWish) -> None:
    """Raises NotFound for one that is gone."""
    require_owner(actor, wish.thread)
    wish, _ = _lock(wish)
    wishes.record(actor, "removed a standing wish", wish)
    wish.delete()
    feed.append(wish.thread_id, CHANGED)


@transaction.atomic
def clear(actor: Actor, *, thread: Thread) -> int:
    """Takes all of them off the list. Returns how many there were."""
    require_owner(actor, thread)
    count, _ = StandingWish.objects.filter(pk__in=[wish.pk for wish in wishes.lock_wishes(thread)]).delete()
    if count:
        audit.record(actor, "cleared the standing wishes", thread, count=count)
        feed.append(thread.pk, CHANGED)
    return count


def _lock(wish: StandingWish) -> tuple[StandingWish, list[StandingWish]]:
    """As it is now, and the others of its thread."""
    rows = {each.pk: each for each in wishes.lock_wishes(wish.thread)}
    if wish.pk not in rows:
        raise NotFound("Standing wish not found")
    return rows.pop(wish.pk), list(rows.values())
