"""What people have decided today, newest first, and whether it can be taken back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeAlias

from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry
from agent.calls import undo
from agent.inbox import inbox
from agent.inbox.inbox_rows import PROPOSAL, describe_proposal
from agent.models import ToolCall, Turn
from agent.policy.visibility import filter_visible
from documents.models import Extraction, Proposal, Verification
from kit.ids import new_id

MAX_SHOWN = 8
LOOKED_AT = 40
YOU = "You"
CALL, TURN, OFFER, RUN = (str(model._meta.verbose_name) for model in (ToolCall, Turn, Proposal, Extraction))
# So long the last verification is said above what comes next.
JUST = timedelta(minutes=10)
# (action, kind of target) to (its words, whether it let something happen).
WORDS = {
    ("approved", CALL): ("Approved", True),
    ("rejected", CALL): ("Rejected", False),
    ("resolved", CALL): ("Reported the outcome", True),
    ("accepted", OFFER): ("Accepted", True),
    ("rejected", OFFER): ("Rejected", False),
    ("resumed", TURN): ("Let go on", True),
    ("stopped", TURN): ("Stopped", False),
    ("verified", RUN): ("Verified", True),
}


Decided: TypeAlias = ToolCall | Turn | Proposal | Extraction
"""What somebody decided."""


@dataclass(frozen=True)
class DecisionRow:
    """`note` is the reason that was given, or the outcome. `undo_id` is the call that can be taken back, `verified` the
    run whose verification can be."""

    entry: AuditEntry
    words: str
    is_done: bool
    title: str
    about: str
    who: str
    note: str = ""
    undo_id: str = ""
    idempotency_key: str = ""
    is_undone: bool = False
    verified: Extraction | None = None

    @property
    def version(self) -> str:
        return f"{self.entry.pk}{self.undo_id}{self.is_undone}{len(self.title)}{self.verified is not None}"

    @property
    def place(self) -> str:
        """What it is about, unless the title has named that."""
        return "" if self.about in self.title else self.about

    @property
    def is_own(self) -> bool:
        """The reader decided it."""
        return self.who == YOU


def find_just_verified(decided: Sequence[DecisionRow]) -> DecisionRow | None:
    """What the reader has decided last, where that was to verify a document a short while ago."""
    last = next((row for row in decided if row.is_own), None)
    is_fresh = last is not None and last.verified is not None and timezone.now() - last.entry.created_at < JUST
    return last if is_fresh else None


def list_today(actor: Actor) -> list[DecisionRow]:
    """At most MAX_SHOWN, of what the actor may see."""
    day = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    kinds = {kind for _, kind in WORDS}
    # Single values are verified all day long; what is decided is the document.
    is_whole = ~Q(action="verified") | Q(detail__where="")
    rows = AuditEntry.objects.filter(
        is_whole,
        organization=actor.organization,
        created_at__gte=day,
        user__isnull=False,
        action__in={action for action, _ in WORDS},
        target_kind__in=kinds,
        origin=AuditEntry.Origin.PERSON,
    ).select_related("user")
    entries = [row for row in rows.order_by("-created_at", "-id")[:LOOKED_AT] if (row.action, row.target_kind) in WORDS]
    targets = _fetch_targets(actor, entries)
    decided = (_build_row(actor, entry, targets[entry.target_id]) for entry in entries if entry.target_id in targets)
    return list(decided)[:MAX_SHOWN]


def _fetch_targets(actor: Actor, entries: Iterable[AuditEntry]) -> dict[str, Decided]:
    ids: dict[str, list[str]] = {CALL: [], TURN: [], OFFER: [], RUN: []}
    for entry in entries:
        ids[entry.target_kind].append(entry.target_id)
    calls = ToolCall.objects.filter(filter_visible(actor)).select_related("thread__document", "turn", "undone_by")
    turns = Turn.objects.filter(filter_visible(actor)).select_related("thread__document")
    offers = inbox.select_details(PROPOSAL).filter(organization=actor.organization)
    runs = Extraction.objects.for_org(actor.organization).filter(document__trashed_at=None)
    targets: dict[str, Decided] = {}
    rows_by_kind: dict[str, QuerySet[Model]] = {
        CALL: calls,
        TURN: turns,
        OFFER: offers,
        RUN: runs.select_related("document"),
    }
    for kind, rows in rows_by_kind.items():
        if ids[kind]:
            targets |= rows.in_bulk(ids[kind])
    return targets


def _build_row(actor: Actor, entry: AuditEntry, target: Decided) -> DecisionRow:
    words, is_done = WORDS[entry.action, entry.target_kind]
    who = YOU if entry.user_id == actor.user.pk else entry.user.shown_name if entry.user else ""
    if isinstance(target, Proposal):
        about = target.lead.name if target.lead else ""
        return DecisionRow(entry, words, is_done, describe_proposal(target), about, who, note=_quote(target.reason))
    if isinstance(target, Extraction):
        return _build_verified(entry, target, DecisionRow(entry, words, is_done, target.document.name, "", who))
    about = target.thread.document.name if target.thread.document else target.thread.title
    if isinstance(target, Turn):
        return DecisionRow(entry, words, is_done, "the agent’s turn", about, who)
    return _build_call_row(actor, entry, target, DecisionRow(entry, words, is_done, "", about, who))


def _build_verified(entry: AuditEntry, run: Extraction, base: DecisionRow) -> DecisionRow:
    """Of the mark that this entry tells of: one that was set since is another decision."""
    marks = Verification.objects.filter(extraction=run, where="", cleared_at=None, user=entry.user)
    holds = run.status == Extraction.Status.COMPLETED and marks.filter(created_at__lte=entry.created_at).exists()
    note = _quote(str(entry.detail.get("reason", "")))
    return replace(base, note=note, verified=run if holds else None, is_undone=not holds)


def _build_call_row(actor: Actor, entry: AuditEntry, call: ToolCall, base: DecisionRow) -> DecisionRow:
    words, result = base.words, call.result or {}
    if entry.detail.get("edited"):
        words = f"{words} with edits"
    note, is_done = "", base.is_done
    if call.status == ToolCall.Status.REJECTED:
        note = _quote(str(result.get("reason", "")))
    elif call.status in (ToolCall.Status.FAILED, ToolCall.Status.DENIED) and base.is_done:
        note, is_done = str(result.get("error") or result.get("note") or "It failed."), False
    preview = call.preview or {}
    succeeded = call.status == ToolCall.Status.SUCCEEDED
    is_undone = undo.is_undone(call)
    may_undo = succeeded and not is_undone and not undo.why_not(actor, call)
    return DecisionRow(
        entry,
        words,
        is_done,
        str((preview.get("done") if succeeded else "") or preview.get("title") or call.tool),
        base.about,
        base.who,
        note=note,
        undo_id=call.pk if may_undo else "",
        idempotency_key=new_id(),
        is_undone=is_undone,
    )


def _quote(reason: str) -> str:
    return f"“{reason}”" if reason else ""
