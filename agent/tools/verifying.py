"""A person's word that values are right, which the agent can only ask for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from agent.citations.failed_checks import list_check_problems
from agent.citations.value_proof import describe_cited_proof
from agent.models import Thread
from agent.toolkit.effects import Inverse, Preconditions
from agent.toolkit.previews import ArgumentRow, Preview, format_count, format_value
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import reach
from agent.tools.extraction import choose_extraction
from agent.tools.fields import locate_path
from agent.tools.lookup import enter_document, name_other, pin_document
from agent.tools.values.named_rows import list_row_doubts
from documents.extractions import edits
from documents.extractions.edits.changing import count_edits
from documents.extractions.edits.field_titles import describe_path
from documents.extractions.proof_notes import ProofNotes, describe_proof
from documents.models import Extraction
from documents.values import (
    Change,
    Where,
    find_where,
    get_value,
    get_wire_path,
    has_value,
    iterate_leaves,
    map_wire_paths,
    strip_row_ids,
)
from documents.values.row_keys import RowNames
from kit.errors import Invalid, NotFound

WHOLE: Where = ""
MAX_ROWS, MAX_WARNINGS, MAX_NAMES = 60, 10, 30


def _resolve(context: ToolContext, arguments: Arguments) -> Arguments:
    pinned = pin_document(context, arguments)
    if not pinned.get("paths"):
        return pinned
    return {**pinned, "paths": [locate_path(context, pinned, path) for path in pinned["paths"]]}


def _list_places(extraction: Extraction, paths: Sequence[str] | None) -> list[Where]:
    """Those that nobody has verified yet. Raises NotFound for an unknown path, Invalid where nothing is left."""
    if paths is not None and not 1 <= len(paths) <= edits.MAX_CORRECTIONS:
        raise Invalid(f"Give 1 to {edits.MAX_CORRECTIONS} paths, or none for the whole extraction.")
    asked = [_find_place(extraction, path) for path in dict.fromkeys(paths)] if paths else [WHOLE]
    verified = set(extraction.verifications.filter(cleared_at=None).values_list("where", flat=True))
    left = [where for where in asked if where not in verified]
    if not left:
        raise Invalid("This has been verified already.")
    return left


def _find_place(extraction: Extraction, path: str) -> Where:
    where = find_where(extraction.current, path)
    if not has_value(extraction.current, where):
        known = ", ".join(islice(map_wire_paths(extraction.current).values(), MAX_NAMES))
        raise NotFound(f"There is no value {path[:60]!r}. There are: {known}.")
    return where


def _read_preconditions(context: ToolContext, arguments: Arguments) -> Preconditions:
    """The values as the card shows them, and that nobody has verified anything meanwhile."""
    extraction = choose_extraction(enter_document(context, arguments))
    stored = list(extraction.edits.all())
    marks = extraction.verifications.filter(cleared_at=None).count()
    versions = {
        f"edits of {extraction.pk}:{where}": count_edits(stored, where) if where else len(stored)
        for where in _list_places(extraction, arguments.get("paths"))
    }
    return {**versions, f"verified of {extraction.pk}:": marks}


def _preview_verification(context: ToolContext, arguments: Arguments) -> Preview:
    about = enter_document(context, arguments)
    extraction = choose_extraction(about)
    document, places = extraction.document, _list_places(extraction, arguments.get("paths"))
    proof, failing = describe_proof(extraction), list_check_problems(extraction)
    what = "the whole extraction" if places == [WHOLE] else format_count(len(places), "value")
    return {
        "title": f"Verify {what} of {document.name}",
        "done": f"Verified {what} of {document.name}",
        "subtitle": "Approve only what you have compared with the pages yourself.",
        "rows": [*_list_reason(arguments), *_list_rows(extraction, places, proof)],
        "effect": "It counts as your word that this is right. Undo takes the mark back.",
        "warnings": [
            *reach.warn_of_other(about, document),
            *_list_row_doubts(context, extraction, arguments),
            *_list_warnings(extraction, places, proof),
            *failing[:MAX_WARNINGS],
        ],
    }


def _list_row_doubts(context: ToolContext, extraction: Extraction, arguments: Arguments) -> list[str]:
    same = [(path, Change(find_where(extraction.current, path), None, None)) for path in arguments.get("paths") or ()]
    return list_row_doubts(context, extraction, same)


def _list_reason(arguments: Arguments) -> list[ArgumentRow]:
    """It is kept as the person's, so they have to see it."""
    reason = str(arguments.get("reason") or "").strip()
    return [{"name": "Your reason, though checks fail", "value": reason}] if reason else []


