"""Value checks whose verdict rests on other documents, judged again when those change. Found by rows, run by a job."""

from __future__ import annotations

from django.db import transaction

from documents.catalog.state import lock_run
from documents.checks import duplicate_keys
from documents.checks.results import refresh_results
from documents.extractions.edits.writing import touch
from documents.models import DuplicateKey, Extraction
from kit.rows.row_guard import RowGuard

AT_ONCE = 100
_due = RowGuard("duplicate key whose peers are due")


def recheck_duplicates() -> int:
    """Judges again what shares a value with documents that have changed; answers how many changes that were."""
    return _due.run_each(duplicate_keys.list_due(), _recheck_peers, maximum=AT_ONCE)


def _recheck_peers(key_id: str) -> None:
    """Each in a transaction of its own: whoever edits one of them waits for that one alone."""
    key = DuplicateKey.objects.filter(pk=key_id).first()
    if key is None:
        return
    peers = duplicate_keys.list_peers([key.digest]).exclude(document=key.document_id)
    for extraction_id in peers.values_list("extraction_id", flat=True)[: duplicate_keys.MAX_TWINS]:
        _recheck(extraction_id)
    same = DuplicateKey.objects.filter(pk=key_id, is_current=key.is_current)
    if key.is_current:
        same.update(peers_due=False)
    else:
        same.delete()


@transaction.atomic
def _recheck(extraction_id: str) -> None:
    known = Extraction.objects.filter(pk=extraction_id).first()
    row = lock_run(known) if known else None
    if row is None or row.status != Extraction.Status.COMPLETED:
        return
    before = row.check_results
    columns = refresh_results(row)
    if row.check_results != before:
        touch(row, *columns)
