"""Every tool that takes an id: as whom it may be used, and what it says of another organization's ids."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Member, Role
from agent.models import ToolCall
from agent.toolkit.registry import registry
from documents.definitions import prompts, schemas, tags
from documents.models import Tag
from tests.agent.tool_rows import FORMAT, another_document

Do = Callable[..., ToolCall]
Ids = dict[str, str]
BY_ID: dict[str, dict[str, Any]] = {
    "list_documents": {"tag_ids": ["tag_id"]},
    "search_documents": {"query": "x", "tag_ids": ["tag_id"], "document_ids": ["document_id"]},
    "get_schema": {"schema_revid": "schema_revid"},
    "validate_against_schema": {"schema_revid": "schema_revid", "data": {}},
    "get_prompt": {"prompt_revid": "prompt_revid"},
    "list_prompts": {"document_id": "document_id"},
    "get_tag": {"tag_id": "tag_id"},
    "get_extraction_result": {"prompt_revid": "prompt_revid"},
    "create_prompt": {"name": "New", "content": "Read it.", "schema_id": "schema_id"},
    "update_schema": {"schema_id": "schema_id", "name": "New"},
    "delete_schema": {"schema_id": "schema_id"},
    "update_prompt": {"prompt_id": "prompt_id", "content": "Read it well."},
    "delete_prompt": {"prompt_id": "prompt_id"},
    "update_tag": {"tag_id": "tag_id", "name": "New"},
    "delete_tag": {"tag_id": "tag_id"},
    "update_document": {"document_id": "document_id", "document_name": "new.pdf"},
    "delete_document": {"document_id": "document_id"},
    "restore": {"documents": ["document_id"]},
    "export_results": {"documents": ["document_id"]},
    "split_document": {"document_id": "document_id", "parts": ["1", "2"]},
    "run_extraction": {"prompt_revid": "prompt_revid"},
}


def _rows(actor: Actor, name: str) -> Ids:
    schema = schemas.create(actor, name=name, response_format=FORMAT)
    prompt = prompts.create(actor, name=name, content="Read.")
    document = another_document(actor, f"{name}.pdf")
    return {
        "schema_id": schema.schema_id,
        "schema_revid": schema.pk,
        "prompt_id": prompt.prompt_id,
        "prompt_revid": prompt.pk,
        "tag_id": tags.create(actor, name=name).pk,
        "document_id": document.pk,
    }


def _fill_ids(arguments: dict[str, Any], ids: Ids) -> dict[str, Any]:
    def one(value: Any) -> Any:
        return [one(inner) for inner in value] if isinstance(value, list) else ids.get(value, value)

    return {name: value if isinstance(value, dict) else one(value) for name, value in arguments.items()}


@pytest.mark.parametrize("tool", BY_ID)
def test_it_reads_an_id_of_another_organization_like_an_unknown_one(
    actor: Actor, stranger: Actor, do: Do, tool: str
) -> None:
    _rows(actor, "Mine")
    theirs = _rows(stranger, "Theirs")
    unknown = dict.fromkeys(theirs, "0" * 24)

    foreign = do(tool, approve=False, **_fill_ids(BY_ID[tool], theirs))
    missing = do(tool, approve=False, **_fill_ids(BY_ID[tool], unknown))
    if registry.find(tool).is_read:
        foreign, missing = (do(tool, **_fill_ids(BY_ID[tool], ids)) for ids in (theirs, unknown))

    errors = [str(call.result["error"]) for call in (foreign, missing)]
    assert "not found" in errors[0] and "Theirs" not in errors[0]
    for name, row_id in theirs.items():
        errors[0] = errors[0].replace(row_id, unknown[name])
    assert errors[0] == errors[1]


WRITES = {
    "create_schema": {"name": "New", "response_format": FORMAT},
    "create_prompt": {"name": "New", "content": "Read it."},
    "create_tag": {"name": "New"},
    **{name: arguments for name, arguments in BY_ID.items() if name.startswith(("update_", "delete_"))},
}


@pytest.mark.parametrize("role", [Role.VIEWER, Role.REVIEWER, Role.BUILDER])
def test_it_changes_only_what_the_owner_of_the_thread_may_change(actor: Actor, do: Do, role: Role) -> None:
    mine = _rows(actor, "Mine")
    Member.objects.filter(user=actor.user).update(role=role)
    calls = {name: do(name, approve=False, **_fill_ids(arguments, mine)) for name, arguments in WRITES.items()}
    refused = {name for name, call in calls.items() if call.status == "denied"}
    assert (
        refused
        == {Role.VIEWER: set(WRITES), Role.REVIEWER: set(WRITES) - {"update_document"}, Role.BUILDER: set()}[role]
    )
    assert all("needs the role" in calls[name].result["error"] for name in refused)
    assert {call.status for call in calls.values()} <= {"denied", "pending"}


def test_it_reads_for_a_viewer(actor: Actor, do: Do) -> None:
    mine = _rows(actor, "Mine")
    Member.objects.filter(user=actor.user).update(role=Role.VIEWER)
    reads = [name for name in BY_ID if registry.find(name).is_read and name != "get_extraction_result"]
    for name in [*reads, "list_schemas", "list_tags", "help_schemas", "help_prompts", "list_llm_models"]:
        assert "error" not in do(name, **_fill_ids(BY_ID.get(name, {}), mine)).result, name


def test_it_lists_nothing_of_another_organization(actor: Actor, stranger: Actor, do: Do) -> None:
    mine, _ = _rows(actor, "Mine"), _rows(stranger, "Theirs")
    assert [row["schema_id"] for row in do("list_schemas").result["schemas"]] == [mine["schema_id"]]
    assert [row["prompt_id"] for row in do("list_prompts").result["prompts"]] == [mine["prompt_id"]]
    assert [row["tag_id"] for row in do("list_tags").result["tags"]] == [mine["tag_id"]]
    assert {row["document_name"] for row in do("list_documents").result["documents"]} == {"invoice.pdf", "Mine.pdf"}


def test_it_names_what_is_called_nearly_so_when_a_name_comes_for_an_id(actor: Actor, do: Do) -> None:
    for name in ("Invoice", "Invoice of a supplier", "Receipt"):
        schemas.create(actor, name=name, response_format=FORMAT)
    tag = Tag.objects.create(organization=actor.organization, name="Urgent")
    error = do("get_schema", schema_revid="invoic").result["error"]
    assert error.startswith("Schema not found: 'invoic'. The nearest are: “Invoice” (")
    assert "Receipt" not in error
    assert do("get_tag", tag_id="x").result["error"].endswith(f"“Urgent” ({tag.pk}).")
    assert do("get_prompt", prompt_revid="x").result["error"] == "Prompt not found: 'x'. There is none yet."


@pytest.mark.parametrize("wrong", [{"skip": -1}, {"skip": 2**63}, {"limit": 0}, {"limit": "many"}, {"page": 1}])
def test_it_says_what_a_list_takes(do: Do, wrong: dict[str, Any]) -> None:
    assert "error" in do("list_tags", **wrong).result


def test_it_gives_long_lists_in_parts(actor: Actor, do: Do) -> None:
    for number in range(25):
        tags.create(actor, name=f"Tag {number:02}")
    first = do("list_tags", sort=[{"field": "name", "sort": "asc"}]).result
    assert (len(first["tags"]), first["total_count"], first["more"]) == (20, 25, "Ask again with skip 20.")
    rest = do("list_tags", sort='[{"field": "name", "sort": "asc"}]', skip=20, limit=1000).result
    assert [row["name"] for row in rest["tags"]] == [f"Tag {number}" for number in range(20, 25)]
    assert "more" not in rest
    assert registry.find("list_tags").summary({}, first) == "20 of 25 tags"  # type: ignore[misc]
