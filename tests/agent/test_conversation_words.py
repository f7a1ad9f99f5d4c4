"""How values, models and times are worded in a conversation."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from agent.conversation import messages
from agent.conversation.live_text import LiveText
from agent.models import Message, ThreadSummary, Turn
from agent.templatetags.agent_text import describe_thinking, model_words, tint_json
from agent.views.thread import thread_page
from llm.client import Delta
from tests.agent.conversation_items import list_items

pytestmark = pytest.mark.django_db


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
