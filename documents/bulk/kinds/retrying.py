"""Trying again what failed: reading a file, or the extraction whose newest run failed."""

from __future__ import annotations

from accounts.actor import Actor
from accounts.models import Role
from documents import extractions
from documents.bulk.kinds.base import BulkKind, Change, LeftOut, get_document
from documents.models import BulkAction, BulkItem, Document, Extraction
from documents.reading import reading
from kit.json_types import JsonObject


class Retry(BulkKind):
    kind, role, runs = BulkAction.Kind.RETRY, Role.REVIEWER, True
    title, progress_title = "Try again", "Trying again"

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        document = get_document(item)
        if document.state == Document.State.OCR_FAILED:
            reading.start(actor, document=document)
            return Change()
        failed = document.extractions.filter(status=Extraction.Status.FAILED).order_by("-number")
        run = failed.select_related("prompt_revision__schema_revision").first()
        if document.state != Document.State.LLM_FAILED or run is None:
            raise LeftOut("It has not failed, or somebody has tried it again.", code="not_failed")
        return Change(runs=[extractions.start(actor, document=document, prompt_revision=run.prompt_revision)])
