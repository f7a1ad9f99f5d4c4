"""Moving many documents to the trash, and out of it."""

from __future__ import annotations

from django.db.models import QuerySet

from accounts.actor import Actor
from accounts.models import Role
from documents.bulk.kinds.base import BulkKind, Change, LeftOut, get_document, lock_unchanged
from documents.models import BulkAction, BulkItem, Document
from documents.retention import families, trash
from kit.json_types import JsonObject


class MoveToTrash(BulkKind):
    """With all that is in each document; `Restore` brings back what went together."""

    kind, inverse, role = BulkAction.Kind.TRASH, BulkAction.Kind.RESTORE, Role.BUILDER
    title, progress_title = "Move to trash", "Moving to the trash"

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        lock_unchanged(item)
        document = get_document(item)
        # One moment for all of the action: whatever brings a whole back then brings the parts that went with it.
        families.trash(actor, document=document, at=item.action.started_at, part_ids=_read_part_ids(item))
        return Change(undo={"version": document.version})


class Restore(BulkKind):
    kind, inverse, role = BulkAction.Kind.RESTORE, BulkAction.Kind.TRASH, Role.BUILDER
    title, progress_title = "Restore", "Restoring"

    def list_candidates(self, actor: Actor) -> QuerySet[Document, Document]:
        return trash.list_trash(actor)

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        document = lock_unchanged(item)
        if document.trashed_at is None:
            raise LeftOut("It is not in the trash.", code="not_in_trash")
        if document.purge_requested_at is not None:
            raise LeftOut("It is being deleted for good.", code="being_deleted")
        part_ids = families.restore(actor, document=document)
        return Change(undo={"version": document.version, "part_ids": [*part_ids]})


def _read_part_ids(item: BulkItem) -> list[str] | None:
    """What undoing a restoration takes along: what came back with the document, not what was there already."""
    part_ids = item.undo.get("part_ids") if isinstance(item.undo, dict) else None
    return [str(part_id) for part_id in part_ids] if isinstance(part_ids, list) else None


class DeleteForGood(BulkKind):
    """Of what lies in the trash: from then on nothing brings it back, and the scheduler deletes it."""

    kind, role, max_documents = BulkAction.Kind.DELETE, Role.ADMIN, trash.MAX_EMPTIED
    keeps_version = True
    title, progress_title = "Delete for good", "Deleting for good"

    def list_candidates(self, actor: Actor) -> QuerySet[Document, Document]:
        return trash.list_trash(actor)

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        if item.document.trashed_at is not None:
            lock_unchanged(item)
        trash.delete_for_good(actor, document=item.document)
        return Change()
