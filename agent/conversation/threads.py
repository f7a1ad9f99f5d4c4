"""Threads: who may read one, and what its owner may set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import cast

from django.db import transaction
from django.utils import timezone

from accounts.access import fetch
from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from agent import feed, focus
from agent import steps as thread_steps
from agent.calls.withdrawal import withdraw_and_end
from agent.conversation.mentions import Mention, find_rows, format_label
from agent.models import Message, Thread, ToolCall, Turn
from agent.policy import agent_settings
from agent.steps import Step
from documents.find.scopes import Scope
from documents.models import Document
from kit.errors import Conflict, Denied, Invalid, NotFound

UNTITLED = "New chat"
TITLE_CHARACTERS = 50
MAX_TITLE = 200
WENT_BACK = "The user went back to an earlier message."
TRASHED = "The thread was moved to the trash."


def get_asking_role(document: object | None) -> Role:
    """Who may ask: threads on a document change it, the others are also for those who only look things up."""
    return Role.VIEWER if document is None else Role.REVIEWER


@transaction.atomic
def create(actor: Actor, *, document: Document | None = None, title: str = "", private: bool = False) -> Thread:
    """An empty thread of the actor's own. `document` must be of the actor's organization."""
    actor.require(get_asking_role(document))
    if document is not None and document.organization_id != actor.organization.pk:
        raise NotFound("Document not found")
    thread = Thread.objects.create(
        organization=actor.organization,
        document=document,
        owner=actor.user,
        private=private,
        title=title.strip()[:MAX_TITLE] or UNTITLED,
        mode=agent_settings.effective_settings(actor.organization).default_mode,
    )
    audit.record(actor, "started", thread)
    feed.report_threads(thread)
    return thread


def fetch_readable(actor: Actor, thread_id: str) -> Thread:
    """Threads are open to every member, private ones to their owner. Raises NotFound."""
    rows = Thread.objects.select_related("owner", "organization", "document")
    thread = fetch(actor, rows, thread_id, noun="Thread")
    if thread.private and thread.owner_id != actor.user.pk:
        raise NotFound("Thread not found")
    return thread


def get_scope(thread: Thread) -> Scope:
    """Which documents its newest turn is about, and its next one unless another is chosen."""
    newest = thread.turns.order_by("-number").first()
    return cast(Scope, newest.scope) if newest else {}


def get_depth(thread: Thread) -> str:
    """How many documents its newest turn may read, as a person chose, and its next one; empty: as the model chooses."""
    newest = thread.turns.order_by("-number").first()
    return newest.depth if newest else ""


def is_own(actor: Actor, thread: Thread) -> bool:
    """Whether the actor may go on in the thread."""
    return thread.owner_id == actor.user.pk and actor.may(get_asking_role(thread.document_id))


def require_owner(actor: Actor, thread: Thread) -> None:
    actor.require(get_asking_role(thread.document_id))
    if thread.owner_id != actor.user.pk:
        raise Denied(f"This thread is {thread.owner.shown_name}'s. Start one of your own to talk to the agent.")


@transaction.atomic
def set_mode(actor: Actor, *, thread: Thread, mode: str) -> Thread:
    """Raises Invalid for an unknown mode, Denied for a thread of somebody else."""
    require_owner(actor, thread)
    if mode not in Thread.Mode.values:
        raise Invalid(f"There is no mode {mode!r}. The modes are {', '.join(Thread.Mode.values)}.")
    before, thread.mode = thread.mode, mode
    thread.save(update_fields=["mode"])
    audit.record(actor, "set mode", thread, before=before, after=mode)
    return thread


@transaction.atomic
def write_steps(actor: Actor, *, thread: Thread, steps: Sequence[Step], seen: int | None = None) -> list[Step]:
    """Raises Denied for somebody else, Invalid for too many or too long ones, Conflict where they are no longer what
    was `seen`.
    """
    require_owner(actor, thread)
    return thread_steps.set_by_person(actor, thread=thread, steps=steps, seen=seen)


@transaction.atomic
def set_model(actor: Actor, *, thread: Thread, model: str) -> Thread:
    """The model of the thread's next turns; empty for the organization's default. `model` has been checked."""
    require_owner(actor, thread)
    thread.model = model
    thread.save(update_fields=["model"])
    audit.record(actor, "set model", thread, model=model)
    return thread


@transaction.atomic
def rename(actor: Actor, *, thread: Thread, title: str) -> Thread:
    """Raises Invalid for an empty or too long title, Denied for a thread of somebody else."""
    require_owner(actor, thread)
    title = " ".join("".join(char if char.isprintable() else " " for char in title).split())
    if not title:
        raise Invalid("The title is empty.")
    if len(title) > MAX_TITLE:
        raise Invalid(f"The title has {len(title)} characters; {MAX_TITLE} is the most.")
    before, thread.title = thread.title, title
    thread.save(update_fields=["title"])
    audit.record(actor, "renamed", thread, before=before, after=title)
    feed.append(thread.pk, "thread.changed", title=title)
    return thread


@transaction.atomic
def trash(actor: Actor, *, thread: Thread) -> Thread:
    """Out of the lists, until it is restored. What waits in it is withdrawn, and a turn that runs is stopped."""
    require_owner(actor, thread)
    thread.trashed_at = timezone.now()
    thread.save(update_fields=["trashed_at"])
    for live in thread.turns.select_for_update().filter(status__in=Turn.LIVE).order_by("number"):
        if live.status == Turn.Status.RUNNING:
            Turn.objects.filter(pk=live.pk, cancel_requested_at=None).update(cancel_requested_at=timezone.now())
        else:
            withdraw_and_end(actor, live, TRASHED, ToolCall.Status.CANCELLED)
    audit.record(actor, "trashed", thread)
    feed.append(thread.pk, "thread.changed", trashed=True)
    return thread


@transaction.atomic
def restore(actor: Actor, *, thread_id: str) -> Thread:
    """Back from the trash, as it was but for what was withdrawn. Raises NotFound for one that is not in the trash."""
    rows = Thread.objects.filter(organization=actor.organization, trashed_at__isnull=False)
    thread = rows.select_related("owner", "organization", "document").filter(pk=thread_id).first()
    if thread is None:
        raise NotFound("Thread not found")
    require_owner(actor, thread)
    thread.trashed_at = None
    thread.save(update_fields=["trashed_at"])
    audit.record(actor, "restored", thread)
    feed.append(thread.pk, "thread.changed", trashed=False)
    return thread


@transaction.atomic
def go_back(actor: Actor, *, thread: Thread, message_number: int) -> int:
    """Drops this message of the person and all after it, and withdraws what waits. What ran stays as it is.

    Returns how many messages were dropped; they are kept as rows. Raises NotFound for a number that is no message of
    theirs, Conflict while the agent writes.
    """
    require_owner(actor, thread)
    dropped = thread.messages.filter(number__gte=message_number, dropped_at=None)
    first = dropped.order_by("number").first()
    if first is None or first.number != message_number or first.role != Message.Role.USER:
        raise NotFound(f"There is no message {message_number} of yours in this thread to go back to.")
    _end_live_turn(actor, thread)
    if thread.title == title_from(first.join_text(), list_labels(thread, first.mentions)):
        thread.title = UNTITLED
        thread.save(update_fields=["title"])
    focus.drop_turns(dropped.values_list("turn", flat=True))
    count = dropped.update(dropped_at=timezone.now())
    audit.record(actor, "went back", thread, from_message=message_number, dropped=count)
    feed.append(thread.pk, "messages.dropped", from_number=message_number)
    return count


@transaction.atomic
def take_out_of_focus(actor: Actor, *, thread: Thread, object_id: str) -> None:
    """The model no longer reads of it, until a call or a message names it anew. Raises NotFound for another object."""
    require_owner(actor, thread)
    item = focus.find_item(thread, object_id)
    if item is None:
        raise NotFound("This is not in focus any more")
    focus.drop(item)
    audit.record(actor, "took out of focus", thread, type=item.kind)
    feed.append(thread.pk, "focus.changed")


def _end_live_turn(actor: Actor, thread: Thread) -> None:
    live = thread.turns.select_for_update().filter(status__in=Turn.LIVE).first()
    if live is None:
        return
    if live.status == Turn.Status.RUNNING:
        raise Conflict("The agent is still writing. Stop it first, then go back.")
    withdraw_and_end(actor, live, WENT_BACK, ToolCall.Status.SUPERSEDED)
    feed.report_turn(live)


def list_labels(thread: Thread, mentions: Sequence[Mention]) -> list[str]:
    """What the message calls the things that it names."""
    return [format_label(row) for row in find_rows(thread, mentions).values()] if mentions else []


def title_from(text: str, labels: Iterable[str] = ()) -> str:
    """As many whole words of the first message as fit into 50 characters, without the names that it begins with."""
    line = " ".join(text.split())
    asked = (_strip_names(line, labels) or line).removeprefix("@")
    if len(asked) <= TITLE_CHARACTERS:
        return asked
    words = asked[: TITLE_CHARACTERS + 1].rpartition(" ")[0].rstrip(" ,;:–-")
    return words or asked[:TITLE_CHARACTERS]


def _strip_names(line: str, labels: Iterable[str]) -> str:
    """The line without the names (`@label`) that it begins with."""
    names = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    rest = re.sub(rf"^(?:@(?:{names})(?!\w)[ ,;:–-]*)+", "", line) if names else line
    return rest[:1].upper() + rest[1:] if rest != line else line
