"""Files in: what is taken, how it is stored, and what happens to it next."""

from __future__ import annotations

import hashlib
import logging
import shutil
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Organization, Role
from accounts.services import audit
from documents.autosetup import auto_create
from documents.catalog import metadata as metadatas
from documents.catalog.row_versions import get_document_version, require_version
from documents.definitions.tags import lock_tags
from documents.models import Document, Tag
from documents.reading import reading
from kit import events
from kit.errors import Conflict, DiskFull, Invalid, NotFound, TooLarge
from kit.ids import is_id, new_id
from kit.processes.disks import is_disk_full

MEDIA_TYPES = {
    "pdf": "application/pdf",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "webp": "image/webp",
    "gif": "image/gif",
    "bmp": "image/bmp",
    "txt": "text/plain",
    "md": "text/markdown",
    "csv": "text/csv",
    "html": "text/html",
    "eml": "message/rfc822",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "doc": "application/msword",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xls": "application/vnd.ms-excel",
}
# Kinds whose text stands in the file: there is nothing to recognize.
_HOLD_TEXT = frozenset(MEDIA_TYPES[kind] for kind in ("csv", "xls", "xlsx", "txt", "md", "html", "eml"))
FULL = "The disk is nearly full, so no file is taken in. Ask whoever runs DocRouter to make room, then upload again."
log = logging.getLogger(__name__)
SAMPLES_DIR = Path(__file__).resolve().parent.parent / "samples"


def store(
    actor: Actor,
    *,
    name: str,
    content: File[bytes],
    tag_ids: Sequence[str] = (),
    metadata: Mapping[str, str] | None = None,
    key: str = "",
    wish: bool | None = None,
    password: str = "",
) -> Document:
    """Keeps the file, makes its row and starts its reading. The same bytes twice are kept and linked.

    `wish`: whether schema and prompt are to be made automatically; None leaves that to the organization.
    `password`: of a locked PDF; whether it opens the file shows when that is read.
    `key` names the upload: with the same one again, whatever came between, the document of the first time is given.
    Raises Invalid (name, extension, empty, tags, metadata), TooLarge, DiskFull, or Conflict when the key had another
    content.
    The content itself is judged when it is read.
    """
    actor.require(Role.REVIEWER)
    name = clean_name(name)
    tags, metadata = checked_tags(actor, tag_ids), metadatas.checked(metadata or {})
    digest, size = _measure(name, content)
    if earlier := _brought_by(actor, key, digest):
        return earlier
    _require_room(size)
    document_id = new_id()
    stored = _save(f"documents/{actor.organization.pk}/{document_id}", content)
    try:
        return _create(actor, Document(
            id=document_id, organization=actor.organization, name=name, sha256=digest, size=size, file=stored,
            media_type=MEDIA_TYPES[_extension(name)], metadata=metadata,
            uploaded_by=actor.user, uploaded_by_name=actor.shown_name, upload_key=key or None,
        ), tags, wish, password)  # fmt: skip
    except IntegrityError:
        default_storage.delete(stored)
        if earlier := _brought_by(actor, key, digest):  # Two with this key at once: the other one was first.
            return earlier
        raise
    except BaseException:
        default_storage.delete(stored)
        raise


def _brought_by(actor: Actor, key: str, digest: str) -> Document | None:
    found = Document.objects.filter(organization=actor.organization, upload_key=key).first() if key else None
    if found and found.sha256 != digest:
        raise Conflict("This Idempotency-Key was used for another file already.")
    return found


@transaction.atomic
def _create(actor: Actor, document: Document, tags: Sequence[Tag], wish: bool | None, password: str) -> Document:
    # Twins that come at once line up here, else each takes itself for the first. NO KEY: rows may still refer to it.
    Organization.objects.select_for_update(no_key=True).get(pk=actor.organization.pk)
    twins = Document.objects.for_org(actor.organization).filter(sha256=document.sha256)
    document.duplicate_of = twins.order_by(F("duplicate_of").asc(nulls_first=True), "created_at").first()
    document.save(force_insert=True)
    lock_tags(actor, tags)
    document.tags.set(tags)
    metadatas.keep_pairs(document)
    reading.start(actor, document=document, password=password)
    if auto_create.is_wanted(actor.organization, wish):
        auto_create.request(actor, document=document)
    audit.record(actor, "uploaded", document, size=document.size)
    events.publish(events.organization_group(actor.organization.pk), "documents.changed", document_id=document.pk)
    return document


def samples(actor: Actor, *, wish: bool | None = None) -> list[Document]:
    """The sample documents, stored as if the actor had uploaded them."""
    stored = []
    for path in sorted(SAMPLES_DIR.glob("*.*")):
        if path.suffix.lstrip(".") in MEDIA_TYPES and path.suffix != ".md":
            with path.open("rb") as file:
                stored.append(store(actor, name=path.name, content=File(file, name=path.name), wish=wish))
    return stored


@transaction.atomic
def rename(actor: Actor, *, document: Document, name: str) -> Document:
    actor.require(Role.REVIEWER)
    held = _locked(document)
    before, held.name = held.name, clean_name(name, extension_of=held)
    held.version += 1
    held.save(update_fields=["name", "name_folded", "version"])
    audit.record(actor, "renamed", held, before=before, after=held.name)
    _tell(held)
    document.refresh_from_db(fields=["name", "name_folded", "version"])
    return document


