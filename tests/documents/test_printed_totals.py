"""Rows beside the totals that the pages print."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from documents import extractions
from documents.checks.checked_values import CheckedValues
from documents.checks.judging import judge, judge_by_printed_totals
from documents.checks.kinds.arithmetic import SumCheck
from documents.checks.schema_paths import SchemaPaths
from documents.extractions import edits
from documents.extractions.extraction_view import build_view
from documents.locate import locate
from documents.locate.printed_sums import collect_printed_sums
from documents.models import PromptRevision
from documents.values import add_row_ids
from tests.documents.extraction_rows import RESULT, SCHEMA, builder, prompt  # noqa: F401 - some are fixtures
from tests.documents.reading_rows import document_with
from tests.documents.words_builder import pages
from tests.scripted_model import ScriptedModel, answers

WITH_QUANTITY = copy.deepcopy(SCHEMA)
WITH_QUANTITY["properties"]["items"]["items"]["properties"]["quantity"] = {"type": "integer"}  # type: ignore[index]
A, B, C = ({"sku": sku, "amount": amount} for sku, amount in (("A-1", 10.0), ("B-2", 20.5), ("C-3", 1200.25)))
HEAD = "Article             Qty       Amount"
LINES = {
    "A": "A-1                   1        10.00",
    "B": "B-2                   2        20.50",
    "C": "C-3                   7     1,200.25",
}


def read(rows: list[dict[str, Any]], *texts: str, **fields: Any) -> CheckedValues:
    stored, words = add_row_ids({"items": rows, **fields}), pages(*texts)
    places = locate(stored, WITH_QUANTITY, words)
    provenance = {where: place.as_json() for where, place in places.items()}
    printed = collect_printed_sums(stored, places, words)
    return CheckedValues(stored, SchemaPaths(WITH_QUANTITY), provenance=provenance, printed=printed)


def warn(rows: list[dict[str, Any]], *texts: str, **fields: Any) -> list[str]:
    return [result["message"] for result in judge_by_printed_totals([], read(rows, *texts, **fields))]


def write_page(*lines: str) -> str:
    return "\n".join([HEAD, *(LINES.get(line, line) for line in lines)])


def write_sum(words: str, amount: str) -> str:
    return f"{words:<22}{amount:>14}"


TOTAL = write_sum("Total", "1,230.75")


def test_a_row_that_is_missing_is_named_with_its_page() -> None:
    texts = write_page("A", "B"), write_page("C", TOTAL)
    assert warn([A, B], *texts) == [
        "2 rows add up to 30.50; page 2 prints a total of 1,230.75. A row may be missing on page 2: “C-3 7 1,200.25”."
    ]
    assert warn([A, C], *texts)[0].endswith("A row may be missing on page 1: “B-2 2 20.50”.")
    assert warn([A, B, C], *texts) == []


def test_rows_that_are_missing_are_counted() -> None:
    more = [f"D-{at}                   1        {at}0.00" for at in (1, 2, 3)]
    text = write_page("A", "B", *more, write_sum("Subtotal", "90.50"))
    assert warn([A, B], text)[0].endswith("3 rows may be missing on page 1, the first: “D-1 1 10.00”.")


@pytest.mark.parametrize(
    "lines",
    [
        ("A", "B", write_sum("Carried forward", "30.50"), write_sum("Übertrag", "30.50"), "C", TOTAL),
        ("A", "B", write_sum("Subtotal", "30.50"), "C", write_sum("Subtotal", "1,200.25"), TOTAL),
        ("A", "B", "C", write_sum("Discount", "-30.75"), write_sum("Total", "1,200.00")),
        ("A", "B", "C", write_sum("Versandkosten", "10.00"), write_sum("Gesamtbetrag", "1,240.75")),
        ("A", "B", "C", write_sum("VAT 20 %", "246.15"), write_sum("Total", "1,476.90"), write_sum("Paid", "1,476.90")),
        ("A", "B", "C", write_sum("Environmental levy", "3.00"), write_sum("Total", "1,300.00")),
        ("A", "B", "C", write_sum("Levy", "3.00"), write_sum("Subtotal", "1,230.75"), write_sum("Total", "1,233.75")),
        ("A", "B", "C"),
    ],
)
def test_what_makes_sums_differ_raises_no_alarm(lines: tuple[str, ...]) -> None:
    assert warn([A, B, C], write_page(*lines)) == []


def test_a_row_is_missed_also_where_only_the_gross_total_is_printed() -> None:
    text = write_page("A", "B", "C", write_sum("VAT 20 %", "246.15"), write_sum("Total", "1,476.90"))
    (words,) = warn([A, B], text)
    assert "a total of 1,476.90, 1,230.75 without tax, discount and the like. A row may be missing" in words


def test_a_subtotal_that_was_taken_for_a_row_does_not_count() -> None:
    taken = {"sku": "Subtotal", "amount": 30.5}
    text = write_page("A", "B", write_sum("Subtotal", "30.50"), "C", TOTAL)
    assert warn([A, B, taken, C], text) == []
    assert "A row may be missing" in warn([A, B, taken], text)[0]


def test_a_row_behind_the_subtotal_of_a_group_is_missed_too() -> None:
    text = write_page("A", write_sum("Subtotal", "10.00"), "B", "C", TOTAL)
    assert "“B-2 2 20.50”" in warn([A, C], text)[0]


def test_numbers_of_other_columns_are_no_amounts() -> None:
    """3 pieces and a total of 10 pieces are no money."""
    rows = [{"sku": row["sku"], "quantity": count, "amount": row["amount"]} for row, count in ((A, 1), (B, 2), (C, 7))]
    assert warn(rows[:2], write_page("A", "B", "C", write_sum("Total", "10.00"))) == []


def test_a_sum_check_of_the_schema_names_the_line_and_speaks_alone() -> None:
    values = read([A, B], write_page("A", "B", "C", TOTAL), total=1230.75)
    check = SumCheck("items.amount", "total")
    assert judge_by_printed_totals([check], values) == []
    (result,) = judge([check], values)
    assert result["message"] == (
        "2 lines add up to 30.50; the page says 1,230.75. A row may be missing on page 1: “C-3 7 1,200.25”."
    )


@pytest.mark.django_db(transaction=True)
def test_the_total_is_flagged_until_a_person_adds_the_row(
    builder: Actor, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    page = ["Invoice | INV-7", "Article | Amount", "A-1 | 10.00", "B-2 | 20.50", "C-3 | 5.00", "Total | 35.50"]
    document = document_with(builder.organization, page, user=builder.user)
    scripted_model.will(answers({**RESULT, "total": 35.5}))
    extractions.start(builder, document=document, prompt_revision=prompt)
    assert extractions.run_next(holder="test")
    run = document.extractions.select_related("schema_revision", "prompt_revision__prompt").get()
    flagged = {field.wire_path: field.failed_checks for field in build_view(run).fields if field.failed_checks}
    assert flagged == {
        "total": (
            "2 rows add up to 30.50; page 1 prints a total of 35.50. A row may be missing on page 1: “C-3 5.00”.",
        )
    }
    assert run.failed_check_count == 1
    row = edits.add_row(builder, extraction=run, where="items").where
    edits.set_field(builder, extraction=run, where=f"{row}.amount", value=5)
    run.refresh_from_db()
    assert (run.check_results, run.failed_check_count) == ([], 0)


@pytest.mark.django_db(transaction=True)
def test_the_page_offers_to_ask_for_the_page_again(
    builder: Actor, prompt: PromptRevision, scripted_model: ScriptedModel, client: Client
) -> None:
    page = ["Invoice | INV-7", "Article | Amount", "A-1 | 10.00", "B-2 | 20.50", "C-3 | 5.00", "Total | 35.50"]
    document = document_with(builder.organization, page, user=builder.user)
    more = {**RESULT, "total": 35.5, "items": [*RESULT["items"], {"sku": "C-3", "amount": 5}]}  # type: ignore[misc]
    scripted_model.will(answers({**RESULT, "total": 35.5}), answers(more))
    extractions.start(builder, document=document, prompt_revision=prompt)
    assert extractions.run_next(holder="test")
    client.force_login(builder.user)
    tab = reverse("document", args=(builder.organization.pk, document.pk))
    text = client.get(tab).content.decode()
    assert "Rows may be missing on page 1." in text and '<input type="hidden" name="page" value="1">' in text
    path = reverse("extraction-go-on", args=(builder.organization.pk, document.pk, document.extractions.get().pk))
    assert client.post(path, {"page": "1"}, headers={"HX-Request": "true"}).status_code == 200
    assert extractions.run_next(holder="test")
    newest = document.extractions.order_by("number").last()
    assert newest and [row["value"]["sku"] for row in newest.current["items"]] == ["A-1", "B-2", "C-3"]
    assert newest.check_results == [] and "Rows may be missing" not in client.get(tab).content.decode()


def test_a_total_in_another_currency_is_compared_with_nothing() -> None:
    text = write_page("A", "B", "C", write_sum("Total USD", "1,230.75"))
    assert warn([A, B], text, currency="USD") != []
    assert warn([A, B], text, currency="EUR") == []
