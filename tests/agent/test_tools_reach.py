"""How far tools reach, and what they ask before they run."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Organization
from agent.calls import execution
from agent.models import Thread
from agent.toolkit.registry import registry
from documents import extractions
from documents.definitions import prompts, schemas
from documents.extractions import ExtractionDraft, edits
from documents.models import Document, Extraction, PromptRevision, Tag
from documents.values import add_row_ids
from tests.agent.decision_rows import say
from tests.agent.tool_documents import (  # noqa: F401 - document is a fixture
    Do,
    document,
)
from tests.agent.tool_rows import FORMAT
from tests.scripted_model import ScriptedModel, answers


def test_it_finds_nothing_of_another_organization(other_organization: Organization, stranger: Actor, do: Do) -> None:
    theirs = schemas.create(stranger, name="Theirs", response_format=FORMAT)
    prompt = prompts.create(stranger, name="Theirs", content="x")
    tag = Tag.objects.create(organization=other_organization, name="Theirs")
    assert do("create_prompt", name="A", content="x", schema_id=theirs.schema_id).result == {
        "error": f"Schema not found: '{theirs.schema_id}'. There is none yet."
    }
    assert "not found" in do("create_prompt", name="A", content="x", tag_ids=[tag.pk]).result["error"]
    assert "not found" in do("run_extraction", prompt_revid=prompt.pk).result["error"]
    assert "not found" in do("get_extraction_result", prompt_revid=prompt.pk).result["error"]


def test_it_says_what_is_missing_when_no_prompt_matches(do: Do) -> None:
    assert "Create one" in do("run_extraction").result["error"]
    assert "default" in do("run_extraction", prompt_revid="default").result["error"]


@pytest.fixture
def prompt(actor: Actor) -> PromptRevision:
    schema = schemas.create(actor, name="Invoice", response_format=FORMAT)
    return prompts.create(actor, name="Invoice", content="Read it.", schema_revision=schema)


@pytest.mark.django_db(transaction=True)
def test_it_runs_an_extraction_and_keeps_it_once(
    scripted_model: ScriptedModel, document: Document, prompt: PromptRevision, do: Do
) -> None:
    scripted_model.will(
        answers({"vendor": "Ostrava Tools", "due_date": None, "line_items": [{"sku": "A", "amount": 2}]})
    )
    call = do("run_extraction", prompt_revid=prompt.pk)
    assert call.status == "succeeded", call.result
    assert call.preview["title"] == "Run “Invoice” on invoice.pdf"
    extraction = Extraction.objects.get()
    assert (extraction.call_id, extraction.requested_by) == (call.pk, call.thread.owner)
    assert call.result["result"]["vendor"] == "Ostrava Tools"
    assert Thread.objects.get().working_state == {
        "extraction_id": extraction.pk,
        "prompt_revid": prompt.pk,
        "schema_revid": prompt.schema_revision_id,
    }
    assert do("get_extraction_result").result["extraction_id"] == extraction.pk


def test_a_card_speaks_of_money_only_where_the_run_costs_some(
    prompt: PromptRevision, document: Document, do: Do, settings: Any
) -> None:
    def card(model: str) -> tuple[str, str]:
        settings.EXTRACTION_MODEL = model
        call = do("run_extraction", prompt_revid=prompt.pk, approve=False)
        return call.why_asks, {row["name"]: row["value"] for row in call.preview["rows"]}["Estimated cost"]

    assert card("offline/rules") == ("It runs a model, which costs nothing here.", "nothing")
    settings.MODEL_API_BASE = "https://gateway.example.com/v1"
    settings.MODEL_PRICES = {"openai/mine": (1_000_000, 2_000_000)}
    assert card("openai/mine") == ("It costs money.", "about $0.005")
    why, cost = card("openai/new")
    assert why == "It costs money." and cost.startswith("unknown, counted as up to $0.091. The price of openai/new")


def test_nor_does_one_that_a_person_edited(
    prompt: PromptRevision, actor: Actor, document: Document, do: Do, settings: Any
) -> None:
    settings.EXTRACTION_MODEL = "offline/rules"
    other = prompts.create(actor, name="Other", content="Read it.", schema_revision=prompt.schema_revision)
    call = do("run_extraction", prompt_revid=prompt.pk, approve=False)
    say(actor, call, arguments={"prompt_revid": other.pk})
    assert (call.status, call.why_asks) == ("approved", "It runs a model, which costs nothing here.")


def test_it_offers_every_tool_with_a_schema_and_a_description() -> None:
    for tool in registry:
        function = tool.schema()["function"]
        assert function["description"], tool.name
        assert all("description" in parameter for parameter in function["parameters"]["properties"].values()), tool.name


@pytest.fixture
def extraction(actor: Actor, document: Document, prompt: PromptRevision) -> Extraction:
    reading = document.readings.get()
    draft = ExtractionDraft(
        document_id=document.pk,
        reading_id=reading.pk,
        prompt_revision_id=prompt.pk,
        schema_revision_id=prompt.schema_revision_id,
        model="none",
        raw="",
        result=add_row_ids({"vendor": "Tools", "due_date": None, "line_items": [{"sku": "A", "amount": 2}]}),
        provenance={},
        coverage=[1, 2],
        page_count=2,
    )
    return extractions.store(actor, draft=draft)


def test_it_changes_a_field_from_a_card_with_its_proof(extraction: Extraction, do: Do, actor: Actor) -> None:
    card = do("update_extraction_field", path="vendor", value="Ostrava Tools", approve=False)
    preview = card.preview
    assert preview["title"] == "Change Vendor on this document"
    assert preview["change"] == {"old": "Tools", "new": "Ostrava Tools", "note": ""}
    assert preview["crop"]["page"] == 1 and preview["crop"]["note"] == "found exactly as written"
    say(actor, card)
    execution.execute(card.pk, holder="test")
    card.refresh_from_db()
    assert card.result["changed"] == {"vendor": "Ostrava Tools"} and "result" not in card.result
    assert card.result["lines"]["vendor"].startswith("D1:1.")
    edit = extraction.edits.get()
    assert (edit.call_id, edit.origin) == (card.pk, "agent_approved")
    assert card.inverse == {"service": "edits.undo", "edit_id": edit.pk}


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("due_dat", "2026-01-01", "due_date"),
        ("line_items.3.amount", 1, "line_items"),
        ("line_items.0.amount", "two", "number"),
        ("due_date", "soon", "date"),
        ("line_items.first.amount", 1, "a position such as 0"),
        ("line_items.-1", {"sku": "B"}, "a position such as 0"),
        ("line_items.0.amont", 1, "line_items.0.amount"),
        ("line_items", "none", "a list"),
        ("line_items.1", {"sku": "B", "amount": "two"}, "number"),
        ("vendor.name", "x", "vendor"),
        ("vendor", None, "must be text"),
        ("", 1, "no field"),
    ],
)
def test_it_refuses_a_change_that_does_not_fit(
    extraction: Extraction, do: Do, path: str, value: Any, sentence: str
) -> None:
    call = do("update_extraction_field", path=path, value=value)
    assert call.status == "invalid" and sentence in call.result["error"]


def test_it_adds_a_row_one_past_the_end(extraction: Extraction, do: Do) -> None:
    call = do("update_extraction_field", path="line_items.1", value={"sku": "B", "amount": 3})
    assert call.result["changed"] == {"line_items[sku=B]": {"sku": "B", "amount": 3}}
    assert call.result["rows_now"] == {"line_items": 2}
    assert call.preview["title"] == "Add a row to Line items on this document"


def test_it_lets_edits_of_other_fields_pass(extraction: Extraction, do: Do, actor: Actor) -> None:
    card = do("update_extraction_field", path="vendor", value="Ostrava Tools", approve=False)
    edits.set_path(actor, extraction=extraction, path="line_items.0.amount", value=5)
    say(actor, card)
    execution.execute(card.pk, holder="test")
    card.refresh_from_db()
    assert card.status == "succeeded" and card.result["changed"] == {"vendor": "Ostrava Tools"}


@pytest.mark.parametrize("change", ["edit", "verify", "run"])
def test_it_asks_again_when_the_field_has_changed(extraction: Extraction, do: Do, actor: Actor, change: str) -> None:
    card = do("update_extraction_field", path="vendor", value="Ostrava Tools", approve=False)
    if change == "edit":
        edits.set_path(actor, extraction=extraction, path="vendor", value="Other")
    elif change == "verify":
        edits.verify(actor, extraction=extraction, where="vendor")
    else:
        draft = ExtractionDraft(
            extraction.document_id,
            extraction.reading_id,
            extraction.prompt_revision_id,
            extraction.schema_revision_id,
            "",
            "",
            {"vendor": "New"},
            {},
            [1],
            2,
        )
        extractions.store(actor, draft=draft)
    say(actor, card)
    execution.execute(card.pk, holder="test")
    card.refresh_from_db()
    fresh = card.replaced_by.get()
    assert (card.status, fresh.status) == ("stale", "pending")
    assert fresh.preview["change"]["old"] == {"edit": "Other", "verify": "Tools", "run": "New"}[change]
    if change == "verify":
        assert fresh.preview["warnings"] == ["Admin verified this field today. Changing it clears that."]


def test_it_asks_in_mode_auto_before_it_overrules_a_person(extraction: Extraction, do: Do, actor: Actor) -> None:
    Thread.objects.update(mode="auto")
    assert do("update_extraction_field", path="due_date", value="2026-01-02").status == "succeeded"
    edits.set_path(actor, extraction=extraction, path="vendor", value="Mine")
    card = do("update_extraction_field", path="vendor", value="Ostrava Tools", approve=False)
    assert (card.status, card.why_asks) == ("pending", "A person has set or verified what this would change.")
    say(actor, card)
    execution.execute(card.pk, holder="test")
    card.refresh_from_db()
    assert card.result["changed"] == {"vendor": "Ostrava Tools"}
