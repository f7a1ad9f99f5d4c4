"""A PDF that holds several documents, split by its pages, and joined again."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.access import OrganizationView
from accounts.api.wire.answers import Message
from accounts.api.wire.described import describe
from accounts.api.wire.fields import ExactSerializer, StrictTextField
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents.api.documents import fetch_document
from documents.api.parts import answers
from documents.api.serializers import serialize_part
from documents.api.uploads import TOO_LARGE
from documents.intake import splitting
from documents.intake.borders import list_borders
from documents.intake.parts import MAX_PARTS
from documents.intake.splitting import NOT_READ, PartPages
from documents.reading.reading import get_newest
from documents.storage.stored_files import UPLOADS
from kit.errors import Invalid


class PartOfPages(ExactSerializer):
    """Its pages in the whole, counted from 1; without a name it is called after the whole."""

    first_page = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    last_page = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    document_name = StrictTextField(required=False, allow_blank=True, default="")


class DocumentSplit(ExactSerializer):
    """The parts in the order of their pages. Pages may be left out, such as blank ones."""

    parts = serializers.ListField(child=PartOfPages(), max_length=MAX_PARTS)


class SplitView(OrganizationView):
    """Splits a PDF or TIFF that holds several documents. Each part is a document with the whole's tags, a file of its
    own and the whole as its parent, which stays as it is. A page belongs to one part at most: the same again is a 409.

    `DELETE` moves the parts to the trash.
    """

    roles = {"GET": Role.VIEWER, "POST": Role.REVIEWER, "DELETE": Role.REVIEWER}
    bodies = {"POST": DocumentSplit}

    @describe("Get a proposed split", refusals={400: [NOT_READ]})
    def get(self, request: Request, document_id: str) -> Answer[answers.ProposedSplit]:
        """Where other documents seem to begin, and why: number, letterhead or words change. Nothing is cut."""
        document = fetch_document(self.actor, document_id)
        newest = get_newest(document)
        if newest is None:
            raise Invalid(NOT_READ, code="not_read")
        borders: list[answers.ProposedBorder] = [
            {"page": border.page, "reasons": list(border.reasons)} for border in list_borders(newest)
        ]
        return Answer({"document_id": document.pk, "borders": borders})

    @describe(
        "Split a document by its pages",
        refusals={
            400: ["There is no page 6; the document has 5.", NOT_READ],
            409: ["“invoice.pdf” has pages 1–2 already. Move it to the trash to split them anew."],
            413: [TOO_LARGE],
            507: [UPLOADS.when_full],
        },
    )
    def post(self, request: Request, document_id: str) -> Answer[answers.SplitDocument]:
        document = fetch_document(self.actor, document_id)
        page_ranges = [
            PartPages(part["first_page"], part["last_page"], part["document_name"])
            for part in self.read_body()["parts"]
        ]
        parts = splitting.split(self.actor, document=document, parts=page_ranges)
        return Answer({"document_id": document.pk, "parts": [serialize_part(part) for part in parts]})

    @describe("Undo a split", refusals={409: ["It is not split any more."]})
    def delete(self, request: Request, document_id: str) -> Answer[Message]:
        parts = splitting.undo(self.actor, document=fetch_document(self.actor, document_id))
        return Answer(
            {"message": f"{len(parts)} parts are in the trash." if len(parts) > 1 else "The part is in the trash."}
        )
