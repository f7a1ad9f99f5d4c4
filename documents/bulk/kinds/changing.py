"""Naming, tagging and describing many documents at once, each in its own words; and taking all of that back."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import QuerySet

from accounts.actor import Actor
from accounts.models import Role
from documents import document_changes
from documents.bulk.kinds.base import ActionOver, BulkKind, Change, LeftOut, get_document, lock_unchanged
from documents.definitions.prompts import list_prompts_of_tag
from documents.definitions.tags import require_tags
from documents.document_changes import TagChange
from documents.extractions.estimates import estimate_tagging
from documents.models import BulkAction, BulkItem, Document, Tag
from kit.errors import Invalid
from kit.json_types import JsonObject

NEEDS = "This bulk action takes names, add_tag_ids, remove_tag_ids and metadata, and needs one of them."
TAG_DELETED = "A tag of this bulk action was deleted meanwhile."


class ChangeDocuments(BulkKind):
    """`names` maps ids of documents to new names; an empty text in `metadata` takes the pair away."""

    kind, inverse, role, runs = BulkAction.Kind.CHANGE, BulkAction.Kind.REVERT, Role.REVIEWER, True
    title, progress_title = "Change", "Changing"

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        if not sent or set(sent) - {"names", "add_tag_ids", "remove_tag_ids", "metadata"}:
            raise Invalid(NEEDS)
        require_tags(actor, [*sent.get("add_tag_ids", []), *sent.get("remove_tag_ids", [])])
        for name in sent.get("names", {}).values():
            document_changes.clean_name(name)
        return sent

    def list_audited(self, arguments: JsonObject) -> JsonObject:
        """The log of each document has its name."""
        return {name: value for name, value in arguments.items() if name != "names"}

    def estimate_micros(self, actor: Actor, documents: QuerySet[Document], arguments: JsonObject) -> int | None:
        added = Tag.objects.for_org(actor.organization).filter(pk__in=arguments.get("add_tag_ids", []))
        starting = [tag for tag in added if list_prompts_of_tag(tag)]
        costs = [estimate_tagging(actor, documents=documents, tag=tag).cost_micros for tag in starting]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if known and len(known) == len(costs) else None

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        document = get_document(item)
        tagging = _change_tags(actor, document, arguments)
        before = _change_words(actor, document, arguments)
        if not before and not tagging.added and not tagging.removed:
            raise LeftOut("It is like that already.", code="unchanged")
        undo = {
            **before,
            "version": Document.objects.values_list("version", flat=True).get(pk=document.pk),
            "added": [tag.pk for tag in tagging.added],
            "removed": [tag.pk for tag in tagging.removed],
            "run_ids": [run.pk for run in tagging.runs],
        }
        return Change(undo=undo, runs=tagging.runs, note=" ".join(held_run.reason for held_run in tagging.held_runs))


def _change_tags(actor: Actor, document: Document, arguments: JsonObject) -> TagChange:
    add, remove = arguments.get("add_tag_ids", []), arguments.get("remove_tag_ids", [])
    if Tag.objects.for_org(actor.organization).filter(pk__in=add).count() < len(add):
        raise ActionOver(TAG_DELETED, code="tag_deleted")
    return document_changes.change_tags(actor, document=document, add=add, remove=remove)


def _change_words(actor: Actor, document: Document, arguments: JsonObject) -> JsonObject:
    """Sets the name and the pairs; answers what they were, where they differed."""
    document.refresh_from_db()
    name, pairs = arguments.get("names", {}).get(document.pk, document.name), arguments.get("metadata", {})
    new = merge_metadata(document.metadata, pairs)
    before: JsonObject = {"name": document.name} if name != document.name else {}
    if new != document.metadata:
        before["pairs"] = {key: document.metadata.get(key) for key in pairs}
    if before:
        renamed, described = name if "name" in before else None, new if "pairs" in before else None
        document_changes.update(actor, document=document, name=renamed, metadata=described)
    return before


def merge_metadata(current: Mapping[str, str], pairs: Mapping[str, str]) -> dict[str, str]:
    """An empty text takes the pair away."""
    return {name: text for name, text in {**current, **pairs}.items() if text or name not in pairs}


class RevertDocuments(BulkKind):
    """Only what the action changed, and only where nobody has changed the document since."""

    kind, role = BulkAction.Kind.REVERT, Role.REVIEWER
    title, progress_title = "Take the change back", "Taking the change back"

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        raise Invalid("This bulk action is the undo of another one.")

    def list_audited(self, arguments: JsonObject) -> JsonObject:
        return ChangeDocuments().list_audited(arguments)

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        lock_unchanged(item)
        document, was = get_document(item), _read_undo(item)
        document_changes.undo_tagging(actor, document=document, tag_ids=was["added"], run_ids=was["run_ids"])
        there = Tag.objects.for_org(actor.organization).filter(pk__in=was["removed"]).values_list("pk", flat=True)
        document_changes.change_tags(actor, document=document, add=list(there), run=False)
        _restore_words(actor, document, was)
        return Change(undo={})


def _restore_words(actor: Actor, document: Document, was: JsonObject) -> None:
    """A pair that was None was not there; one may have an empty text."""
    document.refresh_from_db()
    # Actions of earlier versions kept an empty text where there was no pair.
    pairs = was.get("pairs", {name: text or None for name, text in was.get("metadata", {}).items()})
    kept = {name: text for name, text in {**document.metadata, **pairs}.items() if text is not None}
    changed = kept if kept != document.metadata else None
    if "name" in was or changed is not None:
        document_changes.update(actor, document=document, name=was.get("name"), metadata=changed)


def _read_undo(item: BulkItem) -> JsonObject:
    return item.undo if isinstance(item.undo, dict) else {"added": [], "removed": [], "run_ids": []}