@transaction.atomic
def update(
    actor: Actor,
    *,
    document: Document,
    name: str | None = None,
    tag_ids: Sequence[str] | None = None,
    metadata: Mapping[str, str] | None = None,
    expected_versions: Collection[str] | None = None,
) -> Document:
    """Changes what is given: tags and metadata replace all there was. Raises Invalid, or PreconditionFailed when it has
    none of the `expected_versions`."""
    actor.require(Role.REVIEWER)
    document = _locked(document)
    require_version(get_document_version(document), expected_versions)
    if name is not None:
        document.name = clean_name(name, extension_of=document)
    if metadata is not None:
        document.metadata = metadatas.checked(metadata)
        metadatas.keep_pairs(document)
    if tag_ids is not None:
        tags = checked_tags(actor, tag_ids)
        lock_tags(actor, tags)
        document.tags.set(tags)
    document.version += 1
    document.save(update_fields=["name", "name_folded", "metadata", "version"])
    given = {"name": name, "tags": tag_ids, "metadata": metadata}
    audit.record(actor, "changed", document, what=[part for part, value in given.items() if value is not None])
    _tell(document)
    return document


def _locked(document: Document) -> Document:
    found = Document.objects.select_for_update().filter(pk=document.pk, trashed_at=None).first()
    if found is None:
        raise NotFound("Document not found")
    return found


def trash(actor: Actor, *, document: Document, expected_versions: Collection[str] | None = None) -> None:
    """Moves the document out of every list. `restore` brings it back."""
    _set_trashed(actor, document, trashed=True, expected_versions=expected_versions)


def restore(actor: Actor, *, document: Document) -> None:
    _set_trashed(actor, document, trashed=False)


@transaction.atomic
def _set_trashed(
    actor: Actor, document: Document, *, trashed: bool, expected_versions: Collection[str] | None = None
) -> None:
    actor.require(Role.BUILDER)
    if expected_versions is not None:
        require_version(get_document_version(_locked(document)), expected_versions)
    rows = Document.objects.filter(pk=document.pk, trashed_at__isnull=trashed, purge_requested_at=None)
    changed = rows.update(
        trashed_at=timezone.now() if trashed else None,
        trashed_by=actor.user if trashed else None,
        version=F("version") + 1,
    )
    if not changed:
        raise Conflict("This document is already in the trash." if trashed else "This document is not in the trash.")
    document.refresh_from_db()
    audit.record(actor, "trashed" if trashed else "restored", document)
    _tell(document)


def needs_ocr(document: Document) -> bool:
    """By what it was uploaded as: a new name changes nothing."""
    return document.media_type not in _HOLD_TEXT


def clean_name(name: str, *, extension_of: Document | None = None) -> str:
    """The last part of the path, without control characters. Raises Invalid when nothing usable is left."""
    name = "".join(c for c in name.replace("\\", "/").rpartition("/")[2] if c.isprintable()).strip()
    if not name:
        raise Invalid("File name is required")
    if len(name) > 255:
        raise Invalid(f"The file name has {len(name)} characters; 255 is the most.")
    if extension_of is None and _extension(name) not in MEDIA_TYPES:
        raise Invalid(f"Unsupported file extension .{_extension(name)}: {name}")
    return name


def checked_tags(actor: Actor, tag_ids: Sequence[str]) -> list[Tag]:
    found = {tag.pk: tag for tag in Tag.objects.for_org(actor.organization).filter(pk__in=filter(is_id, tag_ids))}
    if unknown := [tag_id for tag_id in tag_ids if tag_id not in found]:
        raise Invalid(f"Invalid tag IDs: {unknown}")
    return list(found.values())


def _extension(name: str) -> str:
    return name.rpartition(".")[2].lower() if "." in name else ""


def _measure(name: str, content: File[bytes]) -> tuple[str, int]:
    limit = settings.MAX_UPLOAD_MB * 1024 * 1024
    digest, size = hashlib.sha256(), 0
    content.seek(0)
    for chunk in content.chunks():
        digest.update(chunk)
        size += len(chunk)
        if size > limit:
            raise TooLarge(f"{name} is larger than {settings.MAX_UPLOAD_MB} MB, the most that is taken here.")
    if not size:
        raise Invalid(f"{name} is empty: it has 0 bytes.")
    content.seek(0)
    return digest.hexdigest(), size


def _require_room(size: int) -> None:
    """Raises DiskFull before the last of the disk is gone, which the database needs to go on."""
    folder = settings.STORAGE_DIR if settings.STORAGE_DIR.exists() else settings.DATA_DIR
    free = shutil.disk_usage(folder).free
    if free - size < settings.MIN_FREE_DISK_MB * 1024 * 1024:
        log.error("An upload was refused: %s MB are free where files are stored.", free // (1024 * 1024))
        raise DiskFull(FULL)


def _save(name: str, content: File[bytes]) -> str:
    """Leaves nothing behind where the disk became full meanwhile: raises DiskFull."""
    try:
        return default_storage.save(name, content)
    except OSError as error:
        default_storage.delete(name)
        if not is_disk_full(error):
            raise
        log.error("An upload was broken off: the disk is full where files are stored.")
        raise DiskFull(FULL) from error


def _tell(document: Document) -> None:
    for group in (events.document_group(document.pk), events.organization_group(document.organization_id)):
        events.publish(group, "document.changed", document_id=document.pk, state=document.state)
