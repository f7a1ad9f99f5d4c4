"""Open pages hear of each end of a call, and of what it does to its turn."""

from __future__ import annotations

from accounts.actor import Actor
from agent.calls import execution
from agent.models import Event, ToolCall, Turn
from tests.agent.decision_rows import Propose, say
from tests.agent.test_execution import AUTO
from tests.agent.test_fences import claim


def list_reports(of: ToolCall | Turn) -> list[str]:
    """The states of a call or turn that open pages were told of, in their order."""
    kind, name = ("call.changed", "call_id") if isinstance(of, ToolCall) else ("turn.changed", "turn_id")
    events = Event.objects.filter(thread=of.thread_id, kind=kind).order_by("seq")
    return [event.payload["status"] for event in events if event.payload[name] == of.pk]


def test_open_pages_hear_of_each_end_of_a_call(actor: Actor, propose: Propose) -> None:
    (sent,) = propose(("send", {"to": "x"}))
    say(actor, sent)
    execution.release_call(claim(sent))
    execution.resolve_outcome(actor, call=ToolCall.objects.get(), happened=True)
    assert list_reports(sent)[-2:] == ["in_doubt", "succeeded"]
    assert "paused" in list_reports(sent.turn)


def test_open_pages_hear_of_a_card_and_of_the_one_in_its_place(propose: Propose) -> None:
    (call,) = propose(("note", {"text": "x"}), mode=AUTO)
    call.thread.mode = "ask"
    call.thread.save()
    execution.execute(call.pk, holder="test")
    assert list_reports(call)[-1] == "stale"
    assert list_reports(call.replaced_by.get())[-1] == "pending"


def test_open_pages_hear_of_a_call_that_was_given_up(propose: Propose) -> None:
    (call,) = propose(("draft", {"text": "x"}), mode=AUTO)
    ToolCall.objects.update(attempt=execution.MAX_ATTEMPTS - 1)
    execution.release_call(claim(call))
    assert list_reports(call)[-1] == "failed"
