"""A thread as a page shows it: what was said, what ran, the cards, and the text under way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from django.db.models import Prefetch

from accounts.actor import Actor
from accounts.models import Role
from agent.models import Decision, Message, Thread, ToolCall, Turn
from agent.services import turns
from agent.services.cards import RUNNING, Card, draw, shown_json, tool_of

Status = ToolCall.Status
WORKING = (Turn.Status.QUEUED, Turn.Status.RUNNING)


@dataclass(frozen=True)
class Said:
    key: str
    text: str
    version: str = "1"
    kind: str = "said"


@dataclass(frozen=True)
class Told:
    """What the agent wrote, as Markdown; `cut` is true for the text of a stopped round."""

    key: str
    text: str
    thinking: str
    cut: bool
    version: str = "1"
    kind: str = "told"


@dataclass(frozen=True)
class RanRow:
    """A call that needed no card. `state` is ok, bad or running; `seconds` is how long it took."""

    title: str
    summary: str
    state: str
    seconds: float | None
    result: str


@dataclass(frozen=True)
class Ran:
    key: str
    rows: list[RanRow]
    version: str
    kind: str = "ran"


@dataclass(frozen=True)
class Live:
    """The round that is being written. Lengths count characters (code points) and are where deltas go on."""

    key: str
    turn: Turn
    version: str
    kind: str = "live"

    @property
    def doing(self) -> str:
        if self.turn.not_before:
            return self.turn.reason or "Waiting for the provider."
        if self.turn.status == Turn.Status.QUEUED:
            return "The agent goes on in a moment" if self.turn.round else "The agent begins in a moment"
        return "The agent is working"

    @property
    def text_length(self) -> int:
        return len(self.turn.partial_text)

    @property
    def thinking_length(self) -> int:
        return len(self.turn.partial_thinking)


@dataclass(frozen=True)
class Note:
    """How a turn ended or why it waits, when that was not simply a text."""

    key: str
    turn: Turn
    tone: str
    sentence: str
    resumable: bool
    version: str
    kind: str = "note"


Item = Said | Told | Ran | Card | Live | Note


@dataclass
class ConversationView:
    thread: Thread
    items: list[Item] = field(default_factory=list)
    live: Turn | None = None
    waiting: int = 0
    may_decide: bool = False
    spent_micros: int = 0
    limit_micros: int = 0
    may_say: bool = False

    @property
    def seq(self) -> int:
        return self.thread.last_seq

    @property
    def is_live(self) -> bool:
        """Something goes on, or can go on by somebody else's decision: a page without a socket asks again."""
        return self.live is not None and self.live.status != Turn.Status.PAUSED


def present(thread: Thread, actor: Actor) -> ConversationView:
    """The whole thread for this actor, in a handful of queries whatever its length."""
    turns = list(thread.turns.order_by("number"))
    for turn in turns:
        turn.thread = thread
    view = ConversationView(thread=thread, may_say=actor.may(Role.REVIEWER) and thread.owner_id == actor.user.pk)
    view.live = next((turn for turn in turns if turn.status in Turn.LIVE), None)
    view.spent_micros = sum(turn.spent_micros for turn in turns)
    view.limit_micros = view.live.limit_micros if view.live else 0
    calls = _newest_revisions(thread, turns)
    view.waiting = sum(1 for call in calls if call.status == Status.PENDING)
    view.items = list(_joined_rows(_items(thread, actor, turns, calls)))
    view.may_decide = any(isinstance(item, Card) and item.waiting and not item.barred for item in view.items)
    return view


def _joined_rows(items: Iterable[Item]) -> Iterator[Item]:
    """Rows of rounds that follow each other without a word between them are one list."""
    held: Ran | None = None
    for item in items:
        if isinstance(item, Ran):
            held = replace(held, rows=held.rows + item.rows, version=f"{held.version}-{item.version}") if held else item
            continue
        if held:
            yield held
            held = None
        yield item
    if held:
        yield held


def _newest_revisions(thread: Thread, turns: list[Turn]) -> list[ToolCall]:
    """The calls in order; of a card that was made anew only its newest revision."""
    decisions = Prefetch("decisions", Decision.objects.select_related("user").order_by("created_at"))
    by_turn = {turn.pk: turn for turn in turns}
    newest: dict[tuple[str, int, int], ToolCall] = {}
    for call in thread.calls.prefetch_related(decisions).order_by("turn__number", "round", "position", "version"):
        call.thread, call.turn = thread, by_turn[call.turn_id]
        newest[call.turn_id, call.round, call.position] = call
    return list(newest.values())