def _list_leaves(extraction: Extraction, places: Sequence[Where]) -> list[tuple[str, object]]:
    """The dotted path and value of each single value that is to be verified."""
    if places == [WHOLE]:
        paths = map_wire_paths(extraction.current)
        return [(paths[where], value) for where, value in iterate_leaves(extraction.current)]
    current = extraction.current
    return [(get_wire_path(current, where), strip_row_ids(get_value(current, where))) for where in places]


def _list_rows(extraction: Extraction, places: Sequence[Where], proof: ProofNotes) -> list[ArgumentRow]:
    leaves, lines = _list_leaves(extraction, places), proof.get("lines", {})
    rows: list[ArgumentRow] = [
        {"name": describe_path(extraction, path), "value": _describe_value(value, lines.get(path, ""))}
        for path, value in leaves[:MAX_ROWS]
    ]
    if len(leaves) > MAX_ROWS:
        rows.append({"name": "And", "value": f"{format_count(len(leaves) - MAX_ROWS, 'more value')}"})
    return rows


def _describe_value(value: object, line: str) -> str:
    page, _, number = line.partition(".")
    return f"{format_value(value, 200)} (page {page}, line {number})" if number else format_value(value, 200)


def _list_warnings(extraction: Extraction, places: Sequence[Where], proof: ProofNotes) -> list[str]:
    asked = {path for path, _ in _list_leaves(extraction, places)}
    doubts = [(path, why) for path, why in proof.get("unsure", {}).items() if path in asked]
    sentences = [f"{describe_path(extraction, path)}: {why}" for path, why in doubts[:MAX_WARNINGS]]
    more = len(doubts) - MAX_WARNINGS
    return [*sentences, f"{format_count(more, 'more value')} unsure."] if more > 0 else sentences


def _build_inverse(context: ToolContext, arguments: Arguments, result: Result) -> Inverse | None:
    ids = context.before.get("verification_ids")
    return {"service": "edits.unverify", "verification_ids": ids} if ids else None


@tool(
    category="extraction",
    access="write",
    title="Verify values",
    icon="i-check",
    resolve=_resolve,
    reach=reach.of_named_document,
    preconditions=_read_preconditions,
    preview=_preview_verification,
    inverse=_build_inverse,
    needs_person=True,
    is_rare=True,
)
def verify_values(
    context: ToolContext,
    paths: list[str] | None = None,
    document: str | None = None,
    reason: str | None = None,
) -> Result:
    """Asks a person to say that values, or the whole extraction, are right. It waits for a person in every mode.

    paths: dotted, rows by position from 0 or by a value such as line_items[sku=A-17]; without them the whole extraction
    document: name or id of another document; without it this one
    reason: the person's own words why the values are right although checks fail
    """
    extraction = choose_extraction(enter_document(context, {"document": document}))
    places = _list_places(extraction, paths)
    marks = [edits.verify(context.actor, extraction=extraction, where=where, reason=reason or "") for where in places]
    context.before["verification_ids"] = [mark.pk for mark in marks]
    what: Result = {"whole": True} if places == [WHOLE] else {"values": len(places)}
    return {
        "extraction_id": extraction.pk,
        "verified": what,
        **_name_lines(context.thread, extraction, paths or ()),
        **name_other(context, extraction.document),
    }


def _name_lines(thread: Thread, extraction: Extraction, paths: Sequence[str]) -> Result:
    lines = describe_cited_proof(thread, extraction).get("lines", {}) if paths else {}
    names = RowNames(extraction.current)
    own = {named: lines[named] for path in paths if (named := names.name(path)) in lines}
    return {"lines": own} if own else {}
