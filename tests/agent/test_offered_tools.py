"""Which tools a request to the model offers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Member, Role
from agent.conversation import threads
from agent.models import Rule, Thread, Turn
from agent.policy.offered_tools import LONG_DOCUMENT, describe_offered, list_offered, list_usable
from agent.policy.policy_context import context_for
from agent.toolkit.few_tools import MAX_FEW
from agent.toolkit.registry import registry
from agent.tools.help import find_tools
from agent.turns import turns
from documents.models import Document, Extraction, Reading
from tests.agent.tool_documents import Do
from tests.agent.turn_rows import Ask
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = pytest.mark.django_db
MAX_OFFERED = 17


def begin(actor: Actor, document: Document | None) -> Turn:
    return turns.start(actor, thread=threads.create(actor, document=document), text="Hello")


def list_names(turn: Turn) -> list[str]:
    return [tool.name for tool in list_offered(Turn.objects.get(pk=turn.pk))]


def test_it_offers_few_tools_and_keeps_the_rest_in_the_registry(actor: Actor, document: Document) -> None:
    turn = begin(actor, document)
    names = list_names(turn)
    assert len(names) <= MAX_OFFERED and {"create_schema", "run_extraction", "find_tools"} <= set(names)
    assert not {"delete_document", "validate_schema", "help_schemas"} & set(names)
    assert [tool.name for tool in list_usable(turn)] == [tool.name for tool in registry if not tool.needs_sight]


def test_nobody_is_offered_what_their_role_refuses(
    member: Callable[[Role], Actor], document: Document, actor: Actor
) -> None:
    reviewer = begin(member(Role.REVIEWER), document)
    assert "create_schema" not in list_names(reviewer) and "update_document" in list_names(reviewer)
    Member.objects.filter(user=reviewer.thread.owner).update(role=Role.VIEWER)
    offered = list_offered(Turn.objects.get(pk=reviewer.pk))
    assert offered and all(tool.needed_role is Role.VIEWER for tool in offered)


def test_what_a_rule_denies_is_not_offered(actor: Actor, document: Document) -> None:
    turn = begin(actor, document)
    rule = {"organization": actor.organization, "created_by": actor.user, "verdict": "deny"}
    Rule.objects.create(scope="organization", tool="run_extraction", **rule)
    assert "run_extraction" not in list_names(turn)
    Rule.objects.update(revoked_at=timezone.now())
    assert "run_extraction" in list_names(turn)


def test_a_headless_turn_gets_its_six(actor: Actor, document: Document) -> None:
    turn = begin(actor, document)
    Turn.objects.filter(pk=turn.pk).update(origin=Turn.Origin.HEADLESS)
    assert list_names(turn) == sorted(
        ["create_prompt", "create_schema", "get_ocr_text", "run_extraction", "update_prompt", "update_schema"]
    )


def test_a_thread_about_no_document_is_offered_at_once_what_answers_from_many(actor: Actor, document: Document) -> None:
    research = {"read_document", "read_multiple_documents", "rerank_documents", "get_document_summary", "query_fields"}
    research |= {"cite_source", "open_document", "read_all_documents"}
    assert research.isdisjoint(list_names(begin(actor, document)))
    assert research <= set(list_names(begin(actor, None)))


def test_restoring_is_offered_in_a_thread_whose_document_is_in_the_trash(actor: Actor, document: Document) -> None:
    turn = begin(actor, document)
    assert "restore_documents" not in list_names(turn)
    Document.objects.update(trashed_at=timezone.now())
    assert "restore_documents" in list_names(turn)


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("new", {"create_schema", "create_prompt", "get_ocr_text"}),
        ("long", {"create_schema", "read_document"}),
        ("with values", {"update_extraction_field", "list_documents", "update_schema"}),
        ("in the trash", {"restore_documents", "create_schema"}),
        ("none", {"search_documents", "query_fields", "read_document", "read_all_documents"}),
    ],
)
def test_a_model_that_is_told_of_tools_in_words_gets_eight_and_finds_the_others(
    actor: Actor, document: Document, do: Do, settings: Any, kind: str, wanted: set[str]
) -> None:
    if kind == "long":
        Reading.objects.create(document=document, number=2, status="completed", page_count=LONG_DOCUMENT + 1)
    elif kind == "with values":
        Extraction.objects.create(document=document, number=1, status="completed")
    elif kind == "in the trash":
        Document.objects.update(trashed_at=timezone.now())
    turn = begin(actor, None if kind == "none" else document)
    Turn.objects.update(model="openai/scripted")
    settings.MODELS_WITHOUT_TOOLS = ("openai/*",)
    names = list_names(turn)
    assert len(names) == MAX_FEW and wanted | {"find_tools", "run_extraction"} <= set(names)
    context = context_for(Turn.objects.get(pk=turn.pk), actor)
    added = find_tools(context, query="tag: create a tag")["added"]
    assert "create_tag" in added and "create_tag" not in names
    Thread.objects.filter(pk=turn.thread_id).update(working_state=context.remembered)
    assert list_names(turn) == [*names, *added]
    settings.MODELS_WITHOUT_TOOLS = ()
    assert len(list_names(turn)) > len(names) + len(added)


def test_what_is_looked_for_is_offered_from_then_on(do: Do, thread: Thread, actor: Actor) -> None:
    before = list_names(do("find_tools", query="what day is it").turn)
    found = do("find_tools", query="restore a document from the trash")
    assert found.result["added"]["restore_documents"] == "Restore from the trash"
    after = list_names(found.turn)
    assert "restore_documents" in after and after[: len(before)] == before
    again = do("find_tools", query="restore")
    assert "restore_documents" not in again.result["added"]
    assert list_names(again.turn)[: len(after)] == after


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("add up totals per vendor and month", "query_fields"),
        ("what day is it", "get_current_time"),
        ("today's date in Tokyo", "get_current_time"),
        ("how do I write a good schema", "help_schemas"),
        ("restore a document from the trash", "restore_documents"),
        ("calculate sums of values", "calculate_expression"),
        ("export the values to csv", "export_results"),
        ("which models are there", "list_llm_models"),
        ("delete the prompt", "delete_prompt"),
        ("validate_schema", "validate_schema"),
    ],
)
def test_it_adds_what_fits_and_little_else(do: Do, query: str, name: str) -> None:
    added = do("find_tools", query=query).result["added"]
    assert name in added and len(added) <= 4
    assert name.startswith("delete") or "delete_document" not in added


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("rerank documents summary citation", "get_document_summary, rerank_documents"),
        ("query fields", "query_fields, table_query"),
    ],
)
def test_it_adds_nothing_where_what_fits_is_offered_already(actor: Actor, query: str, note: str) -> None:
    turn = begin(actor, None)
    assert find_tools(context_for(turn, actor), query=query) == {"added": {}, "note": f"You have what fits: {note}."}


@pytest.mark.parametrize(
    ("query", "adds"),
    [
        ("tidy up: remove or clean old schemas and tags", set()),
        ("delete the schema", {"delete_schema"}),
        ("parts of a document, cut it up", set()),
        ("split the document", {"split_document"}),
    ],
)
def test_what_destroys_or_splits_comes_only_by_its_name(do: Do, query: str, adds: set[str]) -> None:
    added = do("find_tools", query=query).result["added"]
    assert {name for name in added if name.startswith(("delete", "split"))} == adds


def test_it_names_all_further_tools_where_none_fits(do: Do) -> None:
    answer = do("find_tools", query="xyzzy").result
    assert answer["added"] == {} and "delete_tag" in answer["tools"]["Schemas, prompts and tags"]
    assert "create_tag" not in json.dumps(answer)


@pytest.mark.django_db(transaction=True)
def test_a_tool_that_was_found_stands_in_the_next_request(
    ask: Ask, work: Callable[[], None], scripted_model: ScriptedModel
) -> None:
    ask("Bring it back", calls(("find_tools", {"query": "restore"})), says("Found."))
    work()
    first, second = ([each["function"]["name"] for each in body["tools"]] for body in scripted_model.requests[-2:])
    assert "restore_documents" not in first and "restore_documents" in second and second[: len(first)] == first


def test_the_model_is_told_of_the_parameters_that_serve_it_and_the_others_are_taken(
    actor: Actor, document: Document, do: Do
) -> None:
    tool, described = registry.find("update_document"), describe_offered(begin(actor, document))
    [offered] = [
        each["function"]["parameters"]["properties"] for each in described if each["function"]["name"] == tool.name
    ]
    Turn.objects.update(status="completed")
    assert "add_tags" in offered and "tag_ids" not in offered and "tag_ids" in tool.parameters["properties"]
    assert do("update_document", metadata={"paid": "yes"}).status == "succeeded"
