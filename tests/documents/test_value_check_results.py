"""Value checks of a schema, judged with every change of an extraction's values."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from documents import document_changes, extractions
from documents.checks.findings import CheckResult
from documents.definitions import prompts, schemas
from documents.extractions import edits
from documents.extractions.rechecking import recheck_duplicates
from documents.extractions.storing import save_results
from documents.models import DuplicateKey, Extraction, PromptRevision
from documents.retention.purging import iterate_parts
from kit.errors import Invalid
from tests.documents.checked_invoice import FORMAT, INVOICE, SAME_NUMBER, SUM, make_prompt, store_invoice, store_run

TOTAL = {"kind": "total", "parts": ["subtotal", "tax"], "field": "total"}


def results_of(extraction: Extraction) -> list[CheckResult]:
    extraction.refresh_from_db()
    results: list[CheckResult] = extraction.check_results
    return results


def statuses_of(extraction: Extraction) -> list[str]:
    return [result["status"] for result in results_of(extraction)]


def test_a_run_is_judged_when_it_is_stored_and_again_with_each_edit(actor: Actor) -> None:
    extraction = store_invoice(actor, make_prompt(actor, [SUM, TOTAL]), "a.pdf", subtotal=36)
    assert statuses_of(extraction) == ["failed", "failed"]
    assert extraction.failed_check_count == 2
    edit = edits.set_field(actor, extraction=extraction, where="subtotal", value=35)
    assert statuses_of(extraction) == ["passed", "passed"]
    assert extraction.failed_check_count == 0
    edits.undo(actor, edit=edit)
    assert statuses_of(extraction) == ["failed", "failed"]


def test_rows_that_come_and_go_count_at_once(actor: Actor) -> None:
    extraction = store_invoice(actor, make_prompt(actor, [SUM]), "a.pdf")
    row = f"line_items[{extraction.current['line_items'][0]['row_id']}]"
    edits.remove_row(actor, extraction=extraction, where=row)
    [result] = results_of(extraction)
    assert result["message"] == "1 line adds up to 15.00; Subtotal says 35.00."


def test_what_a_person_corrected_before_counts_in_the_next_run(actor: Actor) -> None:
    prompt = make_prompt(actor, [SUM])
    first = store_invoice(actor, prompt, "a.pdf", subtotal=36)
    edits.set_field(actor, extraction=first, where="subtotal", value=35)
    second = store_run(actor, prompt, first.document, INVOICE | {"subtotal": 36})
    assert statuses_of(second) == ["passed"]


def test_an_old_run_is_judged_by_the_checks_of_its_own_schema(actor: Actor) -> None:
    prompt = make_prompt(actor, [SUM])
    extraction = store_invoice(actor, prompt, "a.pdf")
    assert prompt.schema_revision is not None
    schemas.save_version(actor, schema=prompt.schema_revision.schema, value_checks=[TOTAL])
    edits.set_field(actor, extraction=extraction, where="tax", value=1)
    assert [result["kind"] for result in results_of(extraction)] == ["sum"]


def test_a_schema_without_checks_costs_nothing(actor: Actor) -> None:
    extraction = store_invoice(actor, make_prompt(actor, []), "a.pdf")
    assert results_of(extraction) == []
    with CaptureQueriesContext(
        connection,
    ) as queries:
        edits.set_field(actor, extraction=extraction, where="tax", value=1)
    assert not [query for query in queries if "duplicate" in query["sql"] and "SELECT" in query["sql"][:6]]


def test_two_documents_with_the_same_number_know_of_each_other(actor: Actor) -> None:
    prompt = make_prompt(actor, [SAME_NUMBER])
    first = store_invoice(actor, prompt, "first.pdf", number="INV 7")
    other = store_invoice(actor, prompt, "other.pdf", number="inv-7")
    [result] = results_of(other)
    assert (result["status"], result["message"]) == ("failed", "“first.pdf” has the same Number.")
    assert statuses_of(first) == ["passed"]
    recheck_duplicates()
    assert statuses_of(first) == ["failed"]
    assert first.version == 2


@pytest.mark.parametrize("change", ["edit", "trash", "withdraw"])
def test_what_no_longer_says_the_same_is_no_duplicate(actor: Actor, change: str) -> None:
    prompt = make_prompt(actor, [SAME_NUMBER])
    first = store_invoice(actor, prompt, "first.pdf")
    other = store_invoice(actor, prompt, "other.pdf")
    recheck_duplicates()
    assert statuses_of(first) == statuses_of(other) == ["failed"]
    match change:
        case "edit":
            edits.set_field(actor, extraction=first, where="number", value="INV-2")
        case "trash":
            document_changes.trash(actor, document=first.document)
        case "withdraw":
            extractions.withdraw(actor, extraction=first)
    recheck_duplicates()
    assert statuses_of(other) == ["passed"]
    if change == "trash":
        document_changes.restore(actor, document=first.document)
        recheck_duplicates()
        assert statuses_of(other) == ["failed"]


def test_a_newer_run_speaks_for_its_document_and_the_earlier_again_when_it_is_withdrawn(actor: Actor) -> None:
    prompt = make_prompt(actor, [SAME_NUMBER])
    other = store_invoice(actor, prompt, "other.pdf", number="X")
    first = store_invoice(actor, prompt, "first.pdf", number="X")
    second = store_run(actor, prompt, first.document, INVOICE | {"number": "Y"})
    recheck_duplicates()
    assert statuses_of(other) == ["passed"]
    extractions.withdraw(actor, extraction=second)
    recheck_duplicates()
    assert statuses_of(other) == ["failed"]
    assert not DuplicateKey.objects.filter(peers_due=True).exists()
    assert DuplicateKey.objects.count() == 2


def revise(actor: Actor, prompt: PromptRevision, checks: list[dict[str, Any]] | None = None) -> PromptRevision:
    """A new revision of the prompt; with `checks`, over a new revision of its schema too."""
    schema = prompt.schema_revision
    if checks is not None and schema is not None:
        schema = schemas.save_version(actor, schema=schema.schema, value_checks=checks)
    return prompts.save_version(actor, prompt=prompt.prompt, content="Read it well.", schema_revision=schema)


@pytest.mark.parametrize("change", ["edit", "withdraw", "finish"])
def test_a_run_of_an_older_revision_says_nothing_once_there_is_a_newer_run(actor: Actor, change: str) -> None:
    prompt = make_prompt(actor, [SAME_NUMBER])
    other = store_invoice(actor, prompt, "other.pdf", number="Y")
    older = store_invoice(actor, prompt, "first.pdf", number="X")
    store_run(actor, revise(actor, prompt), older.document, INVOICE | {"number": "Y"})
    older.refresh_from_db()
    match change:
        case "edit":
            edits.set_field(actor, extraction=older, where="number", value="Z")
        case "withdraw":
            extractions.withdraw(actor, extraction=older)
        case "finish":
            save_results(older)
    recheck_duplicates()
    [result] = results_of(other)
    assert result["message"] == "“first.pdf” has the same Number."


def test_a_run_of_an_older_revision_counts_again_when_the_newer_is_withdrawn(actor: Actor) -> None:
    prompt = make_prompt(actor, [SAME_NUMBER])
    other = store_invoice(actor, prompt, "other.pdf", number="X")
    older = store_invoice(actor, prompt, "first.pdf", number="X")
    newer = store_run(actor, revise(actor, prompt), older.document, INVOICE | {"number": "Y"})
    recheck_duplicates()
    assert statuses_of(other) == ["passed"]
    extractions.withdraw(actor, extraction=newer)
    recheck_duplicates()
    assert statuses_of(other) == ["failed"]


def test_a_newer_run_without_the_check_leaves_no_duplicate(actor: Actor) -> None:
    prompt = make_prompt(actor, [SAME_NUMBER])
    other = store_invoice(actor, prompt, "other.pdf", number="X")
    older = store_invoice(actor, prompt, "first.pdf", number="X")
    recheck_duplicates()
    assert statuses_of(other) == ["failed"]
    store_run(actor, revise(actor, prompt, []), older.document, INVOICE | {"number": "X"})
    recheck_duplicates()
    assert statuses_of(other) == ["passed"]


def test_a_run_again_on_the_same_document_is_no_duplicate_of_itself(actor: Actor) -> None:
    prompt = make_prompt(actor, [SAME_NUMBER])
    first = store_invoice(actor, prompt, "first.pdf")
    again = store_run(actor, prompt, first.document, INVOICE)
    recheck_duplicates()
    assert statuses_of(again) == ["passed"]
    assert DuplicateKey.objects.count() == 1


def test_other_organizations_are_not_compared(actor: Actor, stranger: Actor) -> None:
    store_invoice(stranger, make_prompt(stranger, [SAME_NUMBER]), "theirs.pdf")
    mine = store_invoice(actor, make_prompt(actor, [SAME_NUMBER]), "mine.pdf")
    recheck_duplicates()
    assert statuses_of(mine) == ["passed"]


def test_a_lookup_is_one_indexed_query_however_many_documents_there_are(actor: Actor) -> None:
    prompt = make_prompt(actor, [SAME_NUMBER])
    for number in range(5):
        store_invoice(actor, prompt, f"{number}.pdf")
    with CaptureQueriesContext(connection) as few:
        store_invoice(actor, prompt, "x.pdf")
    for number in range(10):
        store_invoice(actor, prompt, f"{number}b.pdf")
    with CaptureQueriesContext(connection) as more:
        last = store_invoice(actor, prompt, "y.pdf")
    assert len(more) == len(few)
    [result] = results_of(last)
    assert "and 13 more have the same Number" in result["message"]


def test_the_keys_go_with_the_document(actor: Actor) -> None:
    extraction = store_invoice(actor, make_prompt(actor, [SAME_NUMBER]), "a.pdf")
    for rows in iterate_parts(extraction.document):
        rows.delete()
    assert not DuplicateKey.objects.exists()


def test_checks_are_versions_of_the_schema(actor: Actor) -> None:
    first = schemas.create(actor, name="Invoice", response_format=FORMAT, value_checks=[SUM])
    same = schemas.save_version(actor, schema=first.schema, value_checks=[SUM])
    assert same == first
    second = schemas.save_version(actor, schema=first.schema, value_checks=[SUM, TOTAL])
    assert (second.number, second.value_checks, first.value_checks) == (2, [SUM, TOTAL], [SUM])
    back = schemas.return_to(actor, head=first.schema, revision=first)
    assert (back.number, back.value_checks) == (3, [SUM])
    none = schemas.save_version(actor, schema=first.schema, value_checks=[])
    assert none.value_checks == []


def test_a_new_version_keeps_the_checks_and_refuses_to_lose_their_fields(actor: Actor) -> None:
    first = schemas.create(actor, name="Invoice", response_format=FORMAT, value_checks=[SUM])
    properties: dict[str, Any] = FORMAT["json_schema"]["schema"]["properties"]  # type: ignore[index]
    fewer = {name: value for name, value in properties.items() if name != "tax"}
    kept = schemas.save_version(actor, schema=first.schema, response_format=_format(fewer))
    assert kept.value_checks == [SUM]
    fewer.pop("subtotal")
    with pytest.raises(Invalid, match="value checks that no longer fit.*no field subtotal.*Keep the field"):
        schemas.save_version(actor, schema=first.schema, response_format=_format(fewer))
    without = schemas.save_version(actor, schema=first.schema, response_format=_format(fewer), value_checks=[])
    assert without.value_checks == []


def _format(properties: dict[str, Any]) -> dict[str, Any]:
    inner = {"type": "object", "properties": properties, "required": []}
    return {"type": "json_schema", "json_schema": {"name": "invoice", "schema": inner}}
