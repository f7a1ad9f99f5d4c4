"""Documents of an organization: the list, one of them, its file, and the way to the trash."""

from __future__ import annotations

import base64

from rest_framework.request import Request

from accounts.access import fetch
from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire import conditions
from accounts.api.wire.answers import Message
from accounts.api.wire.described import Choice, Flag, Header, Text, describe, describe_window
from accounts.api.wire.fields import read_choice, read_flag, read_list
from accounts.api.wire.grid import GRID, UNREADABLE, arrange
from accounts.api.wire.pagination import count_rows, read_window
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents import document_changes
from documents.api import answers
from documents.api.document_filters import FILTERS, TAGS, UNKNOWN_TAGS
from documents.api.serializers import (
    DocumentUpdate,
    NewDocuments,
    serialize_gaps,
    serialize_listed,
    serialize_parts,
)
from documents.api.uploads import (
    UNSUPPORTED,
    UPLOAD_KEY,
    UPLOAD_REFUSALS,
    check_batch_size,
    read_upload_key,
    store_batch,
)
from documents.catalog.row_versions import get_document_version, require_version
from documents.find import lists
from documents.find.filters import require_filter
from documents.models import Document
from documents.reading import pages
from documents.retention import families
from kit.errors import Invalid, NotFound, TooLarge
from kit.events import organization_group
from kit.http.bodies import Body
from kit.http.file_answers import OpenedFile, PartOfFile, UnchangedFile, WholeFile, answer_file
from kit.paging import large_part_of

FILE_TYPES = ("original", "pdf")


_FILE_TYPE = Choice("file_type", "`pdf`: of pictures and texts a PDF of their pages.", allowed=FILE_TYPES)
_FILE_HEADERS = [
    Header("Range", "`bytes=0-99`, `bytes=100-` or `bytes=-100`: this part only."),
    Header("If-Range", "The ETag of the parts that you have: of another file the whole is sent."),
    Header("If-None-Match", "ETags that you have. With the file's own it is 304, without a body."),
    Header("If-Match", "ETags of the file that you mean. Of another file nothing is sent."),
    Header("ETag", "Another one as soon as a byte is.", codes=(200, 206, 304, 412)),
    Header("Content-Range", "Which part it is: `bytes 0-99/2048`.", codes=(206, 416)),
]


def fetch_document(actor: Actor, document_id: str) -> Document:
    return fetch(actor, Document.objects.all(), document_id, noun="Document")


class Documents(OrganizationView):
    body_kind = Body.BASE64
    roles = {"GET": Role.VIEWER, "POST": Role.REVIEWER}
    open_to_uploads = frozenset({"POST"})
    bodies = {"POST": NewDocuments}

    @describe(
        "List documents",
        query=[
            *describe_window(maximum=1000),
            *GRID,
            *FILTERS,
            TAGS,
            Text("metadata_search", "`key=value` pairs, comma-separated."),
        ],
        refusals={400: UNREADABLE},
    )
    def get(self, request: Request) -> Answer[answers.DocumentPage]:
        """The newest first, unless `sort` says otherwise."""
        pairs = request.query_params.get("metadata_search", "")
        rows = lists.list_documents(self.actor, tag_ids=read_list(request, "tag_ids"), metadata=pairs)
        narrowing = require_filter(self.actor, request.query_params)
        rows = arrange(narrowing.apply(rows), request, lists.DOCUMENTS)
        if "order_by" in request.query_params:
            rows = narrowing.sort(rows)
        at = read_window(request, maximum=1000)
        # The keys come out of the organization's rows. Said again here, SQLite without statistics walks all of these.
        whole = Document.objects.select_related(
            "document_type", "type_decision", "auto_setup__proposal", "auto_setup__decided_by"
        ).prefetch_related("tags")
        part = large_part_of(rows, at, whole=whole, group=organization_group(self.actor.organization.pk))
        return Answer({"documents": [serialize_listed(row) for row in part.rows], **count_rows(part, at)})

    @describe(
        "Upload documents as base64",
        query=[UPLOAD_KEY],
        refusals={
            **UPLOAD_REFUSALS,
            400: [UNSUPPORTED, "Invalid base64 content: Incorrect padding", UNKNOWN_TAGS],
        },
    )
    def post(self, request: Request) -> Answer[answers.StoredDocuments]:
        """Stores what can be stored; `errors` lists the others, and when there is nothing to store, it is 400. As
        JSON a file of MAX_UPLOAD_MB (50) fits. Every document is read after its upload.
        """
        check_batch_size(request)
        return Answer(store_batch(self.actor, self.read_body()["documents"], key=read_upload_key(request)))


