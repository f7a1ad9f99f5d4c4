"""What a claim of a call promises: who may end it, which tries count, and that one that broke off is put back."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.services import audit
from agent.calls import execution
from agent.calls.decisions import decide_all
from agent.models import Rule, ToolCall
from agent.toolkit.registry import Result, ToolContext
from agent.toolkit.tool_kinds import Access, Effect
from documents.models import Document
from kit.errors import Conflict, Invalid
from tests.agent.chain_rows import NEW_PROMPT, NEW_SCHEMA, statuses
from tests.agent.conftest import notes
from tests.agent.decision_rows import Propose, faces, say
from tests.agent.test_execution import AUTO
from tests.agent.test_fences import claim, register_tool, state_of

pytestmark = pytest.mark.servers


def test_a_call_whose_tool_breaks_is_put_back_at_once(propose: Propose) -> None:
    """Not only when its lease ends: nothing works on it any more."""

    def peek(context: ToolContext) -> Result:
        """Has a defect."""
        raise ZeroDivisionError

    with register_tool(peek):
        (call,) = propose(("peek", {}))
        with pytest.raises(ZeroDivisionError):
            execution.execute(call.pk, holder="test")
        assert state_of(call)[0] == "approved" and call.attempt == 1


def test_each_claim_has_its_own_begin(propose: Propose) -> None:
    """The time that a call takes in all is counted from it."""
    (call,) = propose(("draft", {"text": "x"}), mode=AUTO)
    for _ in range(2):
        before = timezone.now()
        claimed = claim(call)
        begin = ToolCall.objects.get().claimed_at
        assert begin and before <= begin <= timezone.now()
        execution.release_call(claimed)


def test_a_clean_stop_at_the_last_try_gives_nothing_up(propose: Propose) -> None:
    (call,) = propose(("draft", {"text": "x"}), mode=AUTO)
    ToolCall.objects.update(attempt=execution.MAX_ATTEMPTS - 1)
    execution.release_call(claim(call), counts=False)
    assert state_of(call)[0] == "approved" and call.attempt == execution.MAX_ATTEMPTS - 1


@pytest.mark.parametrize("happened", [True, False])
def test_nobody_reports_the_outcome_of_a_call_that_still_runs(actor: Actor, propose: Propose, happened: bool) -> None:
    (call,) = propose(("send", {"to": "x"}))
    say(actor, call)
    claimed = claim(call)
    with pytest.raises(Conflict):
        execution.resolve_outcome(actor, call=ToolCall.objects.get(), happened=happened)
    assert state_of(call) == ("executing", claimed.fence, None)


@pytest.mark.parametrize(
    ("happened", "expected"), [(True, ["succeeded", "approved"]), (False, ["failed", "superseded"])]
)
def test_what_builds_on_a_call_waits_for_the_report_of_its_outcome(
    actor: Actor, propose: Propose, happened: bool, expected: list[str]
) -> None:
    first, second = propose(NEW_SCHEMA, NEW_PROMPT)
    decide_all(actor, thread=first.thread, kind="approved", cards=faces(first, second), idempotency_key="k")
    ToolCall.objects.filter(pk=first.pk).update(effect="external")
    execution.release_call(claim(first))
    assert statuses([first, second]) == ["in_doubt", "approved"]
    execution.resolve_outcome(actor, call=first, happened=happened)
    assert statuses([first, second]) == expected and first.finished_at


SENT = {"access": Access.EXTERNAL, "effect": Effect.EXTERNAL}
PREPARED = {"access": Access.COSTLY, "effect": Effect.PREPARED, "apply": lambda context, result: result}


@pytest.mark.parametrize("about", [SENT, PREPARED], ids=["sent out", "paid"])
def test_what_cannot_be_rolled_back_does_not_begin_once_a_rule_forbids_it(
    actor: Actor, propose: Propose, about: dict[str, Any]
) -> None:
    begun: list[str] = []

    def spend(context: ToolContext) -> Result:
        """Does something that does not come back."""
        begun.append(context.call_id)
        return {}

    with register_tool(spend, **about):
        (call,) = propose(("spend", {}))
        say(actor, call)
        Rule.objects.create(organization=actor.organization, scope="organization", tool="spend", verdict="deny")
        execution.execute(call.pk, holder="test")
        assert state_of(call)[0] == "denied" and not begun


@pytest.mark.parametrize("is_prepared", [False, True])
def test_of_a_change_that_fails_half_way_nothing_stays(actor: Actor, propose: Propose, is_prepared: bool) -> None:
    def write(context: ToolContext, draft: Result) -> Result:
        audit.record(context.actor, "noted", context.thread)
        if context.call_id:
            raise Invalid("It does not fit.")
        return draft

    def stamp(context: ToolContext) -> Result:
        """Writes, and then finds that it cannot go on."""
        return {} if is_prepared else write(context, {})

    with register_tool(stamp, **PREPARED | {"apply": write} if is_prepared else {"access": Access.WRITE}):
        (call,) = propose(("stamp", {}))
        say(actor, call)
        execution.execute(call.pk, holder="test")
        assert state_of(call)[::2] == ("failed", {"error": "It does not fit."})
        assert not notes().exists()


def test_nothing_changes_in_a_document_that_went_to_the_trash_after_the_claim(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "x"}))
    say(actor, call)
    claimed = claim(call)
    Document.objects.update(trashed_at=timezone.now())
    execution.execute_claimed(claimed, holder="test")
    assert state_of(call)[0] == "denied" and not notes().exists()


def test_the_trash_of_another_document_is_not_taken_for_this_ones(actor: Actor, propose: Propose) -> None:
    other = Document.objects.create(
        organization=actor.organization, name="b.pdf", sha256="1" * 64, size=1, media_type="x", file="none"
    )
    (call,) = propose(("update_document", {"document": other.pk, "document_name": "c.pdf"}))
    say(actor, call)
    claimed = claim(call)
    Document.objects.filter(pk=other.pk).update(trashed_at=timezone.now())
    execution.execute_claimed(claimed, holder="test")
    assert state_of(call)[0] != "succeeded"
    assert claimed.thread.document and claimed.thread.document.trashed_at is None


@pytest.mark.parametrize("fails", [False, True])
def test_the_thread_remembers_only_what_came_about(propose: Propose, fails: bool) -> None:
    def peek(context: ToolContext) -> Result:
        """Finds something, and perhaps cannot go on."""
        context.remember(extraction_id="0" * 24)
        if fails:
            raise Invalid("It does not fit.")
        return {}

    with register_tool(peek):
        (call,) = propose(("peek", {}))
        execution.execute(call.pk, holder="test")
    call.thread.refresh_from_db()
    assert bool(call.thread.working_state) is not fails


def test_what_mode_auto_let_through_does_not_run_once_changes_are_planned(propose: Propose) -> None:
    (call,) = propose(("note", {"text": "x"}), mode=AUTO)
    call.thread.mode = "plan"
    call.thread.save()
    execution.execute(call.pk, holder="test")
    assert state_of(call)[0] == "stale" and call.replaced_by.get().status == "pending"
    assert not notes().exists()


def test_a_step_that_is_denied_takes_along_what_builds_on_it(actor: Actor, propose: Propose) -> None:
    first, second = propose(NEW_SCHEMA, NEW_PROMPT)
    decide_all(actor, thread=first.thread, kind="approved", cards=faces(first, second), idempotency_key="k")
    Rule.objects.create(organization=actor.organization, scope="organization", tool="create_schema", verdict="deny")
    execution.execute(first.pk, holder="test")
    assert statuses([first, second]) == ["denied", "superseded"]


def test_two_calls_of_a_turn_may_be_in_doubt(actor: Actor, propose: Propose) -> None:
    calls = propose(("send", {"to": "x"}), ("send", {"to": "y"}))
    for number, call in enumerate(calls):
        say(actor, call, key=f"k{number}")
        execution.release_call(claim(call))
    assert statuses(calls) == ["in_doubt", "in_doubt"]
    assert (calls[0].turn.status, calls[0].turn.pause_reason) == ("paused", "in_doubt")
