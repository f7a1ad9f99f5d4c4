"""What is written on the document's pages."""

from __future__ import annotations

from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup
from documents.models import Document, Reading
from documents.reading.page_text import make_data_block, mark_pages
from documents.reading.reading import get_newest
from kit.errors import Invalid, NotFound

MAX_TOKENS = 5000


def _summarize(arguments: Arguments, result: Result) -> str:
    numbers = ", ".join(str(number) for number in result.get("pages", []))
    return f"page {numbers} of {result.get('page_count', 0)}"


def reading_of(document: Document) -> Reading:
    """The newest whole reading. Raises Invalid while there is none."""
    reading = get_newest(document)
    if reading is None:
        raise Invalid("This document has not been read yet, so there is no text. Try again when it has.")
    return reading


@tool(
    group="document",
    access="read",
    title="Read the page text",
    icon="i-file-text",
    resolve=lookup.pin_document,
    summary=_summarize,
)
def get_ocr_text(context: ToolContext, page_num: int | None = None, document: str | None = None) -> Result:
    """The text of the document's pages, with the number of each line. Long documents: ask page by page.

    page_num: one page, counted from 1; without it the document from the start, as far as it fits
    document: name or id of another document; without it this one
    """
    about = lookup.choose_document(context, document)
    reading = reading_of(about)
    if page_num is not None and not 1 <= page_num <= (reading.page_count or 0):
        raise NotFound(f"There is no page {page_num}. The document has {reading.page_count} pages.")
    if page_num is not None and reading.is_partial and not reading.pages.filter(number=page_num).exists():
        raise NotFound(f"There is no text of page {page_num}. {reading.reason}")
    text = mark_pages(reading, pages=None if page_num is None else [page_num], max_tokens=MAX_TOKENS)
    result: Result = {"page_count": reading.page_count, "pages": text.pages, "text": ""}
    result |= lookup.name_other(context, about)
    # The block itself says whose words it holds, where they are not the thread's document's.
    source = {"document_id": about.pk} if "document_id" in result else {}
    result["text"] = make_data_block("page_text", text, **source)
    if reading.is_partial:
        result["not_read"] = reading.reason
    return {**result, "more": "Ask for the other pages by page_num."} if text.cut else result
