"""What a thread shows for each way a call and a turn can stand."""

from __future__ import annotations

import pytest
from django.utils import timezone

from accounts.models import Role
from accounts.services import organizations
from agent.cards.cards import Card
from agent.conversation.model_input.history import BY_CONNECTION
from agent.models import Decision, Message, Rule, ToolCall, Turn
from agent.turns import turns
from agent.turns.turn_views import AWAY
from agent.views.thread import thread_page
from kit.processes import heartbeats
from tests.agent.conversation_items import list_items

pytestmark = pytest.mark.django_db


Status = ToolCall.Status


def card_of(call, actor, **changes) -> Card:
    ToolCall.objects.filter(pk=call.pk).update(**changes)
    (card,) = list_items(call.thread, actor, "card")
    return card


def create_decision(call, by, kind="approved", **more):
    return Decision.objects.create(
        call=call, version=call.version, kind=kind, user=by, shown_hash=call.shown_hash, idempotency_key="k", **more
    )


@pytest.mark.parametrize(
    ("status", "result", "outcome", "problem", "tone"),
    [
        (Status.APPROVED, None, "Approved by you, {at}. It is about to run.", "", "quiet"),
        (Status.EXECUTING, None, "Approved by you, {at}. It is running.", "", "quiet"),
        (Status.SUCCEEDED, {"noted": "x"}, "Approved by you, {at}.", "", "done"),
        (Status.FAILED, {"error": "No room."}, "Approved by you, {at}, but it failed.", "No room.", "fail"),
        (Status.REJECTED, {"reason": "wrong date"}, "Rejected by you, {at}.", "“wrong date”", "quiet"),
        (Status.REJECTED, {"reason": ""}, "Rejected by you, {at}.", "", "quiet"),
        (
            Status.DENIED,
            {"error": "Not in this role."},
            "Refused when it was about to run.",
            "Not in this role.",
            "fail",
        ),
    ],
)
def test_a_decided_card_says_in_one_line_what_became_of_it(propose, actor, status, result, outcome, problem, tone):
    (call,) = propose(("note", {"text": "x"}))
    decision = create_decision(call, actor.user)
    card = card_of(call, actor, status=status, result=result)
    at = timezone.localtime(decision.created_at).strftime("%H:%M")
    assert (card.outcome, card.problem, card.tone) == (outcome.format(at=at), problem, tone)
    assert not card.waiting and card.running == (status in (Status.APPROVED, Status.EXECUTING))


@pytest.mark.parametrize(
    ("status", "outcome", "tone"),
    [
        (Status.EXPIRED, "It expired before anybody decided.", "quiet"),
        (Status.SUPERSEDED, "Superseded: a new message came before a decision.", "quiet"),
        (Status.CANCELLED, "Stopped before it ran.", "quiet"),
        (Status.IN_DOUBT, "Outcome unknown. Look whether it happened, then report the outcome.", "doubt"),
        (Status.STALE, "What it rests on has changed. It did not run.", "doubt"),
    ],
)
def test_a_card_nobody_decided_says_why_it_no_longer_waits(propose, actor, status, outcome, tone):
    (call,) = propose(("note", {"text": "x"}))
    card = card_of(call, actor, status=status)
    assert (card.outcome, card.tone, card.waiting) == (outcome, tone, False)


def test_a_call_that_a_mode_allowed_still_appears_as_a_card(propose, actor, thread):
    propose(("note", {"text": "x"}), mode="auto")
    (card,) = list_items(thread, actor, "card")
    assert card.outcome == "Allowed by mode auto. About to run." and card.running
    card = card_of(card.call, actor, status=Status.SUCCEEDED)
    assert card.outcome == "Ran without asking: allowed by mode auto."


def test_a_rule_that_allowed_it_is_named(propose, actor, thread, organization):
    Rule.objects.create(organization=organization, scope="thread", thread=thread, tool="note", verdict="allow")
    propose(("note", {"text": "x"}))
    (card,) = list_items(thread, actor, "card")
    assert card.outcome == "Allowed by a rule for this thread. About to run."


def test_another_person_and_their_edits_are_named(propose, actor, member):
    (call,) = propose(("note", {"text": "x"}))
    other = member(Role.BUILDER)
    create_decision(call, other.user, edited=True)
    card = card_of(call, actor, status=Status.SUCCEEDED)
    assert card.outcome.startswith(f"Approved by {other.user.shown_name} with edits, ")


def test_reads_and_calls_without_a_face_are_rows_and_join_when_nothing_is_said_between(propose, actor, thread):
    propose(("look", {"word": "a"}), ("look", {"word": "b"}))
    Turn.objects.update(status=Turn.Status.COMPLETED)
    propose(("unknown", {}), ("note", {"wrong": 1}))
    (ran,) = list_items(thread, actor, "ran")
    assert [row.state for row in ran.rows] == ["running", "running", "bad", "bad"]
    assert ran.rows[3].title == "Write a note" and "text" in ran.rows[3].summary
    assert not list_items(thread, actor, "card")


def test_of_a_card_that_was_made_anew_only_the_newest_revision_shows(propose, actor, thread):
    (call,) = propose(("note", {"text": "x"}))
    ToolCall.objects.filter(pk=call.pk).update(status=Status.STALE)
    call.pk = call.id = "f" * 24
    call.version, call.status = 2, Status.PENDING
    call.save(force_insert=True)
    (card,) = list_items(thread, actor, "card")
    assert card.call.version == 2 and card.waiting


