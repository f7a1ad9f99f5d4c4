"""Changes of a document that a person or the agent makes: its name, tags and metadata, into the trash and back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.actor import UNDO, Actor
from accounts.models import Role
from accounts.services import audit
from documents import extractions
from documents.catalog import metadata as metadatas
from documents.catalog.media_types import INSTEAD, MEDIA_TYPES, TAKEN_IN, get_extension
from documents.catalog.row_versions import get_document_version, require_version
from documents.catalog.tag_order import find_first_tag
from documents.checks.duplicate_keys import announce_document
from documents.definitions.tags import lock_tags, require_tags
from documents.index.values.indexing import index_metadata
from documents.index.words.indexing import request_indexing
from documents.models import Document, DocumentType, Extraction, HeldRun, Tag
from documents.types import telling
from documents.types.catalogue import find_type
from kit import events
from kit.errors import Conflict, Invalid, NotFound
from kit.ids import is_id
from kit.rows.grid import check_number

NO_TAG = "There is no such tag, or it has been deleted meanwhile. Nothing was changed; choose another one."


@transaction.atomic
def rename(actor: Actor, *, document: Document, name: str, name_seen: str | None = None) -> Document:
    """Raises Invalid, or Conflict when it is not called `name_seen` any more."""
    actor.require(Role.REVIEWER)
    row = _lock_document(document)
    if name_seen is not None and row.name != name_seen:
        raise Conflict(f"Somebody has renamed it to “{row.name}” meanwhile. Save again to call it what you typed.")
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
    document_type: str | None = None,
    expected_versions: Collection[str] | None = None,
) -> Document:
    """Changes what is given: tags and metadata replace all there was; an empty type is left to the rules.

    Raises Invalid, or PreconditionFailed when it has none of the `expected_versions`.
    """
    actor.require(Role.REVIEWER)
    document = _lock_document(document)
    require_version(get_document_version(document), expected_versions)
    if document_type is not None:
        chosen = find_type(actor.organization, document_type) if document_type.strip() else None
        set_type(actor, document=document, document_type=chosen)
    if name is not None:
        document.name = clean_name(name, extension_of=document)
    if metadata is not None:
        document.metadata = metadatas.validate_metadata(metadata)
        metadatas.save_pairs(document)
        index_metadata(document)
    tagging = {} if tag_ids is None else _set_tags(actor, document, require_tags(actor, tag_ids))
    document.version += 1
    document.save(update_fields=["name", "name_folded", "metadata", "first_tag", "version"])
    if tag_ids is not None:
        extractions.reconsider_held(document.pk)
    parts = {"name": name, "tags": tag_ids, "metadata": metadata}
    if what := [part for part, value in parts.items() if value is not None]:
        audit.record(actor, "changed", document, what=what, **(tagging if what == ["tags"] else {}))
    _publish_change(document)
    return document


def _set_tags(actor: Actor, document: Document, tags: Sequence[Tag]) -> dict[str, list[str]]:
    """These and no others; answers the names of those that it got and lost."""
    lock_tags(actor, tags)
    carried = list(document.tags.all())
    added, removed = [tag for tag in tags if tag not in carried], [tag for tag in carried if tag not in tags]
    document.tags.add(*added)
    document.tags.remove(*removed)
    document.first_tag = find_first_tag(tags)
    return {"added": [tag.name for tag in added], "removed": [tag.name for tag in removed]}


@transaction.atomic
def change_metadata(
    actor: Actor, *, document: Document, key: str, value: str | None, value_seen: str | None
) -> Document:
    """Sets one pair of the metadata and leaves the others; None removes it. `value_seen`: what it was; None: no pair.

    Raises Invalid, or Conflict when somebody has changed this pair meanwhile.
    """
    actor.require(Role.REVIEWER)
    document = _lock_document(document)
    key = key.strip()
    if not key:
        raise Invalid("A pair of metadata needs a name, such as “case”.")
    current = document.metadata.get(key)
    if current != value_seen:
        raise Conflict(_describe_pair_now(key, current))
    pairs = {name: text for name, text in document.metadata.items() if name != key or value is not None}
    return update(actor, document=document, metadata=pairs if value is None else pairs | {key: value.strip()})


def _describe_pair_now(key: str, current: str | None) -> str:
    now = "Somebody has removed" if current is None else "There is"
    rest = "" if current is None else f", and it says “{current[:100]}”"
    return f"{now} “{key}”{' meanwhile' if current is None else ' already'}{rest}. Nothing was changed."


@transaction.atomic
def set_type(actor: Actor, *, document: Document, document_type: DocumentType | None) -> Document:
    """A person's word; None leaves it to the rules. Prompts held for the former type are looked at again."""
    telling.set_type(actor, document=document, document_type=document_type)
    if document_type is not None:
        extractions.reconsider_held(document.pk)
    return document


@dataclass(frozen=True)
class TagChange:
    """What has changed, without the tags that it carried or lacked already, the runs that began and those held."""

    document: Document
    added: list[Tag]
    removed: list[Tag]
    runs: list[Extraction]
    held_runs: Sequence[HeldRun] = ()


