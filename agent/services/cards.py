"""A card as the page draws it: what would run, what it changes, and what became of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format

from accounts.actor import Actor
from agent.models import Decision, ToolCall
from agent.previews import Change, FieldRow, Preview, argument_rows
from agent.registry import Tool, registry
from agent.services.decisions import why_barred
from docrouter.kit.errors import NotFound
from docrouter.kit.ids import new_id
from documents.models import Page, Reading

Status = ToolCall.Status
MOST_JSON = 20_000
RUNNING = (Status.APPROVED, Status.EXECUTING)
DRAWING = 1000


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
    """`barred` says why this actor cannot decide it, `outcome` and `problem` what became of it.

    `tone` is done, fail, doubt or quiet; `position` is "1 of 3" among the cards that wait.
    """

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
    barred: str
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


def draw(call: ToolCall, actor: Actor, waiting: list[str]) -> Card:
    """`waiting` are the ids of all calls of the thread that wait for a person, in order."""
    tool = tool_of(call)
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
        effective=shown_json(call.effective or {}), waiting=pending, running=call.status in RUNNING,
        barred=why_barred(actor, call) if pending else "", outcome=outcome, tone=tone,
        problem=_problem(call), result=shown_json(call.result or {}), idempotency_key=new_id(), position=place,
    )  # fmt: skip


def _outcome(call: ToolCall, actor: Actor) -> tuple[str, str]:
    """(what became of the card in one line, its tone)."""
    by = _by(call, actor)
    allowed = call.allowed_by or "a rule"
    words = {
        Status.APPROVED: (
            f"Approved{by}. It is about to run." if by else f"Allowed by {allowed}. About to run.",
            "quiet",
        ),
        Status.EXECUTING: (f"Approved{by}. It is running." if by else f"Allowed by {allowed}. Running.", "quiet"),
        Status.SUCCEEDED: (f"Approved{by}." if by else f"Ran without asking: allowed by {allowed}.", "done"),
        Status.FAILED: (f"Approved{by}, but it failed." if by else f"Allowed by {allowed}, but it failed.", "fail"),
        Status.REJECTED: (f"Rejected{by}.", "quiet"),
        Status.EXPIRED: ("It expired before anybody decided.", "quiet"),
        Status.SUPERSEDED: ("Not decided: the talk went on without it.", "quiet"),
        Status.CANCELLED: ("Stopped before it ran.", "quiet"),
        Status.IN_DOUBT: ("It is not known whether it ran. Look, then say what became of it.", "doubt"),
        Status.STALE: ("What it rests on has changed. It did not run.", "doubt"),
        Status.DENIED: ("Refused when it was about to run.", "fail"),
    }
    return words.get(Status(call.status), ("", "quiet"))


def _by(call: ToolCall, actor: Actor) -> str:
    """by you, 14:06 — the last person who decided; empty where a rule or nobody did."""
    decisions: list[Decision] = list(call.decisions.all())
    if not decisions or decisions[-1].user is None:
        return ""
    decision = decisions[-1]
    who = "you" if decision.user_id == actor.user.pk else decision.user.shown_name if decision.user else ""
    return f" by {who}{' with edits' if decision.edited else ''}, {_clock(decision)}"


def _clock(decision: Decision) -> str:
    when = timezone.localtime(decision.created_at)
    return date_format(when, "H:i" if when.date() == timezone.localdate() else "j M, H:i")


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


def tool_of(call: ToolCall) -> Tool | None:
    try:
        return registry.find(call.tool)
    except NotFound:
        return None


def shown_json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return text if len(text) <= MOST_JSON else f"{text[:MOST_JSON]}\n… ({len(text)} characters)"
