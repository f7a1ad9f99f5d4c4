"""Turns under a scope profile: what is refused before a model or tool is asked, and what an unclear request costs."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from accounts.models import AccessToken, AuditEntry
from agent.calls.call_drafts import RequestedCall
from agent.models import AgentSettings, ScopeCheck, ScopeProfile
from agent.scope_profiles.applied.refusal_words import OPEN_PAGES
from agent.toolkit.chosen_documents import WITHIN
from agent.turns import client_turns
from agent.turns.client_turns import ClientRequest
from agent.usage.timeline import trace_turn
from documents.models import Document
from tests.agent.scope_profiles.scoped_turns import NAMED, SEARCH, read_sent
from tests.agent.turn_rows import HALF, Ask, Work, last_text, now
from tests.scripted_model import MODEL, ScriptedModel, answers, calls, fails, says

pytestmark = pytest.mark.django_db(transaction=True)
UNCLEAR = "Please look into the matter that Jana told me about yesterday."
LOOK = ("look", {"word": "x"})


def verdict(word: str) -> Any:
    return answers({"verdict": word, "rule": "topics", "reason": "It is about that."})


def test_a_clear_request_is_refused_without_a_call(ask: Ask, work: Work, profile: ScopeProfile) -> None:
    turn = ask("Write me a poem about the sea.")
    work()
    assert now(turn).status == "completed"
    assert "This assistant is for suppliers' invoices" in last_text()
    assert "You could ask: “" in last_text()
    assert (now(turn).refused, now(turn).spent_micros) == ("before", 0)
    entry = AuditEntry.objects.get(action="kept out of scope")
    assert entry.target_id == turn.pk


def test_a_clear_request_in_scope_costs_no_call_of_the_check(
    ask: Ask, work: Work, profile: ScopeProfile, scripted_model: ScriptedModel
) -> None:
    turn = ask("Which invoices are due this month?", says("None."))
    with CaptureQueriesContext(connection) as statements:
        work()
    reads = [each for each in statements.captured_queries if each["sql"].startswith('SELECT "agent_scopeprofile"')]
    assert len(reads) == 1, "the profiles are read once a round"
    assert (now(turn).status, last_text(), len(scripted_model.requests)) == ("completed", "None.", 1)
    assert next(step.title for step in trace_turn(now(turn)).steps) == "Scope check before the turn"


@pytest.mark.parametrize(
    ("mode", "reply", "is_refused"),
    [
        ("strict", verdict("in_scope"), False),
        ("strict", verdict("unsure"), False),
        ("strict", verdict("out_of_scope"), True),
        ("gentle", verdict("out_of_scope"), True),
        ("strict", fails(400), True),
        ("gentle", fails(400), False),
        ("strict", says("Well, it depends."), True),
        ("gentle", says("Well, it depends."), False),
    ],
)
def test_an_unclear_request_is_judged_by_a_model(
    ask: Ask,
    work: Work,
    profile: ScopeProfile,
    scripted_model: ScriptedModel,
    mode: str,
    reply: Any,
    is_refused: bool,
) -> None:
    ScopeProfile.objects.update(mode=mode)
    turn = ask(UNCLEAR, reply, *([] if is_refused else [says("Done.")]))
    work()
    assert (now(turn).refused == "before") is is_refused
    assert (last_text() == "Done.") is not is_refused
    assert not turn.calls.exists()
    asked = scripted_model.requests[0]
    assert asked["response_format"]["json_schema"]["name"] == "scope_verdict"
    assert UNCLEAR in asked["messages"][1]["content"]
    titles = [row[0] for row in trace_turn(now(turn)).by_tool.rows]
    assert ("Scope check" in titles) is (reply.status == 200)


def test_a_late_verdict_refuses_under_a_strict_profile_and_says_so(ask: Ask, work: Work, profile: ScopeProfile) -> None:
    AgentSettings.objects.create(organization=profile.organization, tool_seconds=1)
    turn = ask(UNCLEAR, verdict("in_scope").after(5))
    work()
    assert "could not be checked" in last_text()
    check = ScopeCheck.objects.get(turn=turn)
    assert (check.outcome, check.stage, check.model) == ("failed", "before", MODEL)


def test_gentle_leaves_a_foreign_item_out_and_names_it(
    question: Ask, work: Work, profile: ScopeProfile, note: Document, scripted_model: ScriptedModel
) -> None:
    ScopeProfile.objects.update(mode="gentle")
    turn = question("Which invoices have copper in them?", SEARCH, says("Pipes are one."))
    work()
    (call,) = turn.calls.all()
    assert [row["filename"] for row in call.result["results"]] == ["pipes.pdf"]
    assert call.result["left_out"] == [NAMED]
    assert last_text().endswith(f"Left out: {NAMED}")
    assert "ZEBRA" not in read_sent(scripted_model)


def test_strict_refuses_the_whole_answer(
    question: Ask, work: Work, profile: ScopeProfile, note: Document, scripted_model: ScriptedModel
) -> None:
    turn = question("Which invoices have copper in them?", SEARCH)
    work()
    assert last_text() == f"{NAMED} {OPEN_PAGES}"
    assert (now(turn).status, now(turn).refused, len(scripted_model.requests)) == ("completed", "after", 1)
    (check,) = turn.scope_checks.filter(stage="after")
    assert (check.outcome, check.document_ids) == ("out", [note.pk])
    assert "ZEBRA" not in json.dumps(turn.calls.get().result)


@pytest.mark.parametrize("mode", ["strict", "gentle"])
def test_a_foreign_document_is_neither_read_nor_changed(
    question: Ask, work: Work, profile: ScopeProfile, note: Document, mode: str
) -> None:
    ScopeProfile.objects.update(mode=mode)
    change = ("update_document", {"document_id": note.pk, "document_name": "x"})
    replies = [calls(("read_document", {"document": note.pk}), change, ("create_tag", {"name": "copper"}))]
    turn = question("Which invoices have copper in them?", *replies, *([says("So.")] if mode == "gentle" else []))
    work()
    assert [call.status for call in turn.calls.order_by("position")][:2] == ["denied", "denied"]
    assert turn.calls.get(position=2).status == ("superseded" if mode == "strict" else "pending")
    assert (NAMED in last_text()) is (mode == "strict")


def test_a_sum_rests_on_nothing_foreign(
    question: Ask, work: Work, profile: ScopeProfile, note: Document, scripted_model: ScriptedModel
) -> None:
    ScopeProfile.objects.update(mode="gentle")
    counted = calls(("query_fields", {"aggregate": [{"function": "count"}]}))
    turn = question("How many invoices are there?", counted, says("One."))
    work()
    result = turn.calls.get().result
    assert (result["total_documents"], result["notes"]) == (1, [WITHIN])


def test_an_answer_with_words_that_never_pass_is_refused(question: Ask, work: Work, profile: ScopeProfile) -> None:
    ScopeProfile.objects.update(never=["\\bpayslips?\\b"])
    turn = question("Which invoices are due?", says("None is due. Her payslip says 4,711."))
    work()
    assert "4,711" not in last_text() and now(turn).refused == "after"


@pytest.mark.parametrize("mode", ["strict", "gentle"])
def test_strict_keeps_nothing_of_a_text_that_has_not_passed(
    question: Ask, work: Work, profile: ScopeProfile, mode: str
) -> None:
    ScopeProfile.objects.update(mode=mode)
    turn = question("List the due invoices.", says(HALF).with_break())
    work()
    assert now(turn).status == "paused"
    assert (turn.messages.filter(role="assistant").count() == 0) is (mode == "strict")


@pytest.mark.parametrize("subject", ["token", "client"])
def test_the_profile_of_a_token_or_client_holds_beside_the_organizations(
    actor: Actor, profile: ScopeProfile, note: Document, subject: str
) -> None:
    """The invoice is for the organization, and no longer for a token that is for receipts."""
    ScopeProfile.objects.update(mode="gentle", types=["invoice", "delivery note"])
    token = AccessToken.objects.create(user=actor.user, organization=actor.organization, name="Script", digest="d")
    program = replace(actor, token=token)
    client = client_turns.find_or_create_client(program, "Desk")
    of = {"token": token} if subject == "token" else {"client": client}
    ScopeProfile.objects.create(
        organization=actor.organization, mode="strict", sentence="Receipts.", types=["delivery note"], **of
    )
    requested = RequestedCall("search_documents", json.dumps({"query": "copper"}))
    turn = client_turns.submit(program, client=client, request=ClientRequest("search_documents", [requested]))
    call = turn.calls.get()
    assert (call.status, now(turn).refused) == ("failed", "after")
    assert call.result["error"].startswith("pipes.pdf is an invoice; this assistant is for delivery notes.")


def test_a_client_that_asks_for_what_is_out_of_scope_is_refused(actor: Actor, profile: ScopeProfile) -> None:
    token = AccessToken.objects.create(user=actor.user, organization=actor.organization, name="Script", digest="d")
    program = replace(actor, token=token)
    client = client_turns.find_or_create_client(program, "Desk")
    requested = RequestedCall("search_documents", json.dumps({"query": "Show me the payslips of May."}))
    turn = client_turns.submit(program, client=client, request=ClientRequest("search_documents", [requested]))
    assert turn.calls.get().status == "denied"
    assert "This assistant is for" in turn.calls.get().result["error"]
