"""What came inside a mail or an archive becomes documents of its own, each with the file that it came in as parent."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from documents.autosetup.auto_setup import is_asked_for
from documents.catalog import state
from documents.catalog.media_types import TAKEN_IN
from documents.intake import uploads
from documents.intake.many_parts import MAX_UNASKED
from documents.models import UNPACKING_LEASE, Document
from documents.reading.passwords import get_password
from documents.storage import data_folder
from documents.storage.stored_files import UPLOADS
from kit import jobs
from kit.errors import Busy, Conflict, DiskFull, Invalid, TooLarge
from kit.jobs import Job
from kit.leases import LeaseLost
from kit.rows.row_guard import RowGuard
from reader.pool.parts import UnpackedPart, unpack_parts
from reader.pool.readers import get_pool

log = logging.getLogger(__name__)
Unpacking = Document.Unpacking
_lost_documents = RowGuard("document whose unpacking was left")
MAX_PARTS = 200
# A file in an archive in a mail is two deep.
MAX_DEPTH = 3
# Limit per upload, counting nested files.
MAX_FAMILY = 500
MAX_NAMED = 20
MAX_PER_SWEEP = 20
# Of all files in one upload, whatever is nested in what, in times of what one file may have.
MAX_UPLOADS_TOGETHER = 4
TOO_MANY = "It holds more than {maximum} files; the others were not taken. Upload them by themselves."
TOO_LARGE = (
    "The files in this upload have more than {megabytes:,} MB together; the others were not taken. "
    "Upload them by themselves."
)
TOO_DEEP = "The files in it were not taken: it came inside of {depth} others. Upload it by itself."
NO_UPLOADER = "The files in it were not taken: whoever uploaded it is no longer here. Upload it again."


def unpack_waiting() -> None:
    """For the scheduler: those that no message woke, or whose worker died. What somebody is unpacking does not wait."""
    _lost_documents.run_each(UNPACKING_LEASE.list_lost(), _put_back, maximum=MAX_PER_SWEEP)
    waiting = Document.objects.filter(unpacking=Unpacking.WAITING, trashed_at=None).order_by("created_at")
    jobs.wake(Job.UNPACK_DOCUMENT, waiting.values_list("pk", flat=True)[:MAX_PER_SWEEP])


def _put_back(document_id: str) -> None:
    document = UNPACKING_LEASE.take_over(document_id)
    if document is not None:
        with suppress(LeaseLost):
            UNPACKING_LEASE.release(document)


def unpack(document_id: str) -> None:
    """Unless another is at it. May run twice: each part is stored under a key of its own."""
    rows = Document.objects.filter(pk=document_id, trashed_at=None)
    document = rows.select_related("organization", "uploaded_by", "parent").first()
    if document is not None and UNPACKING_LEASE.claim(document):
        with suppress(LeaseLost):
            _unpack(document)


def _unpack(document: Document) -> None:
    try:
        left_out = list(_store_parts(document))
    except (Busy, DiskFull) as error:
        log.info("the parts of %s wait: %s", document.pk, error)
        UNPACKING_LEASE.release(document)
        return
    except (Invalid, TooLarge) as error:
        left_out = [f"The files in it were not taken: {error.sentence}"]
    except FileNotFoundError:
        left_out = ["The files in it were not taken: the stored file is missing."]
    _finish(document, left_out)


def _store_parts(document: Document) -> Iterator[str]:
    """Stores them, and gives a sentence for what is left out. Raises Busy where the files are not within reach."""
    data_folder.require_own_folder()
    if document.uploaded_by is None:
        yield NO_UPLOADER
        return
    family = measure_family(document)
    if family.depth >= MAX_DEPTH:
        yield TOO_DEEP.format(depth=family.depth)
        return
    actor = Actor(document.uploaded_by, document.organization, Role.REVIEWER, origin=AuditEntry.Origin.SYSTEM)
    maximum = max(0, min(MAX_PARTS, family.maximum - family.count))
    megabytes = MAX_UPLOADS_TOGETHER * settings.MAX_UPLOAD_MB
    tags = [tag.pk for tag in document.tags.all()]
    size = family.size
    for number, part in enumerate(_take_out(document, maximum + 1), start=1):
        UNPACKING_LEASE.lock(document)
        size += len(part.data)
        if number > maximum or size > megabytes * 1024 * 1024:
            yield (TOO_MANY if number > maximum else TOO_LARGE).format(maximum=maximum, megabytes=megabytes)
            return
        if reason := part.reason or _store_part(actor, document, number, part, tags):
            yield reason if part.name in reason else f"{part.name}: {reason}"


def _take_out(document: Document, maximum: int) -> Iterator[UnpackedPart]:
    max_bytes = settings.MAX_UPLOAD_MB * 1024 * 1024
    with UPLOADS.lend(str(document.file)) as file:
        yield from unpack_parts(
            get_pool(),
            file,
            maximum=maximum,
            max_bytes=max_bytes,
            group=document.organization_id,
            password=_find_password(document),
        )


def _find_password(document: Document) -> str | None:
    newest = document.readings.order_by("-number").first()
    return get_password(newest) if newest else None


def _store_part(actor: Actor, document: Document, number: int, part: UnpackedPart, tags: list[str]) -> str:
    """Why it cannot be a document; empty when it is one."""
    try:
        uploads.store(
            actor,
            name=part.name,
            content=ContentFile(part.data, name=part.name),
            tag_ids=tags,
            # No client can send this one: a line break is not printable.
            key=f"\npart {number} of {document.pk}",
            parent=document,
            auto_setup=is_asked_for(document) or None,
        )
    except (Conflict, Invalid, TooLarge) as error:
        # Nobody chose this file, so what may be chosen instead is no help.
        return error.sentence.removesuffix(TAKEN_IN).rstrip()
    return ""


@dataclass(frozen=True)
class Family:
    """In how many others a document came; how many documents the outermost of them has brought, and their bytes."""

    depth: int
    count: int
    size: int
    maximum: int = MAX_FAMILY


def measure_family(document: Document) -> Family:
    """Without the parts of the document itself, which are about to be taken out, or taken out again."""
    depth, outermost = 0, document
    while outermost.parent and depth < MAX_DEPTH:
        depth, outermost = depth + 1, outermost.parent
    count, size, generation = 0, 0, [outermost.pk]
    # Somebody was asked for the outermost one, by what it holds itself, and for what is nested in it only then.
    is_asked = not depth or outermost.parts.count() > MAX_UNASKED
    for _ in range(MAX_DEPTH):
        rows = Document.objects.filter(parent__in=generation).exclude(parent=document)
        children = list(rows.values_list("pk", "size")[:MAX_FAMILY])
        generation = [key for key, _ in children]
        count, size = count + len(children), size + sum(bytes_of_one for _, bytes_of_one in children)
    maximum = MAX_FAMILY if is_asked else MAX_UNASKED
    return Family(depth, min(count, MAX_FAMILY), size, maximum)


@transaction.atomic
def _finish(document: Document, left_out: list[str]) -> None:
    named = left_out[:MAX_NAMED]
    if len(left_out) > MAX_NAMED:
        named.append(f"{len(left_out) - MAX_NAMED} more were not taken.")
    UNPACKING_LEASE.finish(document, Unpacking.DONE, parts_reason="\n".join(named), version__add=1)
    state.refresh(document.pk)
