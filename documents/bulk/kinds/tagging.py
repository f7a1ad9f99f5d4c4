"""Setting a tag on many documents, and taking it off."""

from __future__ import annotations

from django.db.models import QuerySet

from accounts.access import fetch
from accounts.actor import Actor
from accounts.models import Role
from documents import document_changes
from documents.bulk.kinds.base import ActionOver, BulkKind, Change, LeftOut, get_document, read_id
from documents.definitions.prompts import list_prompts_of_tag
from documents.extractions.estimates import estimate_tagging
from documents.models import BulkAction, BulkItem, Document, Tag
from kit.json_types import JsonObject

SET_SINCE = "Somebody has taken the tag off and set it again since."


class _TagKind(BulkKind):
    role = Role.REVIEWER

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        tag = fetch(actor, Tag.objects.all(), read_id(sent, "tag_id"), noun="Tag")
        return {"tag_id": tag.pk, "name": tag.name}


class SetTag(_TagKind):
    kind, inverse = BulkAction.Kind.TAG, BulkAction.Kind.UNTAG
    title, progress_title = "Tag as {name}", "Tagging as {name}"
    runs = True

    def estimate_micros(self, actor: Actor, documents: QuerySet[Document], arguments: JsonObject) -> int | None:
        tag = _fetch_tag(actor, arguments)
        if not list_prompts_of_tag(tag):
            return None
        return estimate_tagging(actor, documents=documents, tag=tag).cost_micros

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        """The prompts of the tag start; the item ends when all of them have ended."""
        document, tag = get_document(item), _fetch_tag(actor, arguments)
        change = document_changes.change_tags(actor, document=document, add=[tag.pk])
        if not change.added:
            raise LeftOut("It has the tag already.", code="tagged")
        run_ids = [run.pk for run in change.runs]
        undo = {"link": _find_link(document, tag), "run_ids": run_ids}
        return Change(undo=undo, runs=change.runs, note=" ".join(held_run.reason for held_run in change.held_runs))


class TakeTagOff(_TagKind):
    """`link` of an undo is the row that the action made: one that somebody else has made since is left alone."""

    kind, inverse = BulkAction.Kind.UNTAG, BulkAction.Kind.TAG
    title, progress_title = "Take the tag {name} off", "Taking the tag {name} off"

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        document, tag = get_document(item), _fetch_tag(actor, arguments)
        link, before = _find_link(document, tag), item.undo if isinstance(item.undo, dict) else None
        if link is None:
            raise LeftOut("It does not have the tag.", code="not_tagged")
        if before is not None and before.get("link", link) != link:
            raise LeftOut(SET_SINCE, code="changed_since")
        run_ids = before.get("run_ids", []) if before else []
        document_changes.undo_tagging(actor, document=document, tag_ids=[tag.pk], run_ids=run_ids)
        return Change(undo={})


def _find_link(document: Document, tag: Tag) -> int | None:
    """The key of the row that ties them."""
    return Document.tags.through.objects.filter(document=document, tag=tag).values_list("pk", flat=True).first()


def _fetch_tag(actor: Actor, arguments: JsonObject) -> Tag:
    tag = Tag.objects.for_org(actor.organization).filter(pk=arguments["tag_id"]).first()
    if tag is None:
        raise ActionOver(f"The tag {arguments['name']} was deleted meanwhile.", code="tag_deleted")
    return tag
