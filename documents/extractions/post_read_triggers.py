"""What runs by itself once a document is read: found by rows, so that no message has to arrive."""

from __future__ import annotations

import logging

from django.db import transaction
from django.utils import timezone

from documents.catalog.state import lock_document
from documents.extractions.tag_runs import start_matching
from documents.index.same_paper import note_same_paper
from documents.models import Reading
from documents.reading.similarity import save_sketch
from documents.types.telling import tell_now
from kit.errors import Invalid
from kit.rows.row_guard import RowGuard

log = logging.getLogger(__name__)
AT_ONCE = 50
_untriggered = RowGuard("reading that nobody followed")


def trigger_prompts() -> int:
    """Starts the matching prompts of readings that nobody followed yet; answers how many readings that were."""
    due = Reading.objects.filter(status=Reading.Status.COMPLETED, prompts_started_at=None, document__trashed_at=None)
    return _untriggered.run_each(due.order_by("finished_at"), _follow, maximum=AT_ONCE)


def _follow(reading_id: str) -> None:
    """Its type first: a prompt that does not fit is held. Where telling fails, its prompts start all the same."""
    tell_now(reading_id)
    _trigger_prompts_of(reading_id)


@transaction.atomic
def _trigger_prompts_of(reading_id: str) -> None:
    """Of two who come at once, one wins the update and starts them."""
    reading = Reading.objects.select_related("document__organization").filter(pk=reading_id).first()
    if reading is None:
        return
    lock_document(reading.document_id)  # before the reading, as the index of its words does
    if not Reading.objects.filter(pk=reading_id, prompts_started_at=None).update(prompts_started_at=timezone.now()):
        return
    note_same_paper(reading.document, reading)
    try:
        started = start_matching(reading.document)
    except Invalid as error:
        log.info("reading %s starts nothing: %s", reading.pk, error)
        return
    if not any(run.prompt_revision_id for run in started):
        save_sketch(reading.document, reading)  # It is compared with what prompts have run on.
