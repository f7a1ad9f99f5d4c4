"""Changes of a document that a person or the agent makes: its name, tags and metadata, into the trash and back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from documents.catalog import metadata as metadatas
from documents.catalog.media_types import MEDIA_TYPES, get_extension
from documents.catalog.row_versions import get_document_version, require_version
from documents.checks.duplicate_keys import announce_document
from documents.definitions.tags import create as create_tag
from documents.definitions.tags import lock_tags, require_tags
from documents.extractions.value_index import index_metadata
from documents.models import Document, Tag
from kit import events
from kit.errors import Conflict, Invalid, NotFound


@transaction.atomic
def rename(actor: Actor, *, document: Document, name: str) -> Document:
    actor.require(Role.REVIEWER)
    row = _lock_document(document)
    before, row.name = row.name, clean_name(name, extension_of=row)
    row.version += 1
    row.save(update_fields=["name", "name_folded", "version"])
    audit.record(actor, "renamed", row, before=before, after=row.name)
    _publish_change(row)
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
    document = _lock_document(document)
    require_version(get_document_version(document), expected_versions)
    if name is not None:
        document.name = clean_name(name, extension_of=document)
    if metadata is not None:
        document.metadata = metadatas.validate_metadata(metadata)
        metadatas.save_pairs(document)
        index_metadata(document)
    if tag_ids is not None:
        tags = require_tags(actor, tag_ids)
        lock_tags(actor, tags)
        document.tags.set(tags)
    document.version += 1
    document.save(update_fields=["name", "name_folded", "metadata", "version"])
    parts = {"name": name, "tags": tag_ids, "metadata": metadata}
    audit.record(actor, "changed", document, what=[part for part, value in parts.items() if value is not None])
    _publish_change(document)
    return document


@transaction.atomic
def choose_tags(
    actor: Actor, *, document: Document, offered: Collection[str], chosen: Collection[str], new_name: str = ""
) -> Document:
    """Of the offered tags the document carries the chosen ones, and one more when `new_name` is given.

    What was not offered stays as it is: somebody else may have added it meanwhile.
    """
    kept = set(document.tags.values_list("pk", flat=True)) - set(offered)
    created = {create_tag(actor, name=new_name).pk} if new_name else set()
    return update(actor, document=document, tag_ids=sorted(kept | set(chosen) | created))


@transaction.atomic
def add_tag(actor: Actor, *, document: Document, tag: Tag) -> int | None:
    """The key of the row that ties them from now on; None when it has the tag already. Raises Invalid, NotFound."""
    actor.require(Role.REVIEWER)
    document = _lock_document(document)
    lock_tags(actor, [tag])
    link, is_new = Document.tags.through.objects.get_or_create(document=document, tag=tag)
    if not is_new:
        return None
    _note_tags(actor, document, added=tag.pk)
    return int(link.pk)


@transaction.atomic
def remove_tag(actor: Actor, *, document: Document, tag: Tag) -> bool:
    """False when it does not have the tag. Raises NotFound."""
    actor.require(Role.REVIEWER)
    document = _lock_document(document)
    removed, _ = Document.tags.through.objects.filter(document=document, tag=tag).delete()
    if removed:
        _note_tags(actor, document, removed=tag.pk)
    return bool(removed)


def _note_tags(actor: Actor, document: Document, **tag_id: str) -> None:
    document.version += 1
    document.save(update_fields=["version"])
    audit.record(actor, "changed", document, what=["tags"], **tag_id)
    _publish_change(document)


def _lock_document(document: Document) -> Document:
    row = Document.objects.select_for_update().filter(pk=document.pk, trashed_at=None).first()
    if row is None:
        raise NotFound("Document not found")
    return row


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
        require_version(get_document_version(_lock_document(document)), expected_versions)
    rows = Document.objects.filter(pk=document.pk, trashed_at__isnull=trashed, purge_requested_at=None)
    changed = rows.update(
        trashed_at=timezone.now() if trashed else None,
        trashed_by=actor.user if trashed else None,
        version=F("version") + 1,
    )
    if not changed:
        raise Conflict("This document is already in the trash." if trashed else "This document is not in the trash.")
    document.refresh_from_db()
    announce_document(document)
    audit.record(actor, "trashed" if trashed else "restored", document)
    _publish_change(document)


def clean_name(name: str, *, extension_of: Document | None = None) -> str:
    """The last part of the path, without control characters. Raises Invalid when nothing usable is left."""
    name = "".join(c for c in name.replace("\\", "/").rpartition("/")[2] if c.isprintable()).strip()
    if not name:
        raise Invalid("File name is required")
    if len(name) > 255:
        raise Invalid(f"The file name has {len(name)} characters; 255 is the most.")
    if extension_of is None and get_extension(name) not in MEDIA_TYPES:
        raise Invalid(f"Unsupported file extension .{get_extension(name)}: {name}")
    return name


def _publish_change(document: Document) -> None:
    for group in (events.document_group(document.pk), events.organization_group(document.organization_id)):
        events.publish(group, "document.changed", document_id=document.pk, state=document.state)
