"""Searches by meaning beside those by words."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents.find.search import SearchResults, find_pages
from documents.find.search.semantic import K, fuse_ranks
from documents.index.vectors import nearest
from documents.index.vectors.numbers import pack_vector
from documents.index.vectors.query_vectors import VectorQuery
from documents.models import Document, PageChunk
from tests.documents.find.searches import add_document, list_names
from tests.documents.index.vectors.embedded import MODEL, add, add_chunk, count_concepts

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def vectorize(text: str) -> VectorQuery:
    return VectorQuery(MODEL, pack_vector(count_concepts(text)))


def find(actor: Actor, query: str) -> SearchResults:
    return find_pages(actor, query, vectorize=vectorize)


def refuse_vectors(text: str) -> VectorQuery:
    raise AssertionError(f"{text} is looked for by words alone")


def test_other_words_for_the_same_thing_are_found_in_their_place(actor: Actor) -> None:
    document = add(actor.organization, ["page one"], ["nothing here", "the automobile is red"], name="a.pdf")
    assert not find_pages(actor, "vehicle").hits
    results = find(actor, "vehicle")
    [hit] = results.hits
    assert (hit.found_by, hit.page_numbers, results.total_documents) == (["meaning"], [2], 1)
    [page] = hit.pages
    assert (page.snippet.text, page.citation) == ("the automobile is red", f"{document.readings.get().pk}.2.2")
    assert page.is_semantic and len(page.boxes) == 1 and page.blocks == ["2.2"]


def test_pages_without_any_of_the_words_are_not_said_to_have_some(actor: Actor) -> None:
    add(actor.organization, ["the automobile is red"], name="a.pdf")
    assert find(actor, "vehicle lorry").hits and not find(actor, "vehicle lorry").is_partial
    assert find(actor, "vehicle red").is_partial


def test_what_both_find_comes_first_and_says_how(actor: Actor) -> None:
    add(actor.organization, ["vehicle vehicle of words"], name="words.pdf")
    PageChunk.objects.all().delete()
    add(actor.organization, ["an automobile"], name="meaning.pdf")
    add(actor.organization, ["one vehicle"], name="both.pdf")
    hits = find(actor, "vehicle").hits
    assert hits[0].document.name == "both.pdf" and hits[0].score > hits[1].score
    assert {hit.document.name: hit.found_by for hit in hits} == {
        "both.pdf": ["words", "meaning"],
        "meaning.pdf": ["meaning"],
        "words.pdf": ["words"],
    }
    assert all(0 < hit.score <= 1 for hit in hits)


def test_ranks_are_fused_by_their_reciprocals() -> None:
    scores = fuse_ranks(["a", "b"], ["b"])
    assert scores["a"] == pytest.approx(0.5)
    assert scores["b"] == pytest.approx(((K + 1) / (K + 2) + 1) / 2)
    assert fuse_ranks(["a"], ["a"]) == {"a": 1}


@pytest.mark.parametrize(
    "query", ['"the lease"', "leas*", "lease -car", "4711", "INV-2026-04", "tag:none", "le", '"', "-"]
)
def test_an_exact_query_is_for_words_alone(query: str, actor: Actor) -> None:
    find_pages(actor, query, vectorize=refuse_vectors)


def test_another_organizations_parts_are_not_compared(actor: Actor, stranger: Actor) -> None:
    add(stranger.organization, ["the automobile"], name="theirs.pdf")
    assert not find(actor, "vehicle").total_documents and list_names(find(stranger, "vehicle")) == ["theirs.pdf"]


def test_the_trash_hides_it_at_once(actor: Actor) -> None:
    document = add(actor.organization, ["the automobile"], name="a.pdf")
    Document.objects.filter(pk=document.pk).update(trashed_at=document.created_at)
    results = find(actor, "vehicle")
    assert (list(results.hits), results.total_documents, results.total_pages) == ([], 0, 0)


def test_a_narrowed_search_is_narrowed_by_meaning_too(actor: Actor) -> None:
    add(actor.organization, ["the automobile"], name="a.pdf")
    other = add(actor.organization, ["the lorry"], name="b.pdf")
    rows = Document.objects.for_org(actor.organization).filter(pk=other.pk)
    results = find_pages(actor, "vehicle", documents=rows, vectorize=vectorize)
    assert (list_names(results), results.total_documents) == (["b.pdf"], 1)


def test_vectors_of_another_model_or_length_are_not_compared(actor: Actor) -> None:
    document = add_document(actor.organization, ["the automobile"])
    add_chunk(document, pack_vector([0, 1, 0]), page=1, first_line=1, last_line=1)
    add_chunk(document, pack_vector(count_concepts("automobile")), page=1, first_line=1, last_line=1)
    PageChunk.objects.filter(dimensions=4).update(model="openai/other")
    assert not find(actor, "vehicle").hits


def test_of_very_many_the_newest_are_compared_and_it_says_so(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("old.pdf", "new.pdf"):
        add(actor.organization, ["the automobile"], name=name)
    monkeypatch.setattr(nearest, "AT_ONCE", 1)
    assert find(actor, "vehicle").total_documents == 2 and find(actor, "vehicle").are_counted
    monkeypatch.setattr(nearest, "MAX_COMPARED", 1)
    assert not find(actor, "vehicle").are_counted


def test_a_note_of_what_failed_stands_beside_the_words(actor: Actor) -> None:
    add_document(actor.organization, ["one vehicle"])
    results = find_pages(actor, "vehicle", vectorize=lambda text: VectorQuery(MODEL, note="No money."))
    assert results.note == "No money." and results.hits[0].found_by == ["words"]


def test_a_part_whose_page_has_gone_has_no_snippet(actor: Actor) -> None:
    document = add_document(actor.organization, ["the automobile"])
    add_chunk(document, pack_vector(count_concepts("car")), page=7, first_line=1, last_line=1)
    [hit] = find(actor, "vehicle").hits
    assert not hit.pages


def test_a_search_by_meaning_takes_few_statements(actor: Actor, django_assert_max_num_queries: object) -> None:
    for at in range(12):
        add(actor.organization, ["the automobile"], name=f"{at}.pdf")
    with django_assert_max_num_queries(20):  # type: ignore[operator]
        assert len(find(actor, "vehicle").hits) == 12
