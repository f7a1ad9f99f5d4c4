"""Reading documents again, and which of them would be read."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, QuerySet
from rest_framework import serializers
from rest_framework.request import Request

from accounts.access import fetch
from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire.described import Choice, Flag, describe
from accounts.api.wire.fields import RequestBody, StrictTextField, read_choice, read_flag
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents import extractions
from documents.api import answers
from documents.api.document_filters import DocumentFilters, apply_filters
from documents.api.documents import fetch_document
from documents.api.serializers import FilePassword
from documents.catalog import media_types
from documents.find.lists import filter_by_tags
from documents.intake import unlocking
from documents.models import Document, Reading, Tag
from documents.reading import reading
from kit.errors import Conflict, Invalid
from kit.json_types import JsonObject
from reader.encodings import ENCODINGS

MODES = ("all", "missing", "outdated")


class RunOcr(OrganizationView):
    """Reads again; `force=false` leaves what was read, `ocr_only` starts no prompt on it.

    A document whose reading failed, or whose `encoding` is given, is read again, of any kind. For many at once
    there is the bulk action `retry`.
    """

    roles = {"POST": Role.REVIEWER}

    @describe(
        "Read a document again",
        query=[
            Flag("force", "Also when it was read already.", default=True),
            Flag("ocr_only", "Start no prompts after it."),
            Choice("encoding", "Of its text, where the one that was found is wrong.", allowed=ENCODINGS),
        ],
        refusals={400: ["Document type does not support OCR"]},
    )
    def post(self, request: Request, document_id: str) -> Answer[answers.QueuedReading]:
        document = fetch_document(self.actor, document_id)
        force, ocr_only = read_flag(request, "force", True), read_flag(request, "ocr_only", False)
        encoding = read_choice(request, "encoding", "", tuple(ENCODINGS))
        if not (encoding or media_types.needs_ocr(document) or document.state == Document.State.OCR_FAILED):
            raise Invalid("Document type does not support OCR")
        _start_reading(self.actor, document, force=force or bool(encoding), ocr_only=ocr_only, encoding=encoding)
        return Answer({"status": "queued", "document_id": document.pk})


class UnlockDocument(OrganizationView):
    """Reads a locked PDF, whose `state_code` is `password_missing` or `password_wrong`, with its password.

    A wrong one is refused at once and kept nowhere; after several of them there is a wait. The right one is kept
    encrypted, for the pictures of the pages and for reading again. An upload may bring it along.
    """

    roles = {"POST": Role.REVIEWER}
    bodies = {"POST": FilePassword}

    @describe(
        "Read a locked PDF with its password",
        refusals={
            400: ["The password does not open this PDF.", "This document does not ask for a password."],
            409: ["This document is being read. Send the password when that has ended, if it asks for one."],
            429: ["Too many attempts. Try again in 2 seconds."],
        },
    )
    def post(self, request: Request, document_id: str) -> Answer[answers.QueuedReading]:
        document = fetch_document(self.actor, document_id)
        unlocking.unlock(self.actor, document=document, password=self.read_body()["password"])
        return Answer({"status": "queued", "document_id": document.pk})


def _start_reading(actor: Actor, document: Document, *, force: bool, ocr_only: bool, encoding: str = "") -> None:
    if not force and reading.get_newest(document):
        if not ocr_only:
            extractions.start_matching(document)
        return
    try:
        reading.start(actor, document=document, trigger_prompts=not ocr_only, encoding=encoding)
    except Conflict:
        return  # It waits or is read already, which is what was asked for.


class BulkAnalysis(RequestBody):
    tag_id = StrictTextField(required=False, allow_null=True, allow_blank=True)
    mode = serializers.ChoiceField(choices=MODES, default="all")
    document_filters = DocumentFilters(required=False, allow_null=True)


class AnalyzeOcr(OrganizationView):
    """Which documents a run over many would read; it starts nothing."""

    roles = {"POST": Role.VIEWER}
    bodies = {"POST": BulkAnalysis}

    @describe(
        "Tell which documents a run over many would read",
        refusals={400: ["Invalid filters JSON"], 404: ["Tag not found"]},
    )
    def post(self, request: Request) -> Answer[answers.WantedReadings]:
        sent = self.read_body()
        executions = list(_iterate_executions(_filter_documents(self.actor, sent), sent["mode"]))
        return Answer({"total_executions": len(executions), "executions": executions})


def _filter_documents(actor: Actor, sent: JsonObject) -> QuerySet[Document]:
    rows: QuerySet[Document] = Document.objects.for_org(actor.organization)
    if tag_id := sent.get("tag_id"):
        fetch(actor, Tag.objects.all(), tag_id, noun="Tag")
        rows = filter_by_tags(rows, [tag_id])
    return apply_filters(rows, actor, sent.get("document_filters") or {}).order_by("-created_at", "-pk")


def _iterate_executions(rows: QuerySet[Document], mode: str) -> Iterator[answers.Execution]:
    """There is one way of reading here, so no reading is outdated by another: then only the missing ones are named."""
    completed = Reading.objects.filter(document=OuterRef("pk"), status=Reading.Status.COMPLETED)
    for row in rows.annotate(is_read=Exists(completed)):
        if media_types.needs_ocr(row) and (mode == "all" or not row.is_read):
            yield answers.Execution(
                document_id=row.pk, document_name=row.name, reason="read again" if row.is_read else "missing"
            )
