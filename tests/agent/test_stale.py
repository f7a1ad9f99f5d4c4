"""A card rests on what it showed: when that has changed it comes back anew, when something else has it runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from accounts.actor import Actor
from agent.calls import execution
from agent.models import Thread, ToolCall, Turn
from agent.toolkit.registry import registry
from documents import document_changes, extractions
from documents.definitions import prompts, schemas, tags
from documents.extractions import edits
from documents.models import Document, Extraction, Prompt, PromptRevision, Reading, Schema, Tag
from tests.agent.conftest import propose_all
from tests.agent.test_decisions import say
from tests.agent.test_undo import SCHEMA, document, extraction, prompt, run_of, thread  # noqa: F401 - fixtures

pytestmark = pytest.mark.django_db


@dataclass
class Rows:
    actor: Actor
    document: Document
    extraction: Extraction
    prompt: Prompt
    schema: Schema
    tag: Tag


@pytest.fixture
def rows(actor: Actor, document: Document, extraction: Extraction, prompt: PromptRevision) -> Rows:  # noqa: F811
    tag = tags.create(actor, name="Invoices")
    assert prompt.schema_revision
    return Rows(actor, document, extraction, prompt.prompt, prompt.schema_revision.schema, tag)


def with_field(name: str) -> dict[str, Any]:
    changed: dict[str, Any] = json.loads(json.dumps(SCHEMA))
    changed["json_schema"]["schema"]["properties"][name] = {"type": "string", "description": "Added."}
    return changed


def revise(rows: Rows, name: str = "iban") -> None:
    schemas.save_version(rows.actor, schema=rows.schema, response_format=with_field(name))


def rename_schema(rows: Rows) -> None:
    schemas.save_version(rows.actor, schema=rows.schema, name="Renamed")


def reword(rows: Rows) -> None:
    prompts.save_version(rows.actor, prompt=rows.prompt, content="Read all of it.")


def choose_model(rows: Rows) -> None:
    prompts.save_version(rows.actor, prompt=rows.prompt, model="offline/rules")


def choose_another_model(rows: Rows) -> None:
    latest = rows.prompt.latest
    assert latest
    rows.prompt.latest = PromptRevision.objects.create(
        prompt=rows.prompt,
        number=2,
        content=latest.content,
        schema_revision=latest.schema_revision,
        model="openai/other",
    )
    rows.prompt.save()


def set_tags(rows: Rows) -> None:
    document_changes.update(rows.actor, document=rows.document, tag_ids=[rows.tag.pk])


def set_name(rows: Rows) -> None:
    document_changes.update(rows.actor, document=rows.document, name="theirs.pdf")


def recolour(rows: Rows) -> None:
    tags.update(rows.actor, tag=rows.tag, color="#102030")


def rename_tag(rows: Rows) -> None:
    tags.update(rows.actor, tag=rows.tag, name="Theirs")


def edit(path: str, value: Any) -> Callable[[Rows], None]:
    return lambda rows: edits.set_path(rows.actor, extraction=rows.extraction, path=path, value=value) and None


def set_metadata(rows: Rows) -> None:
    document_changes.update(rows.actor, document=rows.document, metadata={"from": "them"})


def read_again(rows: Rows) -> None:
    Reading.objects.create(document=rows.document, number=2, status="completed", page_count=1, pages_read=1)


def extract_again(rows: Rows) -> None:
    revision = rows.prompt.latest
    assert revision
    run_of(rows.actor, rows.document, revision, vendor="Theirs", total=3)


def summarize(rows: Rows) -> None:
    Extraction.objects.create(
        document=rows.document, number=2, status="completed", model="none", result={"text": "An invoice."}
    )


def withdraw(rows: Rows) -> None:
    extractions.withdraw(rows.actor, extraction=rows.extraction)


def verify(rows: Rows) -> None:
    edits.verify(rows.actor, extraction=rows.extraction)


def find_unused_schema(rows: Rows) -> Schema:
    schema = Schema.objects.filter(name="Receipt").first()
    return schema or schemas.create(rows.actor, name="Receipt", response_format=SCHEMA).schema


def revise_unused(rows: Rows) -> None:
    schemas.save_version(rows.actor, schema=find_unused_schema(rows), response_format=with_field("iban"))


def use_schema(rows: Rows) -> None:
    prompts.create(rows.actor, name="Receipt", content="Read.", schema_revision=find_unused_schema(rows).latest)


def find_unused_prompt(rows: Rows) -> Prompt:
    earlier = Prompt.objects.filter(name="Unused").first()
    return (
        earlier or prompts.create(rows.actor, name="Unused", content="Read.", schema_revision=rows.schema.latest).prompt
    )


def reword_unused(rows: Rows) -> None:
    prompts.save_version(rows.actor, prompt=find_unused_prompt(rows), content="Read all of it.")


def extract_first(rows: Rows) -> None:
    revision = find_unused_prompt(rows).latest
    assert revision
    run_of(rows.actor, rows.document, revision, vendor="Theirs", total=3)


Act = Callable[[Rows], None]
CASES: dict[str, tuple[str, Callable[[Rows], dict[str, Any]], Act, str, Act | None]] = {
    "a field": (
        "update_extraction_field",
        lambda rows: {"path": "vendor", "value": "Ostrava"},
        edit("vendor", "Theirs"),
        "the value",
        edit("total", 9),
    ),
    "a schema's fields": (
        "update_schema",
        lambda rows: {"schema_id": rows.schema.pk, "response_format": with_field("bic")},
        revise,
        "the newest version",
        rename_schema,
    ),
    "a schema's name": (
        "update_schema",
        lambda rows: {"schema_id": rows.schema.pk, "name": "Ours"},
        rename_schema,
        "the name",
        revise,
    ),
    "a prompt's text": (
        "update_prompt",
        lambda rows: {"prompt_id": rows.prompt.pk, "content": "Read the first page."},
        reword,
        "the text",
        choose_model,
    ),
    "a prompt's model": (
        "update_prompt",
        lambda rows: {"prompt_id": rows.prompt.pk, "model": "offline/rules"},
        choose_another_model,
        "the model",
        reword,
    ),
    "a tag's name": (
        "update_tag",
        lambda rows: {"tag_id": rows.tag.pk, "name": "Ours"},
        rename_tag,
        "the name",
        recolour,
    ),
    "a tag's colour": (
        "update_tag",
        lambda rows: {"tag_id": rows.tag.pk, "color": "#aabbcc"},
        recolour,
        "the colour",
        rename_tag,
    ),
    "a document's name": (
        "update_document",
        lambda rows: {"document_name": "ours.pdf"},
        set_name,
        "the name",
        set_tags,
    ),
    "a document's tags": (
        "update_document",
        lambda rows: {"tag_ids": []},
        set_tags,
        "the tags",
        set_name,
    ),
    "deleting a prompt": (
        "delete_prompt",
        lambda rows: {"prompt_id": rows.prompt.pk},
        reword,
        "the newest version",
        recolour,
    ),
    "deleting a prompt whose only extraction is withdrawn": (
        "delete_prompt",
        lambda rows: {"prompt_id": rows.prompt.pk},
        reword,
        "the newest version",
        withdraw,
    ),
    "deleting a prompt whose first extraction ends": (
        "delete_prompt",
        lambda rows: {"prompt_id": find_unused_prompt(rows).pk},
        reword_unused,
        "the newest version",
        extract_first,
    ),
    "deleting a tag": (
        "delete_tag",
        lambda rows: {"tag_id": rows.tag.pk},
        rename_tag,
        "the name",
        reword,
    ),
    "deleting a tag that comes into use": (
        "delete_tag",
        lambda rows: {"tag_id": rows.tag.pk},
        set_tags,
        "what uses it",
        set_name,
    ),
    "deleting a schema": (
        "delete_schema",
        lambda rows: {"schema_id": find_unused_schema(rows).pk},
        revise_unused,
        "the newest version",
        revise,
    ),
    "deleting a schema that comes into use": (
        "delete_schema",
        lambda rows: {"schema_id": find_unused_schema(rows).pk},
        use_schema,
        "what uses it",
        reword,
    ),
    "deleting a document": (
        "delete_document",
        lambda rows: {},
        set_name,
        "the name",
        set_metadata,
    ),
    "deleting a document whose reading ends": (
        "delete_document",
        lambda rows: {},
        set_name,
        "the name",
        read_again,
    ),
    "deleting a document whose summary ends": (
        "delete_document",
        lambda rows: {},
        extract_again,
        "the extractions",
        summarize,
    ),
    "deleting a document that is verified": (
        "delete_document",
        lambda rows: {},
        verify,
        "who verified it",
        edit("vendor", "Theirs"),
    ),
}


@pytest.fixture
def approved(actor: Actor, thread: Thread, rows: Rows) -> Callable[[str], ToolCall]:  # noqa: F811
    """`approved("a field")`: the card of that case, approved and not yet run."""

    def make(case: str) -> ToolCall:
        name, arguments, *_ = CASES[case]
        if case == "a document's tags":
            other = tags.create(actor, name="Before")
            document_changes.update(actor, document=rows.document, tag_ids=[other.pk])
        (call,) = propose_all(thread, (name, arguments(rows)))
        assert call.status == "pending", call.result
        say(actor, call)
        return call

    return make


def run(call: ToolCall) -> ToolCall:
    execution.execute(call.pk, holder="test")
    return ToolCall.objects.get(pk=call.pk)


@pytest.mark.parametrize("case", CASES)
def test_it_comes_back_with_what_holds_now(
    case: str, approved: Callable[[str], ToolCall], rows: Rows, actor: Actor
) -> None:
    call = approved(case)
    _, _, intrude, words, _ = CASES[case]
    intrude(rows)
    call = run(call)
    assert call.status == "stale", call.result
    fresh = call.replaced_by.get()
    assert (fresh.status, fresh.version, fresh.effective) == ("pending", 2, call.effective)
    assert fresh.shown_hash != call.shown_hash and fresh.preconditions != call.preconditions
    assert fresh.why_asks.startswith(f"Changed since this card was made: {words}")
    assert Turn.objects.get().status == "awaiting_approval"
    say(actor, fresh)
    assert run(fresh).status in ("succeeded", "failed")
    assert Turn.objects.get().status == "queued"


@pytest.mark.parametrize("case", [name for name, case in CASES.items() if case[4]])
def test_a_change_of_something_else_does_not_disturb_it(
    case: str, approved: Callable[[str], ToolCall], rows: Rows
) -> None:
    call = approved(case)
    elsewhere = CASES[case][4]
    assert elsewhere
    elsewhere(rows)
    assert run(call).status == "succeeded"


def test_every_tool_that_changes_a_row_has_a_case() -> None:
    makes = {"create_schema", "create_prompt", "create_tag", "run_extraction"}
    tried = {case[0] for case in CASES.values()}
    changing = {tool.name for tool in registry if not tool.is_read}
    assert changing - makes - tried <= {"look", "note", "draft", "send"}
