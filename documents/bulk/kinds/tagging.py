"""Setting a tag on many documents, and taking it off."""

from __future__ import annotations

from accounts.access import fetch
from accounts.actor import Actor
from accounts.models import Role
from documents import document_changes
from documents.bulk.kinds.base import ActionOver, BulkKind, Change, LeftOut, get_document, read_id
from documents.models import BulkAction, BulkItem, Tag
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

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        link = document_changes.add_tag(actor, document=get_document(item), tag=_fetch_tag(actor, arguments))
        if link is None:
            raise LeftOut("It has the tag already.", code="tagged")
        return Change(undo={"link": link})


class TakeTagOff(_TagKind):
    """`link` of an undo is the row that the action made: one that somebody else has made since is left alone."""

    kind, inverse = BulkAction.Kind.UNTAG, BulkAction.Kind.TAG
    title, progress_title = "Take the tag {name} off", "Taking the tag {name} off"

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        document, tag = get_document(item), _fetch_tag(actor, arguments)
        link = document.tags.through.objects.filter(document=document, tag=tag).values_list("pk", flat=True).first()
        if link is None:
            raise LeftOut("It does not have the tag.", code="not_tagged")
        if isinstance(item.undo, dict) and item.undo.get("link") != link:
            raise LeftOut(SET_SINCE, code="changed_since")
        document_changes.remove_tag(actor, document=document, tag=tag)
        return Change(undo={})


def _fetch_tag(actor: Actor, arguments: JsonObject) -> Tag:
    tag = Tag.objects.for_org(actor.organization).filter(pk=arguments["tag_id"]).first()
    if tag is None:
        raise ActionOver(f"The tag {arguments['name']} was deleted meanwhile.", code="tag_deleted")
    return tag
