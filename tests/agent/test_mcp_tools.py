"""What MCP clients read of the tools: words that hold for a program, documents that are named, answers with a schema."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from accounts.access import enter
from accounts.actor import Actor
from accounts.services import tokens
from agent.calls import execution
from agent.mcp import call_results, requests
from agent.mcp.requests import Caller
from agent.mcp.tools.output_schemas import find as find_output_schema
from agent.mcp.tools.tool_list import list_tools
from agent.toolkit.registry import registry
from documents import extractions
from documents.definitions import prompts, schemas
from documents.extractions import ExtractionDraft
from documents.models import Document, Tag
from documents.values import add_row_ids
from kit.errors import AppError
from tests.agent.tool_documents import document  # noqa: F401 - document is a fixture
from tests.agent.tool_rows import FORMAT
from tests.documents.find.searches import add_document
from tests.documents.sheet_rows import store_sheets
from tests.scripted_model import ScriptedModel, says

pytestmark = pytest.mark.django_db
OF_A_CONVERSATION = re.compile(
    r"\bthreads?\b|\bthis (?:document|one|message|conversation)\b|\bthe scope\b|\bchosen?\b|\byour answer\b|\bmessages?\b"
)
STATE = {"call_id", "tool", "status", "link", "note", "result", "changes"}


def with_token(actor: Actor) -> Actor:
    token, _ = tokens.create(actor.user, name="Desk", organization=actor.organization)
    return enter(actor.user, actor.organization.pk, token=token)


@pytest.fixture
def caller(actor: Actor) -> Caller:
    return Caller(with_token(actor), "Desk 1.0")


@pytest.fixture
def extracted(actor: Actor, document: Document) -> list[Document]:
    """Two documents with values of one prompt, and a tag."""
    Tag.objects.create(organization=actor.organization, name="Paid")
    schema = schemas.create(actor, name="Invoice", response_format=FORMAT)
    prompt = prompts.create(actor, name="Invoice", content="Read it.", schema_revision=schema)
    second = add_document(actor.organization, ["Brno Tools"], name="second.pdf")
    store_sheets(actor.organization, "rows.csv", {"": [["Item", "Cost"], ["Tape", "2.50"]]})
    for each in (document, second):
        draft = ExtractionDraft(
            document_id=each.pk,
            reading_id=each.readings.get().pk,
            prompt_revision_id=prompt.pk,
            schema_revision_id=schema.pk,
            model="none",
            raw="",
            result=add_row_ids({"vendor": each.name, "due_date": None, "line_items": []}),
            provenance={},
            coverage=[1],
            page_count=1,
        )
        extractions.store(actor, draft=draft)
    return [document, second]


def call(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    """The CallToolResult, as the server gives it."""
    try:
        turn = requests.begin(caller, tool, arguments)
        for waiting in turn.calls.filter(status="approved"):
            execution.execute(waiting.pk, holder="test")
        turn.refresh_from_db()
        return call_results.build_result(turn)
    except AppError as error:
        return call_results.to_tool_result({"error": error.sentence}, failed=True)


def test_no_word_of_a_tool_speaks_of_a_conversation(caller: Caller) -> None:
    tools = list_tools(requests.imagine_turn(caller))
    texts = [(tool.name, "", tool.description or "") for tool in tools]
    for tool in tools:
        whole = json.dumps(tool.input_schema)
        texts += [(tool.name, "schema", each) for each in re.findall(r'"description": "((?:[^"\\]|\\.)*)"', whole)]
    assert [each for each in texts if OF_A_CONVERSATION.search(each[2])] == []
    few = list_tools(requests.imagine_turn(caller), lists_all=False)
    assert count_tokens(few) <= 3_000 and count_tokens(tools) < 12_800 and len(few) == 15
    assert all(tool.output_schema is None and "additionalProperties" not in tool.input_schema for tool in few)
    check_that_what_is_not_listed_is_taken(caller, {tool.name: tool.input_schema for tool in few})
    costly = {tool.name for tool in tools if "Costs money." in (tool.description or "")}
    assert {"run_extraction", "read_multiple_documents"} <= costly and "search_documents" not in costly


def check_that_what_is_not_listed_is_taken(caller: Caller, listed: dict[str, Any]) -> None:
    """A call may name a parameter of the whole list, and one that is in neither is refused with the names."""
    assert "page_num" not in listed["get_ocr_text"]["properties"]
    taken = call(caller, "search_documents", query="x", kind="pdf")
    refused = call(caller, "search_documents", query="x", sort="name")
    assert not taken["isError"] and refused["isError"] and "date_from" in refused["content"][0]["text"]


def count_tokens(tools: list[Any]) -> int:
    return len(json.dumps([tool.model_dump(by_alias=True, exclude_none=True) for tool in tools])) // 4


def test_a_client_finds_tools_that_are_not_listed(caller: Caller) -> None:
    named = [tool["name"] for tool in requests.find_fitting(caller, {"query": "create a tag"})["tools"]]
    assert named[0] == "create_tag" and len(named) <= 5
    nothing = requests.find_fitting(caller, {"query": "xyzzy"})
    assert nothing["tools"] == [] and "create_tag" in nothing["note"]


def test_what_is_about_a_document_says_so_and_is_refused_without_one(caller: Caller, document: Document) -> None:
    tools = {tool.name: tool.input_schema for tool in list_tools(requests.imagine_turn(caller))}
    naming = {"document", "document_id"}
    optional = {
        name for name, schema in tools.items() if naming & schema["properties"].keys() - set(schema["required"])
    }
    assert optional == {
        *(
            "calculate_expression",
            "delete_document",
            "list_prompts",
            "restore_documents",
            "run_extraction",
            "search_documents",
        ),
        "update_document",
    }
    for name, schema in tools.items():
        if name in ("propose_changes", "get_decision", "research", "help_prompts", "help_schemas"):
            continue
        refused = call(caller, name)
        if naming & set(schema["required"]):
            assert refused["isError"] and "say which document is meant" in refused["structuredContent"]["error"]
        assert OF_A_CONVERSATION.search(refused["content"][0]["text"]) is None, (name, refused)
        if name in optional - {"calculate_expression", "list_prompts", "search_documents"}:
            assert "which document is meant" in refused["content"][0]["text"] or name == "restore_documents"
    nothing = requests.Turn.objects.filter(calls__tool="get_ocr_text")
    assert not nothing.exists()


def test_changes_that_are_proposed_together_name_their_documents_and_arguments(caller: Caller) -> None:
    tools = {tool.name: tool.input_schema for tool in list_tools(requests.imagine_turn(caller))}
    fields = tools["propose_changes"]["properties"]["changes"]["items"]["properties"]
    changing = [tool.name for tool in registry if not tool.is_read and tool.name in tools]
    assert fields["tool"]["enum"] == changing
    asked = requests.describe_asked(caller, {"changes": [{"tool": "create_tag"}, {"tool": "list_tags"}]})
    assert asked and [tool["name"] for tool in asked["tools"]] == ["create_tag"]
    assert list(asked["tools"][0]["arguments"]["properties"]) == ["name", "color", "description", "idempotency_key"]
    refused = call(caller, "propose_changes", changes=[{"tool": "split_document", "arguments": {"parts": ["1"]}}])
    assert "say which document is meant" in refused["structuredContent"]["error"]


READS: dict[str, dict[str, Any]] = {
    "calculate_expression": {"expression": "1 + 2"},
    "check_values": {
        "document": "invoice.pdf",
        "value_checks": [{"kind": "date_order", "first": "due_date", "then": "due_date"}],
    },
    "cite_source": {"cited_text": "Ostrava", "block_id": "D1:1.1", "citation_number": 1},
    "compare_documents": {"document": "invoice.pdf", "with_document": "second.pdf"},
    "compare_extractions": {"document": "invoice.pdf", "with_document": "second.pdf"},
    "export_results": {"documents": ["invoice.pdf", "second.pdf"]},
    "get_current_time": {},
    "get_chunks": {"chunk_ids": ["api.yaml:GET /orders"]},
    "get_extraction_result": {"document": "invoice.pdf"},
    "get_ocr_text": {"document": "invoice.pdf"},
    "get_prompt": {"prompt_revid": "Invoice"},
    "get_schema": {"schema_revid": "Invoice"},
    "get_tag": {"tag_id": "Paid"},
    "help_prompts": {},
    "help_schemas": {},
    "list_documents": {"limit": 1},
    "list_llm_models": {},
    "list_prompts": {},
    "list_schemas": {},
    "list_tags": {},
    "query_fields": {"columns": ["vendor"]},
    "read_document": {"document": "invoice.pdf"},
    "resolve_reference": {"text": "the last document"},
    "search_chunks": {"query": "Ostrava"},
    "search_documents": {"query": "Ostrava"},
    "table_query": {"document": "rows.csv"},
    "validate_against_schema": {"schema_revid": "Invoice", "data": {}},
    "validate_schema": {"schema": "{}"},
}


PAID: dict[str, dict[str, Any]] = {
    "get_document_summary": {"document": "invoice.pdf"},
    "read_multiple_documents": {"document_ids": ["invoice.pdf"]},
    "rerank_documents": {"document_ids": ["invoice.pdf", "second.pdf"], "query": "Ostrava?"},
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("tool", PAID)
def test_an_answer_of_a_model_has_its_schema(
    caller: Caller, extracted: list[Document], scripted_model: ScriptedModel, tool: str
) -> None:
    scripted_model.will(says("It is Ostrava Tools [1.1]."))
    result = call(caller, tool, **PAID[tool])
    assert not result["isError"] and "status" not in result["structuredContent"], result
    check_answer(tool, result["structuredContent"])


@pytest.mark.parametrize("tool", READS)
def test_an_answer_has_the_schema_that_its_tool_names(caller: Caller, extracted: list[Document], tool: str) -> None:
    arguments = READS[tool]
    if tool == "cite_source":
        text = call(caller, "read_document", document="invoice.pdf")["structuredContent"]["text"]
        arguments = {**arguments, "block_id": re.findall(r"\[(D\d+:1\.1)\]", text)[0]}
    result = call(caller, tool, **arguments)
    assert not result["isError"], result
    check_answer(tool, result["structuredContent"])


def test_a_client_means_by_that_what_its_requests_before_named(
    caller: Caller, stranger: Actor, extracted: list[Document]
) -> None:
    theirs = add_document(stranger.organization, ["SECRET-9911"], name="theirs.pdf")
    call(caller, "get_tag", tag_id="Paid")
    answer = call(caller, "resolve_reference", text="that tag")["structuredContent"]
    assert [each["tag_name"] for each in answer["candidates"]] == ["Paid"]
    call(caller, "read_document", document="second.pdf")
    answer = call(caller, "resolve_reference", text="ese proveedor")["structuredContent"]
    assert [each["document_name"] for each in answer["candidates"]] == ["second.pdf"]
    for text in (theirs.pk, "SECRET-9911", "theirs.pdf"):
        answer = call(caller, "resolve_reference", text=text)["structuredContent"]
        assert not [each for each in answer["candidates"] if answer["exact"] or each["document_name"] == "theirs.pdf"]


def check_answer(tool: str, answer: dict[str, Any]) -> None:
    schema = find_output_schema(tool)
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(answer)
    assert next(iter(schema["properties"])) in answer
    for name, wrong in (("string", 1), ("array", 1), ("integer", ""), ("object", 1), ("boolean", 1)):
        kinds = [each for each, kind in schema["properties"].items() if kind.get("type") == name]
        assert all(not Draft202012Validator(schema).is_valid({**answer, each: wrong}) for each in kinds)


def test_what_waits_or_was_read_on_has_its_schema_too(caller: Caller, extracted: list[Document]) -> None:
    waiting = call(caller, "create_tag", name="New")["structuredContent"]
    decision = requests.look_up(caller, {"call_id": waiting["call_id"]})
    check_answer("get_decision", decision)
    assert waiting.keys() <= STATE


def test_each_tool_that_reads_has_a_schema_of_its_answer(caller: Caller) -> None:
    tools = {tool.name: tool for tool in list_tools(requests.imagine_turn(caller))}
    reads = {name for name, tool in tools.items() if tool.annotations.read_only_hint}
    assert {name for name, tool in tools.items() if tool.output_schema} == reads
    assert reads - {"get_decision", "research", "read_result"} == {*READS, *PAID}


@pytest.mark.parametrize("tool", ["list_documents", "read_document", "query_fields"])
def test_a_model_reads_names_in_place_of_ids_and_can_call_by_them(
    caller: Caller, extracted: list[Document], tool: str
) -> None:
    turn = requests.begin(caller, tool, {**READS[tool], **({"limit": 9} if tool == "list_documents" else {})})
    short, whole = (call_results.build_result(turn, with_ids=with_ids) for with_ids in (False, True))
    for result in (short, whole):
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    answer, told = short["structuredContent"], json.dumps(whole["structuredContent"])
    assert '"document_id": "' in told and '_id": "' not in json.dumps(answer)
    rows = next((part for part in answer.values() if isinstance(part, list) and isinstance(part[0], dict)), [answer])
    names = [row["document_name"] for row in rows]
    assert names and not any(call(caller, "get_ocr_text", document=name)["isError"] for name in names)


@pytest.mark.parametrize(
    ("size", "lists_all", "has_json"), [(100, False, True), (9_000, False, False), (9_000, True, True)]
)
def test_a_large_answer_is_sent_once_and_its_text_stays_whole(size: int, lists_all: bool, has_json: bool) -> None:
    whole = call_results.to_tool_result({"text": "x" * size}, failed=False)
    sent = call_results.send_once(whole, lists_all=lists_all)
    assert ("structuredContent" in sent) == has_json
    assert json.loads(sent["content"][0]["text"]) == {"text": "x" * size} and sent["isError"] is False
