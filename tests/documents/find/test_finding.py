"""What is found by which words, and what of it is told."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents import document_changes
from documents.find.search import find_pages
from documents.index.words.indexing import index_document
from documents.models import IndexedWord, Tag
from tests.documents.find.searches import add_document, list_names, search_names
from tests.documents.reading_rows import add_reading

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture
def letters(actor: Actor) -> Actor:
    organization = actor.organization
    add_document(
        organization,
        ["ACME Fittings GmbH", "Rechnung 2026-0815", "Gesamtbetrag 1,234.50 EUR"],
        ["Zahlbar in Zürich"],
        name="invoice.pdf",
    )
    add_document(organization, ["Lease of an apartment", "in ZURICH, Straße 7"], name="lease.pdf")
    add_document(organization, ["請求書 東京都", "合計 500"], name="tokyo.pdf")
    return actor


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("fittings", ["invoice.pdf"]),
        ("zurich", ["invoice.pdf", "lease.pdf"]),
        ("Zürich", ["invoice.pdf", "lease.pdf"]),
        ("strasse", ["lease.pdf"]),
        ("rechnung acme", ["invoice.pdf"]),
        ('"acme fittings"', ["invoice.pdf"]),
        ('"fittings acme"', []),
        ('"acme fit*', ["invoice.pdf"]),
        ("apart*", ["lease.pdf"]),
        ("zurich -lease", ["invoice.pdf"]),
        ("zurich -apart*", ["invoice.pdf"]),
        ('zurich -"an apartment"', ["invoice.pdf"]),
        ("2026-0815", ["invoice.pdf"]),
        ("20260815", ["invoice.pdf"]),
        ("1234.50", ["invoice.pdf"]),
        ("1,234.50", ["invoice.pdf"]),
        ("0815", ["invoice.pdf"]),
        ("京都", ["tokyo.pdf"]),
        ("東京", ["tokyo.pdf"]),
        ("京東", []),
        ("求", ["tokyo.pdf"]),
        ('"zahlbar in', ["invoice.pdf"]),
    ],
)
def test_it_finds_words_in_their_forms(letters: Actor, query: str, names: list[str]) -> None:
    assert search_names(letters, query) == names


def test_the_last_word_may_be_a_beginning_while_it_is_typed(letters: Actor) -> None:
    assert list_names(find_pages(letters, "acme fitt", is_typing=True)) == ["invoice.pdf"]
    assert find_pages(letters, "fitt acme", is_typing=True).replaced == {"fitt": ["fittings"]}


def test_a_page_comes_with_its_words_marked_and_boxed(letters: Actor) -> None:
    [hit] = find_pages(letters, '"acme fittings" gmbh').hits
    [page] = hit.pages
    assert (hit.page_numbers, page.number) == ([1], 1)
    assert [page.snippet.text[start:end] for start, end in page.snippet.marks] == ["ACME Fittings GmbH"]
    [(left, top, right, bottom)] = page.boxes
    assert (left, top, bottom) == (0.03, 0.03, 0.05) and right > left
    assert page.lines == [1, 2, 3]


def test_a_snippet_begins_near_the_words(actor: Actor) -> None:
    lines = [f"filler {number} of the long page" for number in range(25)]
    add_document(actor.organization, [*lines, "the needle stands here", *lines[:3]])
    [hit] = find_pages(actor, "needle").hits
    snippet = hit.pages[0].snippet
    assert len(snippet.text) <= 300 and snippet.text.index("needle") < 80


def test_hits_are_grouped_by_document_and_counted(actor: Actor) -> None:
    add_document(actor.organization, ["gasket"], ["nothing"], ["gasket gasket"], name="many.pdf")
    add_document(actor.organization, ["one gasket among other words"], name="one.pdf")
    results = find_pages(actor, "gasket", limit=1)
    assert (results.total_documents, results.total_pages, results.are_counted) == (2, 3, True)
    [hit] = results.hits
    assert (hit.document.name, hit.page_numbers) == ("many.pdf", [1, 3])
    assert list_names(find_pages(actor, "gasket", skip=1)) == ["one.pdf"]


def test_names_and_values_are_found_and_come_first(actor: Actor) -> None:
    add_document(actor.organization, ["about the harbour"], name="text.pdf")
    named = add_document(actor.organization, ["nothing of it"], name="harbour plan.pdf")
    valued = add_document(actor.organization, ["nothing of it"], name="c.pdf")
    document_changes.update(actor, document=valued, metadata={"place": "Harbour North"})
    results = find_pages(actor, "harbour")
    assert sorted(list_names(results)[:2]) == ["c.pdf", "harbour plan.pdf"]
    by_id = {hit.document.pk: hit for hit in results.hits}
    assert by_id[named.pk].is_named
    assert [(value.path, value.text) for value in by_id[valued.pk].values] == [("metadata.place", "harbour north")]


def test_terms_narrow_what_is_found(letters: Actor) -> None:
    tag = Tag.objects.create(organization=letters.organization, name="Legal")
    [hit] = find_pages(letters, "lease").hits
    hit.document.tags.add(tag)
    assert list_names(find_pages(letters, "zurich tag:legal")) == ["lease.pdf"]
    assert list_names(find_pages(letters, "tag:legal")) == ["lease.pdf"]
    assert find_pages(letters, "zurich tag:none").problem == "There is no tag “none” here."


@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ("date:2026", ["since:2026-01-01", "until:2026-12-31"]),
        ("date:2024-02", ["since:2024-02-01", "until:2024-02-29"]),
        ("date:2026-05-31", ["since:2026-05-31", "until:2026-05-31"]),
        ("date:2026-05..2026-06-07", ["since:2026-05-01", "until:2026-06-07"]),
        ("date:..2026", ["until:2026-12-31"]),
        ("date:2026..", ["since:2026-01-01"]),
        ("field:total>5", ["value:total>5"]),
    ],
)
def test_days_and_fields_are_typed_in_short(actor: Actor, typed: str, terms: list[str]) -> None:
    results = find_pages(actor, f"word {typed}")
    assert [f"{term.name}:{term.value}" for term in sorted(results.terms, key=lambda term: term.name)] == terms
    assert not results.problem


@pytest.mark.parametrize("typed", ["date:soon", "date:2026-13", "date:0000", "field:total"])
def test_a_day_or_field_that_is_none_gets_a_sentence(actor: Actor, typed: str) -> None:
    value = typed.partition(":")[2]
    assert find_pages(actor, f"word {typed}").problem.startswith(f"“{value}” ")


def test_it_forgives_an_error_by_words_of_this_organization_alone(letters: Actor, stranger: Actor) -> None:
    add_document(stranger.organization, ["Fittinger Fitings"])
    results = find_pages(letters, "fitings")
    assert (list_names(results), results.replaced) == (["invoice.pdf"], {"fitings": ["fittings"]})
    assert find_pages(stranger, "apartmant").replaced == {}


def test_it_finds_a_part_of_a_word(letters: Actor) -> None:
    assert find_pages(letters, "betrag").replaced == {"betrag": ["gesamtbetrag"]}
    assert find_pages(letters, "samtbet").replaced == {"samtbet": ["gesamtbetrag"]}


def test_it_proposes_words_where_nothing_was_found(letters: Actor, stranger: Actor) -> None:
    add_document(stranger.organization, ["Fittonia"])
    assert find_pages(letters, "fittonias").suggestions == ["fittings"]


def test_words_that_no_page_has_together_are_found_apart(letters: Actor) -> None:
    results = find_pages(letters, "apartment gesamtbetrag")
    assert results.is_partial and sorted(list_names(results)) == ["invoice.pdf", "lease.pdf"]


def test_a_document_is_gone_with_the_trash_and_back_after_it(letters: Actor) -> None:
    [hit] = find_pages(letters, "fittings").hits
    document_changes.trash(letters, document=hit.document)
    assert find_pages(letters, "fittings").total_pages == 0
    index_document(hit.document)
    assert not IndexedWord.objects.filter(word="fittings").exists()
    document_changes.restore(letters, document=hit.document)
    index_document(hit.document)
    assert find_pages(letters, "fittings").total_pages == 1


def test_the_newest_reading_counts(letters: Actor) -> None:
    [hit] = find_pages(letters, "fittings").hits
    add_reading(hit.document, ["ACME Gaskets"])
    index_document(hit.document)
    assert search_names(letters, "gaskets") == ["invoice.pdf"]
    assert not find_pages(letters, "fittings").hits
    assert find_pages(letters, "gaskets").total_pages == 1


def test_another_organization_finds_nothing_of_it(letters: Actor, stranger: Actor) -> None:
    for query in ("fittings", "fitt*", "itting", "fitings", "invoice", "acme zurich"):
        results = find_pages(stranger, query)
        assert (list(results.hits), results.total_pages, results.replaced, list(results.suggestions)) == ([], 0, {}, [])
