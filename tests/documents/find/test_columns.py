"""Columns of the documents list: values in the rows, their order, what is kept for whom, and sums of a selection."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from dataclasses import replace
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest
from django.urls import reverse
from django.utils.html import strip_tags
from pytest_django import DjangoAssertNumQueries

from accounts.actor import Actor
from accounts.models import Role
from documents import document_changes
from documents.extractions import edits
from documents.find import saved_views
from documents.find.columns import DEFAULT, Column, choose_columns, parse_columns, read_columns
from documents.find.field_kinds import describe_fields
from documents.find.fields import sum_fields
from documents.find.filters import parse_filter
from documents.models import ColumnChoice, CurrentValue, Document, SavedView
from documents.types.catalogue import find_type
from documents.types.telling import set_type
from kit.errors import Invalid
from tests.documents.checked_invoice import INVOICE, make_prompt, store_invoice, store_run
from tests.documents.find.searches import add_document
from tests.documents.listing_pages import SignedIn, list_of, page  # noqa: F401 - page is a fixture
from tests.documents.reading_rows import document_with
from tests.page_client import PageClient as Client

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
# By name: whole numbers beyond 9 before 10, days out of their order as texts, and one document without any value.
INVOICES: dict[str, dict[str, Any]] = {
    "a.pdf": {"tax": 10, "iban": "Bolt", "due_date": "2027-03-01", "currency": "EUR"},
    "b.pdf": {"tax": 9.5, "iban": "acme", "due_date": "2026-12-31", "currency": "EUR"},
    "c.pdf": {"tax": 1200.25, "iban": "Zed", "due_date": None, "currency": "USD"},
    "d.pdf": {"tax": None, "iban": None, "due_date": "2026-01-01", "currency": "EUR"},
}


@pytest.fixture
def invoices(actor: Actor) -> list[Document]:
    prompt = make_prompt(actor, [])
    stored = [store_invoice(actor, prompt, name, **values).document for name, values in INVOICES.items()]
    return [*stored, document_with(actor.organization, ["Letter"], name="letter.pdf")]


def list_names(actor: Actor, last: Document | None = None, *, is_turned: bool = False, **query: str) -> list[str]:
    parsed = parse_filter(actor, {name: [value] for name, value in query.items()})
    assert not parsed.refusals
    if is_turned:
        parsed = replace(parsed, order=parsed.order.turn())
    parts = parsed.list_parts(parsed.apply(Document.objects.for_org(actor.organization)), last)
    return [document.name for part in parts for document in part]


def read_words(html: str) -> str:
    return " ".join(strip_tags(html.replace("<", " <")).split())


def read_rows(text: str) -> dict[str, list[str]]:
    """By the name of a document the words of its cells, from the first behind the name to the last before the buttons."""
    rows = [row.partition("</tr>")[0].split("<td")[1:] for row in text.split("<tr")[1:] if "data-document=" in row]
    cells = [[read_words(f"<td{cell}") for cell in row] for row in rows]
    return {row[1].split()[1]: row[2:-2] for row in cells}


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("value:tax", ["b.pdf", "a.pdf", "c.pdf", "letter.pdf", "d.pdf"]),
        ("-value:tax", ["c.pdf", "a.pdf", "b.pdf", "letter.pdf", "d.pdf"]),
        ("value:due_date", ["d.pdf", "b.pdf", "a.pdf", "letter.pdf", "c.pdf"]),
        ("value:currency", ["a.pdf", "b.pdf", "d.pdf", "c.pdf", "letter.pdf"]),
        ("-value:currency", ["c.pdf", "d.pdf", "b.pdf", "a.pdf", "letter.pdf"]),
        ("-value:line_items.amount", ["d.pdf", "c.pdf", "b.pdf", "a.pdf", "letter.pdf"]),
        ("-value:iban", ["c.pdf", "a.pdf", "b.pdf", "letter.pdf", "d.pdf"]),
        ("value:metadata.batch", ["b.pdf", "a.pdf", "letter.pdf", "d.pdf", "c.pdf"]),
        ("value:nowhere", ["letter.pdf", "d.pdf", "c.pdf", "b.pdf", "a.pdf"]),
        ("kind", ["letter.pdf", "d.pdf", "c.pdf", "b.pdf", "a.pdf"]),
    ],
)
def test_it_sorts_by_the_values_of_a_field_and_empty_ones_come_last(actor, invoices, order: str, expected) -> None:
    for document, batch in zip(invoices[:2], ("10", "9"), strict=True):
        document_changes.update(actor, document=document, metadata={"batch": batch})
    assert list_names(actor, order_by=order) == expected
    for at, name in enumerate(expected):
        last = Document.objects.get(name=name)
        assert list_names(actor, last, order_by=order) == expected[at + 1 :]
        assert list_names(actor, last, order_by=order, is_turned=True) == expected[:at][::-1]
    assert list_names(actor, order_by=order, q="a.pdf") == ["a.pdf"]


@pytest.mark.parametrize(
    ("texts", "refusal"),
    [
        (["@nothing"], "There is no column “@nothing” of documents."),
        (["total:3"], "A column is 4 to 60 wide; 3 is not."),
        (["x" * 201], "A column is a field such as total"),
        (
            [f"f{number}" for number in range(17)],
            "There are 17 columns after the name; 16 are the most. Hide one first.",
        ),
    ],
)
def test_it_refuses_what_is_no_column(actor: Actor, texts: list[str], refusal: str) -> None:
    with pytest.raises(Invalid, match=refusal):
        parse_columns(texts)
    [refused] = parse_filter(actor, {"column": texts}).refusals
    assert refused.sentence.startswith(refusal)


def test_the_address_says_columns_and_their_widths() -> None:
    columns = parse_columns(["total:12", "odd:7:0", "total:9", "@state", "a,b"])
    assert columns == (Column("@name"), Column("total", 9), Column("odd:7"), Column("@state"), Column("a,b"))
    assert parse_columns([column.text for column in columns]) == columns
    assert parse_columns([]) == () and parse_columns(["@name"]) == (Column("@name"),)


def test_a_field_is_read_as_its_schema_says_else_as_its_values_look(actor: Actor, invoices: list[Document]) -> None:
    document_changes.update(actor, document=invoices[0], metadata={"batch": "10", "city": "Ostrava"})
    paths = ("tax", "due_date", "iban", "total", "number", "line_items.amount", "metadata.batch", "metadata.city", "no")
    kinds = describe_fields(actor.organization, paths)
    assert [kinds[path].column for path in paths] == [
        *("number", "day", "text", "number", "text", "number", "number", "text", "text"),
    ]
    assert kinds["due_date"].title == "Due date"


def test_rows_have_the_values_of_their_columns(page: Client, actor: Actor, invoices: list[Document]) -> None:
    run = invoices[1].extractions.get()
    edits.set_field(actor, extraction=run, where="tax", value=1234.5)
    edits.verify(actor, extraction=run, where="iban")
    set_type(actor, document=invoices[1], document_type=find_type(actor.organization, "invoice"))
    query = {
        "column": ["@name", "tax", "due_date", "iban", "line_items.amount", "@type", "@kind", "@verified_by", "@checks"]
    }
    text = page.get(list_of(actor), query).text
    assert read_rows(text)["b.pdf"] == [
        *("Edited: 1,234.50", "Not located: 31 Dec 2026", "acme", "Not located: 20 +1", "Invoice", "PDF", "", ""),
    ]
    assert read_rows(text)["letter.pdf"] == ["", "", "", "", "", "PDF", "", ""]
    assert '<th class="c-value r w-8"' in text and "Due date</a>" in text
    actor.user.format_locale = "de-DE"
    actor.user.save()
    assert read_rows(page.get(list_of(actor), query).text)["b.pdf"][:2] == [
        *("Edited: 1.234,50", "Not located: 31. Dez. 2026"),
    ]


def test_more_rows_cost_no_more_statements(
    page: Client, actor: Actor, invoices: list[Document], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    columns = ["@name", "tax", "due_date", "iban", "metadata.batch", "@verified_by"]
    query = {"order_by": "-value:tax", "column": columns}
    page.get(list_of(actor), query)
    with django_assert_num_queries(1_000, exact=False) as few:
        page.get(list_of(actor), query)
    prompt = invoices[0].extractions.get().prompt_revision
    for number in range(8):
        store_invoice(actor, prompt, f"further {number}.pdf", tax=number)
    with django_assert_num_queries(len(few)):
        page.get(list_of(actor), query)


def choose(client: Client, actor: Actor, *columns: str, query: str = "", **more: str) -> str:
    """The query of the address that the answer leads to."""
    answer = client.post(reverse("columns", args=[actor.organization.pk]), {"column": columns, "query": query, **more})
    assert answer.status_code == 302, answer.text
    return answer.url.partition("?")[2]


def list_heads(client: Client, actor: Actor, query: str = "") -> list[str]:
    text = client.get(f"{list_of(actor)}?{query}").text
    return [part.split('"')[0] for part in text.split('data-column="')[1:]]


def test_columns_are_kept_for_a_person_in_an_organization(page, client, actor, member, signed_in, invoices) -> None:
    begin = [column.name for column in DEFAULT]
    assert list_heads(page, actor) == begin
    assert choose(page, actor, "@name:30", "tax", "@tag") == ""
    assert list_heads(page, actor) == ["@name", "tax", "@tag"]
    widened = page.post(reverse("column-width", args=[actor.organization.pk]), {"column": "tax:9"})
    assert (widened.status_code, widened.text) == (200, "")
    assert [column.text for column in read_columns(actor)] == ["@name:30", "tax:9", "@tag"]
    other = member(Role.VIEWER)
    assert list_heads(signed_in(Client(), other), other) == begin
    choose(page, actor, reset="1")
    assert list_heads(page, actor) == begin and not ColumnChoice.objects.exists()


@pytest.mark.parametrize("stored", [[], ["@gone", "tax"], ["tax:99"]])
def test_a_choice_that_says_nothing_any_more_is_none(actor: Actor, stored: list[str]) -> None:
    ColumnChoice.objects.create(organization=actor.organization, user=actor.user, columns=stored)
    assert read_columns(actor) == DEFAULT


def test_a_saved_view_carries_its_columns(page: Client, actor: Actor, member, signed_in, invoices) -> None:
    view = saved_views.create(actor, name="Unpaid", query="value=tax+%3E+1&column=%40name&column=tax", is_shared=True)
    assert list_heads(page, actor, view.query) == ["@name", "tax"]
    changed = choose(page, actor, "@name", "tax:9", "due_date", query=view.query)
    view.refresh_from_db()
    assert changed == f"{view.query}#column-3", "it goes to the column that is new"
    assert view.query.endswith("column=tax%3A9&column=due_date")
    assert not ColumnChoice.objects.exists() and read_columns(actor) == DEFAULT
    viewer = member(Role.VIEWER)
    theirs = choose(signed_in(Client(), viewer), viewer, "@name", "iban", query=view.query)
    assert theirs.endswith("column=iban#column-2")
    view.refresh_from_db()
    assert changed == f"{view.query}#column-3"


def test_what_is_chosen_stands_in_the_view_that_is_saved_next(page: Client, actor: Actor, invoices) -> None:
    choose_columns(actor, parse_columns(["tax"]))
    assert "query=column%3D%2540name%26column%3Dtax" in page.get(list_of(actor)).text


def test_another_organization_has_neither_fields_nor_views_nor_values(
    page, actor, stranger, signed_in, invoices
) -> None:
    view = saved_views.create(actor, name="Ours", query="column=tax", is_shared=True)
    theirs = signed_in(Client(), stranger)
    offered = theirs.get(reverse("columns", args=[stranger.organization.pk])).text
    assert "Tax" in page.get(reverse("columns", args=[actor.organization.pk])).text and "Tax" not in offered
    choose(theirs, stranger, "@name", "iban", query=view.query)
    assert SavedView.objects.get().query == view.query
    ids = " ".join(document.pk for document in invoices)
    mine = document_with(stranger.organization, ["Letter"], name="mine.pdf")
    answer = theirs.post(
        reverse("column-sums", args=[stranger.organization.pk]), {"ids": f"{ids} {mine.pk}", "shown": "column=tax"}
    )
    assert "1," not in answer.text
    [added] = sum_fields(stranger, fields=["tax"], documents=Document.objects.all())
    assert (added.total, added.number) == ([], [0])
    assert added.notes == ["No value of tax in 1 of 1 documents."]


def test_the_foot_adds_up_what_is_selected(page: Client, actor: Actor, invoices: list[Document]) -> None:
    address = reverse("column-sums", args=[actor.organization.pk])
    shown = "column=tax&column=iban&column=line_items.amount"

    def add_up(**sent: str) -> str:
        return read_words(page.post(address, {"shown": shown, **sent}).text)

    two = " ".join(document.pk for document in invoices[:2])
    assert "Tax Sum 19.50 Mean 9.75 Values 2 Values of tax are in EUR." in add_up(ids=two)
    assert "Line items" not in add_up(ids=two) and "Amount Sum 70 Mean 17.50 Values 4" in add_up(ids=two)
    everything = add_up(all="1")
    assert "Tax Sum EUR 19.50 · USD 1,200.25 Mean EUR 9.75 · USD 1,200.25 Values 3" in everything
    assert "No value of tax in 2 of 5 documents." in everything
    assert "Tax Sum USD 1,200.25 Mean" not in everything
    assert "Tax Sum 1,200.25" in add_up(all="1", query="value=tax+%3E+100")
    assert add_up(ids=two, shown="column=iban") == add_up(shown="") == ""
    CurrentValue.objects.filter(path="currency").delete()
    assert "Amount Sum 70 without a currency Mean 17.50" in add_up(ids=two)
    assert "There is no tag “gone” here." in add_up(all="1", query="tag=gone")


@pytest.mark.parametrize(
    ("words", "shown", "address"),
    [
        ("rechnung", "Page 2 …that stand before <Rechnung> 2026-0815 of ACME", ".2.1.9"),
        ('"2026-0815 of"', "Page 2 …stand before Rechnung <2026-0815 of> ACME", ".2.1.10,2.1.11"),
        ("fitt", "Page 1 <Fittings> & Co", ".1.1.1"),
        ("acme -fittings", "Page 2 …Rechnung 2026-0815 of <ACME>", ".2.1.12"),
        ("invoice", "", ""),
        ("bolt", "iban <bolt>", ""),
        ("acme is:untagged", "Page 2 …Rechnung 2026-0815 of <ACME>", ".2.1.12"),
    ],
)
def test_a_row_says_where_the_words_stand(page: Client, actor: Actor, words: str, shown: str, address: str) -> None:
    before = "Many of the other words that stand before Rechnung 2026-0815 of ACME"
    document = add_document(actor.organization, ["Fittings & Co"], [before], name="invoice.pdf")
    prompt = make_prompt(actor, [])
    store_run(actor, prompt, document, {**INVOICE, "iban": "Bolt"})
    text = page.get(list_of(actor), {"q": words}, follow=True).text
    line = text.partition('class="hit-line"')[2].partition("</a>")[0]
    marked = line.partition(">")[2].replace("<mark>", "&lt;").replace("</mark>", "&gt;")
    assert unescape(read_words(marked)) == shown
    reading = document.readings.get()
    assert (f"at={reading.pk}{quote(address)}&amp;list=q%3D" in line) == bool(address)
