"""Files in: what is taken, how it is stored, and what happens to it next."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.files import File
from django.db import IntegrityError, transaction
from django.db.models import F

from accounts.actor import Actor
from accounts.models import Organization, Role
from accounts.services import audit
from documents.autosetup.auto_setup import is_auto_setup_wanted, request_auto_setup
from documents.catalog import metadata as metadatas
from documents.catalog.media_types import MEDIA_TYPES, get_extension
from documents.catalog.tag_order import find_first_tag
from documents.definitions.tags import lock_tags, require_tags
from documents.document_changes import clean_name
from documents.index.values.indexing import index_metadata
from documents.intake import many_parts
from documents.intake.naming import complete_name
from documents.models import Document, Tag
from documents.reading import reading
from documents.reading.old_office import is_old, require_converter
from documents.storage import data_folder
from documents.storage.stored_files import UPLOADS
from kit import events
from kit.cleanup import on_failure
from kit.errors import Conflict, DiskFull, Invalid, TooLarge
from kit.ids import new_id
from reader.failures import Unreadable
from reader.kinds import HEAD_BYTES, detect_kind

IDENTICAL = "{name} was not stored: it is the same file as {first}, which is here already."
IDENTICAL_CODE = "identical_file"
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
    auto_setup: bool | None = None,
    password: str = "",
    parent: Document | None = None,
    unpack_many: bool = False,
) -> Document:
    """Keeps the file, makes its row and starts its reading. The same bytes twice are kept and linked.

    `auto_setup`: whether schema and prompt are to be made automatically; None leaves that to the organization.
    `password`: of a locked PDF; whether it opens the file shows when that is read.
    `unpack_many`: a mail or archive may bring more documents than `many_parts.MAX_UNASKED`.
    `parent`: the mail or archive that it came in.
    `key` names the upload: with the same one again, whatever came between, the document of the first time is given.
    Raises Invalid (name, extension, empty, a kind that is not read, tags, metadata), TooLarge, DiskFull, or Conflict
    when the key had another content, the organization takes no file twice, or nobody said that many documents are
    meant. Whether the content is whole shows when
    it is read.
    """
    actor.require(Role.REVIEWER)
    tags, metadata = require_tags(actor, tag_ids), metadatas.validate_metadata(metadata or {})
    name, digest, size = check_file(name, content)
    if earlier := _find_by_key(actor, key, digest):
        return earlier
    if not (unpack_many or parent):
        many_parts.require_consent(name, MEDIA_TYPES[get_extension(name)], content)
    file = _keep(actor, name, digest, size, content)
    document = build_document(actor, file, key=key)
    document.metadata, document.parent = metadata, parent
    document.uploaded_by_name = parent.uploaded_by_name if parent else actor.shown_name
    try:
        with on_failure(lambda: discard(file)):
            return create_document(
                actor,
                document,
                tags,
                start_reading=lambda: reading.start(actor, document=document, password=password),
                auto_setup=auto_setup,
            )
    except IntegrityError:
        if earlier := _find_by_key(actor, key, digest):  # Two with this key at once: the other one was first.
            return earlier
        raise


@dataclass(frozen=True)
class KeptFile:
    """A file that is stored, and has no row yet."""

    document_id: str
    name: str
    file: str
    sha256: str
    size: int


def keep_file(actor: Actor, *, name: str, content: File[bytes], unpack_many: bool = False) -> KeptFile:
    """Stores it. Whoever makes no document of it calls `discard`. Raises as `check_file` does, Conflict as `store`, and
    DiskFull."""
    actor.require(Role.REVIEWER)
    name, digest, size = check_file(name, content)
    if not unpack_many:
        many_parts.require_consent(name, MEDIA_TYPES[get_extension(name)], content)
    return _keep(actor, name, digest, size, content)


def _keep(actor: Actor, name: str, digest: str, size: int, content: File[bytes]) -> KeptFile:
    require_room(size)
    document_id = new_id()
    stored = UPLOADS.save(f"documents/{actor.organization.pk}/{document_id}", content)
    return KeptFile(document_id, name, stored, digest, size)


def discard(file: KeptFile) -> None:
    UPLOADS.delete(file.file)


def build_document(actor: Actor, file: KeptFile, *, key: str = "") -> Document:
    """Its row, which is not written yet."""
    return Document(
        id=file.document_id,
        organization=actor.organization,
        name=file.name,
        sha256=file.sha256,
        size=file.size,
        file=file.file,
        media_type=MEDIA_TYPES[get_extension(file.name)],
        uploaded_by=actor.user,
        uploaded_by_name=actor.shown_name,
        upload_key=key or None,
    )


def check_file(name: str, content: File[bytes]) -> tuple[str, str, int]:
    """Its name, digest and size. Raises TooLarge, and Invalid for a name or kind that is not taken, or no bytes."""
    name = clean_name(complete_name(name, content))
    digest, size = _hash_content(name, content)
    _require_readable(name, content)
    return name, digest, size


def _find_by_key(actor: Actor, key: str, digest: str) -> Document | None:
    document = Document.objects.filter(organization=actor.organization, upload_key=key).first() if key else None
    if document and document.sha256 != digest:
        raise Conflict("This Idempotency-Key was used for another file already.")
    return document


@transaction.atomic
def create_document(
    actor: Actor,
    document: Document,
    tags: Sequence[Tag],
    *,
    start_reading: Callable[[], object],
    auto_setup: bool | None = None,
) -> Document:
    """The row of a file that is stored by now, which the caller deletes where this raises anything."""
    # Twins that come at once line up here, else each takes itself for the first. NO KEY: rows may still refer to it.
    organization = Organization.objects.select_for_update(no_key=True).get(pk=actor.organization.pk)
    twins = Document.objects.for_org(actor.organization).filter(sha256=document.sha256)
    document.duplicate_of = twins.order_by(F("duplicate_of").asc(nulls_first=True), "created_at").first()
    _refuse_identical(organization, document)
    document.first_tag = find_first_tag(tags)
    document.save(force_insert=True)
    lock_tags(actor, tags)
    document.tags.set(tags)
    metadatas.save_pairs(document)
    if document.metadata:
        index_metadata(document)
    start_reading()
    if is_auto_setup_wanted(actor.organization, auto_setup):
        request_auto_setup(actor, document=document)
    audit.record(actor, "uploaded", document, size=document.size)
    events.publish(events.organization_group(actor.organization.pk), "documents.changed", document_id=document.pk)
    return document


def _refuse_identical(organization: Organization, document: Document) -> None:
    """Raises Conflict where the organization takes no file twice."""
    first = document.duplicate_of
    if first is None or organization.identical_files != Organization.IdenticalFiles.REFUSE:
        return
    winner: dict[str, object] = {"document_id": first.pk, "document_name": first.name}
    raise Conflict(IDENTICAL.format(name=document.name, first=first.name), winner=winner, code=IDENTICAL_CODE)


def store_samples(actor: Actor, *, auto_setup: bool | None = None) -> list[Document]:
    """The sample documents, stored as if the actor had uploaded them. The first shows what automatic setup proposes."""
    paths = [path for path in sorted(SAMPLES_DIR.glob("*.*")) if _is_sample(path)]
    stored = []
    for path in paths:
        is_asked = True if path == paths[0] else auto_setup
        with path.open("rb") as file:
            stored.append(store(actor, name=path.name, content=File(file, name=path.name), auto_setup=is_asked))
    return stored


def _is_sample(path: Path) -> bool:
    return path.suffix.lstrip(".") in MEDIA_TYPES and path.suffix != ".md"


def _hash_content(name: str, content: File[bytes]) -> tuple[str, int]:
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


def _require_readable(name: str, content: File[bytes]) -> None:
    """Raises Invalid for a kind that no reader takes. Only the first bytes are compared: nothing is parsed here."""
    try:
        head, media_type = content.read(HEAD_BYTES), MEDIA_TYPES[get_extension(name)]
        detect_kind(head)
        if is_old(media_type, head):
            require_converter(media_type)
    except (Unreadable, Invalid) as error:
        raise Invalid(f"{name} is not taken: {error.sentence}") from None
    content.seek(0)


def require_room(size: int) -> None:
    """Raises DiskFull before the last of the disk is gone, which the database needs to go on, and Busy where the folder
    is not the one that all processes use."""
    data_folder.require_own_folder()
    if not data_folder.has_room(size):
        free = data_folder.measure_free() // (1024 * 1024)
        log.error("An upload was refused: %s MB are free where files are stored.", free)
        raise DiskFull(UPLOADS.when_full)