@transaction.atomic
def change_tags(
    actor: Actor, *, document: Document, add: Sequence[str] = (), remove: Sequence[str] = (), run: bool = True
) -> TagChange:
    """Sets and removes these tags and leaves the others. With `run` the prompts of those it gets start, where they
    have not run yet. A second time it changes nothing. Raises NotFound for a tag that is not there."""
    actor.require(Role.REVIEWER)
    document = _lock_document(document)
    carried = {tag.pk: tag for tag in document.tags.all()}
    added = [tag for tag in _lock_present_tags(actor, add) if tag.pk not in carried]
    removed = [tag for tag_id, tag in carried.items() if tag_id in set(remove)]
    if not added and not removed:
        return TagChange(document, [], [], [])
    document.tags.add(*added)
    document.tags.remove(*removed)
    document.first_tag = find_first_tag({tag for tag in carried.values() if tag not in removed} | set(added))
    document.version += 1
    document.save(update_fields=["first_tag", "version"])
    if removed:
        extractions.reconsider_held(document.pk)
    started = extractions.start_for_tags(actor, document=document, tags=added if run else ())
    change = TagChange(document, added, removed, started.runs, started.held_runs)
    _note_tags(actor, change)
    return change


@transaction.atomic
def undo_tagging(actor: Actor, *, document: Document, tag_ids: Sequence[str], run_ids: Sequence[str]) -> TagChange:
    """Undoes that the actor set these tags: those of the runs that have not ended yet are withdrawn."""
    change = change_tags(actor.because(UNDO), document=document, remove=tag_ids)
    under_way = (Extraction.Status.QUEUED, Extraction.Status.RUNNING)
    own_runs = document.extractions.filter(pk__in=filter(is_id, run_ids), requested_by=actor.user)
    for run in own_runs.filter(status__in=under_way):
        extractions.cancel_run(run, reason="The tag was taken back.")
    return change


def _lock_present_tags(actor: Actor, tag_ids: Sequence[str]) -> list[Tag]:
    """None of them is deleted until the transaction ends."""
    check_number(len(tag_ids), "tags")
    rows = Tag.objects.for_org(actor.organization).filter(pk__in=filter(is_id, tag_ids)).order_by("pk")
    tags = list(rows.select_for_update(no_key=True)) if tag_ids else []
    if len(tags) < len(set(tag_ids)):
        raise NotFound(NO_TAG)
    return tags


def _note_tags(actor: Actor, change: TagChange) -> None:
    """With all that taking it back needs."""
    audit.record(
        actor,
        "changed",
        change.document,
        what=["tags"],
        added=[tag.name for tag in change.added],
        removed=[tag.name for tag in change.removed],
        added_ids=[tag.pk for tag in change.added],
        removed_ids=[tag.pk for tag in change.removed],
        run_ids=[run.pk for run in change.runs],
    )
    _publish_change(change.document)


def _lock_document(document: Document) -> Document:
    row = Document.objects.select_for_update().filter(pk=document.pk, trashed_at=None).first()
    if row is None:
        raise NotFound("Document not found")
    return row


def trash(
    actor: Actor,
    *,
    document: Document,
    expected_versions: Collection[str] | None = None,
    at: datetime | None = None,
) -> None:
    """Moves the document out of every list. `restore` brings it back. `at`: when that was, for what goes along."""
    actor.require(Role.BUILDER)
    _set_trashed(actor, document, at or timezone.now(), expected_versions=expected_versions)


def trash_part(actor: Actor, *, document: Document) -> None:
    """The same for what was cut out of another document, which still has it: whoever may split may take that back."""
    actor.require(Role.REVIEWER if document.first_page else Role.BUILDER)
    _set_trashed(actor, document, timezone.now())


def restore(actor: Actor, *, document: Document) -> None:
    actor.require(Role.BUILDER)
    _set_trashed(actor, document, None)


@transaction.atomic
def _set_trashed(
    actor: Actor,
    document: Document,
    moment: datetime | None,
    *,
    expected_versions: Collection[str] | None = None,
) -> None:
    """None brings it back."""
    trashed = moment is not None
    if expected_versions is not None:
        require_version(get_document_version(_lock_document(document)), expected_versions)
    rows = Document.objects.filter(pk=document.pk, trashed_at__isnull=trashed, purge_requested_at=None)
    changed = rows.update(
        trashed_at=moment,
        trashed_by=actor.user if trashed else None,
        version=F("version") + 1,
    )
    if not changed:
        raise Conflict("This document is already in the trash." if trashed else "This document is not in the trash.")
    document.refresh_from_db()
    announce_document(document)
    request_indexing(document)
    audit.record(actor, "trashed" if trashed else "restored", document)
    _publish_change(document)


def clean_name(name: str, *, extension_of: Document | None = None) -> str:
    """The last part of the path, without control characters. Raises Invalid when nothing usable is left."""
    name = "".join(c for c in name.replace("\\", "/").rpartition("/")[2] if c.isprintable()).strip()
    if not name.strip("."):  # ".." leads out of the folder that a ZIP is unpacked into
        raise Invalid("File name is required")
    if len(name) > 255:
        raise Invalid(f"The file name has {len(name)} characters; 255 is the most.")
    if extension_of is None and get_extension(name) not in MEDIA_TYPES:
        raise Invalid(f"{_describe_extension(name)} {INSTEAD.get(get_extension(name), TAKEN_IN)}")
    return name


def _describe_extension(name: str) -> str:
    if extension := get_extension(name):
        return f"Unsupported file extension .{extension}: {name}."
    return f"The file name has no extension, which says what is in it: {name}."


def _publish_change(document: Document) -> None:
    for group in (events.document_group(document.pk), events.organization_group(document.organization_id)):
        events.publish(group, "document.changed", document_id=document.pk, state=document.state)
