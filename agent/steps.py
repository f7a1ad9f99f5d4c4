"""The steps of a thread: what the agent has set out to do in it, seen and edited by the thread's owner.

They stand in the thread's row, so they outlive rounds, the shortening of earlier messages, and restarts.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone
from typing_extensions import TypedDict

from accounts.actor import Actor
from accounts.services import audit
from agent import feed
from agent.models import Thread, Turn
from agent.toolkit.preconditions import hash_value
from kit import sanitize
from kit.errors import Conflict, Invalid

MAX_STEPS = 30
MAX_CHARACTERS = 200
CHANGED = "steps.changed"
EDITED_SINCE = "A person has changed the steps since you were asked. They are in the state: go on from these."
CHANGED_SINCE = "The steps have been changed since you saw them. Look at them as they are now."


class Step(TypedDict):
    text: str
    done: bool


def set_by_agent(thread: Thread, turn: Turn, steps: Sequence[Step]) -> list[Step]:
    """In the caller's transaction. Raises Invalid, and Conflict where a person has changed them since the round began:
    the model has not seen that.
    """
    stored = _lock(thread)
    if stored.steps_edited_at and turn.claimed_at and stored.steps_edited_at > turn.claimed_at:
        raise Conflict(EDITED_SINCE)
    return _store(stored, check_steps(steps))


def set_by_person(actor: Actor, *, thread: Thread, steps: Sequence[Step], seen: int | None = None) -> list[Step]:
    """In the caller's transaction. Raises Invalid, and Conflict where they are no longer what was `seen`."""
    stored = _lock(thread)
    if seen is not None and seen != hash_steps(stored):
        raise Conflict(CHANGED_SINCE)
    stored.steps_edited_at = timezone.now()
    kept = _store(stored, check_steps(steps))
    audit.record(actor, "changed the steps", stored, count=len(kept))
    return kept


def check_steps(steps: Sequence[Step]) -> list[Step]:
    """As they are stored, without empty ones and without signs that turn their letters around. Raises Invalid."""
    texts = [" ".join(sanitize.text(sanitize.leave_visible(step["text"])).split()) for step in steps]
    if long := next((text for text in texts if len(text) > MAX_CHARACTERS), None):
        raise Invalid(f"A step has {len(long):,} characters; {MAX_CHARACTERS} is the most.")
    kept: list[Step] = [
        {"text": text, "done": bool(step["done"])} for text, step in zip(texts, steps, strict=True) if text
    ]
    if len(kept) > MAX_STEPS:
        raise Invalid(f"There are {len(kept)} steps; {MAX_STEPS} is the most. Join some.")
    return kept


def hash_steps(thread: Thread) -> int:
    return hash_value(thread.steps)


def describe_steps(thread: Thread) -> str:
    """For the model, with numbers; empty where there are none."""
    rows = [f"{at}. {step['text']}{' (done)' if step['done'] else ''}" for at, step in enumerate(thread.steps, 1)]
    return "\n".join(rows)


def count_done(thread: Thread) -> str:
    done = sum(step["done"] for step in thread.steps)
    return f"{done} of {len(thread.steps)} done"


def _lock(thread: Thread) -> Thread:
    return Thread.objects.select_for_update().get(pk=thread.pk)


def _store(thread: Thread, steps: list[Step]) -> list[Step]:
    thread.steps = steps
    thread.save(update_fields=["steps", "steps_edited_at"])
    feed.append(thread.pk, CHANGED)
    return steps
