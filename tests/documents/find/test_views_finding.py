"""The bar of filters above the documents, its chips, heads and counts, through the page's real URLs."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from accounts.actor import Actor
from documents import document_changes
from documents.find.filters.value_conditions import parse_condition
from documents.models import CurrentValue, Document
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
    address = reverse("document-filters", args=[actor.organization.pk])
    text = page.get(address, {"value": "total > 1"}).text
    assert text.count('<option value="Invoice">') == 2
    assert 'value="line_items.amount = "' in text
    assert "total, falling" in text and 'name="value" value="total &gt; 1"' in text


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
