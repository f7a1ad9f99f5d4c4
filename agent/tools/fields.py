"""Correcting one value of a document's extraction."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

from agent.toolkit.previews import Change as ShownChange
from agent.toolkit.previews import Crop, Preview, format_value
from agent.toolkit.registry import Inverse, Preconditions, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import reach
from agent.tools.extraction import choose_extraction, describe_extraction
from agent.tools.lookup import enter_document, name_other, pin_document
from documents.extractions import edits
from documents.extractions.edits.changing import get_schema, get_version
from documents.models import Extraction, FieldEdit
from documents.values import Change, Kind, Location, get_value, strip_row_ids
from documents.values.addresses import overlaps
from documents.values.fields import get_field
from documents.values.titles import make_title

STATE_WORDS = {
    "exact": "found exactly as written",
    "normalized": "found in another form",
    "inferred": "inferred from what stands there",
}


def plan_change(extraction: Extraction, arguments: Arguments) -> Change:
    return edits.make_change_by_path(extraction, arguments["path"], arguments.get("value"))


def _read_preconditions(context: ToolContext, arguments: Arguments) -> Preconditions:
    """That value alone, so that changes of others do not disturb; for a new row, the number of rows before it."""
    extraction = choose_extraction(enter_document(context, arguments))
    change = plan_change(extraction, arguments)
    if change.kind is Kind.ADD_ROW:
        array = change.where.rpartition("[")[0]
        return {f"rows of {extraction.pk}:{array}": len(get_value(extraction.current, array))}
    marks = _list_verifications(extraction, change.where)
    return {
        f"value of {extraction.pk}:{change.where}": get_version(list(extraction.edits.all()), change.where),
        f"verified of {extraction.pk}:{change.where}": len(marks),
    }


def _preview_change(context: ToolContext, arguments: Arguments) -> Preview:
    about = enter_document(context, arguments)
    extraction = choose_extraction(about)
    where = f"on {extraction.document.name}" if about.is_elsewhere else "on this document"
    change, title = plan_change(extraction, arguments), describe_path(extraction, arguments["path"])
    place = _find_place(context, change)
    run = extraction.prompt_revision.prompt.name if extraction.prompt_revision else "Summary"
    run_day = describe_day(extraction.finished_at or extraction.created_at)
    added = change.kind is Kind.ADD_ROW
    return {
        "title": f"Add a row to {title} {where}" if added else f"Change {title} {where}",
        "done": f"{'Added a row to' if added else 'Changed'} {title}{f' {where}' if about.is_elsewhere else ''}",
        "subtitle": f"{run}, run {run_day}",
        "change": _describe_change(change),
        "crop": _build_crop(extraction, place),
        "effect": _describe_effect(context, change, place),
        "warnings": [*reach.warn_of_other(context, extraction.document), *_warnings(extraction, change)],
    }


def _describe_change(change: Change) -> ShownChange:
    return {"old": format_value(strip_row_ids(change.old)), "new": format_value(strip_row_ids(change.new)), "note": ""}


def describe_path(extraction: Extraction, path: str) -> str:
    """In plain words, with the row: "Amount in row 2 of Line items"."""
    names = path.split(".")
    position = next((at for at, name in enumerate(names) if name.isdecimal()), None)
    if position is None or position == 0:
        return _find_title(extraction, path)
    array = _find_title(extraction, ".".join(names[:position]))
    if position == len(names) - 1:
        return array
    return f"{_find_title(extraction, path)} in row {int(names[position]) + 1} of {array}"


def _find_title(extraction: Extraction, path: str) -> str:
    schema = get_schema(extraction)
    return make_title(path.rpartition(".")[2], get_field(schema, path) if schema else {})


def _search(context: ToolContext, arguments: Arguments) -> edits.Evidence:
    extraction = choose_extraction(enter_document(context, arguments))
    return edits.search(extraction, plan_change(extraction, arguments))


def _find_place(context: ToolContext, change: Change) -> Location | None:
    """Where the new value stands on the pages. Values in groups and lists have no one place."""
    located = context.evidence.of(change)
    if located is None or not located.locations or isinstance(change.new, dict | list):
        return None
    return located.locations[0]


def _describe_effect(context: ToolContext, change: Change, place: Location | None) -> str:
    """Nothing of the pages is said where they were searched for another change, as after a step of a plan."""
    if context.evidence.of(change) is None or (place and place.is_located):
        return ""
    return "The new value was not found on the pages."


def _build_crop(extraction: Extraction, place: Location | None) -> Crop | None:
    if not place or not place.is_located or place.page is None:
        return None
    boxes = [list(box) for box in place.boxes]
    note = STATE_WORDS.get(str(place.state), "")
    return {"document_id": extraction.document_id, "page": place.page, "boxes": boxes, "note": note}


def _list_verifications(extraction: Extraction, where: str) -> list[Any]:
    standing = extraction.verifications.filter(cleared_at=None).select_related("user").order_by("created_at")
    return [mark for mark in standing if not mark.where or overlaps(mark.where, where)]


def _warnings(extraction: Extraction, change: Change) -> list[str]:
    sentences = [
        f"{mark.user.shown_name if mark.user else 'Somebody'} verified "
        f"{'this field' if mark.where else 'this document'} {describe_day(mark.created_at)}. Changing it clears that."
        for mark in _list_verifications(extraction, change.where)
    ]
    by_person = extraction.edits.exclude(origin=FieldEdit.Origin.AGENT_RULE).select_related("user").order_by("-number")
    last = next((edit for edit in by_person if overlaps(edit.where, change.where)), None)
    if last and last.user:
        sentences.append(f"{last.user.shown_name} set this value {describe_day(last.created_at)}.")
    return sentences


def describe_day(moment: datetime) -> str:
    days = (timezone.localdate() - timezone.localdate(moment)).days
    if days <= 1:
        return "yesterday" if days == 1 else "today"
    return f"on {timezone.localdate(moment):%-d %B %Y}"


def _build_inverse(context: ToolContext, arguments: Arguments, result: Result) -> Inverse | None:
    edit = FieldEdit.objects.filter(call_id=context.call_id).order_by("-number").first()
    return {"service": "edits.undo", "edit_id": edit.pk} if edit else None


@tool(
    group="extraction",
    access="write",
    title="Change a field",
    icon="i-pencil",
    resolve=pin_document,
    reach=reach.of_named_document,
    preconditions=_read_preconditions,
    search=_search,
    preview=_preview_change,
    inverse=_build_inverse,
)
def update_extraction_field(context: ToolContext, path: str, value: Any, document: str | None = None) -> Result:
    """Sets one value of a document's extraction. Answers the extraction as it is then.

    path: dotted, with positions of rows from 0, such as due_date or line_items.2.amount; one past the end adds a row
    value: the new value, of the type that the schema gives; null empties it
    document: name or id of another document; without it this one
    """
    about = enter_document(context, {"document": document})
    extraction = choose_extraction(about)
    edits.set_path(
        context.actor,
        extraction=extraction,
        path=path,
        value=value,
        call_id=context.call_id,
        evidence=context.evidence,
    )
    about.remember(extraction_id=extraction.pk)
    return {"changed": path, **describe_extraction(extraction), **name_other(context, extraction.document)}
