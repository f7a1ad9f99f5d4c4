"""A model decides a type where rules and likeness left it open and the organization allows it: once a reading.

What it says teaches nothing and holds no prompt back. Its words have to stand on the page, no sign of the rules may
contradict it, and a person's word is never overwritten.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from documents.catalog.state import lock_document
from documents.models import Document, DocumentType, Reading, TypeDecision, TypeModelChoice
from documents.reading.reading import get_newest
from documents.types.catalogue import list_types
from documents.types.model_choice import find_choice, make_account
from documents.types.model_question import ask_type, find_words, select_lines
from documents.types.page_lines import TypeLine
from documents.types.rules import classify
from documents.types.telling import MAX_PROOF_LETTERS, publish_change, read_first_lines
from kit import jobs, stopping
from kit.errors import AppError
from kit.jobs import Job
from llm.client import Cancelled

AT_ONCE = 20
UNANSWERED = "A model was asked, and the worker stopped before it answered."
NO_WORDS = "No words were read on its first pages, so no model was asked."
UNSURE = "Rules and a model are unsure."
WORDS_MISSING = "A model named words that are not on the first page, so the type stays open."
SWITCHED_OFF = "The model for types was switched off before it was asked."
TypeQuestion = Reading.TypeQuestion


@dataclass(frozen=True)
class Judgement:
    """Either a type and the line with the words that show it, or the reason why it stays open."""

    note: str = ""
    document_type: DocumentType | None = None
    line: TypeLine | None = None


def wake_asking() -> None:
    """For the scheduler."""
    due = Reading.objects.filter(type_question=TypeQuestion.DUE).order_by("-finished_at")
    jobs.wake(Job.ASK_TYPE, due.values_list("pk", flat=True)[:AT_ONCE])


def ask_about(reading_id: str) -> None:
    """One of several who try asks, and a call that died is not made again: it may have been billed."""
    due = Reading.objects.filter(pk=reading_id, type_question=TypeQuestion.DUE)
    if not due.update(type_question=TypeQuestion.ASKED):
        return
    reading = Reading.objects.select_related("document__organization").get(pk=reading_id)
    if reading.document.trashed_at is None and _list_open(reading).update(note=UNANSWERED):
        store_judgement(reading, judge(reading))


def judge(reading: Reading) -> Judgement:
    choice = find_choice(reading.document.organization)
    if choice is None:
        return Judgement(SWITCHED_OFF)
    try:
        return _judge(reading, choice)
    except AppError as error:
        return Judgement(f"No model decided. {error.sentence}")
    except Cancelled:
        return Judgement(UNANSWERED)


def _judge(reading: Reading, choice: TypeModelChoice) -> Judgement:
    lines = read_first_lines(reading)
    shown = select_lines(lines)
    if not shown:
        return Judgement(NO_WORDS)
    types = list(list_types(choice.organization).filter(is_on=True).exclude(key__in=classify(lines).barred))
    answer = ask_type(choice.model, shown, types, account=make_account(choice), cancelled=stopping.is_set)
    document_type = next((row for row in types if row.key == answer.key), None)
    if document_type is None:
        return Judgement(UNSURE)
    line = find_words(shown, answer.words)
    return Judgement("", document_type, line) if line else Judgement(WORDS_MISSING)


@transaction.atomic
def store_judgement(reading: Reading, judgement: Judgement) -> None:
    document = lock_document(reading.document_id)
    if get_newest(document) != reading:
        return
    line, document_type = judgement.line, judgement.document_type
    if line is None or document_type is None:
        _list_open(reading).update(note=judgement.note)
        return
    proof = [{"page": line.page, "line": line.number, "words": line.text[:MAX_PROOF_LETTERS]}]
    if _list_open(reading).update(source=TypeDecision.Source.MODEL, proof=proof, note=""):
        Document.objects.filter(pk=document.pk).update(document_type=document_type)
        publish_change(document)


def _list_open(reading: Reading) -> QuerySet[TypeDecision, TypeDecision]:
    """Its decision while rules have left it open and nobody else has decided since."""
    rows = TypeDecision.objects.filter(document=reading.document_id, source=TypeDecision.Source.RULES)
    return rows.filter(reading=reading, document__document_type=None)
