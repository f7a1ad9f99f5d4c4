"""A message that comes with a whole conversation, as API clients send it: into a thread of theirs, or a new one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor
from agent.conversation import messages, threads
from agent.conversation.mentions import Mention
from agent.models import Message, Thread, Turn
from agent.turns import transcripts, turns
from documents.find.scopes import Scope
from documents.models import Document, LanguageModel
from kit.errors import Invalid, NotFound

MAX_EARLIER = 100


@dataclass(frozen=True)
class ChatLine:
    """One message of a client's conversation. Other roles than user and assistant are dropped before."""

    role: str
    text: str


def fetch_own(actor: Actor, *, document: Document | None, thread_id: str) -> Thread:
    """The actor's own thread on this document, or on none. Raises NotFound."""
    thread = threads.fetch_readable(actor, thread_id)
    if thread.document != document or thread.owner_id != actor.user.pk:
        raise NotFound("Thread not found")
    return thread


@transaction.atomic
def send_message(
    actor: Actor,
    *,
    document: Document | None,
    lines: Sequence[ChatLine],
    thread_id: str = "",
    keep_entries: int | None = None,
    model: str = "",
    mentions: Sequence[Mention] = (),
    scope: Scope | None = None,
    auto_approved: Sequence[str] = (),
    depth: str | None = None,
) -> Turn:
    """Starts a turn for the last line of a person. With `thread_id` the lines before it are in our rows already.

    `keep_entries` entries of the thread stay, see `transcripts`. Raises as `turns.start` does, and NotFound.
    """
    check_writes(model)
    earlier, text = _split(lines)
    if thread_id:
        thread = fetch_own(actor, document=document, thread_id=thread_id)
        if keep_entries is not None and (number := transcripts.find_cut(thread, keep_entries)) is not None:
            threads.go_back(actor, thread=thread, message_number=number)
            thread.refresh_from_db()
    else:
        thread = _create_with_history(actor, document, earlier)
    return turns.start(
        actor,
        thread=thread,
        text=text,
        model=model,
        mentions=mentions,
        scope=scope,
        auto_approved=auto_approved,
        depth=depth,
        origin=Turn.Origin.API,
    )


def check_writes(model: str) -> None:
    if LanguageModel.objects.filter(name=model, embedding=True).exists():
        raise Invalid(f"Embedding models are not allowed for chat: {model} cannot write answers.")


def _split(lines: Sequence[ChatLine]) -> tuple[Sequence[ChatLine], str]:
    at = max((at for at, line in enumerate(lines) if line.role == Message.Role.USER), default=None)
    if at is None:
        raise Invalid('messages holds no message of the user: the last one with the role "user" is answered.')
    return lines[:at], lines[at].text


def _create_with_history(actor: Actor, document: Document | None, earlier: Sequence[ChatLine]) -> Thread:
    """A new thread that begins with what the client says was said before."""
    spoken = [line for line in earlier if line.text.strip()][-MAX_EARLIER:]
    if too_long := next((line for line in spoken if len(line.text) > turns.MAX_CHARACTERS), None):
        length = len(too_long.text)
        raise Invalid(f"One of messages has {length} characters; {turns.MAX_CHARACTERS} is the most.")
    first = next((line.text for line in spoken if line.role == Message.Role.USER), "")
    thread = threads.create(actor, document=document, title=threads.title_from(first))
    if spoken:
        past = Turn.objects.create(
            thread=thread,
            number=1,
            status=Turn.Status.COMPLETED,
            origin=Turn.Origin.API,
            started_by=actor.user,
            max_rounds=0,
            limit_micros=0,
            code_version=settings.VERSION,
            finished_at=timezone.now(),
        )
        for line in spoken:
            messages.write(past, role=line.role, blocks=[{"type": "text", "text": line.text}])
    return thread
