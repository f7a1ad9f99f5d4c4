"""The bar of filters above the documents, its chips, heads and counts, through the page's real URLs."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.actor import Actor
from documents import document_changes
from documents.find.filters.choices import MAX_CHOICES
from documents.find.filters.value_conditions import parse_condition
from documents.models import CurrentValue, Document, Tag
from documents.views.find.counts import MAX_EXACT, format_matches
from documents.views.find.row_values import load_row_values
from documents.views.listing import PAGE
from tests.documents.checked_invoice import make_prompt, store_invoice
from tests.documents.listing_pages import list_of, page, reader_is_there  # noqa: F401 - fixtures
from tests.page_client import PageClient as Client

HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def invoices(actor: Actor) -> list[Document]:
    prompt = make_prompt(actor, [])
    return [
        store_invoice(actor, prompt, name, total=total, iban=None).document
        for name, total in (("a.pdf", "42.00"), ("b.pdf", "1200.50"))
    ]


def names_in(text: str) -> list[str]:
    return re.findall(r'class="name"[^>]*title="([^"]+)"', text)


def links_in(text: str, css: str) -> list[str]:
    return [unescape(link) for link in re.findall(rf'<a\s+class="{css}"[^>]*href="([^"]*)"', text)]


def test_what_is_typed_becomes_chips_at_one_address(page: Client, actor: Actor) -> None:
    answer = page.get(list_of(actor), {"q": "pdf total > 1000 is:waiting", "tag": ""})
    assert answer.status_code == 302
    assert answer["Location"].endswith("?q=pdf&is=waiting&value=total+%3E+1000")
    text = page.get(answer["Location"]).text
    assert names_in(text) == ["b.pdf"]
    assert links_in(text, "filter") == ["?q=pdf&value=total+%3E+1000", "?q=pdf&is=waiting"]


def test_rows_follow_while_something_is_typed(page: Client, actor: Actor) -> None:
    answer = page.get(list_of(actor), {"q": "total < 100"}, headers=HTMX)
    assert names_in(answer.text) == ["a.pdf"]


def test_what_makes_no_sense_stays_in_the_box_and_is_explained(page: Client, actor: Actor) -> None:
    text = unescape(page.get(list_of(actor), {"q": "a.pdf", "value": "total >", "state": "odd"}).text)
    assert "There is no state “odd”." in text and "“total >” lacks a value." in text
    assert 'value="a.pdf state:odd total >"' in text and "The other filters hold." in text
    assert names_in(text) == ["a.pdf"]


def test_a_head_sorts_and_sorts_the_other_way_when_pressed_again(page: Client, actor: Actor) -> None:
    text = page.get(list_of(actor)).text
    name, *_, uploaded = links_in(text, "head-sort")
    assert (name, uploaded) == ("?order_by=name", "?order_by=uploaded")
    text = page.get(list_of(actor) + name).text
    assert names_in(text) == ["a.pdf", "b.pdf"] and 'aria-sort="ascending"' in text
    assert names_in(page.get(list_of(actor) + links_in(text, "head-sort")[0]).text) == ["b.pdf", "a.pdf"]


def test_more_rows_go_on_in_the_same_order(page: Client, actor: Actor, invoices: list[Document]) -> None:
    query = {"order_by": "-name", "before": invoices[1].pk}
    assert names_in(page.get(list_of(actor), query, headers=HTMX).text) == ["a.pdf"]


def test_the_menu_offers_names_of_this_organization_alone(page: Client, actor: Actor, stranger: Actor) -> None:
    make_prompt(stranger, [])
    assert offers(page, actor, pick="prompt") == [("Invoice", 2)] == offers(page, actor, pick="schema")
    fields = dict(offers(page, actor, pick="value"))
    assert fields["total"] == 2 and "line_items.amount" in fields
    assert ("total, falling", None) in offers(page, actor, pick="order", value="total > 1")


def offers(page: Client, actor: Actor, **asked: Any) -> list[tuple[str, int | None]]:
    """Read words and number of each value that the picker shows."""
    text = page.get(reverse("document-filters", args=[actor.organization.pk]), asked, headers=HTMX).text
    found = re.findall(r'<span class="cut grow">(.*?)</span>(.*?)</a>', text, re.DOTALL)
    numbers = [re.search(r'<span class="num faint">(\d+)</span>', rest) for _, rest in found]
    return [
        (unescape(words), int(number[1]) if number else None) for (words, _), number in zip(found, numbers, strict=True)
    ]


@pytest.mark.parametrize(
    ("asked", "offered"),
    [
        ({"pick": "state"}, ("No tag", 2)),
        ({"pick": "state"}, ("Extracted", 2)),
        ({"pick": "kind"}, ("PDF", 2)),
        # The value in force gives way to another one, so it does not narrow what they leave.
        ({"pick": "kind", "kind": "eml"}, ("PDF", 2)),
        ({"pick": "kind", "tag": "Legal"}, ("PDF", 1)),
        ({"pick": "tag"}, ("Legal", 1)),
        ({"pick": "type"}, ("Invoice", 0)),
        ({"pick": "tag", "find": "leg"}, ("Legal", 1)),
        ({"pick": "tag", "is": "untagged"}, ("Legal", 0)),
        ({"pick": "person"}, ("Me", 2)),
        ({"pick": "since"}, ("Today", 2)),
        ({"pick": "value", "field": "total"}, ("42.00", 1)),
        ({"pick": "value", "find": "amount"}, ("line_items.amount", 2)),
    ],
)
def test_each_value_says_how_many_it_leaves_and_leads_to_them(
    page: Client, actor: Actor, asked: dict[str, str], offered: tuple[str, int]
) -> None:
    user = actor.user
    Document.objects.update(media_type="application/pdf", uploaded_by=user, uploaded_by_name=user.shown_name)
    tag = Tag.objects.create(organization=actor.organization, name="Legal")
    if asked.get("is") != "untagged" and offered[0] != "No tag":
        Document.objects.get(name="a.pdf").tags.add(tag)
    assert offered in offers(page, actor, **asked)
    assert offers(page, actor, **asked | {"find": "zeppelin"}) == []


def test_what_is_picked_stands_in_the_address(page: Client, actor: Actor) -> None:
    address = reverse("document-filters", args=[actor.organization.pk])
    text = page.get(address, {"pick": "value", "field": "number", "is": "untagged"}, headers=HTMX).text
    [first, *_] = [unescape(each) for each in re.findall(rf'href="({list_of(actor)}\?[^"]+)"', text)]
    assert first == f"{list_of(actor)}?is=untagged&value=number+%3D+%22inv-1%22"
    compared = {"pick": "value", "field": "total", "sign": ">", "text": "100", "kind": "pdf"}
    assert page.get(address, compared)["Location"] == f"{list_of(actor)}?kind=pdf&value=total+%3E+100"
    empty = page.get(address, {"pick": "value", "field": "iban", "sign": "is empty"})
    assert empty["Location"] == f"{list_of(actor)}?value=iban+is+empty"
    # Without a script the same menu is a page.
    assert "<h1>Filter</h1>" in page.get(address, {"pick": "tag"}).text


def test_the_values_cost_the_same_however_many_there_are(
    page: Client, actor: Actor, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    Tag.objects.bulk_create(
        Tag(organization=actor.organization, name=f"t{n}", name_folded=f"t{n}") for n in range(MAX_CHOICES + 5)
    )
    with django_assert_max_num_queries(12):
        assert len(offers(page, actor, pick="tag")) == MAX_CHOICES
    for pick in ("state", "kind", "since", "person", "schema", "prompt", "value"):
        with django_assert_max_num_queries(24):
            offers(page, actor, pick=pick)


def test_the_number_of_many_matches_is_fetched_after_the_rows(page: Client, actor: Actor) -> None:
    first = Document.objects.first()
    assert first
    Document.objects.bulk_create(
        Document(organization=actor.organization, name=f"x{n}.pdf", name_folded=f"x{n}.pdf", size=1, sha256="0" * 64)
        for n in range(PAGE + 1)
    )
    text = page.get(list_of(actor), {"q": "x"}).text
    address = reverse("document-count", args=[actor.organization.pk])
    assert f'hx-get="{address}?q=x"' in text and f"over {PAGE} of {PAGE + 3}" in text
    assert f"{PAGE + 1} of {PAGE + 3}" in page.get(address, {"q": "x"}).text
    assert address not in page.get(list_of(actor), {"q": "a.pdf"}).text


@pytest.mark.parametrize(
    ("matches", "total", "words"),
    [
        (0, 0, ""),
        (3, 3, "3"),
        (212, 4897, "212 of 4,897"),
        (212, MAX_EXACT + 1, "212 of 10,000+"),
        (MAX_EXACT + 1, MAX_EXACT + 1, "10,000+"),
        (MAX_EXACT, MAX_EXACT, "10,000"),
    ],
)
def test_counts_are_exact_as_far_as_people_read_them(matches: int, total: int, words: str) -> None:
    assert format_matches(matches, total) == words


def small_lines(text: str) -> list[str]:
    """Under each name."""
    lines = re.findall(r'<small class="cut">(.*?)</small>', text, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", "", unescape(line)).split()) for line in lines]


def test_each_row_shows_the_values_that_the_list_is_narrowed_and_sorted_by(page: Client, actor: Actor) -> None:
    conditions = ["total > 10", 'number = "inv-1"', "total < 5000", "iban is empty"]
    text = page.get(list_of(actor), {"value": conditions, "order_by": "-value"}).text
    assert small_lines(text) == [f"total {total}, number INV-1, PDF, 1 page" for total in ("1200.50", "42.00")]
    assert small_lines(page.get(list_of(actor)).text) == ["PDF, 1 page"] * 2
    row = re.findall(r'data-refresh="([^"]+/row[^"]*)"', text)[0]
    assert small_lines(page.get(unescape(row)).text) == ["total 1200.50, number INV-1, PDF, 1 page"]


def test_a_row_shows_metadata_and_of_many_values_one_that_matches(page: Client, actor: Actor) -> None:
    document = Document.objects.get(name="a.pdf")
    document_changes.change_metadata(actor, document=document, key="Court", value="Brno", value_seen=None)
    query = {"value": ["metadata.Court = brno", "line_items.amount < 18"]}
    answer = page.get(list_of(actor), query, headers=HTMX)
    assert small_lines(answer.text) == ["metadata.Court Brno, line_items.amount 15, PDF, 1 page"]


def test_a_row_shows_a_number_as_the_fields_do(actor: Actor) -> None:
    document = Document.objects.get(name="a.pdf")
    CurrentValue.objects.filter(document=document, path="total").update(text="17116.55", number="17116.55")
    values = load_row_values([document], [parse_condition("total > 10")], {document.pk: {"total": 17116.55}})
    assert [value.text for value in values[document.pk]] == ["17,116.55"]
