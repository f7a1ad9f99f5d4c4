# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json

import pytest

from accounts.actor import Actor
from agent.calls import execution
from agent.models import Thread, ToolCall
from documents.definitions import schemas
from documents.models import Document, Prompt, Schema, Tag
from tests.agent.decision_rows import say
from tests.agent.tool_documents import (  # noqa: F401 - document is a fixture
    Do,
    document,
)
from tests.agent.tool_rows import FORMAT

pytestmark = pytest.mark.servers


def test_it_reads_the_pages_as_data(do: Do) -> None:
    result = do("get_ocr_text").result
    assert result["page_count"] == 2 and result["pages"] == [1, 2]
    assert (
        result["text"].startswith('<data kind="page_text">\n<page number="1">') and result["text"].count("</data>") == 1
    )
    assert do("get_ocr_text", page_num=2).result["pages"] == [2]
    assert do("get_ocr_text", page_num=3).result == {"error": "There is no page 3. The document has 2 pages."}


def test_it_says_which_pages_were_not_read(do: Do, document: Document) -> None:
    document.readings.update(page_count=9, reason="Pages 3 to 9 were not read: it took too long.")
    assert do("get_ocr_text").result["not_read"] == "Pages 3 to 9 were not read: it took too long."
    error = do("get_ocr_text", page_num=3).result["error"]
    assert error == "There is no text of page 3. Pages 3 to 9 were not read: it took too long."


def test_it_checks_a_schema(do: Do) -> None:
    assert do("validate_schema", schema=json.dumps(FORMAT)).result == {"valid": True, "problems": []}
    wrong = do("validate_schema", schema='{"type": "array"}').result
    assert not wrong["valid"] and wrong["problems"]
    assert "not JSON" in do("validate_schema", schema="{").result["problems"][0]


def test_it_creates_a_schema_from_a_card(actor: Actor, do: Do) -> None:
    card = do("create_schema", name="Invoice", response_format=FORMAT, approve=False)
    assert (card.status, card.reach, Schema.objects.count()) == ("pending", "document", 0)
    assert card.preview["title"] == "Create schema “Invoice”"
    assert card.preview["subtitle"] == "3 fields, 2 more inside lists and groups"
    assert card.preview["fields"][1] == {
        "name": "due_date",
        "type": "date",
        "description": "By when to pay.",
        "columns": [],
    }
    assert card.preview["fields"][2]["columns"] == ["sku", "amount"]
    say(actor, card)
    execution.execute(card.pk, holder="test")
    row = Schema.objects.get().latest
    result = ToolCall.objects.get().result
    assert result == {
        "schema_id": row.schema_id,
        "schema_revid": row.pk,
        "schema_version": 1,
        "checks_to_consider": [{"kind": "coverage", "list": "line_items"}],
    }
    assert Thread.objects.get().working_state["schema_revid"] == row.pk


def test_it_refuses_a_taken_name_before_anybody_sees_a_card(do: Do) -> None:
    first = do("create_schema", name="Invoice", response_format=FORMAT)
    again = do("create_schema", name="INVOICE", response_format=FORMAT)
    assert again.status == "invalid"
    assert "Invoice" in again.result["error"] and again.result["existing"]["schema_id"] == first.result["schema_id"]


def test_it_refuses_an_unusable_schema_before_anybody_sees_a_card(do: Do) -> None:
    call = do("create_schema", name="Invoice", response_format={"type": "object"})
    assert call.status == "invalid" and "error" in call.result


def test_it_takes_a_response_format_that_came_as_text(do: Do) -> None:
    assert do("create_schema", name="Invoice", response_format=json.dumps(FORMAT)).status == "succeeded"


def test_it_creates_a_prompt_with_the_version_it_was_shown_with(actor: Actor, do: Do) -> None:
    revision = schemas.create(actor, name="Invoice", response_format=FORMAT)
    card = do("create_prompt", name="Invoice", content="Read it.", schema_id=revision.schema_id, approve=False)
    assert card.effective["schema_version"] == 1 and card.reach == "document"
    assert {"name": "Schema", "value": "Invoice, version 1"} in card.preview["rows"]
    changed = json.loads(json.dumps(FORMAT))
    changed["json_schema"]["schema"]["properties"]["iban"] = {"type": "string", "description": "Account."}
    schemas.save_version(actor, schema=revision.schema, response_format=changed)
    say(actor, card)
    execution.execute(card.pk, holder="test")
    assert Prompt.objects.get().latest.schema_revision == revision


def test_it_counts_a_tag_on_a_prompt_as_reaching_further(actor: Actor, thread: Thread, do: Do) -> None:
    Thread.objects.update(mode="auto")
    tag = Tag.objects.create(organization=actor.organization, name="Supplier invoices")
    card = do("create_prompt", name="Invoice", content="Read it.", tag_ids=[tag.pk], approve=False)
    assert (card.status, card.reach) == ("pending", "organization")
    assert "“Supplier invoices”" in card.preview["effect"]
    assert do("create_prompt", name="Other", content="Read it.").allowed_by == "mode auto"
