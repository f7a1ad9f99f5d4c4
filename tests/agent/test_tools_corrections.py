"""Several values corrected by one call, with one card."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from typing import Any

import pytest

from accounts.actor import Actor
from agent.calls import execution, undo
from agent.cards.argument_choices import list_choices
from agent.cards.argument_fields import fields_of, read_form
from agent.models import Thread
from agent.toolkit.registry import registry
from documents import extractions
from documents.definitions import prompts, schemas
from documents.extractions import ExtractionDraft, edits
from documents.models import Document, Extraction, PromptRevision
from documents.values import add_row_ids, strip_row_ids
from kit.errors import Conflict
from tests.agent.decision_rows import Propose, say
from tests.agent.tool_documents import Do, document  # noqa: F401 - document is a fixture
from tests.agent.tool_rows import FORMAT

pytestmark = pytest.mark.django_db
ROWS = [{"sku": "A", "amount": 2}, {"sku": "B", "amount": 3}, {"sku": "C", "amount": 4}]
CHANGES: list[dict[str, Any]] = [
    {"path": "vendor", "value": "Ostrava Tools"},
    {"path": "line_items.0", "remove": True},
    {"path": "line_items.2.amount", "value": 9},
    {"path": "line_items.3", "value": {"sku": "D", "amount": 1}},
    {"path": "line_items.4", "value": {"sku": "E", "amount": 1}},
]


@pytest.fixture
def prompt(actor: Actor) -> PromptRevision:
    schema = schemas.create(actor, name="Invoice", response_format=FORMAT)
    return prompts.create(actor, name="Invoice", content="Read it.", schema_revision=schema)


@pytest.fixture
def extraction(actor: Actor, document: Document, prompt: PromptRevision) -> Extraction:
    draft = ExtractionDraft(
        document_id=document.pk,
        reading_id=document.readings.get().pk,
        prompt_revision_id=prompt.pk,
        schema_revision_id=prompt.schema_revision_id,
        model="none",
        raw="",
        result=add_row_ids({"vendor": "Tools", "due_date": None, "line_items": ROWS}),
        provenance={},
        coverage=[1, 2],
        page_count=2,
    )
    return extractions.store(actor, draft=draft)


def read(extraction: Extraction) -> Any:
    extraction.refresh_from_db()
    return strip_row_ids(extraction.current)


def test_one_card_changes_several_values_and_is_undone_whole(extraction: Extraction, do: Do, actor: Actor) -> None:
    before = read(extraction)
    card = do("update_extraction_field", changes=CHANGES, approve=False)
    assert card.preview["title"] == "Change 5 values on this document"
    rows = [(row["name"], row["old"], row["new"]) for row in card.preview["changes"]]
    assert rows[0] == ("Vendor", "Tools", "Ostrava Tools")
    assert rows[1][0] == "Row 1 (A) of Line items" and rows[1][2] == "no row"
    assert rows[4][0] == "Row 5 of Line items" and rows[4][1] == "no row"
    say(actor, card)
    execution.execute(card.pk, holder="test")
    card.refresh_from_db()
    now = read(extraction)
    assert now["vendor"] == "Ostrava Tools" and [row["sku"] for row in now["line_items"]] == ["B", "C", "D", "E"]
    assert now["line_items"][1]["amount"] == 9
    assert card.result["rows_now"] == {"line_items": 4} and card.result["changed"]["line_items[sku=C].amount"] == 9
    assert extraction.edits.count() == len(CHANGES)
    undo.undo_call(actor, call=card, idempotency_key="a")
    taken_back = read(extraction)
    assert taken_back["vendor"] == before["vendor"]
    assert sorted(map(str, taken_back["line_items"])) == sorted(map(str, before["line_items"]))


@pytest.mark.parametrize(
    ("changes", "warning"),
    [
        (
            [
                {"path": "vendor", "value": "Ostrava"},
                {"path": "line_items.3", "value": {"sku": "delete", "amount": 77}},
            ],
            "Not found on the pages: the new Amount in row 4 of Line items.",
        ),
        ([{"path": "vendor", "value": "Brno"}], "The new value was not found on the pages."),
        (
            [{"path": "line_items.0.sku", "value": "the"}],
            "The pages say this value, but nothing there ties it to this field.",
        ),
        (
            [{"path": "line_items.0.sku", "value": "the"}, {"path": "vendor", "value": "Ostrava"}],
            "On the pages, but not clearly in its place: the new SKU in row 1 (A) of Line items.",
        ),
        ([{"path": "vendor", "value": None}, {"path": "line_items.0", "remove": True}], ""),
    ],
    ids=["a cell of a row", "one value", "a word elsewhere", "one of several elsewhere", "nothing to look for"],
)
def test_a_card_names_what_stands_on_no_page(
    extraction: Extraction, do: Do, changes: list[dict[str, Any]], warning: str
) -> None:
    preview = do("update_extraction_field", changes=changes, approve=False).preview
    assert (preview.get("warnings", []), preview.get("effect")) == ([warning] if warning else [], None)


def test_undo_takes_nothing_back_when_one_value_has_changed_since(extraction: Extraction, do: Do, actor: Actor) -> None:
    call = do("update_extraction_field", changes=CHANGES)
    edits.set_path(actor, extraction=extraction, path="vendor", value="Mine")
    before = read(extraction)
    with pytest.raises(Conflict, match="changed this value"):
        undo.undo_call(actor, call=call, idempotency_key="a")
    assert read(extraction) == before


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ([{"path": "vendor", "value": "A"}, {"path": "vendor", "value": "B"}], "vendor: another of the changes"),
        ([{"path": "line_items.0", "remove": True}, {"path": "line_items.0.sku", "value": "B"}], "another of the"),
        ([{"path": "line_items.3", "value": ROWS[0]}, {"path": "line_items.3.sku", "value": "B"}], "give it whole"),
        ([{"path": "vendor", "value": "A"}, {"path": "line_items.0.amount", "value": "two"}], "number"),
        ([{"path": "vendor", "remove": True}], "vendor is no row"),
        ([{"path": "vendor"}], "vendor: give either a value"),
        ([{"path": "vendor", "value": "A", "delete": True}], "Here go path, value, remove"),
        ([], "nothing to change"),
        ([{"path": f"line_items.{at}", "value": ROWS[0]} for at in range(3, 104)], "100 are the most"),
    ],
)
def test_changes_that_do_not_fit_change_nothing(
    extraction: Extraction, do: Do, changes: list[dict[str, Any]], sentence: str
) -> None:
    call = do("update_extraction_field", changes=changes)
    assert call.status == "invalid" and sentence in call.result["error"]
    assert not extraction.edits.exists()


@pytest.mark.parametrize("arguments", [{"path": "vendor"}, {"value": 1}, {}])
def test_one_value_needs_both_its_path_and_itself(extraction: Extraction, do: Do, arguments: dict[str, Any]) -> None:
    call = do("update_extraction_field", **arguments)
    assert call.status == "invalid" and "Give a path and its value" in call.result["error"]


def test_null_empties_a_value(extraction: Extraction, do: Do) -> None:
    do("update_extraction_field", path="due_date", value="2026-01-02")
    do("update_extraction_field", path="due_date", value=None)
    assert read(extraction)["due_date"] is None


def test_a_person_takes_single_changes_out_of_the_card(extraction: Extraction, actor: Actor) -> None:
    tool, arguments = registry.find("update_extraction_field"), {"changes": CHANGES}
    choices = list_choices(actor, tool, arguments)
    fields = fields_of(tool, arguments, choices=choices)
    [field] = [each for each in fields if each.name == "changes"]
    assert field.kind == "several" and "line_items.0: take the row away" in dict(field.choices).values()
    ticked = {"kind-changes": "several", "had-changes": "1", "arg-changes": "\n".join([*field.lines[1:], ""])}
    form = read_form(tool, {**ticked, "kind-value": "json", "kind-path": "text", "kind-document": "text"})
    assert not form.problems and form.arguments == {"changes": CHANGES[1:]}


def correct(path: str, value: Any) -> tuple[str, dict[str, Any]]:
    return "update_extraction_field", {"path": path, "value": value}


REMOVE_FIRST = ("update_extraction_field", {"changes": [{"path": "line_items.0", "remove": True}]})


@pytest.mark.parametrize(
    ("first", "then", "rows"),
    [
        (correct("line_items.3", {"sku": "D"}), correct("line_items.3.amount", 5), [*ROWS, {"sku": "D", "amount": 5}]),
        (REMOVE_FIRST, correct("line_items.0.amount", 9), [{"sku": "B", "amount": 9}, ROWS[2]]),
    ],
)
def test_a_value_builds_on_the_call_that_adds_its_row_or_moves_it_and_on_no_other(
    extraction: Extraction, propose: Propose, actor: Actor, first: Any, then: Any, rows: list[dict[str, Any]]
) -> None:
    chain = propose(correct("vendor", "Brno"), first, then)
    assert [(call.chain, call.chain_step, call.builds_on) for call in chain] == [(None, 0, []), (1, 1, []), (1, 2, [1])]
    for call in chain[1:]:
        say(actor, call)
        execution.execute(call.pk, holder="test")
    assert read(extraction)["line_items"] == rows and read(extraction)["vendor"] == "Tools"


def test_it_asks_again_when_one_of_the_values_has_changed(extraction: Extraction, do: Do, actor: Actor) -> None:
    card = do("update_extraction_field", changes=CHANGES, approve=False)
    edits.set_path(actor, extraction=extraction, path="line_items.2.amount", value=5)
    say(actor, card)
    execution.execute(card.pk, holder="test")
    card.refresh_from_db()
    assert card.status == "stale" and card.replaced_by.get().preview["changes"][2]["old"] == "5"
    assert read(extraction)["vendor"] == "Tools"


def test_a_rule_changes_none_where_a_person_has_set_one(extraction: Extraction, do: Do, actor: Actor) -> None:
    Thread.objects.update(mode="auto")
    edits.set_path(actor, extraction=extraction, path="vendor", value="Mine")
    card = do("update_extraction_field", changes=CHANGES, approve=False)
    assert card.status == "pending" and card.why_asks == "A person has set or verified what this would change."
    assert len(read(extraction)["line_items"]) == len(ROWS)