def _items(thread: Thread, actor: Actor, turns: list[Turn], calls: list[ToolCall]) -> Iterator[Item]:
    messages: dict[str, list[Message]] = {turn.pk: [] for turn in turns}
    for message in thread.messages.order_by("number"):
        messages[message.turn_id].append(message)
    waiting = [call.pk for call in calls if call.status == Status.PENDING]
    for turn in turns:
        for message in messages[turn.pk]:
            made = [call for call in calls if call.message_id == message.pk]
            yield from _message_items(message, made, actor, waiting)
        yield from _end_of(turn, messages[turn.pk])


def _message_items(message: Message, calls: list[ToolCall], actor: Actor, waiting: list[str]) -> Iterator[Item]:
    text, thinking = _joined(message, "text"), _joined(message, "thinking")
    if message.role == Message.Role.USER:
        yield Said(key=f"message-{message.pk}", text=text)
        return
    if text or thinking:
        yield Told(key=f"message-{message.pk}", text=text, thinking=thinking, cut=not message.complete)
    ran = [call for call in calls if not _has_card(call)]
    if ran:
        version = "-".join(call.status for call in ran)
        yield Ran(key=f"ran-{message.pk}", rows=[_ran_row(call) for call in ran], version=version)
    for call in calls:
        if _has_card(call):
            yield draw(call, actor, waiting)


def _joined(message: Message, kind: str) -> str:
    return "\n\n".join(block["text"] for block in message.blocks if block.get("type") == kind).strip()


def _has_card(call: ToolCall) -> bool:
    """Reads that nobody was asked about, and calls that could not even be shown, are rows."""
    asked = bool(call.why_asks) or call.status == Status.PENDING
    return asked or (call.access not in ("", "read") and call.status not in (Status.INVALID, Status.DENIED))


def _ran_row(call: ToolCall) -> RanRow:
    tool = tool_of(call)
    result = call.result or {}
    problem = str(result.get("error", "")) if call.status != Status.SUCCEEDED else ""
    summary = problem or (tool.summary(call.effective or {}, result) if tool and tool.summary and result else "")
    state = "running" if call.status in (*RUNNING, Status.PROPOSED) else "ok" if not problem else "bad"
    took = (call.finished_at - call.created_at).total_seconds() if call.finished_at else None
    return RanRow(
        title=tool.title if tool else call.tool, summary=summary, state=state, seconds=took, result=shown_json(result)
    )


def _end_of(turn: Turn, messages: list[Message]) -> Iterator[Item]:
    if turn.status in WORKING:
        # The element is there before the first word of the round; the socket names rounds from 1.
        key = f"live-{turn.pk}-{turn.round + 1}"
        yield Live(key=key, turn=turn, version=f"{turn.status}-{len(turn.partial_text)}-{len(turn.partial_thinking)}")
        return
    tone, sentence = _ending(turn, messages)
    if sentence:
        resumable = turn.status == Turn.Status.PAUSED
        yield Note(f"note-{turn.pk}", turn, tone, sentence, resumable, version=turn.status)


def _ending(turn: Turn, messages: list[Message]) -> tuple[str, str]:
    """(tone, sentence); no sentence where the thread shows by itself how the turn ended."""
    if turn.status == Turn.Status.PAUSED:
        return "wait", turn.reason or "The turn is paused."
    if turn.status == Turn.Status.FAILED:
        return "fail", turn.reason or "The turn failed."
    if turn.status == Turn.Status.EXPIRED:
        return "quiet", turn.reason or "Nobody decided in time."
    if turn.status == Turn.Status.CANCELLED:
        return "quiet", _cancelled(turn, messages)
    return "quiet", turn.reason


def _cancelled(turn: Turn, messages: list[Message]) -> str:
    if turn.reason == turns.WENT_ON:
        answered = any(message.role == Message.Role.ASSISTANT for message in messages)
        return "" if answered else "Not answered: the talk went on with another message."
    cut = any(not message.complete for message in messages)
    return "" if cut else "Stopped. Nothing more runs."