class OneDocumentView(OrganizationView):
    is_conditional = True
    roles = {"GET": Role.VIEWER, "PUT": Role.REVIEWER, "DELETE": Role.BUILDER}
    bodies = {"PUT": DocumentUpdate}

    @describe(
        "Get a document",
        query=[_FILE_TYPE, Flag("include_content", "With the file as base64 in `content`.", default=True)],
        refusals={404: ["File not found"]},
    )
    def get(self, request: Request, document_id: str) -> Answer[answers.Document] | conditions.NotModified:
        """With the file as base64, unless `include_content` is false."""
        document = fetch_document(self.actor, document_id)
        now = represent(document)
        file_type = read_choice(request, "file_type", "original", FILE_TYPES)
        with_content = read_flag(request, "include_content", True)
        if conditions.is_known(request, now.etag):
            return conditions.NotModified(headers=now.headers)
        media_type, content = _read_content(document, file_type, with_content=with_content)
        own: answers.Document = {
            **now.body,
            "parts": serialize_parts(document),
            "parts_reason": document.parts_reason,
            "gaps": serialize_gaps(document),
            "same_paper_as": document.known_paper.pk if document.known_paper else None,
            "type": media_type,
            "content": content,
        }
        return Answer(own, headers=now.headers)

    @describe("Change a document", refusals={400: [UNKNOWN_TAGS]})
    def put(self, request: Request, document_id: str) -> Answer[Message]:
        """A field that is left out stays. `tag_ids` and `metadata` replace all there was."""
        document, expected = fetch_document(self.actor, document_id), conditions.read_expected_versions(request)
        changes = {name: value for name, value in self.read_body().items() if value is not None}
        with conditions.name_winner(lambda: represent(fetch_document(self.actor, document_id))):
            if not changes:
                require_version(get_document_version(document), expected)
                return Answer({"message": "No updates provided"}, headers=represent(document).headers)
            document = document_changes.update(self.actor, document=document, expected_versions=expected, **changes)
        return Answer({"message": "Document updated successfully"}, headers=represent(document).headers)

    @describe("Delete a document", refusals={409: ["This document is already in the trash."]})
    def delete(self, request: Request, document_id: str) -> Answer[Message]:
        """It goes to the trash, where an admin can bring it back, and with it all documents that came out of it."""
        document, expected = fetch_document(self.actor, document_id), conditions.read_expected_versions(request)
        with conditions.name_winner(lambda: represent(fetch_document(self.actor, document_id))):
            count = families.trash(self.actor, document=document, expected_versions=expected)
        return Answer({"message": f"Document deleted successfully{families.format_parts(count)}"})


def represent(document: Document) -> conditions.Representation[answers.ListedDocument]:
    """Without its content, which never changes."""
    return conditions.Representation(serialize_listed(document), get_document_version(document))


class DocumentFile(OrganizationView):
    """The file for saving: never shown as a page of our origin.

    `pdf` is a PDF of the pages where the upload is none, for pictures and texts. Without `file_type` that is preferred,
    and what has no PDF comes as it was uploaded. `Range` gets one part of it, with `If-Range` only while it is the
    file of that `ETag`.
    """

    roles = {"GET": Role.VIEWER}

    @describe(
        "Get a document's file",
        query=[_FILE_TYPE, *_FILE_HEADERS],
        refusals={
            404: ["File not found"],
            412: ["The file is not the one that If-Match names."],
            416: ["The file has 2,048 bytes, and none of those that were asked for."],
        },
    )
    def get(self, request: Request, document_id: str) -> WholeFile | PartOfFile | UnchangedFile:
        document = fetch_document(self.actor, document_id)
        try:
            file = _open_file(document, read_choice(request, "file_type", "pdf", FILE_TYPES))
        except NotFound:
            if request.query_params.get("file_type"):
                raise
            file = _open_file(document, "original")
        return answer_file(request._request, file)


def _read_content(document: Document, file_type: str, *, with_content: bool) -> tuple[str, str | None]:
    """Its media type, and base64 of it where that is wanted: the row itself needs no file. Raises NotFound."""
    if not with_content and (file_type == "original" or document.media_type == pages.PDF):
        return document.media_type, None
    file = _open_file(document, file_type)
    with file.content:
        return file.media_type, base64.b64encode(file.content.read()).decode() if with_content else None


def _open_file(document: Document, file_type: str) -> OpenedFile:
    """Raises NotFound where there is no such file: the stored one is missing, or no PDF can be made of it."""
    try:
        if file_type == "original":
            return pages.open_upload(document)
        return pages.open_pdf(document)
    except (FileNotFoundError, Invalid, TooLarge):
        pass
    raise NotFound("File not found")
