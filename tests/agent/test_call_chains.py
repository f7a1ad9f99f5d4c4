"""Which calls of one answer build on one another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Role
from agent.calls import decisions
from agent.models import Thread
from documents.definitions import prompts
from documents.models import Document, Reading, Schema, SchemaRevision
from tests.agent.chain_rows import NEW_PROMPT, NEW_SCHEMA, NEW_TAG, TAG_IT, run, statuses
from tests.agent.decision_rows import Propose, faces, say
from tests.agent.tool_rows import FORMAT

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
Member = Callable[[Role], Actor]


def test_later_calls_name_what_earlier_ones_make(propose: Propose) -> None:
    chain = propose(NEW_SCHEMA, NEW_PROMPT)
    assert [(call.status, call.chain, call.chain_step, call.builds_on) for call in chain] == [
        ("pending", 0, 1, []),
        ("pending", 0, 2, [1]),
    ]
    assert chain[1].effective["schema_id"] in chain[0].preassigned_ids
    assert {"name": "Schema", "value": "Invoice, version 1"} in chain[1].preview["rows"]
    assert not Schema.objects.exists()


def test_a_run_without_a_name_takes_the_prompt_that_the_answer_makes(document: Document, propose: Propose) -> None:
    Reading.objects.create(document=document, number=1, status="completed", page_count=1, pages_read=1, pages_listed=1)
    calls = propose(("create_prompt", {"name": "Other", "content": "All."}), ("run_extraction", {}))
    assert [(call.status, call.builds_on) for call in calls] == [("pending", []), ("pending", [1])]
    assert calls[1].effective["prompt_revid"] in calls[0].preassigned_ids
    assert "Other, version 1" in str(calls[1].preview["rows"])


@pytest.mark.parametrize("between", [[], [NEW_TAG, TAG_IT]])
def test_nothing_is_run_on_what_a_wrong_change_before_it_leaves(
    document: Document, propose: Propose, actor: Actor, between: list[Any]
) -> None:
    Reading.objects.create(document=document, number=1, status="completed", page_count=1, pages_read=1, pages_listed=1)
    prompts.create(actor, name="Invoice", content="All.")
    wrong = ("update_prompt", {"prompt_id": "Invoice", "text": "Only totals."})
    first, *_, last = propose(wrong, *between, ("run_extraction", {"prompt_revid": "Invoice"}))
    assert (first.status, last.status, last.chain) == ("invalid", "invalid", None)
    assert "Send both again" in last.result["error"]


@pytest.mark.parametrize("mode", ["ask", "plan"])
@pytest.mark.parametrize(
    ("later", "is_untried"),
    [
        (NEW_PROMPT, True),
        (("get_schema", {"schema_revid": "Invoice"}), True),
        (("create_prompt", {"name": "P", "content": "All.", "schema_id": "the new one"}), True),
        (("update_document", {"add_tags": ["No such tag"]}), False),
        (NEW_TAG, False),
    ],
)
def test_what_names_a_refused_step_before_it_says_that_it_was_not_tried(
    propose: Propose, mode: str, later: Any, is_untried: bool
) -> None:
    wrong = ("create_schema", {"name": "Invoice", "response_format": {"type": "nothing"}})
    read = ("get_prompt", {"prompt_revid": "Invoice"})
    first, second, *_, last = propose(wrong, NEW_PROMPT, NEW_TAG, later, read, mode=mode)
    why = f"Not tried, because step 1 (create_schema) failed: {first.result['error']}"
    assert first.status == "invalid" and second.result["error"] == why
    fourth = first.turn.calls.get(position=3)
    assert ((fourth.result or {}).get("error") == why) is is_untried
    assert last.result["error"] == why


def test_a_run_after_a_wrong_read_is_shown_all_the_same(document: Document, propose: Propose, actor: Actor) -> None:
    Reading.objects.create(document=document, number=1, status="completed", page_count=1, pages_read=1, pages_listed=1)
    prompts.create(actor, name="Invoice", content="All.")
    first, last = propose(("get_prompt", {"prompt_revid": "No"}), ("run_extraction", {"prompt_revid": "Invoice"}))
    assert (first.status, last.status) == ("invalid", "pending")


def test_calls_that_need_nothing_of_each_other_stand_alone(propose: Propose) -> None:
    calls = propose(
        NEW_TAG, ("update_document", {"metadata": {"a": "b"}}), ("note", {"text": "x"}), ("note", {"text": "y"})
    )
    assert [(call.status, call.chain, call.preassigned_ids) for call in calls] == [("pending", None, [])] * 4


def test_two_chains_of_one_answer_are_two(propose: Propose) -> None:
    calls = propose(NEW_SCHEMA, NEW_TAG, NEW_PROMPT, TAG_IT)
    assert [(call.chain, call.chain_step, call.builds_on) for call in calls] == [
        (0, 1, []),
        (1, 1, []),
        (0, 2, [1]),
        (1, 2, [1]),
    ]


def test_a_patch_goes_on_with_the_patch_before_it(propose: Propose, actor: Actor, do: Any) -> None:
    do("create_schema", name="Invoice", response_format=FORMAT)
    field = {"type": "string", "description": "x"}
    first, second = (("update_schema", {"schema_id": "Invoice", "set": {name: field}}) for name in ("a", "b"))
    chain = propose(first, second)
    assert chain[1].builds_on == [1]
    assert {"a", "b"} <= chain[1].effective["response_format"]["json_schema"]["schema"]["properties"].keys()
    decisions.decide_all(actor, thread=chain[0].thread, kind="approved", cards=faces(*chain), idempotency_key="k")
    run(*chain)
    assert statuses(chain) == ["succeeded", "succeeded"]
    assert {"a", "b"} <= SchemaRevision.objects.get(number=3).json_schema["properties"].keys()


def test_a_call_that_does_not_fit_after_those_before_it_is_refused(propose: Propose) -> None:
    first, second = propose(NEW_SCHEMA, NEW_SCHEMA)
    assert (first.status, first.chain, second.status) == ("pending", None, "invalid")
    assert "Invoice" in second.result["error"] and not second.why_asks


@pytest.mark.parametrize(
    ("made", "read"),
    [
        (NEW_SCHEMA, ("get_schema", "schema_revid")),
        (("create_prompt", {"name": "Invoice", "content": "All."}), ("get_prompt", "prompt_revid")),
    ],
)
def test_a_definition_is_read_after_the_call_that_makes_it(
    propose: Propose, actor: Actor, made: tuple[str, Any], read: tuple[str, str]
) -> None:
    tool, named = read
    chain = propose(made, (tool, {named: "Invoice"}))
    assert [(call.status, call.builds_on) for call in chain] == [("pending", []), ("approved", [1])]
    assert chain[1].effective[named] in chain[0].preassigned_ids
    say(actor, chain[0])
    run(*chain)
    assert statuses(chain) == ["succeeded", "succeeded"]
    assert chain[1].result["name"] == "Invoice" and chain[1].result[named] == chain[0].result[named]


def test_a_definition_is_read_as_the_call_before_leaves_it(propose: Propose, actor: Actor, do: Any) -> None:
    do("create_prompt", name="Invoice", content="All.")
    chain = propose(
        ("update_prompt", {"prompt_id": "Invoice", "content": "Some."}), ("get_prompt", {"prompt_revid": "Invoice"})
    )
    assert chain[1].builds_on == [1]
    say(actor, chain[0], "rejected")
    assert statuses(chain) == ["rejected", "superseded"]


def test_a_definition_that_the_answer_does_not_touch_is_read_at_once(propose: Propose, do: Any) -> None:
    do("create_prompt", name="Other", content="All.")
    _, read, built_in = propose(
        NEW_SCHEMA, ("get_prompt", {"prompt_revid": "Other"}), ("get_prompt", {"prompt_revid": "default"})
    )
    assert [(call.status, call.chain) for call in (read, built_in)] == [("approved", None)] * 2
    run(read, built_in)
    assert statuses([read, built_in]) == ["succeeded", "succeeded"]


def test_a_name_that_no_call_makes_is_refused_as_ever(propose: Propose) -> None:
    _, prompt = propose(NEW_TAG, NEW_PROMPT)
    assert prompt.status == "invalid" and "Schema not found" in prompt.result["error"]


def test_what_mode_auto_lets_run_waits_for_the_step_that_asks(propose: Propose, actor: Actor, thread: Thread) -> None:
    tag, change = propose(NEW_TAG, TAG_IT, mode="auto")
    assert [(call.status, call.chain_step) for call in (tag, change)] == [("pending", 1), ("approved", 2)]
    run(change)
    say(actor, tag)
    run(change, tag, change)
    assert statuses([tag, change]) == ["succeeded", "succeeded"]
