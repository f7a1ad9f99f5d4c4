"""What a thread shows for each way a call and a turn can stand."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from accounts.models import Role
from accounts.services import organizations
from agent.cards.cards import Card
from agent.conversation import messages
from agent.conversation.history import BY_CONNECTION
from agent.conversation.live_text import LiveText
from agent.models import Decision, Message, Rule, ThreadSummary, ToolCall, Turn
from agent.templatetags.agent_text import describe_thinking, model_words, tint_json
from agent.turns import turns
from agent.turns.turn_views import AWAY
from agent.views import thread_page
from documents.backends.llm import Delta
from kit.processes import heartbeats

pytestmark = pytest.mark.django_db
Status = ToolCall.Status


def list_items(thread, actor, kind):
    thread.refresh_from_db()
    return [item for item in thread_page.build_conversation(thread, actor).items if item.kind == kind]


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


def test_json_is_tinted_and_stays_text():
    html = tint_json('{"a<b": "</pre><script>\\"x", "n": [-1.5, true, null]}')
    assert (
        '<span class="k">&quot;a&lt;b&quot;</span>: <span class="s">&quot;&lt;/pre&gt;&lt;script&gt;\\&quot;x&quot;</span>'
        in html
    )
    assert '<span class="n">-1.5</span>, <span class="n">true</span>, <span class="n">null</span>' in html


@pytest.mark.parametrize(
    ("name", "words"),
    [("offline/rules", "Built-in offline model"), ("anthropic/claude-x", "claude-x"), ("gpt-x", "gpt-x")],
)
def test_models_are_named_without_their_provider(name, words):
    assert model_words(name) == words


def write_answer(thread, turn, *blocks, **fields):
    return messages.write(turn, role=Message.Role.ASSISTANT, blocks=list(blocks), **fields)


@pytest.fixture
def turn(thread):
    return Turn.objects.create(
        thread=thread, number=1, model="none", max_rounds=9, limit_micros=1, status="completed", code_version="test"
    )


def test_thinking_says_how_long_it_took(thread, turn, actor):
    clock = iter([10.0, 11.5, 16.9])
    live = LiveText(turn, clock=lambda: next(clock))
    for kind in ("thinking", "thinking", "thinking", "text"):
        live.take(Delta(kind, "x"))
    assert live.thought_seconds == 6 and LiveText(turn).thought_seconds == 0
    write_answer(thread, turn, {"type": "thinking", "text": "Hm.", "seconds": 6}, {"type": "text", "text": "Yes."})
    write_answer(thread, turn, {"type": "thinking", "text": "Hm."})
    assert [describe_thinking(item.thought_seconds) for item in list_items(thread, actor, "agent_text")] == [
        "Thought for 6 s",
        "Thought about it",
    ]


def test_what_was_shortened_for_the_model_is_said_where_it_happened(thread, turn, actor):
    for _ in range(3):
        write_answer(thread, turn, {"type": "text", "text": "x"})
    ThreadSummary.objects.create(thread=thread, turn=turn, upto=2, text="d", tokens_before=31_000, tokens_after=2_100)
    write_answer(thread, turn, {"type": "text", "text": "y"})
    thread.refresh_from_db()
    items = thread_page.build_conversation(thread, actor).items
    assert [item.kind for item in items] == ["agent_text", "agent_text", "agent_text", "shortened", "agent_text"]
    assert (items[3].messages, items[3].before, items[3].after) == (2, 31_000, 2_100)
    html = " ".join(render_to_string("agent/shortened.html", {"item": items[3]}).split())
    assert "2 messages, 31,000 → 2,100 tokens" in html


def test_what_a_person_went_back_before_is_not_shown(thread, turn, actor):
    write_answer(thread, turn, {"type": "text", "text": "x"})
    Message.objects.update(dropped_at=timezone.now())
    Turn.objects.update(status="failed", reason="Gone with it.")
    assert thread_page.build_conversation(thread, actor).items == []


def test_the_newest_fifty_messages_come_first_and_the_rest_on_demand(thread, actor):
    for number in range(1, 101):
        turn = Turn.objects.create(
            thread=thread,
            number=number,
            model="none",
            max_rounds=9,
            limit_micros=1,
            status="completed",
            spent_micros=10,
            code_version="test",
        )
        messages.write(turn, role=Message.Role.USER, blocks=[{"type": "text", "text": "x"}])
        write_answer(thread, turn, {"type": "text", "text": "y"})
    view = thread_page.build_conversation(thread, actor)
    assert (len(view.items), view.first, view.earlier, view.spent_micros) == (50, 151, 150, 1000)
    # No turn is cut: asked from its answer on, it comes with its question.
    assert thread_page.find_earlier(thread, view.first) == 101 and thread_page.find_earlier(thread, 3) == 1
    assert thread_page.find_earlier(thread, 2) == 1 and thread_page.find_earlier(thread, 1) == 0
    assert len(thread_page.build_conversation(thread, actor, since=101).items) == 100


@pytest.mark.parametrize(
    ("reason", "to_do", "resumable"),
    [
        ("budget", "the same room again", True),
        ("max_rounds", "as many rounds again", True),
        ("time", "the same time again", True),
        ("loop", "Say what you want differently", True),
        ("provider", "Another model", True),
        ("context", "go back to an earlier message", True),
        ("in_doubt", "Report the outcome on the card", False),
        ("stopped", "when an admin lets the agent work again", True),
    ],
)
def test_each_pause_says_what_can_be_done(thread, turn, actor, reason, to_do, resumable):
    Turn.objects.update(status="paused", pause_reason=reason, reason="It paused.")
    (note,) = list_items(thread, actor, "note")
    assert to_do in note.outcome.to_do and note.outcome.resumable is resumable
