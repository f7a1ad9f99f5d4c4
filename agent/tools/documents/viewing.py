"""Pages as pictures, for a model that sees."""

from __future__ import annotations

from agent.citations.aliases import note_read
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup
from agent.tools.lookup import reading_of
from documents.models import Page
from documents.reading.page_pictures import WHOLE, check_area, make_picture
from kit.errors import Invalid, NotFound
from llm.models_catalogue import find_abilities

BLIND = "The model of this thread sees no pictures. Read the text with get_ocr_text."


def _summarize(arguments: Arguments, result: Result) -> str:
    return f"page {arguments['page']}" + (", a part of it" if arguments.get("area") else "")


@tool(
    category="document",
    access="read",
    title="Look at a page",
    icon="i-file-text",
    resolve=lookup.pin_document,
    summary=_summarize,
    is_rare=True,
    needs_sight=True,
)
def view_page(context: ToolContext, page: int, area: list[float] | None = None, document: str | None = None) -> Result:
    """Shows a page, or a part of it, as a picture: for what its text does not tell, such as stamps, signatures and
    drawings.

    page: counted from 1
    area: left, top, right, bottom as fractions of the page, such as [0, 0.5, 1, 1]
    document: name or id of another document; without it this one
    """
    if not find_abilities(context.turn.model).sees:
        raise Invalid(BLIND)
    about = lookup.choose_document(context, document)
    reading = reading_of(about)
    part = check_area(area) if area is not None else WHOLE
    row = Page.objects.filter(reading=reading, number=page).select_related("reading__document").first()
    if row is None:
        raise NotFound(f"There is no page {page}. The document has {reading.page_count} pages.")
    make_picture(row, part)  # What cannot be drawn is refused here, with a sentence.
    shown: Result = {"page": page, "page_count": reading.page_count, "area": list(part), "reading_id": reading.pk}
    shown["alias"] = note_read(context.thread, reading, {}).name
    return {**shown, **lookup.name_other(context, about), "picture": "It follows the results."}
