"""What the viewer loads: pictures of pages, their words, and the file as it was uploaded."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

from django.http import FileResponse, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase, HttpResponseNotModified
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET, require_safe

from accounts.access import fetch
from accounts.views.pages import PageRequest, organization_page
from documents import values
from documents.models import Document, Extraction, Page
from documents.reading import pages
from documents.reading.exports.formulas import escape_formula
from kit.errors import NotFound
from kit.http.caching import REVALIDATE, UNCHANGING
from kit.http.file_answers import answer_file
from kit.ids import is_id

DEFAULT_WIDTH = 1200


@require_GET
@organization_page()
def page_image(request: PageRequest, document_id: str, number: int) -> HttpResponseBase:
    """`w` is the wished width in pixels, `reading` the reading whose page is meant (else the newest with that page)."""
    page = _fetch_page(request, document_id, number)
    width = request.GET.get("w", "")
    pixels = int(width) if width.isdecimal() and len(width) < 6 else DEFAULT_WIDTH

    def draw() -> FileResponse:
        return FileResponse(pages.draw_image(page, pixels).open("rb"), content_type="image/webp")

    return _answer_unless_unchanged(request, f'"{page.reading_id}-{page.number}-{pixels}-{page.rotation}"', page, draw)


@require_GET
@organization_page()
def page_words(request: PageRequest, document_id: str, number: int) -> HttpResponseBase:
    """`words`: [text, left, top, right, bottom, line, hidden] each, in page fractions."""
    page = _fetch_page(request, document_id, number)

    def list_words() -> JsonResponse:
        rows = [[w.text, w.x0, w.y0, w.x1, w.y1, w.line, int(w.hidden)] for w in pages.unpack_words(page)]
        return JsonResponse({"number": page.number, "words": rows})

    return _answer_unless_unchanged(request, f'"{page.reading_id}-{page.number}-{page.engine}"', page, list_words)


@require_safe
@organization_page()
def original(request: PageRequest, document_id: str) -> HttpResponseBase:
    """The file itself, always as a download, which a browser goes on with after a break."""
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    try:
        file = pages.open_upload(document)
    except FileNotFoundError:
        raise NotFound("The stored file is missing. Upload the document again.") from None
    return answer_file(request, file)


@require_GET
@organization_page()
def result(request: PageRequest, document_id: str, extraction_id: str, form: str) -> HttpResponse:
    """The current values as `json`, or as `csv` with a line a value."""
    rows = Extraction.objects.filter(document=document_id if is_id(document_id) else None).select_related("document")
    extraction = fetch(request.actor, rows, extraction_id, noun="Extraction")
    if form == "json":
        text = json.dumps(values.strip_row_ids(extraction.current), ensure_ascii=False, indent=2)
    elif form == "csv":
        text = _format_csv(extraction)
    else:
        raise NotFound("There are json and csv.")
    response = HttpResponse(text, content_type=f"{'application/json' if form == 'json' else 'text/csv'}; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{extraction.document.name}.{form}")
    return response


def _format_csv(extraction: Extraction) -> str:
    out = io.StringIO()
    lines = csv.writer(out)
    lines.writerow(["field", "value"])
    paths = values.map_wire_paths(extraction.current)
    for where, value in values.iterate_leaves(extraction.current):
        lines.writerow(map(escape_formula, (paths[where], value)))
    return out.getvalue()


def _fetch_page(request: PageRequest, document_id: str, number: int) -> Page:
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    pages = Page.objects.filter(reading__document=document, number=number).select_related("reading__document")
    if is_id(reading := request.GET.get("reading", "")):
        pages = pages.filter(reading=reading)
    page = pages.order_by("-reading__number").first()
    if page is None:
        raise NotFound("Page not found")
    return page


def _answer_unless_unchanged(
    request: PageRequest, etag: str, page: Page, answer: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """304 for a browser that has it, else the answer. A page of a reading changes once at most: when it is recognized.

    Without a reading the newest one is meant, which may be another one the next time.
    """
    known: HttpResponseBase | None = get_conditional_response(request, etag=etag)
    response = known if isinstance(known, HttpResponseNotModified) else answer()
    response["ETag"] = etag
    is_final = bool(page.engine) and page.reading_id == request.GET.get("reading")
    response["Cache-Control"] = UNCHANGING if is_final else REVALIDATE
    return response
