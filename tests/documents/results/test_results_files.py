"""Results as a file: rows of lists, kinds of cells, texts that never run, proof, and what was left out."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import pytest
from openpyxl import load_workbook

from accounts.actor import Actor
from documents import document_changes, results
from documents.definitions import prompts
from documents.extractions import edits
from documents.models import Document, Extraction, PromptRevision
from documents.results import ResultExport
from documents.results.layout import MAX_COLUMNS, ResultColumn, add_lists, plan_columns
from documents.results.loading import list_counted_runs
from documents.results.proof_cells import PARTS
from documents.results.tables import Tabulator
from documents.results.writing.base import Summary
from documents.results.writing.workbook import WorkbookFile
from kit.errors import Invalid
from tests.documents.extraction_rows import PAGE, RESULT, make_prompt, run_prompt
from tests.documents.reading_rows import document_with

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
HOSTILE = ["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "#N/A", "a\x00b"]


@pytest.fixture
def prompt(actor: Actor) -> PromptRevision:
    return make_prompt(actor)


def make_extracted(actor: Actor, prompt: PromptRevision, result: object = RESULT) -> Extraction:
    return run_prompt(document_with(actor.organization, PAGE, user=actor.user), prompt, result)


def export(actor: Actor, **sent: object) -> bytes:
    layout = results.parse_layout(actor, sent)
    made = ResultExport(actor.organization, layout, plan_columns(actor, layout, list_counted_runs(layout)))
    return b"".join(made.iterate_blocks(made.loader.iterate_selected(Document.objects.all())))


def read_csv(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


def read_sheets(content: bytes) -> dict[str, list[list[Any]]]:
    book = load_workbook(io.BytesIO(content))
    return {sheet.title: [[cell.value for cell in row] for row in sheet.iter_rows()] for sheet in book}


def test_a_table_has_one_row_a_document_and_names_those_without_values(actor: Actor, prompt: PromptRevision) -> None:
    run, empty = make_extracted(actor, prompt), document_with(actor.organization, PAGE, user=actor.user)
    sheets = read_sheets(export(actor))
    head, line = sheets["Documents"]
    assert head == ["Document id", "Document", "Number", "Total", "State", "Link"]
    assert line[:4] == [run.document_id, run.document.name, "INV-7", 30.5] and line[5].endswith(run.document_id)
    assert list(sheets)[-1] == "Left out"
    assert sheets["Left out"][-1] == ["left out", empty.pk, empty.name, "It has not been read yet."]
    assert "1 document, 1 row; 1 document left out" in sheets["Left out"][1][0]


def test_a_list_is_rows_with_the_head_repeated_or_a_sheet_of_its_own(actor: Actor, prompt: PromptRevision) -> None:
    run = make_extracted(actor, prompt)
    without_rows = make_extracted(actor, prompt, {"number": "INV-8", "total": 1, "items": []})
    columns = ["number", "items", "total"]
    rows = read_csv(export(actor, format="csv", columns=columns, headers="path"))
    assert rows == [
        ["row", "number", "items.sku", "items.amount", "total"],
        ["", "INV-8", "", "", "1"],
        ["1", "INV-7", "A-1", "10", "30.5"],
        ["2", "INV-7", "B-2", "20.5", "30.5"],
    ]
    sheets = read_sheets(export(actor, columns=columns, lists="sheets"))
    assert sheets["Documents"] == [["Number", "Total"], ["INV-8", 1], ["INV-7", 30.5]]
    assert sheets["items"][1:] == [
        [run.document_id, run.document.name, 1, "A-1", 10],
        [run.document_id, run.document.name, 2, "B-2", 20.5],
    ]
    with zipfile.ZipFile(io.BytesIO(export(actor, format="csv", columns=columns, lists="sheets"))) as archive:
        assert archive.namelist() == ["documents.csv", "items.csv", "left-out.csv"]
        assert len(read_csv(archive.read("items.csv"))) == 3
    assert without_rows.document_id not in str(sheets["items"])


def test_columns_beyond_the_bound_are_named(actor: Actor, prompt: PromptRevision) -> None:
    run = make_extracted(actor, prompt)
    columns = [ResultColumn(f"field_{number}", f"Field {number}") for number in range(MAX_COLUMNS + 2)]
    made = ResultExport(actor.organization, results.ResultLayout(format="csv"), columns)
    head, *_, last = read_csv(b"".join(made.iterate_blocks([[run.document]])))
    assert len(head) == MAX_COLUMNS and f"2 (Field {MAX_COLUMNS}, Field {MAX_COLUMNS + 1})" in ", ".join(last)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_document_runs(actor: Actor, prompt: PromptRevision, text: str) -> None:
    run = make_extracted(actor, prompt, {"number": text, "total": -5, "items": [{"sku": text, "amount": 1}]})
    Document.objects.filter(pk=run.document_id).update(name=text.replace("\0", ""))
    columns = ["@name", "number", "total", "items.sku"]
    layout = results.ResultLayout(columns=("number",))
    titled = ResultExport(actor.organization, layout, [ResultColumn("number", text.strip())])
    for content in (export(actor, columns=columns), b"".join(titled.iterate_blocks([[run.document]]))):
        assert_no_formula(content)
    _, line = read_csv(export(actor, format="csv", columns=columns))
    assert all(cell.startswith("'") for cell in (line[1], line[2], line[4])) or text in ("#N/A", "a\x00b")
    assert line[3] == "-5"


def assert_no_formula(content: bytes) -> None:
    book = load_workbook(io.BytesIO(content))
    assert {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row} <= {"s", "n"}


def test_numbers_days_and_moments_are_such_in_a_workbook(actor: Actor, prompt: PromptRevision) -> None:
    make_extracted(actor, prompt, {"number": "2026-11-28", "total": 10**20, "items": [{"sku": "007", "amount": "9.5"}]})
    _, line = read_sheets(export(actor, columns=["number", "total", "items.sku", "items.amount", "@uploaded"]))[
        "Documents"
    ]
    assert line[2:5] == [str(10**20), "007", 9.5] and isinstance(line[5], datetime)
    assert isinstance(line[1], datetime) and line[1].date() == date(2026, 11, 28)


def test_proof_stands_beside_each_value(actor: Actor, prompt: PromptRevision) -> None:
    run = make_extracted(actor, prompt)
    place = {"state": "exact", "page": 1, "boxes": [], "words": "30.50", "note": "", "blocks": ["1.5.2"]}
    failure = {"check": 1, "kind": "sum", "status": "failed", "message": "The sum is 30.", "places": ["total"]}
    Extraction.objects.filter(pk=run.pk).update(provenance={"total": place}, check_results=[failure])
    edits.verify(actor, extraction=Extraction.objects.get(pk=run.pk), where="total")
    head, line = read_sheets(export(actor, columns=["total"], proof=True))["Documents"]
    assert head[1:] == [f"Total: {part}" for part in PARTS]
    assert line[:5] == [30.5, 1, "30.50", "exact", actor.user.shown_name] and isinstance(line[5], datetime)
    assert line[6] == "The sum is 30." and line[7].endswith(f"?at={run.reading_id}.1.5.2")
    proof = json.loads(export(actor, format="json", proof=True))["results"][0]["results"][0]["proof"]["total"]
    assert (proof["page"], proof["words"], proof["failed_checks"]) == (1, "30.50", "The sum is 30.")


def test_json_has_a_trailer_and_only_what_was_chosen(actor: Actor, prompt: PromptRevision) -> None:
    run, empty = make_extracted(actor, prompt), document_with(actor.organization, PAGE, user=actor.user)
    whole = json.loads(export(actor, format="json", columns=["items.sku", "@tag"]))
    [found] = whole["results"]
    assert found["results"][0]["values"] == {"items": [{"sku": "A-1"}, {"sku": "B-2"}]} and found["tag"] == ""
    assert [each["document_id"] for each in whole["trailer"]["left_out"]] == [empty.pk]
    first, trailer = map(json.loads, export(actor, format="jsonl").decode().splitlines())
    assert first["document_id"] == run.document_id and first["results"][0]["values"] == RESULT
    assert trailer["trailer"]["left_out_count"] == 1
    document_changes.trash(actor, document=run.document)
    assert [*json.loads(export(actor, format="jsonl").decode().strip())] == ["trailer"]


def test_what_an_older_prompt_says_otherwise_is_named(actor: Actor, prompt: PromptRevision) -> None:
    run = make_extracted(actor, prompt)
    second = make_prompt_again(actor, prompt)
    run_prompt(run.document, second, {"number": "INV-9", "total": 30.5, "items": []})
    *table, empty, summary, note = read_csv(export(actor, format="csv", columns=["number", "items.sku"]))
    assert [line[1:] for line in table[1:]] == [["INV-9", "A-1"], ["INV-9", "B-2"]]
    assert (empty, summary[0][0]) == ([], "#") and "says something else for number" in note[3]


@pytest.mark.parametrize("form", results.FORMATS)
def test_values_of_a_proposal_say_so_and_can_be_left_out(actor: Actor, prompt: PromptRevision, form: str) -> None:
    """A proposed version of a prompt has run after the accepted one; another document has only values of it."""
    proposed = PromptRevision.objects.create(
        **{**model_fields(prompt), "number": 2, "status": PromptRevision.Status.PROPOSED}
    )
    accepted, both = make_extracted(actor, prompt), make_extracted(actor, prompt)
    edits.verify(actor, extraction=accepted)
    for document, number in ((both.document, "INV-8"), (document_with(actor.organization, PAGE), "INV-9")):
        run_prompt(document, proposed, {**RESULT, "number": number})
    Document.objects.update(state=Document.State.LLM_COMPLETED)
    columns = ["number", "@state"]
    told = {values: export_texts(actor, form, columns, values) for values in ("all", "accepted", "verified")}
    assert all(each in told["all"] for each in ("INV-7", "INV-8", "INV-9", "Proposed", "Verified"))
    assert ("proposed_count" if "json" in form else "2 documents with values of a proposal") in told["all"]
    assert "INV-7" in told["accepted"] and "To verify" in told["accepted"] and "INV-9" not in told["accepted"]
    assert told["accepted"].count("INV-7") == 2 and "It has no accepted values yet." in told["accepted"]
    assert told["verified"].count("INV-7") == 1 and "It has no verified values yet." in told["verified"]


def model_fields(row: PromptRevision) -> dict[str, object]:
    return {name: getattr(row, name) for name in ("prompt", "content", "model", "schema_revision")}


def export_texts(actor: Actor, form: str, columns: list[str], values: str) -> str:
    content = export(actor, format=form, columns=columns, values=values)
    return str(read_sheets(content)) if form == "xlsx" else content.decode()


def test_json_has_all_values_whatever_is_said_of_lists(actor: Actor, prompt: PromptRevision) -> None:
    make_extracted(actor, prompt, {**RESULT, "unknown": "kept"})
    layout = add_lists(actor, results.parse_layout(actor, {"format": "jsonl", "lists": "rows"}))
    assert layout.columns == () and add_lists(actor, replace(layout, format="csv")).columns


def make_prompt_again(actor: Actor, prompt: PromptRevision) -> PromptRevision:
    return prompts.create(actor, name="Second", content="Take all.", schema_revision=prompt.schema_revision)


def test_a_column_that_nobody_has_is_refused_with_the_nearest(actor: Actor, prompt: PromptRevision) -> None:
    with pytest.raises(Invalid, match="There is no column “totl”. The nearest are total"):
        export(actor, columns=["totl"])


def test_the_next_sheet_begins_where_one_is_full(actor: Actor, prompt: PromptRevision) -> None:
    for _ in range(3):
        make_extracted(actor, prompt)
    tabulator, summary = _tabulate(actor, "number"), Summary()
    book = WorkbookFile(tabulator, max_rows=3)
    book.begin()
    made = ResultExport(actor.organization, tabulator.layout, tabulator.columns)
    for document in made.describe_all(list(Document.objects.all())):
        book.add(document)
    sheets = read_sheets(b"".join(book.finish(summary)))
    assert {name: len(rows) for name, rows in sheets.items()} == {"Documents": 3, "Documents 2": 2, "Left out": 2}


def _tabulate(actor: Actor, *names: str) -> Tabulator:
    layout = results.ResultLayout(columns=names)
    return Tabulator(actor.organization, layout, plan_columns(actor, layout))
