"""Standing wishes: rules, names and formats of a person that hold in a whole thread, whatever becomes of its messages.

The rows and their bounds. Who may change them is asked for by `agent.conversation.wish_list` and by the tool.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from django.db.models import QuerySet

from accounts.actor import Actor
from accounts.models import User
from accounts.services import audit
from agent.models import Decision, Message, StandingWish, Thread, Turn
from kit.errors import Conflict, Invalid, NotFound
from kit.rows.fixed_select import FixedSelect
from kit.rows.models import fold_case

MAX_WISHES = 20
MAX_CHARACTERS = 1000
MAX_TOTAL = 6000
MESSAGES_AT_ONCE = 20
SPACE = r"\s+"
SENTENCE_BORDERS = ".!?…;\n\r"
LIST_MARK = re.compile(r"(?:^|\n)\s*(?:[-*•]|\d{1,3}[.)])$")
NOT_THEIRS = (
    "No message of the person in this thread holds these words. Quote whole sentences of one, word for word, "
    "or ask the person to say it."
)
CHANGED_SINCE = "This wish has been changed since, so it cannot be taken back any more."


@FixedSelect
def _select_wishes(thread: str) -> QuerySet[StandingWish]:
    return StandingWish.objects.filter(thread=thread).select_related("message").order_by("created_at", "pk")


@dataclass(frozen=True)
class Quote:
    """Words of a person, as they stand in their message, or in the reason that they gave for a rejection."""

    text: str
    author: User | None
    place: str
    message: Message | None = None


def list_wishes(thread: Thread) -> list[StandingWish]:
    """Oldest first."""
    return _select_wishes.list(thread.pk)


def fetch_wish(thread: Thread, wish_id: str) -> StandingWish:
    wish = StandingWish.objects.filter(thread=thread, pk=wish_id).first()
    if wish is None:
        raise NotFound("Standing wish not found")
    wish.thread = thread
    return wish


def store(actor: Actor, *, thread: Thread, text: str, message: Message | None) -> StandingWish:
    """In the caller's transaction. Raises Invalid for an empty or too long text, or one too many."""
    wish = StandingWish(thread=thread, message=message, added_by=actor.user)
    wish.text = check_text(text, lock_wishes(thread))
    wish.save(force_insert=True)
    record(actor, "added a standing wish", wish)
    return wish


def remove_stored(actor: Actor, *, thread: Thread, wish_id: str, text: str) -> None:
    """Takes back what `store` added. Raises Conflict where somebody has changed it since."""
    wish = next((each for each in lock_wishes(thread) if each.pk == wish_id), None)
    if wish is None or wish.text != text:
        raise Conflict(CHANGED_SINCE)
    record(actor, "removed a standing wish", wish)
    wish.delete()


def record(actor: Actor, action: str, wish: StandingWish) -> None:
    """Without the words, which go when the thread does."""
    audit.record(actor, action, wish.thread, wish_id=wish.pk)


def lock_wishes(thread: Thread) -> list[StandingWish]:
    """Two who add at once come one after the other, so the bounds hold."""
    Thread.objects.select_for_update().get(pk=thread.pk)
    rows = list(StandingWish.objects.filter(thread=thread))
    for wish in rows:
        wish.thread = thread
    return rows


def find_quote(thread: Thread, quote: str) -> Quote:
    """Where a person of this thread said it, whatever the spaces between the words. Raises Invalid.

    What a person pasted from a document counts as theirs, as it does for all else that they ask: the card shows the
    words and where they stand, and only a person approves it.
    """
    words = quote.split()
    if not words:
        raise Invalid("The quote is empty.")
    if len(quote) > MAX_CHARACTERS:
        raise Invalid(_describe_length(len(quote)))
    pattern = re.compile(rf"(?<!\w){SPACE.join(map(re.escape, words))}(?!\w)")
    for text, quote_from in _list_spoken_texts(thread, max(words, key=len)):
        if match := next((each for each in pattern.finditer(text) if _is_whole(text, each)), None):
            return quote_from(match[0])
    raise Invalid(NOT_THEIRS)


def _list_spoken_texts(thread: Thread, word: str) -> Iterator[tuple[str, Callable[[str], Quote]]]:
    """What people wrote here with this word in it, and how it is quoted: their messages, then their reasons."""
    for message in _list_spoken(thread).filter(text_folded__contains=fold_case(word)).iterator(MESSAGES_AT_ONCE):
        author, place = message.turn.started_by, f"message {message.number}"
        yield message.join_text(), partial(Quote, author=author, place=place, message=message)
    rejections = Decision.objects.filter(call__thread=thread, call__message__dropped_at=None, reason__contains=word)
    rejections = rejections.filter(kind=Decision.Kind.REJECTED, user__isnull=False).select_related("call", "user")
    for decision in rejections.order_by("-created_at").iterator(MESSAGES_AT_ONCE):
        place = f"when rejecting {decision.call.tool}"
        yield decision.reason, partial(Quote, author=decision.user, place=place)


def _is_whole(text: str, match: re.Match[str]) -> bool:
    """Whether it is whole sentences or lines: a part of one may say the contrary."""
    before, after = text[: match.start()].rstrip(" \t"), text[match.end() :].lstrip(" \t")
    begins = not before or before[-1] in SENTENCE_BORDERS or LIST_MARK.search(before) is not None
    return begins and (match[0][-1] in SENTENCE_BORDERS or not after or after[0] in SENTENCE_BORDERS)


def fetch_message(thread: Thread, number: int) -> Message:
    message = _list_spoken(thread).filter(number=number).first()
    if message is None:
        raise NotFound(f"There is no message {number} of a person in this thread.")
    return message


def _list_spoken(thread: Thread) -> QuerySet[Message]:
    """What people wrote here, newest first: nobody wrote the task of a headless turn."""
    spoken: QuerySet[Message] = thread.messages.filter(role=Message.Role.USER, dropped_at=None)
    spoken = spoken.filter(turn__refused="")
    return spoken.exclude(turn__origin=Turn.Origin.HEADLESS).select_related("turn__started_by").order_by("-number")


def check_text(text: str, others: list[StandingWish]) -> str:
    """The text as it is stored beside these. Raises Invalid."""
    text = text.strip()
    if not text:
        raise Invalid("The wish is empty.")
    if len(text) > MAX_CHARACTERS:
        raise Invalid(_describe_length(len(text)))
    if any(fold_case(each.text) == fold_case(text) for each in others):
        raise Invalid("This is on the list already.")
    if len(others) >= MAX_WISHES:
        raise Invalid(f"The list has {len(others)} wishes, which is the most. Take one off, or join two.")
    total = len(text) + sum(len(each.text) for each in others)
    if total > MAX_TOTAL:
        raise Invalid(f"All wishes together would have {total:,} characters; {MAX_TOTAL:,} is the most. Shorten one.")
    return text


def _describe_length(count: int) -> str:
    return f"The wish has {count:,} characters; {MAX_CHARACTERS:,} is the most. Keep the rule itself."
