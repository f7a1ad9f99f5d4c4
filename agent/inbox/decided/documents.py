"""Decisions about documents and their definitions: tags, names, metadata, splits, the trash, bulk actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from accounts.models import Role
from agent.inbox.decided.decision_row import Decided, DecisionRow
from documents import bulk
from documents.intake import splitting
from documents.models import BulkAction, Document, Prompt, Schema
from kit.formats import count_noun


def describe_changed(decided: Decided) -> DecisionRow | None:
    """None for a change that is no person's decision of its own, such as that of a program.

    The audit log keeps no words of metadata: these are taken back where they stand.
    """
    detail = decided.entry.detail
    if "added_ids" in detail:
        return _describe_tags(decided)
    if detail.get("what") != ["metadata"]:
        return None
    return DecisionRow(decided.entry, "Changed metadata of", cast("Document", decided.target).name, decided.who)


def _describe_tags(decided: Decided) -> DecisionRow:
    document, detail = cast("Document", decided.target), decided.entry.detail
    carried = set(document.tags.values_list("pk", flat=True))
    added, removed = set(detail["added_ids"]) & carried, set(detail["removed_ids"]) - carried
    sent: Mapping[str, str | Sequence[str]] = {"add": sorted(removed), "again": "1"}
    if added:
        sent = {"undo": " ".join(sorted(added)), "runs": " ".join(detail["run_ids"])}
    stands = bool(added or removed) and document.trashed_at is None
    undo = decided.make_undo("document-tags", document.pk, values=sent) if stands else None
    names = ", ".join([*detail["added"], *detail["removed"]])
    words = f"Set the tag {names} on" if detail["added"] else f"Removed the tag {names} from"
    return DecisionRow(decided.entry, words, document.name, decided.who, undo=undo, is_undone=not (added or removed))


def describe_renamed(decided: Decided) -> DecisionRow:
    document, detail = cast("Document", decided.target), decided.entry.detail
    stands = document.name == detail["after"] and document.trashed_at is None
    sent = {"name": detail["before"], "undo": "1"}
    undo = decided.make_undo("document-rename", document.pk, values=sent) if stands else None
    title = f"{detail['before']} to {detail['after']}"
    return DecisionRow(decided.entry, "Renamed", title, decided.who, undo=undo, is_undone=not stands)


def describe_split(decided: Decided) -> DecisionRow:
    document = cast("Document", decided.target)
    stands = splitting.list_parts(document).exists()
    undo = decided.make_undo("document-unsplit", document.pk) if stands and document.trashed_at is None else None
    note = f"into {count_noun(decided.entry.detail['parts'], 'document')}"
    return DecisionRow(decided.entry, "Split", document.name, decided.who, note=note, undo=undo, is_undone=not stands)


def describe_trashed(decided: Decided) -> DecisionRow:
    """The target is a document, a schema or a prompt."""
    row = cast("Document | Schema | Prompt", decided.target)
    stands = row.trashed_at is not None
    is_deleted = isinstance(row, Document) and row.purge_requested_at is not None
    undo = None
    if stands and not is_deleted:
        undo = decided.make_undo(f"{decided.entry.target_kind}-restore", row.pk, role=Role.BUILDER)
    note = "deleted for good since" if is_deleted else ""
    return DecisionRow(
        decided.entry, "Moved to the trash:", row.name, decided.who, note=note, undo=undo, is_undone=not stands
    )


def describe_bulk_action(decided: Decided) -> DecisionRow | None:
    """None for an undo, and for what changes nothing."""
    action = cast("BulkAction", decided.target)
    if action.undo_of_id or action.kind in (BulkAction.Kind.DOWNLOAD, BulkAction.Kind.ASK):
        return None
    is_undone = getattr(action, "undo", None) is not None
    may_end = decided.entry.user_id == decided.actor.user.pk or decided.actor.may(Role.ADMIN)
    kind, undo = bulk.get_kind(action.kind), None
    if may_end and bulk.is_undoable(action):
        undo = decided.make_undo("bulk-undo", action.pk, role=kind.role)
    title = count_noun(action.total_count, "document")
    words = f"{kind.describe(action.arguments)}:"
    return DecisionRow(decided.entry, words, title, decided.who, undo=undo, is_undone=is_undone and undo is None)
