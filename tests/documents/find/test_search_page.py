"""The search page: results by document, each line a link to its words, and what it says where nothing is found."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import parse_qsl

import pytest
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from accounts.services.member_memory import MAX_SEARCHES
from documents import document_changes
from documents.find.search.results import Snippet
from documents.models import Document, Reading, Tag
from documents.views.find.recent_searches import list_recent
from documents.views.find.search_rows import Piece, split_marks
from tests.documents.checked_invoice import make_prompt, store_invoice
from tests.documents.find.searches import add_document
from tests.page_client import PageClient as Client

pytestmark = pytest.mark.servers

HTMX = {"HX-Request": "true"}


@pytest.fixture
def page(client: Client, actor: Actor, signed_in) -> Client:
    client = signed_in(client, actor)
    add_document(actor.organization, ["cover"], ["ACME Fittings GmbH", "Rechnung 4711"], name="invoice.pdf")
    add_document(actor.organization, ["Fittings for doors <b>"], name="catalogue.pdf")
    return client


def ask(page: Client, actor: Actor, headers: dict[str, str] | None = None, **query: str) -> str:
    answer = page.get(reverse("search", args=[actor.organization.pk]), query, headers=headers or {}, follow=True)
    assert answer.status_code == 200
    return unescape(answer.text)


def lines_in(text: str) -> list[str]:
    lines = re.findall(r'class="hit-text"[^>]*>(.*?)</span>', text, re.DOTALL)
    return [" ".join(re.sub("</?mark>", "|", line).split()) for line in lines]


def names_in(text: str) -> list[str]:
    return re.findall(r'class="hit-doc" aria-label="([^"]+)"', text)


def test_results_stand_under_their_documents_with_the_words_marked(page: Client, actor: Actor) -> None:
    text = ask(page, actor, q="fittings")
    assert sorted(names_in(text)) == ["catalogue.pdf", "invoice.pdf"]
    assert sorted(lines_in(text)) == ["ACME |Fittings| GmbH Rechnung 4711", "|Fittings| for doors <b>"]
    assert "2 pages in 2 documents" in text and text.count("Page 2") == 1 and "page 2" not in text


def test_a_line_opens_the_document_with_its_words_boxed(page: Client, actor: Actor) -> None:
    Reading.objects.update(pages_listed=2)
    [link] = re.findall(r'class="hit" href="([^"]+)"', ask(page, actor, q="4711"))
    assert link.endswith(".2.2.2")
    assert 'data-cited="[[2, ' in unescape(page.get(link).text)


def test_what_is_typed_is_found_before_its_last_word_is_whole(page: Client, actor: Actor) -> None:
    text = ask(page, actor, HTMX, q="rech")
    assert names_in(text) == ["invoice.pdf"] and "<h1>" not in text and 'hx-swap-oob="true"' in text


def test_filters_narrow_it_and_the_way_without_them_is_offered(page: Client, actor: Actor) -> None:
    tag = Tag.objects.create(organization=actor.organization, name="Legal")
    Document.objects.get(name="catalogue.pdf").tags.add(tag)
    assert names_in(ask(page, actor, q="fittings", tag=tag.pk)) == ["catalogue.pdf"]
    assert names_in(ask(page, actor, q="tag:legal")) == ["catalogue.pdf"]
    text = ask(page, actor, q="rechnung", tag=tag.pk)
    assert "“rechnung” is nowhere in 1 document" in text
    assert 'href="?q=rechnung"' in text and "1 page in 1 document without the filters" in text


def test_its_menu_of_filters_leads_back_to_it_and_sorts_nothing(page: Client, actor: Actor) -> None:
    address, search = (reverse(name, args=[actor.organization.pk]) for name in ("document-filters", "search"))
    text = page.get(address, {"for": "search", "q": "acme"}, headers=HTMX).text
    assert "q=acme&amp;for=search&amp;pick=tag" in text and "Sort by" not in text
    assert (
        f'href="{search}?q=acme&amp;is=waiting"'
        in page.get(address, {"for": "search", "q": "acme", "pick": "state"}, headers=HTMX).text
    )
    assert "Sort by" in page.get(address, headers=HTMX).text


def test_a_typing_error_is_forgiven_and_named(page: Client, actor: Actor) -> None:
    text = ask(page, actor, q="fitings acme")
    assert names_in(text) == ["invoice.pdf"]
    assert "“fitings” is on no page with the other words. Shown instead: “fittings”." in text
    assert 'href="?q=fittings+acme"' in text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("", "Every word of every page is searched"),
        ("zeppelin", "“zeppelin” is nowhere in 2 documents"),
        ("*", "no letters or figures"),
        ("-acme", "Write what to look for as well"),
        ("tag:none x", "There is no tag “none” here."),
        ("x" * 600, "500 are the most"),
        ("<script>", "“<script>” is nowhere"),
    ],
)
def test_an_empty_answer_says_what_was_searched_or_what_to_write(
    page: Client, actor: Actor, words: str, sentence: str
) -> None:
    for headers in ({}, HTMX):
        text = ask(page, actor, headers, q=words)
        assert sentence in text and not names_in(text)


@pytest.mark.parametrize("words", ["*", "-acme", f"acme{' ' * 500}z"])
def test_what_is_refused_is_not_searched(page: Client, actor: Actor, words: str) -> None:
    text = ask(page, actor, q=words)
    assert not names_in(text) and "is nowhere" not in text


def test_it_says_so_when_there_is_no_document_to_search(page: Client, actor: Actor) -> None:
    assert "The filters leave no document to search." in ask(page, actor, q="rechnung", until="2020-01-01")
    for document in Document.objects.for_org(actor.organization):
        document_changes.trash(actor, document=document)
    text = ask(page, actor, q="rechnung")
    assert "There is no document to search yet." in text and "0 documents" not in text + ask(page, actor)


def test_the_trash_and_other_organizations_are_not_found(page: Client, actor: Actor, stranger: Actor) -> None:
    add_document(stranger.organization, ["Rechnung 4711", "zeppelin"], name="4711.pdf")
    document_changes.trash(actor, document=Document.objects.get(name="invoice.pdf"))
    assert names_in(ask(page, actor, q="4711")) == names_in(ask(page, actor, q="4711", since="2020-01-01")) == []
    assert "Did you mean" not in ask(page, actor, q="zepelin")


def test_more_documents_are_shown_on_request(page: Client, actor: Actor) -> None:
    for number in range(22):
        add_document(actor.organization, ["bolt"], name=f"{number}.pdf")
    text = ask(page, actor, q="bolt")
    assert len(names_in(text)) == 20 and "22 pages in 22 documents" in text
    assert len(names_in(ask(page, actor, HTMX, q="bolt", shown="40"))) == 22


def test_results_are_shown_in_the_order_that_was_chosen_until_another_is(page: Client, actor: Actor) -> None:
    for name in ("zinc.pdf", "ACME fittings.pdf", "brass.pdf"):
        add_document(actor.organization, ["Fittings"] * 2, name=name)
    by_name = ["ACME fittings.pdf", "brass.pdf", "catalogue.pdf", "invoice.pdf", "zinc.pdf"]
    newest = ["brass.pdf", "ACME fittings.pdf", "zinc.pdf", "catalogue.pdf", "invoice.pdf"]
    assert names_in(ask(page, actor, q="fittings"))[0] == "ACME fittings.pdf"
    assert names_in(ask(page, actor, q="fittings", sort="name")) == by_name
    assert names_in(ask(page, actor, q="since:2020-01-01")) == by_name
    assert names_in(ask(page, actor, HTMX, q="fittings", sort="newest")) == newest
    assert names_in(ask(page, actor, q="fittings", sort="colour")) == newest
    assert names_in(ask(page, actor, q="fittings", sort="best")) != newest


def test_an_empty_search_suggests_types_fields_and_tags_that_lead_to_documents(page: Client, actor: Actor) -> None:
    run = store_invoice(actor, make_prompt(actor, []), "a.pdf", number="ACME Ltd", due_date="2026-12-01")
    for name in ("Paid", "Unused"):
        tag = Tag.objects.create(organization=actor.organization, name=name)
    run.document.tags.add(Tag.objects.get(name="Paid"))
    text = ask(page, actor)
    starts = dict(re.findall(r'class="filter cut" href="\?([^"]+)">([^<]+)</a>', text))
    assert {'number = "ACME Ltd"', "subtotal > 10", "due_date >= 2026-01-01", "Paid"} <= set(starts.values())
    assert tag.name not in text
    for query in starts:
        assert names_in(ask(page, actor, **dict(parse_qsl(query)))) == ["a.pdf"], query
    assert "vendor" not in starts.values()
    assert "|ACME Ltd|" in " ".join(lines_in(ask(page, actor, q="acme")))


def test_it_takes_a_fixed_number_of_queries(page: Client, actor: Actor, django_assert_max_num_queries) -> None:
    for number in range(10):
        add_document(actor.organization, ["bolt"], name=f"{number}.pdf")
    with django_assert_max_num_queries(28):
        ask(page, actor, q="bolt")


@pytest.mark.parametrize(
    ("marks", "pieces"),
    [
        ([], [Piece("abc")]),
        ([(0, 3)], [Piece("abc", True)]),
        ([(1, 2)], [Piece("a"), Piece("b", True), Piece("c")]),
        ([(0, 1), (2, 3)], [Piece("a", True), Piece("b"), Piece("c", True)]),
    ],
)
def test_marks_part_a_snippet(marks: list[tuple[int, int]], pieces: list[Piece]) -> None:
    assert list(split_marks(Snippet("abc", marks))) == pieces


def test_a_hit_draws_its_words_as_they_stand_on_the_page(page: Client, actor: Actor) -> None:
    [place] = re.findall(r'class="hit-crop" hx-get="([^"]+)"', ask(page, actor, q="4711"))
    strip = page.get(unescape(place), headers={"HX-Request": "true"})
    assert strip.status_code == 200 and 'class="crop"' in strip.text and "<rect" in strip.text


def test_recent_searches_stand_where_nothing_is_typed_and_are_deleted(
    page: Client, actor: Actor, member: Callable[[Role], Actor]
) -> None:
    place, forget = (reverse(name, args=(actor.organization.pk,)) for name in ("search", "search-forget"))
    for number in range(MAX_SEARCHES + 1):
        page.get(place, {"q": f"word{number}"})
    page.get(place, {"q": "half"}, headers={"HX-Request": "true"})
    page.get(place, {"q": "word4"})
    recent = [each.words for each in list_recent(actor)]
    assert recent[:2] == ["word4", "word8"] and len(recent) == MAX_SEARCHES and "half" not in recent
    assert list_recent(member(Role.VIEWER)) == []
    assert "Recent searches" in page.get(place).text and "Search syntax" in page.get(place).text
    text = page.post(forget, {"query": "q=word4"}, headers={"HX-Request": "true"}).text
    assert "word4" not in text and "word8" in text
    page.post(forget)
    assert list_recent(actor) == [] and "Recent searches" not in page.get(place).text
