"""A document's state is computed from its readings and extractions, in one place, and stored for lists."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from documents.models import Document, Extraction, Reading
from kit import events
from kit.errors import NotFound
from kit.rows.fixed_select import FixedSelect

State = Document.State


@FixedSelect
def select_locked(document: str) -> QuerySet[Document]:
    return Document.objects.select_for_update().filter(pk=document)


def lock_document(document_id: str) -> Document:
    """Under its row lock. Raises NotFound when it was deleted for good since it was looked up."""
    document = select_locked.first(document_id)
    if document is None:
        raise NotFound("Document not found")
    return document


def lock_run(extraction: Extraction) -> Extraction:
    """Under its row lock, after the document's: the other order would wait for a new run that waits for this one.

    What is written with values refers to the document, and whether it waits to be verified stands in it.
    """
    Document.objects.select_for_update(no_key=True).values_list("pk").filter(pk=extraction.document_id).first()
    return Extraction.objects.select_for_update(of=("self",)).get(pk=extraction.pk)


@transaction.atomic
def refresh(document_id: str) -> Document:
    """Computes and stores the state under the document's row lock, and publishes the change to open pages."""
    document = lock_document(document_id)
    document.state, document.state_reason = compute_state(document)
    document.state_code = _find_code(document)
    document.has_gaps = has_gaps(document)
    document.save(update_fields=["state", "state_reason", "state_code", "has_gaps"])
    for group in (events.document_group(document.pk), events.organization_group(document.organization_id)):
        events.publish(group, "document.changed", document_id=document.pk, state=document.state)
    return document


def compute_state(document: Document) -> tuple[Document.State, str]:
    """(state, reason). A failed newer reading does not hide an earlier one that succeeded.

    Of a document that was read in part the reason names the pages that were not, whatever comes after reading.
    """
    readings = list(document.readings.order_by("-number"))
    completed = next((reading for reading in readings if reading.status == Reading.Status.COMPLETED), None)
    if completed is None:
        return _compute_unread_state(readings[0]) if readings else (State.UPLOADED, "")
    if readings[0].status in (Reading.Status.QUEUED, Reading.Status.READING):
        return State.OCR_PROCESSING, ""
    state, reason = _compute_extracted_state(document)
    return state, f"{reason} {completed.reason}".strip()


def has_gaps(document: Document) -> bool:
    """Whether its newest reading that ended left something out, or a file in it became no document."""
    completed = document.readings.filter(status=Reading.Status.COMPLETED).order_by("-number")
    newest = completed.values_list("reason", flat=True).first()
    return bool(newest or document.parts_reason)


def _find_code(document: Document) -> str:
    """Of the reading that gave the reason."""
    if document.state != State.OCR_FAILED:
        return ""
    return document.readings.order_by("-number").values_list("reason_code", flat=True).first() or ""


def _compute_unread_state(reading: Reading) -> tuple[Document.State, str]:
    if reading.status == Reading.Status.FAILED:
        return State.OCR_FAILED, reading.reason
    begun = reading.status == Reading.Status.READING or reading.pages_listed > 0
    return (State.OCR_PROCESSING if begun else State.UPLOADED), ""


def _compute_extracted_state(document: Document) -> tuple[Document.State, str]:
    counted = document.extractions.exclude(status=Extraction.Status.WITHDRAWN).order_by("-number")
    newest = counted.first()
    if newest is None:
        return State.OCR_COMPLETED, ""
    if newest.status in (Extraction.Status.QUEUED, Extraction.Status.RUNNING):
        return State.LLM_PROCESSING, ""
    if newest.status == Extraction.Status.FAILED:
        return State.LLM_FAILED, newest.reason
    return State.LLM_COMPLETED, ""