def test_cards_that_wait_are_counted_in_their_order(propose, actor, thread):
    propose(("note", {"text": "x"}), ("look", {"word": "y"}), ("draft", {"text": "z"}))
    cards = list_items(thread, actor, "card")
    assert [card.position for card in cards] == ["1 of 2", "2 of 2"]
    assert thread_page.build_conversation(thread, actor).waiting == 2


@pytest.mark.parametrize(("role", "barred"), [(Role.REVIEWER, ""), (Role.VIEWER, "needs the role reviewer")])
def test_who_may_not_decide_is_told_which_role_it_needs(propose, actor, member, thread, role, barred):
    propose(("note", {"text": "x"}))
    (card,) = list_items(thread, member(role), "card")
    assert barred in card.barred and bool(card.barred) == bool(barred)


@pytest.mark.parametrize(
    ("status", "reason", "tone", "sentence", "resumable"),
    [
        (
            "paused",
            "OpenAI refused the key (401). Check OPENAI_API_KEY.",
            "wait",
            "OpenAI refused the key (401). Check OPENAI_API_KEY.",
            True,
        ),
        ("failed", "The worker stopped three times.", "fail", "The worker stopped three times.", False),
        ("expired", "", "quiet", "Nobody decided in time.", False),
        ("cancelled", turns.CANCELLED, "quiet", "Stopped. Nothing more runs.", False),
        (
            "completed",
            "The answer reached the model's length limit.",
            "quiet",
            "The answer reached the model's length limit.",
            False,
        ),
    ],
)
def test_a_turn_that_did_not_simply_end_says_so(propose, actor, thread, status, reason, tone, sentence, resumable):
    propose(("look", {"word": "x"}))
    Turn.objects.update(status=status, reason=reason)
    (note,) = list_items(thread, actor, "note")
    outcome = note.outcome
    assert (outcome.tone, outcome.sentence, outcome.resumable) == (tone, sentence, resumable)


@pytest.mark.parametrize(("status", "reason"), [("completed", ""), ("cancelled", turns.WENT_ON)])
def test_an_end_that_shows_by_itself_needs_no_words(propose, actor, thread, status, reason):
    propose(("look", {"word": "x"}))
    Turn.objects.update(status=status, reason=reason)
    assert not list_items(thread, actor, "note")


def test_a_message_that_got_no_answer_before_the_next_one_says_so(propose, actor, thread):
    propose(("look", {"word": "x"}))
    Turn.objects.update(status="cancelled", reason=turns.WENT_ON)
    Message.objects.update(role=Message.Role.USER)
    (note,) = list_items(thread, actor, "note")
    assert note.outcome.sentence == "Not answered: superseded by another message."


def test_the_text_of_a_stopped_round_is_marked_once(propose, actor, thread):
    propose(("look", {"word": "x"}))
    Turn.objects.update(status="cancelled", reason=turns.CANCELLED)
    Message.objects.update(complete=False, blocks=[{"type": "text", "text": "The due d"}])
    (item,) = list_items(thread, actor, "agent_text")
    assert item.cut == "Stopped here." and not list_items(thread, actor, "note")
    Message.objects.update(blocks=[{"type": "text", "text": "The due d"}, BY_CONNECTION])
    (item,) = list_items(thread, actor, "agent_text")
    assert item.cut == "The connection to the model was lost here."


@pytest.mark.parametrize(
    ("status", "round_", "live", "doing"),
    [
        ("queued", 0, True, "The agent begins in a moment"),
        ("queued", 2, True, "The agent goes on in a moment"),
        ("running", 2, True, "The agent is working"),
        ("awaiting_approval", 2, True, None),
        ("paused", 2, False, None),
        ("completed", 2, False, None),
    ],
)
def test_the_round_under_way_has_its_place_before_its_first_word(propose, actor, thread, status, round_, live, doing):
    propose(("look", {"word": "x"}))
    Turn.objects.update(status=status, round=round_)
    items = list_items(thread, actor, "live")
    assert [item.doing for item in items] == ([doing] if doing else [])
    assert [item.key.rpartition("-")[2] for item in items] == ([str(round_ + 1)] if doing else [])
    assert thread_page.build_conversation(thread, actor).is_live is live


@pytest.mark.parametrize(
    ("status", "call", "has_note"),
    [
        ("queued", "succeeded", True),
        ("running", "succeeded", True),
        ("awaiting_approval", "approved", True),
        ("awaiting_approval", "pending", False),
        ("completed", "succeeded", False),
    ],
)
def test_while_no_worker_is_there_a_thread_says_that_nothing_is_lost(propose, actor, thread, status, call, has_note):
    propose(("note", {"text": "x"}))
    ToolCall.objects.update(status=call)
    Turn.objects.update(status=status)
    assert AWAY not in [note.outcome.sentence for note in list_items(thread, actor, "note")]
    heartbeats.forget("agent")
    assert (AWAY in [note.outcome.sentence for note in list_items(thread, actor, "note")]) is has_note
    assert {live.doing for live in list_items(thread, actor, "live")} <= {"Waiting for the agent"}


def test_a_stopped_agent_says_what_waits_for_it(propose, actor, thread):
    (call,) = propose(("note", {"text": "x"}))
    create_decision(call, actor.user)
    organizations.stop_agent(actor, stopped=True)
    card = card_of(call, actor, status=Status.APPROVED)
    assert card.outcome.endswith("An admin has stopped the agent: it runs when the agent may work again.")
    assert not card.running
    Turn.objects.update(status="queued")
    (note,) = list_items(thread, actor, "note")
    assert "goes on from here when it may work again" in note.outcome.sentence and not list_items(thread, actor, "live")
