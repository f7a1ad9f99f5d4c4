"""Setting the type of many documents, and taking that back. It teaches nothing: nobody has their pages in view."""

from __future__ import annotations

from accounts.actor import UNDO, Actor
from accounts.models import Role
from documents import document_changes
from documents.bulk.kinds.base import ActionOver, BulkKind, Change, LeftOut, get_document
from documents.catalog.state import lock_document
from documents.models import BulkAction, BulkItem, Document, DocumentType, TypeDecision
from documents.types.catalogue import find_type
from kit.errors import Invalid
from kit.json_types import JsonObject

NEEDS = "This bulk action needs document_type, and nothing else."
SWITCHED_OFF = "The type “{name}” was switched off meanwhile."


class SetType(BulkKind):
    """`document_type` is the key of a type. An item remembers the type of before where a person had said it."""

    kind, inverse, role = BulkAction.Kind.TYPE, BulkAction.Kind.UNTYPE, Role.REVIEWER
    title, progress_title = "Set the type {name}", "Setting the type {name}"

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        if set(sent) != {"document_type"} or not isinstance(sent["document_type"], str):
            raise Invalid(NEEDS)
        chosen = find_type(actor.organization, sent["document_type"])
        if not chosen.is_on:
            raise Invalid(f"The type “{chosen.name}” is switched off here. Choose another one.")
        return {"document_type": chosen.key, "name": chosen.name}

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        document, chosen = lock_document(get_document(item).pk), _fetch_type(actor, arguments)
        is_by_person = _is_by_person(document)
        if is_by_person and document.document_type_id == chosen.pk:
            raise LeftOut("It has the type already.", code="unchanged")
        before = document.document_type.key if document.document_type and is_by_person else ""
        document_changes.set_type(actor, document=document, document_type=chosen)
        return Change(undo={"before": before})


class TakeTypeBack(BulkKind):
    """A type that a person had said comes back; any other is told by the rules again."""

    kind, role = BulkAction.Kind.UNTYPE, Role.REVIEWER
    title, progress_title = "Take the type {name} back", "Taking the type {name} back"

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        raise Invalid("This bulk action is the undo of another one.")

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        document = lock_document(get_document(item).pk)
        key = document.document_type.key if document.document_type else ""
        if key != arguments["document_type"] or not _is_by_person(document):
            raise LeftOut("Somebody has changed its type since.", code="changed_since")
        before = item.undo.get("before", "") if isinstance(item.undo, dict) else ""
        former = find_type(actor.organization, before) if before else None
        document_changes.set_type(actor.because(UNDO), document=document, document_type=former)
        return Change(undo={})


def _is_by_person(document: Document) -> bool:
    return TypeDecision.objects.filter(document=document, source=TypeDecision.Source.PERSON).exists()


def _fetch_type(actor: Actor, arguments: JsonObject) -> DocumentType:
    chosen = DocumentType.objects.for_org(actor.organization).filter(key=arguments["document_type"], is_on=True).first()
    if chosen is None:
        raise ActionOver(SWITCHED_OFF.format(name=arguments["name"]), code="type_off")
    return chosen
