"""Questions about current values: filters, columns, groups and what is computed of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from documents.definitions import prompts
from documents.find.fields import FieldTable, parse_query, query_fields
from documents.models import CurrentValue, Document, SchemaRevision, Tag
from kit.errors import Invalid
from tests.documents.checked_invoice import make_prompt, store_invoice, store_run
from tests.documents.reading_rows import document_with

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
LINES = [{"amount": 20, "sku": "A"}, {"amount": 15.1, "sku": "B"}]


@pytest.fixture
def invoices(actor: Actor) -> list[Document]:
    prompt = make_prompt(actor, [])
    rows = (
        ("a.pdf", {"number": "ACME 1", "total": "0.10", "invoice_date": "2026-01-05", "currency": "EUR"}),
        ("b.pdf", {"number": "ACME 2", "total": "0.20", "invoice_date": "2026-01-31", "currency": "USD"}),
        ("c.pdf", {"number": "0042", "total": "1000", "invoice_date": "2026-02-01", "currency": "EUR"}),
        ("d.pdf", {"number": "Zeta", "total": None, "invoice_date": None, "currency": None}),
    )
    return [store_invoice(actor, prompt, name, line_items=LINES, **more).document for name, more in rows]


@pytest.fixture
def euros(invoices: list[Document]) -> list[Document]:
    CurrentValue.objects.filter(path="currency").update(text="eur")
    return invoices


def ask(actor: Actor, *filters: Sequence[object], **more: Any) -> FieldTable:
    listed = [dict(zip(("field", "operator", "value"), each, strict=False)) for each in filters]
    return query_fields(actor, filters=listed, **more)


def names(table: FieldTable) -> list[str]:
    return sorted(row.document_name for row in table.rows)


def cells(table: FieldTable) -> list[list[Any]]:
    return [[cell[0] if cell else None for cell in row.cells.values()] for row in table.rows]


CASES: list[tuple[tuple[object, ...], str]] = [
    (("total", "gt", 0.15), "b c"),
    (("total", "ge", "0.20"), "b c"),
    (("total", "lt", 0.2), "a"),
    (("total", "le", 0.2), "a b"),
    (("total", "eq", 1000), "c"),
    (("total", "ne", 1000), "a b d"),
    (("total", "empty"), "d"),
    (("total", "empty", False), "a b c"),
    (("number", "eq", "acme 1"), "a"),
    (("number", "eq", "0042"), "c"),
    (("number", "eq", "042"), ""),
    (("number", "contains", "ACME"), "a b"),
    (("number", "contains", "%"), ""),
    (("currency", "in", ["usd", "CHF"]), "b"),
    (("invoice_date", "ge", "2026-01-31"), "b c"),
    (("line_items.sku", "eq", "a"), "a b c d"),
    (("line_items.sku", "ne", "A"), ""),
    (("@name", "contains", "B.P"), "b"),
    (("@name", "ne", "b.pdf"), "a c d"),
    (("@kind", "in", ["pdf", "png"]), "a b c d"),
    (("@kind", "ne", "pdf"), ""),
    (("@tag", "eq", "Paid"), "a"),
    (("@tag", "ne", "Paid"), "b c d"),
    (("@tag", "empty"), "b c d"),
    (("@uploaded", "lt", "2020-01-01"), ""),
    (("@uploaded", "ge", "2020-01-01"), "a b c d"),
    (("@uploaded_by", "eq", "nobody"), ""),
]


def test_each_operator_leaves_its_documents(actor: Actor, invoices: list[Document]) -> None:
    invoices[0].tags.add(Tag.objects.create(organization=actor.organization, name="Paid"))
    for condition, documents in CASES:
        table = ask(actor, condition)
        assert names(table) == [f"{name}.pdf" for name in documents.split()], condition
        assert table.total_documents == len(documents.split())


def test_columns_are_as_they_were_written_with_the_newest_document_first(
    actor: Actor, invoices: list[Document]
) -> None:
    table = ask(actor, ("number", "contains", "acme"), columns=["number", "total", "invoice_date", "@name"])
    assert cells(table) == [["ACME 2", "0.20", "2026-01-31", "b.pdf"], ["ACME 1", "0.10", "2026-01-05", "a.pdf"]]
    assert table.searched == "number contains acme" and not table.notes


def test_pages_of_rows_follow_each_other(actor: Actor, invoices: list[Document]) -> None:
    first, last = ask(actor, limit=3), ask(actor, limit=3, skip=3)
    assert (names(first), first.has_more) == (["b.pdf", "c.pdf", "d.pdf"], True)
    assert (names(last), last.has_more, last.total_documents) == (["a.pdf"], False, 4)


def test_a_field_of_rows_has_a_row_of_the_answer_for_each(actor: Actor, invoices: list[Document]) -> None:
    of_one = ("number", "eq", "Zeta")
    table = ask(actor, of_one, columns=["number", "line_items.sku", "line_items.amount"])
    assert cells(table) == [["Zeta", "A", 20], ["Zeta", "B", 15.1]] and table.rows[0].row
    for condition in (("line_items.amount", "gt", 16), ("line_items.sku", "ne", "b")):
        assert cells(ask(actor, of_one, condition, columns=["line_items.sku"])) == [["A"]]


def test_sums_are_exact_and_say_what_is_missing(actor: Actor, euros: list[Document]) -> None:
    functions = [{"function": each, "field": "total"} for each in ("sum", "avg", "min", "max", "count")]
    table = ask(actor, ("currency", "ne", "CHF"), aggregates=[*functions, {"function": "count"}])
    amounts = [Decimal("1000.30"), Decimal("333.433333"), Decimal("0.10"), Decimal("1000.00"), 3, 4]
    assert cells(table) == [amounts]
    assert table.notes == ["No value of total in 1 of 4 documents.", "Values of total are in EUR."]


@pytest.mark.parametrize(
    ("by", "rows"),
    [
        ("month", [[None, None], ["2026-01", Decimal("0.30")], ["2026-02", Decimal(1000)]]),
        ("year", [[None, None], ["2026", Decimal("1000.30")]]),
    ],
)
def test_groups_are_by_month_and_year(actor: Actor, euros: list[Document], by: str, rows: list[list[Any]]) -> None:
    total = [{"function": "sum", "field": "total"}]
    assert cells(ask(actor, group={"field": "invoice_date", "by": by}, aggregates=total)) == rows


def test_groups_by_a_value_have_those_of_most_documents_first(actor: Actor, invoices: list[Document]) -> None:
    assert cells(ask(actor, group={"field": "currency"})) == [["EUR", 2], [None, 1], ["USD", 1]]


def test_values_of_rows_are_grouped_by_their_own_row(actor: Actor, euros: list[Document]) -> None:
    amount = [{"function": "sum", "field": "line_items.amount"}, {"function": "sum", "field": "total"}]
    table = ask(actor, group={"field": "line_items.sku"}, aggregates=amount)
    assert cells(table) == [
        ["A", Decimal(80), Decimal("1000.30")],
        ["B", Decimal("60.40"), Decimal("1000.30")],
    ]


def test_a_value_of_the_whole_counts_once_however_many_rows_it_has(actor: Actor, euros: list[Document]) -> None:
    sums = [{"function": "sum", "field": name} for name in ("line_items.amount", "total")]
    assert cells(ask(actor, aggregates=sums)) == [[Decimal("140.40"), Decimal("1000.30")]]


def test_amounts_in_several_currencies_are_computed_apart(actor: Actor, invoices: list[Document]) -> None:
    functions = [{"function": each, "field": "total"} for each in ("sum", "max")]
    table = ask(actor, aggregates=functions)
    assert [[*cell] for cell in table.rows[0].cells.values()] == [
        ["EUR 1000.10", "USD 0.20"],
        ["EUR 1000.00", "USD 0.20"],
    ]
    assert table.notes[-1] == "Values of total are in EUR and USD: what is computed of them has a figure for each."
    of_rows = ask(actor, aggregates=[{"function": "sum", "field": "line_items.amount"}])
    assert next(iter(of_rows.rows[0].cells.values())) == ["EUR 70.20", "USD 35.10", "without a currency 35.10"]
    one = ask(actor, group={"field": "currency"}, aggregates=[{"function": "sum", "field": "total"}])
    assert cells(one) == [["EUR", Decimal("1000.10")], [None, None], ["USD", Decimal("0.20")]]


def test_amounts_without_a_currency_are_taken_for_the_same_and_said(actor: Actor, invoices: list[Document]) -> None:
    CurrentValue.objects.filter(path="currency", text="usd").delete()
    table = ask(actor, aggregates=[{"function": "sum", "field": "total"}])
    assert cells(table) == [[Decimal("1000.30")]]
    assert table.notes[-1] == "Values of total without a currency, which are taken for the same: 1 of 3."


def test_days_have_a_first_and_a_last_one(actor: Actor, invoices: list[Document]) -> None:
    ends = [{"function": each, "field": "invoice_date"} for each in ("min", "max")]
    assert cells(ask(actor, aggregates=ends)) == [[date(2026, 1, 5), date(2026, 2, 1)]]


def test_a_value_of_two_prompts_counts_twice_and_says_so(actor: Actor, euros: list[Document]) -> None:
    schema = SchemaRevision.objects.get()
    prompt = prompts.create(actor, name="Other", content="Read it.", schema_revision=schema)
    store_run(actor, prompt, euros[0], {"total": "5"})
    table = ask(actor, ("@name", "eq", "a.pdf"), aggregates=[{"function": "sum", "field": "total"}])
    assert cells(table) == [[Decimal("5.10")]]
    several = "Documents with several values of total, each of which counts: 1."
    assert table.notes == [several, "Values of total are in EUR."]


def test_nothing_is_seen_of_the_trash_of_others_or_beyond_the_scope(
    actor: Actor, stranger: Actor, euros: list[Document]
) -> None:
    Document.objects.filter(pk=euros[0].pk).update(trashed_at="2026-01-01T00:00Z")
    total = [{"function": "sum", "field": "total"}]
    assert cells(ask(actor, aggregates=total)) == [[Decimal("1000.20")]]
    scope = Document.objects.filter(name="b.pdf")
    assert cells(ask(actor, aggregates=total, documents=scope)) == [[Decimal("0.20")]]
    with pytest.raises(Invalid, match="No document has a field “total”"):
        ask(stranger, columns=["total"])
    make_prompt(stranger, [])
    document_with(stranger.organization, ["x"], name="theirs.pdf")
    assert cells(ask(stranger, columns=["@name", "total"])) == [["theirs.pdf", None]]
    assert names(ask(stranger, documents=Document.objects.all())) == ["theirs.pdf"]


def test_where_nothing_is_left_it_says_what_was_asked(actor: Actor, invoices: list[Document]) -> None:
    table = ask(actor, ("number", "lt", "2026-01-01"), ("total", "gt", 5))
    assert table.notes == [
        "Nothing was left of the documents by: number lt 2026-01-01 and total gt 5.",
        "No value of number can be read as a day.",
    ]


@pytest.mark.parametrize(
    ("condition", "proposed"),
    [
        (("number", "eq", "ACNE 1"), "No value of number is like that; there are “acme 1”, “acme 2”."),
        (
            ("number", "contains", "bolt"),
            "No value of number is like that; there are “0042”, “acme 1”, “acme 2”, “zeta”.",
        ),
        (("currency", "in", ["CHF", "GBP"]), "No value of currency is like that; there are “eur”, “usd”."),
    ],
)
def test_where_a_text_is_nowhere_others_are_proposed(
    actor: Actor, invoices: list[Document], condition: tuple[Any, ...], proposed: str
) -> None:
    table = ask(actor, condition, columns=["number"])
    assert not table.rows and table.notes[1:] == [proposed]
    Document.objects.filter(name__in=["a.pdf", "b.pdf"]).update(trashed_at=timezone.now())
    assert "acme" not in str(ask(actor, condition, columns=["number"]).notes[1:])
    assert ask(actor, ("number", "eq", "zeta"), ("total", "gt", 5), columns=["number"]).notes[1:] == []


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ({"filters": "total > 5"}, "filters is a list"),
        ({"filters": [{"field": "total"}]}, "no operator “None”"),
        ({"filters": [{"field": "total", "operator": "eq; DROP", "value": 1}]}, "The operators are eq, ne"),
        ({"filters": [{"field": "", "operator": "eq", "value": 1}]}, "A filter is an object"),
        ({"filters": [{"field": "total", "operator": "gt", "value": "many"}]}, "is no number and no day"),
        ({"filters": [{"field": "total", "operator": "eq", "value": None}]}, "compared with a text"),
        ({"filters": [{"field": "total", "operator": "eq", "value": 1e30}]}, "no number of 17 figures"),
        ({"filters": [{"field": "total", "operator": "in", "value": []}]}, "list of 1 to 50"),
        ({"filters": [{"field": "total", "operator": "empty", "value": "x"}]}, "true or false"),
        ({"filters": [{"field": "total", "operator": "eq", "value": 1}] * 11}, "10 are the most"),
        ({"columns": ["@nme"]}, "no column “@nme”"),
        ({"columns": [5]}, "names of fields"),
        ({"columns": ["total"], "aggregates": [{"function": "count"}]}, "not for both"),
        ({"aggregates": [{"function": "median", "field": "total"}]}, "no aggregate “median”"),
        ({"aggregates": [{"function": "sum"}]}, "sum needs a field"),
        ({"group": {"field": "total", "by": "week"}}, "“week” is none of them"),
        ({"group": "total"}, "A group is an object"),
    ],
)
def test_what_cannot_be_asked_gets_a_sentence(question: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Invalid) as caught:
        parse_query(**question)
    assert sentence.lower() in caught.value.sentence.lower()


UNKNOWN: list[tuple[dict[str, Any], str]] = [
    ({"filters": [{"field": "@uploaded", "operator": "gt", "value": 5}]}, "compared with a day"),
    ({"filters": [{"field": "@name", "operator": "gt", "value": 5}]}, "@name is a text"),
    ({"filters": [{"field": "@kind", "operator": "contains", "value": "p"}]}, "ending of a file"),
    ({"filters": [{"field": "@uploaded", "operator": "le", "value": "9999-12-31"}]}, "too late a day"),
    ({"columns": ["totl"]}, "no document has a field “totl”. There are total"),
    ({"limit": 0}, "1 to 200 rows"),
    ({"skip": 10_000}, "2,000 at most"),
]


def test_a_field_without_a_visible_letter_is_none(actor: Actor) -> None:
    for name in ("\0", " \0 "):
        with pytest.raises(Invalid, match="names of fields"):
            query_fields(actor, aggregates=[{"function": "sum", "field": name}])


def test_what_this_organization_cannot_be_asked_gets_a_sentence(actor: Actor) -> None:
    make_prompt(actor, [])
    for question, sentence in UNKNOWN:
        with pytest.raises(Invalid) as caught:
            query_fields(actor, **question)
        assert sentence.lower() in caught.value.sentence.lower()


def test_what_is_no_number_is_left_out_and_said(actor: Actor, invoices: list[Document]) -> None:
    table = ask(actor, aggregates=[{"function": "sum", "field": "number"}])
    assert table.notes == ["Values of number that are neither one number nor one day, and are left out: 3."]
