"""A thread as a page shows it: what was said, what ran, the cards, and the text under way."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Prefetch

from accounts.actor import Actor
from accounts.models import Role
from agent.models import Decision, Message, Thread, ToolCall, Turn
from agent.previews import Change, FieldRow, Preview, argument_rows
from agent.registry import Tool, registry
from agent.services.decisions import may_decide
from docrouter.kit.errors import NotFound
from docrouter.kit.ids import new_id
from documents.models import Page, Reading

Status = ToolCall.Status
MOST_RESULT = 4_000
RUNNING = (Status.APPROVED, Status.EXECUTING)
DRAWING = 1000


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
class CropView:
    """A strip of the page in a drawing 1000 wide; `rects` are (x, y, width, height)."""

    page: int
    height: int
    view_box: str
    rects: list[tuple[float, float, float, float]]
    note: str
    reading_id: str


@dataclass(frozen=True)
class Card:
    key: str
    version: str
    call: ToolCall
    icon: str
    title: str
    subtitle: str
    preview: Preview
    crop: CropView | None
    effective: str
    waiting: bool
    running: bool
    may_decide: bool
    outcome: str
    problem: str
    tone: str
    result: str
    idempotency_key: str
    position: str = ""
    kind: str = "card"

    @property
    def change(self) -> Change | None:
        return self.preview.get("change")

    @property
    def fields(self) -> list[FieldRow]:
        return self.preview.get("fields", [])


@dataclass(frozen=True)
class Live:
    """The round that is being written. Lengths count characters (code points) and are where deltas go on."""

    key: str
    turn: Turn
    version: str
    waits: bool = False
    kind: str = "live"

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
    spent_micros: int = 0
    limit_micros: int = 0
    may_say: bool = False

    @property
    def seq(self) -> int:
        return self.thread.last_seq


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
    view.items = list(_items(thread, actor, turns, calls))
    return view


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
        yield from _end_of(turn)


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
            yield _card(call, actor, waiting)


def _joined(message: Message, kind: str) -> str:
    return "\n\n".join(block["text"] for block in message.blocks if block.get("type") == kind).strip()


def _has_card(call: ToolCall) -> bool:
    """Reads that nobody was asked about, and calls that could not even be shown, are rows."""
    asked = bool(call.why_asks) or call.status == Status.PENDING
    return asked or (call.access not in ("", "read") and call.status not in (Status.INVALID, Status.DENIED))


def _ran_row(call: ToolCall) -> RanRow:
    tool = _tool(call)
    result = call.result or {}
    problem = str(result.get("error", "")) if call.status != Status.SUCCEEDED else ""
    summary = problem or (tool.summary(call.effective or {}, result) if tool and tool.summary and result else "")
    state = "running" if call.status in (*RUNNING, Status.PROPOSED) else "ok" if not problem else "bad"
    took = (call.finished_at - call.created_at).total_seconds() if call.finished_at else None
    return RanRow(
        title=tool.title if tool else call.tool, summary=summary, state=state, seconds=took, result=_json(result)
    )


def _card(call: ToolCall, actor: Actor, waiting: list[str]) -> Card:
    tool = _tool(call)
    preview: Preview = call.preview or {"title": call.tool, "rows": argument_rows(call.effective or {})}  # type: ignore[assignment]
    pending = call.status == Status.PENDING
    title = preview.get("done") if call.status == Status.SUCCEEDED else preview.get("title")
    outcome, tone = _outcome(call, actor)
    place = f"{waiting.index(call.pk) + 1} of {len(waiting)}" if call.pk in waiting and len(waiting) > 1 else ""
    return Card(
        key=f"call-{call.turn_id}-{call.round}-{call.position}",
        version=f"{call.pk}-{call.status}-{place}".replace(" ", ""),
        call=call, icon=(tool.icon if tool else "i-braces").removeprefix("i-"), title=title or call.tool,
        subtitle=preview.get("subtitle", ""), preview=preview, crop=_crop(call, preview) if pending else None,
        effective=_json(call.effective or {}), waiting=pending, running=call.status in RUNNING,
        may_decide=pending and may_decide(actor, call), outcome=outcome, tone=tone,
        problem=_problem(call), result=_json(call.result or {}), idempotency_key=new_id(), position=place,
    )  # fmt: skip


def _outcome(call: ToolCall, actor: Actor) -> tuple[str, str]:
    """(one line on what became of the card, tone done | fail | wait | quiet)."""
    by = _by(call, actor)
    words = {
        Status.APPROVED: (f"Approved{by}. It is about to run.", "quiet"),
        Status.EXECUTING: (f"Approved{by}. It is running.", "quiet"),
        Status.SUCCEEDED: (f"Approved{by}." if by else f"Ran without asking: {call.allowed_by or 'allowed'}.", "done"),
        Status.FAILED: (f"Approved{by}, but it failed." if by else "It ran without asking and failed.", "fail"),
        Status.REJECTED: (f"Rejected{by}.", "quiet"),
        Status.EXPIRED: ("It expired before anybody decided.", "quiet"),
        Status.SUPERSEDED: ("Not decided: the talk went on without it.", "quiet"),
        Status.CANCELLED: ("Stopped before it ran.", "quiet"),
        Status.IN_DOUBT: ("It is not known whether it ran. Look, then say what became of it.", "wait"),
        Status.STALE: ("What it rests on has changed. It did not run.", "wait"),
        Status.DENIED: ("Refused when it was about to run.", "fail"),
    }
    return words.get(Status(call.status), ("", "quiet"))


def _by(call: ToolCall, actor: Actor) -> str:
    decisions = list(call.decisions.all())
    if not decisions or decisions[-1].user is None:
        return ""
    decision = decisions[-1]
    who = "you" if decision.user_id == actor.user.pk else decision.user.shown_name if decision.user else ""
    return f" by {who}" + (" with edits" if decision.edited else "")


def _problem(call: ToolCall) -> str:
    result = call.result or {}
    if call.status == Status.REJECTED:
        return f"“{result['reason']}”" if result.get("reason") else ""
    return str(result.get("error", "")) if call.status in (Status.FAILED, Status.DENIED) else ""


def _crop(call: ToolCall, preview: Preview) -> CropView | None:
    crop = preview.get("crop")
    if not crop or not crop["boxes"] or call.thread.document_id is None:
        return None
    page = (
        Page.objects.filter(reading__document_id=call.thread.document_id, number=crop["page"])
        .filter(reading__status=Reading.Status.COMPLETED)
        .only("width", "height", "reading_id")
        .order_by("-reading__number")
        .first()
    )
    if page is None:
        return None
    height = DRAWING * page.height / (page.width or 1)
    boxes = crop["boxes"]
    rects = [(x0 * DRAWING, y0 * height, (x1 - x0) * DRAWING, (y1 - y0) * height) for x0, y0, x1, y1 in boxes]
    return CropView(
        page=crop["page"], height=round(height), view_box=_view_box(boxes, height),
        rects=[(round(x - 3, 1), round(y - 3, 1), round(w + 6, 1), round(h + 6, 1)) for x, y, w, h in rects],
        note=crop["note"], reading_id=page.reading_id,
    )  # fmt: skip


def _view_box(boxes: Iterable[list[float]], height: float) -> str:
    """A strip around the boxes, 460 wide, with the lines above and below."""
    boxes = list(boxes)
    left, right = min(box[0] for box in boxes) * DRAWING, max(box[2] for box in boxes) * DRAWING
    top, bottom = min(box[1] for box in boxes) * height, max(box[3] for box in boxes) * height
    width = min(DRAWING, max(460.0, right - left + 80))
    x = min(max(0.0, right + 40 - width), DRAWING - width)
    return f"{x:.0f} {max(0.0, top - 32):.0f} {width:.0f} {bottom - top + 64:.0f}"


def _end_of(turn: Turn) -> Iterator[Item]:
    if turn.status in (Turn.Status.QUEUED, Turn.Status.RUNNING):
        key = f"live-{turn.pk}-{turn.round}"
        yield Live(key=key, turn=turn, version=f"{turn.status}-{len(turn.partial_text)}-{len(turn.partial_thinking)}")
        return
    sentences = {
        Turn.Status.PAUSED: ("wait", turn.reason or "The turn is paused."),
        Turn.Status.FAILED: ("fail", turn.reason or "The turn failed."),
        Turn.Status.CANCELLED: ("quiet", turn.reason or "Stopped."),
        Turn.Status.EXPIRED: ("quiet", turn.reason or "Nobody decided in time."),
    }
    if turn.status in sentences:
        tone, sentence = sentences[Turn.Status(turn.status)]
        resumable = turn.status == Turn.Status.PAUSED
        yield Note(f"note-{turn.pk}", turn, tone, sentence, resumable, version=turn.status)


def _tool(call: ToolCall) -> Tool | None:
    try:
        return registry.find(call.tool)
    except NotFound:
        return None


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return text if len(text) <= MOST_RESULT else f"{text[:MOST_RESULT]}\n… ({len(text)} characters)"
