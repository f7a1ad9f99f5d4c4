"""A document that holds several others, split by its pages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.toolkit.effects import Inverse, Preconditions
from agent.toolkit.preconditions import read_preconditions_after
from agent.toolkit.previews import FirstPage, Preview, format_count
from agent.toolkit.registry import Draft, Reach, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup, reach
from agent.tools.documents.tag_effects import describe_effect
from agent.tools.hooks import preconditions_of
from documents.intake import splitting
from documents.intake.splitting import CutPart, PartPages
from documents.models import Document
from documents.reading.reading import get_newest
from kit.cleanup import on_failure
from kit.errors import Invalid

# What undoing rests on: with values that came by themselves a part is still as it was made.
PARTS_AS_MADE = ("name", "tag_ids", "metadata", "verified", "trash")
MAX_PICTURES = 12
_PART = re.compile(r"\s*(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?(?:\s*[:,]\s*|\s+|$)(.*)", re.DOTALL)
NO_PART = "Write each part as its pages and its name, such as “1-2 Invoice 17.pdf”. This is none: “{text}”."


def _resolve(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the document's id and the names as they will be."""
    document = lookup.find_document(context, arguments.get("document_id"))
    parts = splitting.check(document, _parse_parts(arguments["parts"]))
    return {"document_id": document.pk, "parts": [_format_part(part) for part in parts]}


def _parse_parts(texts: Sequence[str]) -> list[PartPages]:
    return [_parse_part(text) for text in texts]


def _parse_part(text: str) -> PartPages:
    match = _PART.fullmatch(text)
    if match is None:
        raise Invalid(NO_PART.format(text=text[:60]))
    first, last, name = match.groups()
    return PartPages(int(first), int(last or first), name.strip())


def _format_part(part: PartPages) -> str:
    pages = str(part.first) if part.first == part.last else f"{part.first}-{part.last}"
    return f"{pages}: {part.name}"


def _reach(context: ToolContext, arguments: Arguments) -> Reach:
    outside = reach.of_document(context, arguments["document_id"])
    document = lookup.find_document(context, arguments["document_id"])
    return outside if outside is Reach.ORGANIZATION else reach.of_tags_added(context, document.tags.all())


def _preview(context: ToolContext, arguments: Arguments) -> Preview:
    document = lookup.find_document(context, arguments["document_id"])
    parts = _parse_parts(arguments["parts"])
    count = format_count(len(parts), "document")
    return {
        "title": f"Split {document.name} into {count}",
        "done": f"Split {document.name} into {count}",
        "rows": [{"name": _describe_pages(part), "value": part.name} for part in parts],
        "first_pages": _list_first_pages(document, parts),
        "effect": f"Each gets the tags of this one, which stays as it is. {describe_effect(list(document.tags.all()))}",
        "warnings": reach.warn_of_other(context, document),
    }


def _describe_pages(part: PartPages) -> str:
    return f"Page {part.first}" if part.first == part.last else f"Pages {part.first}–{part.last}"


def _list_first_pages(document: Document, parts: Sequence[PartPages]) -> list[FirstPage]:
    """Where each part would begin, of the first MAX_PICTURES."""
    reading = get_newest(document)
    if reading is None:
        return []
    numbers = [part.first for part in parts[:MAX_PICTURES]]
    sizes = reading.pages.filter(number__in=numbers).order_by("number").values_list("number", "width", "height")
    return [
        {
            "document_id": document.pk,
            "reading_id": reading.pk,
            "page": number,
            "height": round(160 * high / (wide or 1)),
        }
        for number, wide, high in sizes
    ]


def _store(context: ToolContext, draft: Draft) -> Result:
    cut_parts = [CutPart(**part) for part in draft["parts"]]
    document = lookup.find_document(context, draft["document_id"])
    with on_failure(lambda: splitting.discard(cut_parts)):
        parts = splitting.store(context.actor, document=document, cut_parts=cut_parts)
    return {"document_id": document.pk, "parts": [_describe_part(part) for part in parts]}


def _describe_part(part: Document) -> Result:
    return {
        "document_id": part.pk,
        "document_name": part.name,
        "first_page": part.first_page,
        "last_page": part.last_page,
    }


def _build_inverse(context: ToolContext, arguments: Arguments, result: Result) -> Inverse:
    part_ids = [part["document_id"] for part in result["parts"]]
    precondition: Preconditions = {}
    for part_id in part_ids:
        precondition |= read_preconditions_after(context, "document", part_id, PARTS_AS_MADE)
    return {
        "service": "splitting.undo",
        "document_id": arguments["document_id"],
        "part_ids": part_ids,
        "precondition": precondition,
    }


def _summarize(arguments: Arguments, result: Result) -> str:
    return format_count(len(result.get("parts", ())), "document")


@tool(
    category="document",
    access="write",
    effect="prepared",
    title="Split a document",
    icon="i-file-plus",
    creates=True,
    resolve=_resolve,
    reach=_reach,
    preconditions=preconditions_of("document", ("tag_ids", "parts")),
    preview=_preview,
    apply=_store,
    inverse=_build_inverse,
    summary=_summarize,
    is_rare=True,
)
def split_document(context: ToolContext, parts: list[str], document_id: str | None = None) -> Draft:
    """Splits a PDF or TIFF that holds several documents by its pages. Each part becomes a document of its own with the
    tags of the whole, which stays as it is. Read the pages first. Pages that belong to no document, such as blank ones,
    are left out.

    parts: one text for each part, in the order of the pages: its pages and its name, such as "1-2 Invoice 17.pdf"
    document_id: without it this document
    """
    document = lookup.find_document(context, document_id)
    cut_parts = splitting.cut(context.actor, document=document, parts=_parse_parts(parts))
    return {"document_id": document.pk, "parts": [part.as_json() for part in cut_parts]}
