"""Which documents say the same: kept as digests beside the extractions, so that looking is one indexed query.

A key that is new, or no longer holds, is due: documents.extractions.rechecking judges the others of its digest again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from django.db.models import QuerySet

from documents.models import Document, DuplicateKey, Extraction
from kit import jobs
from kit.jobs import Job

MAX_TWINS = 50


def save_keys(extraction: Extraction, digests: Collection[str]) -> None:
    """What the newest run of its prompt says now takes the place of what runs of that prompt said before.

    What an older run says, which can be edited and withdrawn too, is of no matter.
    """
    if Extraction.objects.filter_completed_like(extraction).filter(number__gt=extraction.number).exists():
        return
    current = {key.digest: key for key in _list_current(extraction)}
    replaced = [key.pk for digest, key in current.items() if digest not in digests]
    kept = [key.pk for digest, key in current.items() if digest in digests and key.extraction_id != extraction.pk]
    added = [digest for digest in dict.fromkeys(digests) if digest not in current]
    DuplicateKey.objects.filter(pk__in=kept).update(extraction=extraction)
    DuplicateKey.objects.filter(pk__in=replaced).update(is_current=False, peers_due=True)
    DuplicateKey.objects.bulk_create(
        DuplicateKey(document_id=extraction.document_id, extraction=extraction, digest=digest) for digest in added
    )
    if replaced or added:
        jobs.enqueue(Job.COMPARE_DUPLICATES, extraction.pk)


def announce_document(document: Document) -> None:
    """It went to the trash or came back: what others share with it is no longer what they were told."""
    if document.duplicate_keys.filter(is_current=True).update(peers_due=True):
        jobs.enqueue(Job.COMPARE_DUPLICATES, document.pk)


def list_twins(extraction: Extraction, digests: Collection[str]) -> dict[str, list[str]]:
    """Names of other documents by digest, at most MAX_TWINS in all."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    if digests:
        keys = list_peers(digests).exclude(document=extraction.document_id)
        for digest, name in keys.order_by("document__name_folded").values_list("digest", "document__name")[:MAX_TWINS]:
            names[digest].append(name)
    return names


def list_peers(digests: Collection[str]) -> QuerySet[DuplicateKey, DuplicateKey]:
    return DuplicateKey.objects.filter(digest__in=digests, is_current=True, document__trashed_at=None)


def list_due() -> QuerySet[DuplicateKey, DuplicateKey]:
    return DuplicateKey.objects.filter(peers_due=True).order_by("created_at")


def _list_current(extraction: Extraction) -> QuerySet[DuplicateKey, DuplicateKey]:
    revision = extraction.prompt_revision
    keys = DuplicateKey.objects.filter(document=extraction.document_id, is_current=True)
    prompt = revision.prompt_id if revision else None
    return keys.filter(extraction__prompt_revision__prompt=prompt) if prompt else keys.filter(extraction=extraction)
