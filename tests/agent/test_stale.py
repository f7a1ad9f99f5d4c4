"""A card rests on what it showed: when that has changed it comes back anew, when something else has it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from agent.calls import execution
from agent.models import Thread, ToolCall, Turn
from agent.toolkit.registry import registry
from documents import document_changes
from documents.definitions import tags
from documents.models import Document, Extraction, PromptRevision
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import say
from tests.agent.intrusions import (
    Rows,
    choose_another_model,
    choose_model,
    edit,
    extract_again,
    extract_elsewhere,
    extract_first,
    find_unused_prompt,
    find_unused_schema,
    read_again,
    recolour,
    rename_schema,
    rename_tag,
    revise,
    revise_unused,
    reword,
    reword_unused,
    set_metadata,
    set_name,
    set_tags,
    set_type,
    summarize,
    use_schema,
    verify,
    with_field,
    withdraw,
)
from tests.agent.undo_rows import SCHEMA, document, extraction, prompt, run_of, thread  # noqa: F401 - fixtures

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows(actor: Actor, document: Document, extraction: Extraction, prompt: PromptRevision) -> Rows:  # noqa: F811
    tag = tags.create(actor, name="Invoices")
    assert prompt.schema_revision
    return Rows(actor, document, extraction, prompt.prompt, prompt.schema_revision.schema, tag)


Act = Callable[[Rows], None]
CASES: dict[str, tuple[str, Callable[[Rows], dict[str, Any]], Act, str, Act | None]] = {
    "a field": (
        "update_extraction_field",
        lambda rows: {"path": "vendor", "value": "Ostrava"},
        edit("vendor", "Theirs"),
        "the value",
        edit("total", 9),
    ),
    "a value to verify": (
        "verify_values",
        lambda rows: {"paths": ["vendor"]},
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
    "a schema that comes into use elsewhere": (
        "update_schema",
        lambda rows: {"schema_id": rows.schema.pk, "response_format": with_field("bic")},
        extract_elsewhere,
        "how far it reaches",
        extract_again,
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
    "a document's type": (
        "update_document",
        lambda rows: {"document_type": "letter"},
        set_type,
        "the type",
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
    rests_on_others = fresh.shown_hash != call.shown_hash and fresh.preconditions != call.preconditions
    assert rests_on_others or fresh.reach != call.reach
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
    makes = {
        "create_schema",
        "create_prompt",
        "create_tag",
        "run_extraction",
        "split_document",
        "add_document",
        "restore_documents",
        "remember_wish",
        "undo_change",
        "read_all_documents",
    }
    tried = {case[0] for case in CASES.values()}
    changing = {tool.name for tool in registry if not tool.is_read}
    assert changing - makes - tried <= {"look", "note", "draft", "send"}
