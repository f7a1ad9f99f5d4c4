"""Deleting a document for good: its files, and its rows in slices. Each step may be broken off and run again.

What people said to the agent about it is deleted first, by agent.conversation.deletion, which drives all this.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from documents import extractions
from documents.autosetup import proposal_cleanup
from documents.index.words.indexing import remove_document
from documents.models import (
    AutoSetup,
    BulkItem,
    CondensedReading,
    CurrentValue,
    Document,
    DuplicateKey,
    Extraction,
    FieldEdit,
    FileChunk,
    HeldRun,
    MetadataPair,
    Page,
    PageChunk,
    Proposal,
    ProposalSibling,
    Reading,
    Sketch,
    StoredComparison,
    TypeDecision,
    Verification,
)
from documents.reading import derived_files
from documents.retention.result_files import delete_files_with
from documents.storage.stored_files import UPLOADS
from documents.types.likeness import forget_example
from kit import events
from kit.errors import Conflict
from kit.rows.state import move

ROWS_A_SLICE = 200
GONE = "Its document was deleted for good."
UNREAD = (Reading.Status.QUEUED, Reading.Status.READING)
WAITING = (Extraction.Status.QUEUED, Extraction.Status.RUNNING)


def stop_work(document: Document) -> bool:
    """Cancels what reads or extracts it; what a worker still brings is dropped. False while it is being set up.

    The end of its automatic setup removes what that made, and needs the conversation to know what that is.
    """
    forget_example(document)
    for run in document.extractions.filter(status__in=WAITING).select_related("document"):
        with suppress(Conflict):
            extractions.cancel_run(run, reason=GONE)
    for reading in document.readings.filter(status__in=UNREAD):
        with suppress(Conflict):
            move(
                reading,
                Reading.Status.FAILED,
                transitions=Reading.TRANSITIONS,
                reason=GONE,
                lease_until=None,
                finished_at=timezone.now(),
            )
    return _leave_proposal(document)


def delete_files(document: Document) -> None:
    """And what it is found by.

    Before the rows, which name them: a file without a row would wait for the search for such files.
    """
    name = str(document.file)
    # Demo documents share a file, which is named after none of them; to look for the others is a walk.
    is_own = document.pk in name
    if is_own or not Document.objects.filter(file=name).exclude(pk=document.pk).exists():
        UPLOADS.delete(name)
    derived_files.delete_files_of(document)
    delete_files_with(document)
    remove_document(document)


def iterate_parts(document: Document) -> Iterator[QuerySet[Model]]:
    """What belongs to it, in an order in which nothing refers to what is deleted."""
    yield Verification.objects.filter(extraction__document=document)
    yield FieldEdit.objects.filter(extraction__document=document)
    yield BulkItem.objects.filter(document=document)
    yield DuplicateKey.objects.filter(document=document)
    yield CurrentValue.objects.filter(document=document)
    yield ProposalSibling.objects.filter(document=document)
    yield AutoSetup.objects.filter(document=document)
    yield Extraction.objects.filter(document=document)
    yield TypeDecision.objects.filter(document=document)
    yield HeldRun.objects.filter(document=document)
    yield PageChunk.objects.filter(document=document)
    yield FileChunk.objects.filter(reading__document=document)
    yield CondensedReading.objects.filter(document=document)
    yield StoredComparison.objects.filter(Q(one__document=document) | Q(other__document=document))
    yield Page.objects.filter(reading__document=document)
    yield Reading.objects.filter(document=document)
    yield Sketch.objects.filter(document=document)
    yield MetadataPair.objects.filter(document=document)


@transaction.atomic
def delete_row(document: Document) -> None:
    """The last step. The oldest of those with the same bytes becomes the one that the others are linked to."""
    twins = Document.objects.filter(duplicate_of=document).order_by("created_at", "pk")
    if heir := twins.first():
        twins.exclude(pk=heir.pk).update(duplicate_of=heir)
    Document.objects.filter(pk=document.pk).delete()
    events.publish(events.organization_group(document.organization_id), "documents.changed", document_id=document.pk)


def delete_some(rows: QuerySet[Model]) -> int:
    """At most ROWS_A_SLICE of them; how many there were."""
    keys = list(rows.order_by().values_list("pk", flat=True)[:ROWS_A_SLICE])
    if keys:
        rows.model._base_manager.filter(pk__in=keys).delete()
    return len(keys)


@transaction.atomic
def _leave_proposal(document: Document) -> bool:
    """A proposal that waits for a decision goes on with the next document of its group, or ends with its last one."""
    led = Proposal.objects.select_for_update(of=("self",)).filter(lead=document)
    if led.filter(status=Proposal.Status.DESIGNING).exists():
        return False
    for proposal in led.filter(status=Proposal.Status.PROPOSED):
        others = AutoSetup.objects.filter(proposal=proposal, status__in=AutoSetup.OPEN, document__trashed_at=None)
        if following := others.exclude(document=document).order_by("created_at", "pk").first():
            Proposal.objects.filter(pk=proposal.pk).update(lead=following.document_id)
        else:
            _end_proposal(proposal, document)
    return True


def _end_proposal(proposal: Proposal, document: Document) -> None:
    rejected = Proposal.Status.REJECTED
    move(proposal, rejected, transitions=Proposal.TRANSITIONS, reason=GONE, decided_at=timezone.now())
    setup = AutoSetup.objects.select_related("requested_by").filter(document=document).first()
    if setup and setup.requested_by:
        proposal_cleanup.remove_created(
            proposal_cleanup.make_cleanup_actor(setup.requested_by, document.organization), proposal
        )
