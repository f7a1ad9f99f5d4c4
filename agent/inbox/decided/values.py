"""Decisions about values: a document or values of it were verified, values were changed."""

from __future__ import annotations

from typing import cast

from accounts.models import AuditEntry
from agent.inbox.decided.decision_row import Decided, DecisionRow, quote
from agent.inbox.inbox_rows import VERIFY
from documents import values
from documents.models import Extraction, FieldEdit
from documents.values.addresses import RowStep, split_steps
from documents.values.titles import make_title
from kit.formats import count_noun

MAX_NAMED, MAX_VALUE = 3, 40
# So many more values are taken back at once.
MAX_ALSO = 20
ROWS = {FieldEdit.Kind.ADD_ROW: "Added a row in", FieldEdit.Kind.REMOVE_ROW: "Removed a row in"}


def describe_verified(decided: Decided) -> DecisionRow:
    """Only the marks that these entries tell of count: one that was set since is another decision."""
    run, entry = cast("Extraction", decided.target), decided.entry
    places = [str(each.detail.get("where", "")) for each in decided.entries]
    marks = run.verifications.filter(where__in=places, cleared_at=None, user=entry.user)
    present = list(marks.filter(created_at__lte=entry.created_at).values_list("where", flat=True))
    holds = bool(present) and run.status == Extraction.Status.COMPLETED
    note, what = quote(str(entry.detail.get("reason", ""))), ""
    if places[0]:
        note, what = _name_places(places), f" {count_noun(len(places), 'value')} of"
    sent = {"on": "false", **({"where": present, "quietly": "1"} if places[0] else {})}
    route = "field-verify" if places[0] else "extraction-verify"
    shown = f"{VERIFY}-{run.document_id}"
    undo = decided.make_undo(route, run.document_id, run.pk, values=sent, returns_to=shown) if holds else None
    return DecisionRow(
        entry, f"Verified{what}", run.document.name, decided.who, note=note, undo=undo, is_undone=not holds
    )


def describe_edited(decided: Decided) -> DecisionRow | None:
    """Only changes of single values and rows: of a whole result that a client sent each is a row of its own."""
    run = cast("Extraction", decided.target)
    numbers = [each.detail["number"] for each in decided.entries if "number" in each.detail]
    edits = list(run.edits.filter(number__in=numbers).order_by("-number"))
    if not edits:
        return None
    standing = [edit for edit in edits if _stands(run, edit)]
    undo = None
    if standing and run.status == Extraction.Status.COMPLETED:
        also = [edit.pk for edit in standing[1 : 1 + MAX_ALSO]]
        undo = decided.make_undo("edit-undo", run.document_id, standing[0].pk, values={"also": also})
    words, note = _describe_edits(edits)
    return DecisionRow(
        decided.entry, words, run.document.name, decided.who, note=note, undo=undo, is_undone=not standing
    )


def is_of_values(entry: AuditEntry) -> bool:
    """Several of these in a row, of one result, are one decision to those who read the list."""
    return entry.action == "edited" or bool(entry.detail.get("where"))


def _describe_edits(edits: list[FieldEdit]) -> tuple[str, str]:
    if len(edits) > 1:
        return f"Changed {len(edits)} values of", _name_places([edit.where for edit in edits])
    edit = edits[0]
    if words := ROWS.get(FieldEdit.Kind(edit.kind)):
        return words, _name_places([edit.where])
    return "Changed", f"{_name_place(edit.where)}, {_shorten(edit.old)} → {_shorten(edit.new)}"


def _stands(run: Extraction, edit: FieldEdit) -> bool:
    """Whether its place still says what the edit made it say."""
    is_there = values.has_value(run.current, edit.where)
    if edit.kind == FieldEdit.Kind.REMOVE_ROW:
        return not is_there
    return is_there and (edit.kind == FieldEdit.Kind.ADD_ROW or values.get_value(run.current, edit.where) == edit.new)


def _name_places(places: list[str]) -> str:
    names = list(dict.fromkeys(_name_place(where) for where in reversed(places)))
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(names[:MAX_NAMED]) + more


def _name_place(where: str) -> str:
    names = [step for step in split_steps(where) if not isinstance(step, RowStep)]
    return make_title(names[-1], {}) if names else where


def _shorten(value: object) -> str:
    text = "empty" if value in (None, "") else str(value)
    return text if len(text) <= MAX_VALUE else f"{text[:MAX_VALUE]}…"
