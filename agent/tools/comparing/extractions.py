"""What differs between the values of two documents, or of two runs on one."""

from __future__ import annotations

from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup
from agent.tools.extraction import choose_extraction
from documents.models import Extraction
from documents.values import iterate_leaves, map_wire_paths, strip_row_ids
from kit.errors import NotFound

MAX_DIFFERENCES = 100
MAX_LETTERS = 200


def _resolve(context: ToolContext, arguments: Arguments) -> Arguments:
    pinned = lookup.pin_document(context, arguments)
    other = pinned.get("with_document")
    return {**pinned, "with_document": lookup.find_document(context, other).pk} if other else pinned


def _summarize(arguments: Arguments, result: Result) -> str:
    return f"{format_count(result.get('different', 0), 'difference')}, {result.get('same', 0)} the same"


@tool(
    category="extraction",
    access="read",
    title="Compare extractions",
    icon="i-copy",
    shows_any=True,
    resolve=_resolve,
    summary=_summarize,
    is_rare=True,
)
def compare_extractions(context: ToolContext, document: str | None = None, with_document: str | None = None) -> Result:
    """What differs between the values of two documents; of one document alone, between its two newest runs.

    document: name or id of another document; without it this one
    with_document: name or id of the document to compare with; without it the same document's run before the newest
    """
    one = choose_extraction(context, document=lookup.choose_document(context, document))
    if with_document:
        other = choose_extraction(context, document=lookup.choose_document(context, with_document))
    else:
        other = _find_earlier(one)
    first, second = _read_leaves(one), _read_leaves(other)
    paths = list(dict.fromkeys([*first, *second]))
    differing = [path for path in paths if first.get(path) != second.get(path)]
    shown = [{"path": p, "this": first.get(p), "with": second.get(p)} for p in differing[:MAX_DIFFERENCES]]
    answer: Result = {"this": _describe_run(one), "with": _describe_run(other), "same": len(paths) - len(differing)}
    return {**answer, "different": len(differing), "differences": shown}


def _find_earlier(newest: Extraction) -> Extraction:
    rows = Extraction.objects.filter(document=newest.document_id, status=Extraction.Status.COMPLETED)
    earlier = rows.filter(number__lt=newest.number, prompt_revision__isnull=False).order_by("-number").first()
    if earlier is None:
        raise NotFound("This document has been extracted once only. Name another one in with_document.")
    return earlier


def _read_leaves(extraction: Extraction) -> dict[str, object]:
    """By the path as a model writes it, with positions of rows from 0."""
    paths = map_wire_paths(extraction.current)
    leaves = {paths.get(where, where): value for where, value in iterate_leaves(extraction.current)}
    return {path: _shorten(strip_row_ids(value)) for path, value in leaves.items()}


def _shorten(value: object) -> object:
    return f"{value[:MAX_LETTERS]}…" if isinstance(value, str) and len(value) > MAX_LETTERS else value


def _describe_run(extraction: Extraction) -> Result:
    run = {"document_id": extraction.document_id, "document_name": extraction.document.name}
    return {**run, "prompt": str(extraction.prompt_revision or "none"), "extraction_id": extraction.pk}
