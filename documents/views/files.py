"""What the viewer loads: pictures of pages, their words, the file as it was uploaded, and what was read of it."""

from __future__ import annotations

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
from documents.extractions.field_proofs import FieldProofs
from documents.models import Document, Extraction, Page, Reading
from documents.reading import pages, reading
from documents.reading.exports.csv_lines import format_lines
from documents.reading.exports.markdown import export_markdown
from documents.reading.exports.web_page import export_html
from documents.reading.exports.workbook import export_workbook
from documents.reading.tables.reading_tables import find_tables
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
        return FileResponse(pages.draw_image(page, pixels), content_type="image/webp")

    return _answer_unless_unchanged(request, f'"{page.reading_id}-{page.number}-{pixels}-{page.rotation}"', page, draw)


@require_GET
@organization_page()
def page_words(request: PageRequest, document_id: str, number: int) -> HttpResponseBase:
    """`words`: [text, left, top, right, bottom, line, hidden, indent] each, in page fractions."""
    page = _fetch_page(request, document_id, number)

    def list_words() -> JsonResponse:
        rows = [[w.text, w.x0, w.y0, w.x1, w.y1, w.line, int(w.hidden), w.indent] for w in pages.unpack_words(page)]
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
def read_text(request: PageRequest, document_id: str, extension: str) -> HttpResponse:
    """What was read, with its tables, as `md` or `html`; its tables alone as `xlsx`. Always as a download."""
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    newest = reading.get_newest(document)
    if newest is None:
        raise NotFound("The document has not been read yet. Its text can be downloaded when it has.")
    if extension not in EXPORTS:
        raise NotFound("There are md, html and xlsx.")
    media_type, export = EXPORTS[extension]
    response = HttpResponse(export(newest), content_type=media_type)
    stem = document.name.rpartition(".")[0] or document.name
    response["Content-Disposition"] = content_disposition_header(True, f"{stem}.{extension}")
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


def _export_tables(newest: Reading) -> bytes:
    tables = find_tables(newest)
    if not tables:
        raise NotFound("No tables were found in this document.")
    return export_workbook(tables)


EXPORTS: dict[str, tuple[str, Callable[[Reading], str | bytes]]] = {
    "md": ("text/markdown; charset=utf-8", export_markdown),
    "html": ("text/html; charset=utf-8", lambda newest: export_html(newest, title=newest.document.name)),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", _export_tables),
}


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
    proofs = FieldProofs(extraction)
    leaves = proofs.list_leaves()
    lines = [(leaf.path, "" if leaf.is_empty else leaf.value, proofs.find_state(leaf)) for leaf in leaves]
    return format_lines([("field", "value", "state"), *lines])


def _fetch_page(request: PageRequest, document_id: str, number: int) -> Page:
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    pages = Page.objects.filter(reading__document=document, number=number).select_related("reading__document")
    if is_id(reading_id := request.GET.get("reading", "")):
        pages = pages.filter(reading=reading_id)
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
