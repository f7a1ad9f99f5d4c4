"""The table of current values: what filters look at is what the newest run and its edits say."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from documents import extractions
from documents.extractions import edits
from documents.index.values.indexing import MAX_VALUES, index_old_runs, index_values, list_old_runs
from documents.models import CurrentValue, Extraction
from tests.documents.checked_invoice import INVOICE, make_prompt, store_invoice, store_run

pytestmark = pytest.mark.servers


def values_of(extraction: Extraction, path: str) -> list[CurrentValue]:
    return list(CurrentValue.objects.filter(document=extraction.document_id, path=path).order_by("text"))


def texts_of(extraction: Extraction, path: str) -> list[str]:
    return [value.text for value in values_of(extraction, path)]


def test_each_value_is_kept_with_what_it_can_be_read_as(actor: Actor) -> None:
    run = store_invoice(actor, make_prompt(actor, []), "a.pdf", number="ACME Ltd", due_date="2026-12-01")
    [name], [total], [due] = (values_of(run, path) for path in ("number", "total", "due_date"))
    assert (name.text, name.number, name.day) == ("acme ltd", None, None)
    assert (total.text, total.number) == ("42.00", Decimal(42))
    assert (due.day, due.number) == (date(2026, 12, 1), None)
    assert total.organization_id == actor.organization.pk


def test_values_of_rows_stand_under_the_path_of_their_column(actor: Actor) -> None:
    run = store_invoice(actor, make_prompt(actor, []), "a.pdf")
    assert texts_of(run, "line_items.sku") == ["a", "b"]
    assert len({value.row for value in values_of(run, "line_items.sku")}) == 2


def test_an_edit_changes_the_row_of_that_value_alone(actor: Actor) -> None:
    run = store_invoice(actor, make_prompt(actor, []), "a.pdf")
    before = set(CurrentValue.objects.values_list("pk", flat=True))
    edits.set_field(actor, extraction=run, where="tax", value=8)
    after = set(CurrentValue.objects.values_list("pk", flat=True))
    assert texts_of(run, "tax") == ["8"]
    assert len(before - after) == len(after - before) == 1


def test_a_new_run_of_the_prompt_takes_the_place_of_the_one_before(actor: Actor) -> None:
    prompt = make_prompt(actor, [])
    first = store_invoice(actor, prompt, "a.pdf")
    second = store_run(actor, prompt, first.document, INVOICE | {"number": "INV-2"})
    assert texts_of(second, "number") == ["inv-2"]


def test_withdrawing_a_run_brings_back_what_the_earlier_one_said(actor: Actor) -> None:
    prompt = make_prompt(actor, [])
    first = store_invoice(actor, prompt, "a.pdf")
    second = store_run(actor, prompt, first.document, INVOICE | {"number": "INV-2"})
    extractions.withdraw(actor, extraction=second)
    assert texts_of(first, "number") == ["inv-1"]
    extractions.withdraw(actor, extraction=first)
    assert not CurrentValue.objects.exists()


def test_what_a_person_corrected_before_counts_in_the_next_run(actor: Actor) -> None:
    prompt = make_prompt(actor, [])
    first = store_invoice(actor, prompt, "a.pdf")
    edits.set_field(actor, extraction=first, where="number", value="INV-9")
    second = store_run(actor, prompt, first.document, INVOICE)
    assert texts_of(second, "number") == ["inv-9"]


def test_a_document_has_so_many_values_and_single_ones_come_first(actor: Actor) -> None:
    line = {"quantity": 1, "unit_price": 2, "amount": 2, "sku": "A"}
    run = store_invoice(actor, make_prompt(actor, []), "a.pdf", line_items=[line] * 500)
    assert CurrentValue.objects.count() == MAX_VALUES
    assert texts_of(run, "total") == ["42.00"]


def test_runs_of_earlier_versions_are_looked_through_once(actor: Actor) -> None:
    prompt = make_prompt(actor, [])
    first = store_invoice(actor, prompt, "a.pdf")
    second = store_run(actor, prompt, first.document, INVOICE | {"number": "INV-2"})
    CurrentValue.objects.all().delete()
    Extraction.objects.update(values_indexed_at=None)
    assert index_old_runs() == 2
    assert texts_of(second, "number") == ["inv-2"]
    assert (index_old_runs(), list_old_runs().count()) == (0, 0)


def test_the_command_repairs_the_table(actor: Actor, capsys) -> None:
    run = store_invoice(actor, make_prompt(actor, []), "a.pdf")
    CurrentValue.objects.filter(path="number").update(text="wrong")
    call_command("index_values", "--again")
    assert texts_of(run, "number") == ["inv-1"]
    assert capsys.readouterr().out.splitlines() == ["1 runs", "Done."]


def test_an_edit_takes_as_many_statements_however_many_values_there_are(actor: Actor) -> None:
    prompt = make_prompt(actor, [])
    line = INVOICE["line_items"][0]
    counts = []
    for name, lines in (("a.pdf", 1), ("b.pdf", 200)):
        run = store_invoice(actor, prompt, name, line_items=[line] * lines)
        run.current["tax"] = 8
        run.save()
        with CaptureQueriesContext(connection) as queries:
            index_values(run)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 6


def test_looking_for_old_runs_walks_no_table(db: None) -> None:
    assert "extraction_to_index" in list_old_runs().order_by("pk").explain() or connection.vendor != "sqlite"
