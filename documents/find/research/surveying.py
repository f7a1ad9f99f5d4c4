"""A question that every document of a scope is asked: about what it costs, and which reading of each is asked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from accounts.actor import Actor
from documents.extractions.estimates import PRINTED, estimate_printed
from documents.find.research.condensing import ANSWER_TOKENS, READ_TOKENS, clean_question, make_key
from documents.models import CondensedReading, Document, Page, Reading
from documents.reading.page_text import estimate_tokens
from llm.money import model_prices

PROMPT_TOKENS = 300
NOT_READ = "It has not been read yet."
UNREADABLE = "It could not be read."
GONE = "It is no longer there."


def estimate_micros(actor: Actor, ids: Sequence[str], question: str, model: str) -> int:
    """The most that it costs about; what was asked of a reading before costs nothing."""
    readings = {row.pk for row in load_readings(actor, ids).values()} - _list_asked(actor, question, model)
    price = model_prices.find_price_or_ceiling(model)
    beside = PROMPT_TOKENS + estimate_tokens(question)
    tokens = (min(READ_TOKENS, round(each)) + beside for each in _estimate_texts(readings))
    return sum(price.cost(model, each, ANSWER_TOKENS).micros for each in tokens)


def count_long(actor: Actor, ids: Sequence[str]) -> int:
    """How many of them are longer than is read of one document."""
    readings = {row.pk for row in load_readings(actor, ids).values()}
    return sum(tokens > READ_TOKENS for tokens in _estimate_texts(readings))


def _estimate_texts(readings: Collection[str]) -> Iterator[float]:
    """The tokens of each."""
    texts = Page.objects.filter(reading__in=readings).order_by().values("reading").annotate(**PRINTED).values(*PRINTED)
    return (estimate_printed(**text) for text in texts)


def count_asked(actor: Actor, ids: Sequence[str], question: str, model: str) -> int:
    """How many of them were asked exactly this before."""
    return len({row.pk for row in load_readings(actor, ids).values()} & _list_asked(actor, question, model))


def _list_asked(actor: Actor, question: str, model: str) -> set[str]:
    key = make_key(clean_question(question))
    rows = CondensedReading.objects.filter(model=model, question_key=key, organization=actor.organization)
    return set(rows.values_list("reading", flat=True))


def load_readings(actor: Actor, ids: Sequence[str]) -> Mapping[str, Reading]:
    """The newest of each document that has one, by document."""
    documents = Document.objects.for_org(actor.organization).filter(pk__in=ids)
    rows = Reading.objects.filter(document__in=documents, status=Reading.Status.COMPLETED).select_related("document")
    newest = {row.document_id: row for row in rows.order_by("number")}
    return {row_id: newest[row_id] for row_id in ids if row_id in newest}


def explain_unread(actor: Actor, document_id: str) -> str:
    document = Document.objects.for_org(actor.organization).filter(pk=document_id).first()
    if document is None:
        return GONE
    return UNREADABLE if document.state == Document.State.OCR_FAILED else NOT_READ
