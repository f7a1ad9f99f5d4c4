"""Correcting values of a document's extraction: one, or several by one card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from agent.citations.failed_checks import list_check_problems
from agent.citations.value_proof import describe_cited_proof
from agent.models import Thread
from agent.toolkit.effects import Inverse, Preconditions
from agent.toolkit.previews import Change as ShownChange
from agent.toolkit.previews import ChangeRow, Preview, change_row, format_value
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.toolkit.values import row_paths
from agent.toolkit.values.value_crops import build_crop
from agent.tools import reach
from agent.tools.extraction import choose_extraction
from agent.tools.lookup import enter_document, name_other, pin_document
from agent.tools.values.change_warnings import describe_day, filter_marks, list_marks, warn_of_missing, warn_of_others
from agent.tools.values.named_rows import list_row_doubts
from documents.extractions import edits
from documents.extractions.edits import Correction
from documents.extractions.edits.changing import count_edits
from documents.extractions.edits.field_titles import describe_neighbours_of, describe_path, describe_row
from documents.models import Extraction, FieldEdit
from documents.values import Change, EditKind, get_value, get_wire_path, strip_row_ids
from documents.values.addresses import overlaps
from documents.values.row_keys import RowNames
from kit.errors import Invalid
from kit.json_types import Json

NO_ROW = "no row"
MAX_CROPS = 12


class _FieldPath(TypedDict):
    path: str


class FieldChange(_FieldPath, total=False):
    """`remove` takes the row at the path away."""

    value: Json
    remove: bool


def _resolve(context: ToolContext, arguments: Arguments) -> Arguments:
    """With one value, or with several changes; never with both."""
    pinned = pin_document(context, arguments)
    if "changes" not in pinned:
        if "path" not in pinned or "value" not in pinned:
            raise Invalid("Give a path and its value (null empties it), or several of them as changes.")
        return {**pinned, "path": locate_path(context, pinned, pinned["path"])}
    if "path" in pinned:
        raise Invalid("Give either one path with its value, or changes.")
    if incomplete := [each["path"] for each in pinned["changes"] if ("value" in each) == bool(each.get("remove"))]:
        raise Invalid(f"{incomplete[0]}: give either a value (null empties it) or remove.")
    changes = [{**each, "path": locate_path(context, pinned, each["path"])} for each in pinned["changes"]]
    return {**{name: value for name, value in pinned.items() if name != "value"}, "changes": changes}


def locate_path(context: ToolContext, arguments: Arguments, path: str) -> str:
    """With positions in place of keys of rows."""
    return row_paths.locate_path(choose_extraction(enter_document(context, arguments)), path, context.call_id)


def read_corrections(arguments: Arguments) -> list[Correction]:
    changes: list[Arguments] = arguments.get("changes", [arguments])
    return [Correction(each["path"], each.get("value"), bool(each.get("remove"))) for each in changes]


def _plan(extraction: Extraction, arguments: Arguments) -> list[tuple[str, Change]]:
    """Each with its path."""
    corrections = read_corrections(arguments)
    changes = edits.plan_corrections(extraction, corrections)
    return [(correction.path, change) for correction, change in zip(corrections, changes, strict=True)]


def _read_preconditions(context: ToolContext, arguments: Arguments) -> Preconditions:
    """Those values alone, so that changes of others do not disturb; for new rows, the number of rows before them."""
    extraction = choose_extraction(enter_document(context, arguments))
    versions: Preconditions = {}
    marks, earlier = list_marks(extraction), list(extraction.edits.all())
    for _, change in _plan(extraction, arguments):
        if change.kind is EditKind.ADD_ROW:
            array = change.where.rpartition("[")[0]
            versions[f"rows of {extraction.pk}:{array}"] = len(get_value(extraction.current, array))
        else:
            versions[f"edits of {extraction.pk}:{change.where}"] = count_edits(earlier, change.where)
            versions[f"verified of {extraction.pk}:{change.where}"] = len(filter_marks(marks, change.where))
    return versions


def _preview_change(context: ToolContext, arguments: Arguments) -> Preview:
    about = enter_document(context, arguments)
    extraction = choose_extraction(about)
    planned = _plan(extraction, arguments)
    where = f"on {extraction.document.name}" if about.is_elsewhere else "on this document"
    run = extraction.prompt_revision.prompt.name if extraction.prompt_revision else "Summary"
    common: Preview = {
        "subtitle": f"{run}, run {describe_day(extraction.finished_at or extraction.created_at)}",
        "warnings": [
            *reach.warn_of_other(context, extraction.document),
            *list_row_doubts(context, extraction, planned),
            *warn_of_missing(context, extraction, planned),
            *warn_of_others(extraction, planned),
        ],
    }
    elsewhere = f" {where}" if about.is_elsewhere else ""
    if "changes" in arguments:
        return {
            **common,
            "title": f"Change {len(planned)} value{'s' if len(planned) > 1 else ''} {where}",
            "done": f"Changed {len(planned)} value{'s' if len(planned) > 1 else ''}{elsewhere}",
            "changes": [_describe_row(context, extraction, number, planned[number]) for number in range(len(planned))],
        }
    [(path, change)] = planned
    title, added = describe_path(extraction, path), change.kind is EditKind.ADD_ROW
    return {
        **common,
        "title": f"Add a row to {title} {where}" if added else f"Change {title} {where}",
        "done": f"{'Added a row to' if added else 'Changed'} {title}{elsewhere}",
        "change": _describe_change(change, describe_neighbours_of(extraction, path)),
        "crop": build_crop(context, extraction, change, 0),
    }


def _describe_change(change: Change, note: str) -> ShownChange:
    return {
        "old": format_value(strip_row_ids(change.old)),
        "new": format_value(strip_row_ids(change.new)),
        "note": note,
    }


def _describe_row(context: ToolContext, extraction: Extraction, number: int, planned: tuple[str, Change]) -> ChangeRow:
    path, change = planned
    title, old, new = describe_path(extraction, path), strip_row_ids(change.old), strip_row_ids(change.new)
    if change.kind is not EditKind.SET:
        title = f"Row {describe_row(extraction, path).removeprefix('row ')} of {title}"
    row = change_row(
        title, NO_ROW if change.kind is EditKind.ADD_ROW else old, NO_ROW if change.kind is EditKind.REMOVE_ROW else new
    )
    if neighbours := describe_neighbours_of(extraction, path):
        row["note"] = neighbours
    crop = build_crop(context, extraction, change, number) if number < MAX_CROPS else None
    return {**row, "crop": crop} if crop else row


def _search(context: ToolContext, arguments: Arguments) -> edits.Evidence:
    extraction = choose_extraction(enter_document(context, arguments))
    return edits.search_corrections(extraction, read_corrections(arguments))


def _list_doubts(context: ToolContext, arguments: Arguments) -> list[str]:
    extraction = choose_extraction(enter_document(context, arguments))
    return list_row_doubts(context, extraction, _plan(extraction, arguments))


def _build_inverse(context: ToolContext, arguments: Arguments, result: Result) -> Inverse | None:
    edit_ids = list(FieldEdit.objects.filter(call_id=context.call_id).order_by("number").values_list("pk", flat=True))
    if len(edit_ids) > 1:
        return {"service": "edits.undo_all", "edit_ids": edit_ids}
    return {"service": "edits.undo", "edit_id": edit_ids[0]} if edit_ids else None


def _describe_stored(thread: Thread, extraction: Extraction, stored: Sequence[FieldEdit]) -> Result:
    """What is different now, by the paths as they are now, with the lines of the new values."""
    added_or_set = [edit for edit in stored if edit.kind != FieldEdit.Kind.REMOVE_ROW]
    names = RowNames(extraction.current)
    paths = {get_wire_path(extraction.current, edit.where): strip_row_ids(edit.new) for edit in added_or_set}
    changed = {names.name(path): value for path, value in paths.items()}
    arrays = {edit.where.rpartition("[")[0] for edit in stored if edit.kind != FieldEdit.Kind.SET}
    rows = {
        get_wire_path(extraction.current, array): len(get_value(extraction.current, array) or ()) for array in arrays
    }
    lines = {
        path: line
        for path, line in describe_cited_proof(thread, extraction).get("lines", {}).items()
        if any(overlaps(path, each) for each in changed)  # both by the keys of rows
    }
    return {
        "extraction_id": extraction.pk,
        "changed": changed,
        **({"lines": lines} if lines else {}),
        **({"rows_now": rows} if rows else {}),
        **({"checks": list_check_problems(extraction, thread)} if extraction.check_results else {}),
    }


@tool(
    category="extraction",
    access="write",
    title="Change fields",
    icon="i-pencil",
    resolve=_resolve,
    reach=reach.of_named_document,
    preconditions=_read_preconditions,
    search=_search,
    doubt=_list_doubts,
    instead_of={"changes": ["path", "value"]},
    preview=_preview_change,
    inverse=_build_inverse,
)
def update_extraction_field(
    context: ToolContext,
    path: str | None = None,
    value: Json = None,
    document: str | None = None,
    changes: list[FieldChange] | None = None,
) -> Result:
    """Sets one value of a document's extraction, or several by one card.

    path: dotted, such as due_date; rows by their key, line_items[sku=A-17].amount, or else their position from 0; one past the end adds a row
    value: the new value, of the type that the schema gives; null empties it
    document: name or id of another document; without it this one
    changes: several instead: each a path with its value, or remove true for a row to go; positions as they are now
    """  # noqa: E501 - one line a parameter
    arguments: Arguments = {"changes": changes} if changes is not None else {"path": path, "value": value}
    about = enter_document(context, {"document": document})
    extraction = choose_extraction(about)
    stored = edits.store_corrections(
        context.actor,
        extraction=extraction,
        corrections=read_corrections(arguments),
        evidence=context.evidence,
        call_id=context.call_id,
    )
    about.remember(extraction_id=extraction.pk)
    return {**_describe_stored(context.thread, extraction, stored), **name_other(context, extraction.document)}
