"""The type of a document: told by rules or likeness once it is read, and decided by people, whose word holds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from documents.catalog.state import lock_document
from documents.models import Document, DocumentType, Reading, Sketch, TypeDecision
from documents.reading.reading import get_newest
from documents.types.catalogue import find_type_of_rules
from documents.types.likeness import (
    LikeType,
    find_like_type,
    forget_example,
    is_example,
    judge_again,
    judge_unsure_again,
    sketch_example,
)
from documents.types.model_choice import is_wanted
from documents.types.page_lines import TypeLine, read_lines
from documents.types.rules import MAX_LINES, Verdict, classify
from kit import events
from kit.errors import Conflict, Invalid
from kit.rows.row_guard import RowGuard
from reader.words import unpack

AT_ONCE = 50
MAX_PAGES = 5
MAX_PROOF_LETTERS = 120
Source = TypeDecision.Source
TypeQuestion = Reading.TypeQuestion
_untyped = RowGuard("reading whose document has no type yet")


def tell_waiting() -> int:
    """Look at readings that nobody has looked at, old ones too; answers how many."""
    due = Reading.objects.filter(status=Reading.Status.COMPLETED, typed_at=None)
    return _untyped.run_each(due.order_by("-finished_at"), tell_type, maximum=AT_ONCE)


def tell_now(reading_id: str) -> None:
    """At once, before what depends on it; one whose telling has failed is left for later."""
    _untyped.run_each(Reading.objects.filter(pk=reading_id, typed_at=None), tell_type, maximum=1)


def tell_type(reading_id: str) -> None:
    """By rules, else by likeness, unless a person has said what the document is. A second time it changes nothing."""
    reading = Reading.objects.select_related("document__organization").filter(pk=reading_id, typed_at=None).first()
    if reading is not None:
        verdict = classify(read_first_lines(reading))
        like = None if verdict.type else find_like_type(reading.document, reading, verdict.barred)
        _store(reading, verdict, like)


def read_first_lines(reading: Reading) -> list[TypeLine]:
    return list(islice(_read_lines(reading), MAX_LINES))


def _read_lines(reading: Reading) -> Iterator[TypeLine]:
    for page in reading.pages.order_by("number")[:MAX_PAGES]:
        yield from read_lines(page.number, unpack(bytes(page.words)))


@transaction.atomic
def _store(reading: Reading, verdict: Verdict, like: LikeType | None) -> None:
    document = lock_document(reading.document_id)
    if not Reading.objects.filter(pk=reading.pk, typed_at=None).update(typed_at=timezone.now()):
        return
    newest = get_newest(document)
    decision = TypeDecision.objects.filter(document=document).first()
    if newest is None or newest.pk != reading.pk or (decision and decision.source == Source.PERSON):
        return
    document_type = like.document_type if like else find_type_of_rules(document.organization, verdict.type)
    same = decision if decision and decision.reading_id == reading.pk else None
    if same and document_type is None and _holds_for_model(document, same, verdict):
        return
    proof = [{"page": sign.page, "line": sign.line, "words": sign.words[:MAX_PROOF_LETTERS]} for sign in verdict.proofs]
    decision, _ = TypeDecision.objects.update_or_create(
        document=document,
        defaults={
            "source": Source.LIKENESS if like else Source.RULES,
            "proof": proof if document_type and not like else [],
            "note": same.note if same and document_type is None else "",
            "reading": reading,
        },
    )
    decision.alike.set(like.documents if like else ())
    if document.document_type_id != (document_type.pk if document_type else None):
        Document.objects.filter(pk=document.pk).update(document_type=document_type)
        publish_change(document)
    if document_type is None and is_wanted(document.organization, reading):
        Reading.objects.filter(pk=reading.pk, type_question=TypeQuestion.NONE).update(type_question=TypeQuestion.DUE)


def _holds_for_model(document: Document, decision: TypeDecision, verdict: Verdict) -> bool:
    """Rules that are still unsure of the same reading take no type away that a model gave, unless they bar it."""
    given = document.document_type
    return decision.source == Source.MODEL and given is not None and given.key not in verdict.barred


@transaction.atomic
def set_type(actor: Actor, *, document: Document, document_type: DocumentType | None) -> Document:
    """A person's word, which later readings leave as it is. None: let the rules tell it again.

    It teaches nothing: that is asked for apart, on the document's page (`confirm_type`).
    """
    actor.require(Role.REVIEWER)
    if document_type and (not document_type.is_on or document_type.organization_id != document.organization_id):
        raise Invalid(f"The type “{document_type.name}” is switched off here. Choose another one.")
    row = lock_document(document.pk)
    before = row.document_type
    if document_type is None or document_type != before:
        forget_example(row)
    if document_type is None:
        TypeDecision.objects.filter(document=row).delete()
        judge_again([row.pk])
    else:
        _note_word(actor, row, is_example=is_example(row))
    Document.objects.filter(pk=row.pk).update(document_type=document_type, version=F("version") + 1)
    Sketch.objects.filter(document=row).update(alike_prompt=None, compared_at=None)
    action, after = ("set the type", document_type.name) if document_type else ("left the type", "")
    audit.record(actor, action, row, before=before.name if before else "", after=after)
    publish_change(row)
    document.refresh_from_db(fields=["document_type", "version"])
    return document


@transaction.atomic
def confirm_type(actor: Actor, *, document: Document, document_type: DocumentType) -> Document:
    """A person who has its pages in view says that its type is right, and that documents like it have it too.

    Raises Conflict when it has another type by now.
    """
    actor.require(Role.REVIEWER)
    row = lock_document(document.pk)
    if row.document_type_id != document_type.pk:
        raise Conflict("It has another type by now. Look at it again, and confirm that one.")
    _note_word(actor, row, is_example=sketch_example(row))
    judge_unsure_again(row.organization)
    audit.record(actor, "confirmed the type", row, after=document_type.name)
    publish_change(row)
    return row


def _note_word(actor: Actor, document: Document, *, is_example: bool) -> None:
    decision, _ = TypeDecision.objects.update_or_create(
        document=document,
        defaults={
            "source": Source.PERSON,
            "proof": [],
            "note": "",
            "reading": None,
            "decided_by": actor.user,
            "is_example": is_example,
        },
    )
    decision.alike.clear()


def publish_change(document: Document) -> None:
    for group in (events.document_group(document.pk), events.organization_group(document.organization_id)):
        events.publish(group, "document.changed", document_id=document.pk, state=document.state)
