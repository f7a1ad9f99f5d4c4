"""Two organizations that hold the same words: nothing of one is in what the other finds, nor in what that costs."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from documents.find.search import find_pages
from tests.documents.find.searches import add_document

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

QUERIES = (
    "gasket",
    "gask*",
    '"steel gasket"',
    "gasket -brass",
    "gaskte",
    "asket",
    "gasket harbour",
    "gazelles",
    "kind:pdf gasket",
    "ring",
    "4711",
)


def answer(actor: Actor, query: str) -> tuple[list[Any], int]:
    """What is found, and the statements that it takes."""
    with CaptureQueriesContext(connection) as queries:
        results = find_pages(actor, query)
    hits = [(hit.document.pk, hit.page_numbers, hit.is_named) for hit in results.hits]
    counts = [results.total_documents, results.total_pages, results.are_counted, results.is_partial]
    return [hits, counts, dict(results.replaced), list(results.suggestions)], len(queries)


def test_others_words_change_neither_answers_nor_statements(actor: Actor, stranger: Actor) -> None:
    texts = ("steel gasket 4711", "brass gasket", "harbour ring", "casket of steel")
    for number, text in enumerate(texts):
        add_document(actor.organization, [text], name=f"{number}.pdf")
    before = {query: answer(actor, query) for query in QUERIES}
    for number, text in enumerate((*texts, "gazelle gasket", "gaskte", "asket", "gasket harbour")):
        add_document(stranger.organization, [text], name=f"gasket 4711 {number}.pdf")
    assert {query: answer(actor, query) for query in QUERIES} == before


@pytest.mark.skipif(connection.vendor != "sqlite", reason="counts the steps of SQLite's own machine")
def test_others_words_cost_no_steps(actor: Actor, stranger: Actor) -> None:
    add_document(actor.organization, ["gasket"])
    find_pages(actor, "gasket")
    before = count_steps(actor)
    for number in range(30):
        add_document(stranger.organization, ["gasket"], ["gasket"], name=f"{number}.txt")
    assert count_steps(actor) <= before + 20


def count_steps(actor: Actor) -> int:
    steps = 0

    def note_step() -> int:
        nonlocal steps
        steps += 1
        return 0

    connection.connection.set_progress_handler(note_step, 1)
    try:
        find_pages(actor, "gasket")
    finally:
        connection.connection.set_progress_handler(None, 1)
    return steps
