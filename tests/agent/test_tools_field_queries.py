"""Values of many documents as a table, in groups and in sums: what the agent asks, and how it is answered."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents.find.fields.tables import MAX_SOURCES
from documents.models import Document, Extraction
from tests.agent.tool_documents import Do, document  # noqa: F401 - document is a fixture
from tests.documents.checked_invoice import make_prompt, store_invoice
from tests.documents.find.test_field_queries import euros, invoices  # noqa: F401 - they are fixtures

pytestmark = pytest.mark.django_db


def test_sums_are_answered_digit_for_digit(document: Document, euros: list[Document], do: Do) -> None:
    answer = do(
        "query_fields",
        filters=[{"field": "number", "operator": "contains", "value": "acme"}],
        aggregate=[{"function": "sum", "field": "total"}, {"function": "count"}],
    ).result
    assert (answer["rows"], answer["total_documents"]) == ([{"sum(total)": "0.30", "count(documents)": 2}], 2)
    assert answer["notes"] == ["Values of total are in EUR."]
    assert answer["searched"] == "number contains acme"


def test_rows_name_their_documents_and_the_scope_narrows(
    document: Document, invoices: list[Document], do: Do, actor: Actor
) -> None:
    answer = do("query_fields", columns=["number", "line_items.sku"], limit=1).result
    (row,) = answer["rows"]
    assert row["document_name"] in {"a.pdf", "b.pdf", "c.pdf", "d.pdf"} and row["document_id"] and "more" in answer
    nothing = do(
        "query_fields", columns=["number"], filters=[{"field": "total", "operator": "gt", "value": 1e6}]
    ).result
    assert nothing["rows"] == [] and "Nothing was left" in nothing["notes"][0]


def test_a_row_names_the_lines_of_its_values_and_they_can_be_cited(
    document: Document, invoices: list[Document], do: Do
) -> None:
    for run in Extraction.objects.filter(document__in=invoices[:2]):
        place = {"page": 1, "blocks": ["1.1.1"], "state": "exact"}
        row_id = run.current["line_items"][0]["row_id"]
        run.provenance = {"number": place, "total": {**place, "blocks": ["1.2"]}, f"line_items[{row_id}].sku": place}
        run.save()
    query = {"filters": [{"field": "number", "operator": "contains", "value": "acme"}]}
    rows = do("query_fields", columns=["@name", "number", "total"], **query).result["rows"]
    lines = sorted((row["block_ids"]["number"], row["block_ids"]["total"]) for row in rows)
    assert lines == [("D1:1.1", "D1:1.2"), ("D2:1.1", "D2:1.2")]
    short = do("query_fields", columns=["@name", "number", "total"], detail="concise", **query).result["rows"]
    assert short == [{name: value for name, value in row.items() if name != "block_ids"} for row in rows]
    rows = do("query_fields", columns=["line_items.sku"], **query).result["rows"]
    assert {row["line_items.sku"]: "block_ids" in row for row in rows} == {"A": True, "B": False}
    cited = do("cite_source", cited_text="Invoice", block_id=rows[0]["block_ids"], citation_number=1).result
    assert cited["document_id"] == rows[0]["document_id"] and cited["page"] == 1


def test_a_sum_names_the_lines_of_what_it_adds_up(document: Document, euros: list[Document], do: Do) -> None:
    _locate_totals(euros[:2])
    aggregates = [{"function": name, "field": "total"} for name in ("sum", "max", "count")]
    query = {"filters": [{"field": "number", "operator": "contains", "value": "acme"}], "aggregate": aggregates}
    (row,) = do("query_fields", **query).result["rows"]
    assert sorted(row["block_ids"]["sum(total)"]) == ["D1:1.2", "D2:1.2"] and "count(total)" not in row["block_ids"]
    largest = do("query_fields", columns=["@name", "total"], **{**query, "aggregate": None}).result["rows"]
    lines = {line["total"]: line["block_ids"] for line in largest}
    assert row["block_ids"]["max(total)"] == lines[row["max(total)"]]


def test_a_group_is_named_as_it_is_written_and_by_one_of_its_lines(
    document: Document, invoices: list[Document], do: Do
) -> None:
    for run in Extraction.objects.filter(document__in=invoices):
        run.provenance = {"currency": {"page": 1, "blocks": ["1.1"], "state": "exact"}}
        run.save()
    rows = do("query_fields", group={"field": "currency"}, aggregate=[{"function": "count"}]).result["rows"]
    lines = {row["currency"]: row.get("block_ids") for row in rows}
    assert sorted(lines, key=str) == ["EUR", None, "USD"] and lines[None] is None
    assert {lines["EUR"], lines["USD"]} == {"D1:1.1", "D2:1.1"}


def test_a_sum_names_all_its_lines_or_none(document: Document, invoices: list[Document], do: Do) -> None:
    _locate_totals(invoices[:1])
    query = {"filters": [{"field": "number", "operator": "contains", "value": "acme"}]}
    (row,) = do("query_fields", aggregate=[{"function": "sum", "field": "total"}], **query).result["rows"]
    assert "block_ids" not in row


@pytest.mark.parametrize(("count", "are_named"), [(MAX_SOURCES, True), (MAX_SOURCES + 1, False)])
def test_a_sum_of_many_names_none_of_its_lines(
    document: Document, actor: Actor, do: Do, count: int, are_named: bool
) -> None:
    prompt = make_prompt(actor, [])
    runs = [store_invoice(actor, prompt, f"{at}.pdf", number="Many", total=str(at)) for at in range(1, count + 1)]
    _locate_totals([run.document for run in runs])
    query = {"filters": [{"field": "number", "operator": "eq", "value": "Many"}]}
    (row,) = do("query_fields", aggregate=[{"function": "sum", "field": "total"}], **query).result["rows"]
    assert ("block_ids" in row) == are_named and float(row["sum(total)"]) == count * (count + 1) / 2


def _locate_totals(documents: list[Document]) -> None:
    for run in Extraction.objects.filter(document__in=documents):
        run.provenance = {"total": {"page": 1, "blocks": ["1.2"], "state": "exact"}}
        run.save()


def test_one_aggregate_needs_no_list_and_has_another_name(document: Document, invoices: list[Document], do: Do) -> None:
    total = {"function": "sum", "field": "total"}
    rows = [do("query_fields", **named).result["rows"] for named in ({"aggregate": total}, {"aggregates": [total]})]
    assert rows[0] == rows[1] != []
    both = do("query_fields", aggregate=total, aggregates=[total]).result
    assert "'aggregates' was unexpected" in both["error"]


def test_what_cannot_be_asked_is_answered_with_a_sentence(document: Document, invoices: list[Document], do: Do) -> None:
    for arguments in ({"filters": [{}]}, {"columns": ["no_such"]}, {"columns": ["total"], "limit": 9999}):
        assert do("query_fields", **arguments).result["error"]
