"""Calls as steps of an answer: what streams and pages say of them while they run and at their end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Organization
from agent.api.turn_events import Cursor, list_due
from agent.cards.steps import describe_start, describe_step
from agent.models import Thread, ToolCall, Turn
from agent.turns.turn_views import RoundView, TurnView
from agent.views.thread.ran_rows import build_ran_row
from documents.models import Document


def make(tool: str = "search_documents", **fields: Any) -> ToolCall:
    return ToolCall(tool=tool, **{"status": "succeeded", "finished_at": timezone.now(), **fields})


@pytest.mark.parametrize(
    ("tool", "arguments", "action", "message"),
    [
        ("search_documents", {"query": "roof"}, "searching", "Searching for: roof"),
        ("query_fields", {}, "exploring", "Ask about values"),
        ("read_document", {"document": "a.pdf"}, "reading", "Reading: a.pdf"),
        ("get_document_summary", {"document": "a.pdf"}, "summarising", "Summarising: a.pdf"),
        ("open_document", {"citation_number": 1, "reason": "to see the total"}, "opening", "Opening: to see the total"),
        ("read_multiple_documents", {"focus_query": "roof"}, "summarising", "Summarising for: roof"),
        ("read_all_documents", {"question": "roof"}, "summarising", "Summarising for: roof"),
        ("rerank_documents", {"query": "roof"}, "analysing", "Comparing by: roof"),
        ("gone_by_now", {}, "planning", "gone_by_now"),
    ],
)
def test_a_step_that_begins_says_what_it_does(tool: str, arguments: dict[str, Any], action: str, message: str) -> None:
    step = describe_start(make(tool, effective=arguments), 2)
    assert (step["step"], step["action_type"], step["tool_status"], step["tool_output"]) == (2, action, "running", "")
    assert step["message"] == message and step["tool_input"] == arguments


@pytest.mark.django_db
def test_a_step_names_a_document_as_people_know_it(actor: Actor, stranger: Actor) -> None:
    ours, theirs = (
        Document.objects.create(organization=each.organization, name="a.pdf", sha256="0", size=1, file="x")
        for each in (actor, stranger)
    )
    thread = Thread(organization=actor.organization)
    begun, foreign = (make("read_document", effective={"document": row.pk}, thread=thread) for row in (ours, theirs))
    assert describe_start(begun, 1)["message"] == "Reading: a.pdf"
    assert describe_start(foreign, 1)["message"] == f"Reading: {theirs.pk}"
    begun.result = {"document_name": "renamed.pdf"}
    assert describe_start(begun, 1)["message"] == "Reading: renamed.pdf"


def test_a_step_that_has_ended_says_what_came_of_it() -> None:
    step = describe_step(make(effective={"query": "roof"}, result={"total_found": 3}), 1, '{"total_found": 3}')
    assert (step["message"], step["tool_status"]) == ("Found 3 documents", "complete")
    assert step["tool_output"] == '{"total_found": 3}' and step["timestamp"]


@pytest.mark.parametrize(
    ("status", "result", "expected"),
    [
        ("failed", {"error": "No."}, ("No.", "error")),
        ("cancelled", None, ("cancelled", "error")),
        ("executing", {"progress": {}}, ("Searching for: roof", "running")),
    ],
)
def test_a_step_that_failed_or_runs_says_so(status: str, result: Any, expected: tuple[str, str]) -> None:
    step = describe_step(make(effective={"query": "roof"}, status=status, result=result), 1, "")
    assert (step["message"], step["tool_status"]) == expected


@pytest.mark.django_db
def test_results_come_in_the_order_in_which_calls_ended() -> None:
    now = timezone.now()
    late, early = (make(pk=f"{at}" * 24, finished_at=now - timedelta(seconds=at), result={}) for at in (1, 2))
    turn = Turn(status="running", round=1, thread=Thread(organization=Organization()))
    events = [event for _, event in list_due(TurnView(turn, [RoundView(0, "", "", [late, early])]), Cursor(turn.pk))]
    ended = [(event["call_id"], event["step"]["step"]) for event in events if event["type"] == "tool_result"]
    assert ended == [(early.pk, 2), (late.pk, 1)]


def test_a_line_of_the_page_says_the_same() -> None:
    thread = Thread(organization=Organization())
    row = build_ran_row(make(effective={"query": "roof"}, result={"total_found": 3}, thread=thread))
    assert (row.title, row.summary) == ("Searching for: roof", "Found 3 documents")
    row = build_ran_row(make(effective={"query": "roof"}, status="executing", thread=thread))
    assert (row.title, row.summary) == ("Searching for: roof", "")


@pytest.mark.django_db
def test_streams_carry_each_call_as_it_begins_and_as_it_ends() -> None:
    searched = make(effective={"query": "roof"}, result={"total_found": 3})
    failed = make("read_document", effective={"document": "a"}, status="failed", result={"error": "Gone."})
    rounds = [RoundView(0, "", "", [searched]), RoundView(1, "", "", [failed])]
    turn = Turn(status="running", round=2, thread=Thread(organization=Organization()))
    events = [event for _, event in list_due(TurnView(turn, rounds), Cursor(turn.pk))]
    begun = [step for event in events if event["type"] == "tool_calls" for step in event["steps"]]
    ended = [event["step"] for event in events if event["type"] == "tool_result"]
    assert [(step["step"], step["message"]) for step in begun] == [(1, "Searching for: roof"), (2, "Reading: a")]
    assert [(step["step"], step["message"], step["tool_status"]) for step in ended] == [
        (1, "Found 3 documents", "complete"),
        (2, "Gone.", "error"),
    ]
