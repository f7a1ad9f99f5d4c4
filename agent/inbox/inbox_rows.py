"""One line of the inbox for each kind of thing that waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias
from zlib import crc32

from agent.models import Thread, ToolCall, Turn
from agent.outside.catalog import is_outside
from agent.toolkit.previews import Change, format_count
from agent.toolkit.registry import registry
from documents.models import Document, HeldRun, Proposal
from kit.errors import NotFound
from kit.json_types import JsonObject

CARD, DOUBT, PROPOSAL, PAUSED, UNREAD, FAILED = "card", "doubt", "proposal", "paused", "unread", "failed"
CHECKS, VERIFY, HELD = "checks", "verify", "held"
MAX_WORDS = 240
MAX_CHANGES = 2
# The line below names the document.
ON_THIS = " on this document"
STOPPED = {
    Turn.Pause.BUDGET: "Budget reached",
    Turn.Pause.MAX_ROUNDS: "Round limit reached",
    Turn.Pause.LOOP: "Repeats the same calls",
    Turn.Pause.TIME: "Time limit reached",
    Turn.Pause.PROVIDER: "The provider gave no answer",
    Turn.Pause.CONTEXT: "Too long for the model",
    Turn.Pause.STOPPED: "Stopped by an admin",
}


Subject: TypeAlias = ToolCall | Turn | Proposal | Document | HeldRun
"""What waits for a person."""


@dataclass(frozen=True)
class InboxRow:
    """`note` is the line below the title, `change` the old and the new value where there is one of each.

    `tone` is fail for what went wrong. `count` is how many documents it stands for.
    """

    kind: str
    pk: str
    icon: str
    title: str
    about: str
    since: datetime
    note: str = ""
    change: Change | None = None
    tone: str = ""
    count: int = 1

    @property
    def key(self) -> str:
        return f"{self.kind}-{self.pk}"

    @property
    def version(self) -> str:
        """Differs when the page has to draw the row anew."""
        face = [self.title, self.about, self.note, self.change]
        return f"{crc32(repr(face).encode()):x}"


def build_row(kind: str, row: Subject) -> InboxRow:
    return _ROWS[kind](row)


def describe_pause(turn: Turn) -> str:
    return STOPPED.get(Turn.Pause(turn.pause_reason), "Paused") if turn.pause_reason else "Paused"


def describe_proposal(proposal: Proposal) -> str:
    """The name of what is proposed."""
    if proposal.prompt_revision:
        return proposal.prompt_revision.prompt.name
    return proposal.schema_revision.schema.name if proposal.schema_revision else "Automatic setup"


def icon_of(call: ToolCall) -> str:
    try:
        return "link" if is_outside(call.tool) else registry.find(call.tool).icon.removeprefix("i-")
    except NotFound:
        return "braces"


def _build_card(call: Any) -> InboxRow:
    preview = call.preview or {}
    more = (call.steps_waiting or 1) - 1
    title = str(preview.get("title") or call.tool)
    title = f"{title}, and {format_count(more, 'more step')}" if more else title.removesuffix(ON_THIS)
    return InboxRow(
        CARD,
        call.pk,
        icon_of(call),
        title,
        _about(call.thread, title),
        call.created_at,
        note="" if preview.get("change") else _describe_changes(preview) or str(preview.get("subtitle", "")),
        change=preview.get("change"),
    )


def _describe_changes(preview: JsonObject) -> str:
    """Before and after of several values, as far as a line holds them."""
    changes = preview.get("changes") or []
    parts = [f"{row['name']} {row['old']} → {row['new']}" for row in changes[:MAX_CHANGES]]
    rest = len(changes) - MAX_CHANGES
    return ", ".join([*parts, f"{rest} more"] if rest > 0 else parts)[:MAX_WORDS]


def _build_doubt(call: ToolCall) -> InboxRow:
    title = f"Outcome unknown: {(call.preview or {}).get('title') or call.tool}"
    note = "The worker stopped while it ran. Report the outcome; it is not tried again by itself."
    return InboxRow(
        DOUBT, call.pk, "circle-help", title, _about(call.thread, title), call.created_at, note=note, tone="fail"
    )


def _build_proposal(proposal: Any) -> InboxRow:
    lead = proposal.lead.name if proposal.lead else "a deleted document"
    others = proposal.documents - 1
    about = f"{lead} and {others} more like it" if others > 0 else lead
    verb = "Revise" if proposal.extends else "Set up"
    contents = "A new version of a schema and prompt" if proposal.extends else "A schema and a prompt"
    return InboxRow(
        PROPOSAL,
        proposal.pk,
        "sparkles",
        f"{verb} {describe_proposal(proposal)} for {format_count(max(proposal.documents, 1), 'document')}",
        about,
        proposal.created_at,
        note=proposal.note[:MAX_WORDS] or contents,
    )


def _build_pause(turn: Turn) -> InboxRow:
    title = f"{describe_pause(turn)} on {turn.thread.document.name if turn.thread.document else turn.thread.title}"
    icon = "circle-dollar-sign" if turn.pause_reason == Turn.Pause.BUDGET else "circle-pause"
    return InboxRow(PAUSED, turn.pk, icon, title, "", turn.created_at, note=turn.reason[:MAX_WORDS], tone="fail")


def _build_unread(document: Document) -> InboxRow:
    return _build_document(document, UNREAD, "Could not be read", "file-x")


def _build_failed(document: Document) -> InboxRow:
    return _build_document(document, FAILED, "Extraction failed", "circle-alert")


def _build_document(document: Document, kind: str, what: str, icon: str) -> InboxRow:
    note = f"{what}: {document.state_reason[:MAX_WORDS]}" if document.state_reason else f"{what}."
    return InboxRow(kind, document.pk, icon, document.name, "", document.created_at, note=note, tone="fail")


def _build_failing(document: Document) -> InboxRow:
    return replace(_build_unverified(document), kind=CHECKS, icon="triangle-alert")


def _build_unverified(document: Document) -> InboxRow:
    return InboxRow(VERIFY, document.pk, "list-checks", document.name, "", document.created_at)


def _build_held(held_run: HeldRun) -> InboxRow:
    title, note = f"{held_run.prompt.name} is held", held_run.reason[:MAX_WORDS]
    return InboxRow(HELD, held_run.pk, "hand", title, held_run.document.name, held_run.created_at, note=note)


def _about(thread: Thread, title: str) -> str:
    """What it is about, unless the title has named that."""
    about = str(thread.document.name if thread.document else thread.title)
    return "" if about in title else about


_ROWS: dict[str, Callable[[Any], InboxRow]] = {
    CARD: _build_card,
    DOUBT: _build_doubt,
    PROPOSAL: _build_proposal,
    PAUSED: _build_pause,
    HELD: _build_held,
    UNREAD: _build_unread,
    FAILED: _build_failed,
    CHECKS: _build_failing,
    VERIFY: _build_unverified,
}
