"""What was read from a document: its text, its blocks, and what is known of the reading."""

from __future__ import annotations

import gzip
from typing import ClassVar

from django.http import HttpResponse
from rest_framework.request import Request

from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire.described import Choice, Number, describe
from accounts.api.wire.fields import read_choice, read_number
from accounts.api.wire.responses import Answer, JsonText
from accounts.models import Role
from documents.api import answers
from documents.api.documents import fetch_document
from documents.models import Reading
from documents.reading import reading
from documents.reading.exports.textract import export_textract
from kit.errors import NotFound
from kit.http.caching import REVALIDATE
from kit.timestamps import format_timestamp

NO_TEXT = "OCR text not found"
NO_DATA = "OCR data not found"
NO_METADATA = "OCR metadata not found"


def fetch_newest_reading(actor: Actor, document_id: str, missing: str) -> Reading:
    """The newest completed reading. Raises NotFound, with `missing` when there is none yet."""
    newest = reading.get_newest(fetch_document(actor, document_id))
    if newest is None:
        raise NotFound(missing)
    return newest


class PlainText(HttpResponse):
    """The text, an empty line between pages."""

    media_type: ClassVar[str] = "text/plain"


class ReadText(OrganizationView):
    """The text of the newest completed reading, or of one of its pages."""

    roles = {"GET": Role.VIEWER}

    @describe(
        "Get the text that was read",
        query=[Number("page_num", "This page only.", minimum=1)],
        refusals={404: [NO_TEXT]},
    )
    def get(self, request: Request, document_id: str) -> PlainText:
        pages = fetch_newest_reading(self.actor, document_id, NO_TEXT).pages.order_by("number")
        if number := read_number(request, "page_num", None, minimum=1, maximum=2**31 - 1):
            pages = pages.filter(number=number)
        texts = list(pages.values_list("text", flat=True))
        if not texts:
            raise NotFound(NO_TEXT)
        answer = PlainText("\n\n".join(texts), content_type="text/plain; charset=utf-8")
        answer["X-Content-Type-Options"] = "nosniff"
        return answer


class ReadJson(OrganizationView):
    """`{DocumentMetadata, Blocks}` as Textract gives it, on the wire plain or gzipped."""

    roles = {"GET": Role.VIEWER}

    @describe(
        "Get what was read, as JSON",
        query=[Choice("format", "On the wire.", allowed=["plain", "gzip"])],
        refusals={404: [NO_DATA]},
    )
    def get(self, request: Request, document_id: str) -> JsonText[answers.ReadDocument]:
        is_gzipped = read_choice(request, "format", "plain", ("plain", "gzip")) == "gzip"
        newest = fetch_newest_reading(self.actor, document_id, NO_DATA)
        content = b'{"DocumentMetadata":{"Pages":%d},"Blocks":%b}' % (
            newest.page_count or 0,
            export_textract(newest),
        )
        if is_gzipped:
            return JsonText(
                gzip.compress(content, 6), headers={"Cache-Control": REVALIDATE, "Content-Encoding": "gzip"}
            )
        return JsonText(content, headers={"Cache-Control": REVALIDATE})


class ReadBlocks(OrganizationView):
    """The blocks alone, as both published clients ask for them."""

    roles = {"GET": Role.VIEWER}

    @describe("Get what was read, as a flat list of blocks", refusals={404: [NO_DATA]})
    def get(self, request: Request, document_id: str) -> JsonText[list[answers.Block]]:
        return JsonText(export_textract(fetch_newest_reading(self.actor, document_id, NO_DATA)))


class ReadMetadata(OrganizationView):
    roles = {"GET": Role.VIEWER}

    @describe("Get how it was read", refusals={404: [NO_METADATA]})
    def get(self, request: Request, document_id: str) -> Answer[answers.ReadingMetadata]:
        """The newest completed reading counts."""
        newest = fetch_newest_reading(self.actor, document_id, NO_METADATA)
        return Answer(
            {
                "n_pages": newest.page_count or 0,
                "ocr_date": format_timestamp(newest.finished_at or newest.created_at),
                "ocr_type": newest.engine,
            }
        )
