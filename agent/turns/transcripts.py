"""A thread as a list of messages, as API clients count them: each request of a person, and each answer to it.

An answer ends where the turn ended, and also where a person was asked: what follows an approval is a further answer.
A draft is none where the model has answered anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from agent.models import Message, Thread
from agent.turns.turn_views import RoundView, newest_revisions, rounds_of


@dataclass(frozen=True)
class UserEntry:
    """What a person wrote."""

    message: Message


@dataclass
class AnswerEntry:
    """Rounds of one turn. `executed` have run; of `last` a person was asked, or it is the answer."""

    message: Message
    executed: list[RoundView] = field(default_factory=list)
    last: RoundView | None = None

    @property
    def asked(self) -> bool:
        return self.last is not None and had_card(self.last)


Entry: TypeAlias = UserEntry | AnswerEntry


def had_card(view: RoundView) -> bool:
    """Whether one of its calls was a card, whatever became of it."""
    return any(call.expires_at for call in view.calls)


def list_entries(thread: Thread) -> list[Entry]:
    """All that was said and not dropped, oldest first, in two queries."""
    messages = list(thread.messages.filter(dropped_at=None).order_by("number"))
    rounds = rounds_of(messages, newest_revisions(thread.calls.all()))
    return list(_walk_entries(zip(messages, rounds, strict=True)))


def _walk_entries(rows: Iterator[tuple[Message, RoundView]]) -> Iterator[Entry]:
    answer: AnswerEntry | None = None
    for message, view in rows:
        if message.role == Message.Role.USER or (answer and answer.message.turn_id != message.turn_id):
            if answer and answer.last:
                yield answer
            answer = None
        if message.role == Message.Role.USER:
            yield UserEntry(message)
            continue
        answer = answer or AnswerEntry(message)
        answer.last, answer.message = view, message
        if had_card(view) or not (view.calls or view.is_draft):
            yield answer
            # What a person decided runs after this answer, so it belongs to the next one.
            answer = AnswerEntry(message, executed=[view]) if view.calls and view.is_over else None
        else:
            answer.executed.append(view)
    if answer and answer.last:
        yield answer


def find_cut(thread: Thread, keep_entries: int) -> int | None:
    """The message to go back to so that at most `keep_entries` stay; None when there are no more than that.

    A turn is dropped whole: where the cut would fall between a request and its answers, the request goes as well.
    """
    known = list_entries(thread)
    if len(known) <= keep_entries:
        return None
    requests = [entry.message.number for entry in known[: keep_entries + 1] if isinstance(entry, UserEntry)]
    return requests[-1] if requests else known[0].message.number
