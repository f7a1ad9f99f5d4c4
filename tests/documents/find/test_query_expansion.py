"""What is looked for where no page has the words that were typed."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents import document_changes
from documents.find.search import find_pages
from documents.index.words import matching
from tests.documents.find.searches import add_document, list_names

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.mark.parametrize("typed", ["gaksket", "gakset", "gsaket", "gaskte", "gasker", "gaske", "gaskett", "xasket"])
def test_one_error_anywhere_is_forgiven(actor: Actor, typed: str) -> None:
    add_document(actor.organization, ["gasket"])
    assert find_pages(actor, typed).replaced == {typed: ["gasket"]}


def test_an_error_is_forgiven_while_one_types_where_no_word_begins_so(actor: Actor) -> None:
    add_document(actor.organization, ["gasket"], name="parts.pdf")
    results = find_pages(actor, "gakset", is_typing=True)
    assert (list_names(results), results.replaced) == (["parts.pdf"], {"gakset": ["gasket"]})
    add_document(actor.organization, ["gaksetology"], name="books.pdf")
    results = find_pages(actor, "gakset", is_typing=True)
    assert (list_names(results), results.replaced) == (["books.pdf"], {})


@pytest.mark.parametrize("typed", ["blot", "obtl", "bolr", "olt"])
def test_a_short_word_forgives_one_error_too(actor: Actor, typed: str) -> None:
    add_document(actor.organization, ["bolt"])
    assert list_names(find_pages(actor, typed)) == (["a.pdf"] if typed != "obtl" else [])


def test_a_word_that_stands_elsewhere_is_forgiven_where_it_leads_to_no_page(actor: Actor) -> None:
    add_document(actor.organization, ["casket"], name="funeral.pdf")
    add_document(actor.organization, ["gasket of steel"], name="parts.pdf")
    results = find_pages(actor, "casket steel")
    assert (list_names(results), results.replaced, results.is_partial) == (
        ["parts.pdf"],
        {"casket": ["gasket"]},
        False,
    )
    assert list_names(find_pages(actor, "casket")) == ["funeral.pdf"]


def test_what_was_typed_comes_before_what_is_nearly_it(actor: Actor) -> None:
    for name, line in {"one.pdf": "gasket steel", "none.pdf": "gasket steels", "apart.pdf": "gaskets"}.items():
        add_document(actor.organization, [line], name=name)
    assert list_names(find_pages(actor, "gaskets steel")) == ["one.pdf", "none.pdf"]


def test_words_apart_are_ranked_by_the_rare_ones(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those indexed last would be all that are ranked otherwise."""
    monkeypatch.setattr(matching, "MAX_MATCHES", 3)
    add_document(actor.organization, ["invoice for kestrels"], name="rare.pdf")
    for number in range(6):
        add_document(actor.organization, ["invoice"], name=f"{number}.pdf")
    add_document(actor.organization, ["harbour"], name="harbour.pdf")
    results = find_pages(actor, "invoice kestrels harbour")
    assert results.is_partial and sorted(list_names(results)) == ["harbour.pdf", "rare.pdf"]


def test_words_of_the_trash_are_no_replacement(actor: Actor) -> None:
    document = add_document(actor.organization, ["gasket"])
    document_changes.trash(actor, document=document)
    results = find_pages(actor, "gaskit")
    assert not results.hits and not results.replaced and not results.suggestions


def test_many_documents_in_the_trash_hide_none_behind_them(actor: Actor) -> None:
    add_document(actor.organization, ["gasket steel"], name="there.pdf")
    for number in range(12):
        document = add_document(actor.organization, ["gasket"], name=f"{number}.pdf")
        document_changes.trash(actor, document=document)
    assert find_pages(actor, "gasket stele").replaced == {"stele": ["steel"]}
