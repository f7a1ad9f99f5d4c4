"""What is not sent to a model: what was dropped, is too long, or another's."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.actor import Actor
from agent.conversation import threads
from agent.conversation.live_text import LiveText
from agent.conversation.model_input import context
from agent.conversation.model_input.context import build_messages, tokens_in
from agent.conversation.model_input.history import check_pairing, list_pieces
from agent.conversation.model_input.round_summary import summarize_rounds
from agent.conversation.model_input.spent_results import KEPT_ANSWERS
from agent.conversation.model_requests import RoundRequest
from agent.models import Message, Thread, ThreadSummary, ToolCall, Turn
from agent.policy.policy_context import context_for
from agent.tools.results import MAX_CHARACTERS, read_result
from documents.definitions import prompts
from documents.models import Document, Extraction, LanguageModel, Tag
from kit.errors import Invalid, NotFound
from kit.leases import LeaseLost
from tests.agent.context_rows import (  # noqa: F401 - talk, turn are fixtures
    BUDGET,
    WORDY,
    Talk,
    _say,
    talk,
    text_of,
    turn,
)

pytestmark = pytest.mark.django_db


def test_what_the_person_went_back_before_is_not_sent(turn: Turn, talk: Talk) -> None:
    talk(1)
    Message.objects.update(dropped_at=timezone.now())
    talk(1)
    text = text_of(build_messages(turn, budget=BUDGET))
    assert "Request 0" not in text and "Request 3" in text


def test_it_asks_for_nothing_more_when_the_talk_grows(turn: Turn, talk: Talk) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            build_messages(turn, budget=10**6)
        return len(captured)

    talk(2)
    few = queries()
    talk(30)
    assert queries() <= few <= 14


def test_it_fits_into_a_small_model_as_well(turn: Turn, talk: Talk) -> None:
    talk(10, result="x" * 3000)
    messages = build_messages(turn, budget=3000)
    check_pairing(messages)
    assert tokens_in(messages) <= 3000


def test_it_shows_what_is_mentioned_and_earlier_mentions_while_they_fit(
    thread: Thread, turn: Turn, talk: Talk, actor: Actor
) -> None:
    old, new = (
        Tag.objects.create(
            organization=actor.organization, name=name, description=f"{name} " * 900, created_by=actor.user
        )
        for name in ("Older", "Newer")
    )
    before = Turn.objects.create(
        thread=thread, number=2, model="none", max_rounds=1, limit_micros=1, status="completed", code_version="test"
    )
    _say(before, "user", "First", mentions=[{"type": "tag", "id": old.pk}])
    _say(turn, "user", "Now", mentions=[{"type": "tag", "id": new.pk}, {"type": "tag", "id": "0" * 24}])
    data = build_messages(turn, budget=BUDGET)[1]["content"]
    assert '[Tag: "Newer"]' in data and '[Tag: "Older"]' in data and "[Tag: missing]" in data
    assert data.index("Newer") < data.index("Older")
    data = build_messages(turn, budget=5000)[1]["content"]
    assert '[Tag: "Newer"]' in data and '[Tag: "Older"]' not in data
    turn.context_tokens = 3000
    data = build_messages(turn, budget=3000)[1]["content"]
    assert '[Tag: "Newer"]' not in data and context.LEFT_OUT in data


def test_a_summary_takes_no_place_of_an_extraction(actor: Actor, turn: Turn, talk: Talk, document: Document) -> None:
    talk(1)
    prompt = prompts.create(actor, name="Invoices", content="Read it.", schema_revision=None)
    rows = ({"prompt_revision": prompt, "current": {"text": "values"}}, {"current": {"text": "a summary"}})
    for number, row in enumerate(rows, 1):
        Extraction.objects.create(document=document, number=number, status="completed", model="none", **row)
    text = text_of(build_messages(turn, budget=BUDGET))
    assert '{"text": "values"}' in text and "a summary" not in text
    Extraction.objects.filter(number=1).delete()
    text = text_of(build_messages(turn, budget=BUDGET))
    assert "a summary" in text and 'prompt="Document Summary"' in text


def test_a_call_that_was_taken_back_says_who_did_it_and_when(turn: Turn, talk: Talk, actor: Actor) -> None:
    talk(1)
    call = ToolCall.objects.get()
    undo = ToolCall.objects.create(
        thread=turn.thread,
        turn=turn,
        message=call.message,
        round=call.round,
        position=99,
        wire_id="undoundou",
        tool="look",
        undoes=call,
        status="succeeded",
        finished_at=timezone.now(),
    )
    undo.decisions.create(version=1, kind="approved", user=actor.user, shown_hash="", idempotency_key="k")
    messages = build_messages(turn, budget=BUDGET)
    check_pairing(messages)
    result = json.loads(next(message["content"] for message in messages if message["role"] == "tool"))
    assert result["found"] == "found" and result["undone"].startswith("Admin took this back on ")
    assert "undoundou" not in text_of(messages)


def test_the_rest_of_a_long_result_can_be_read(thread: Thread, turn: Turn, talk: Talk, actor: Actor) -> None:
    talk(1, result="".join(f"{number:05} " for number in range(6000)))
    content = next(message["content"] for message in build_messages(turn, budget=10**6) if message["role"] == "tool")
    assert content.endswith('read_result(call_id="000000000", offset=24000) gives more.]')
    acting, offset, parts = context_for(turn, actor), 24_000, [content[:24_000]]
    while True:
        part = read_result(acting, call_id="000000000", offset=offset)
        parts.append(part["text"].split("\n", 1)[1].removesuffix("\n</data>"))
        if "more" not in part:
            break
        offset += MAX_CHARACTERS
    assert json.loads("".join(parts)) == {"found": ToolCall.objects.get().result["found"]}
    with pytest.raises(Invalid, match="offset goes from 0 to"):
        read_result(acting, call_id="000000000", offset=part["characters"])


def test_the_reasons_for_a_rejection_can_be_read_in_full(thread: Thread, turn: Turn, talk: Talk, actor: Actor) -> None:
    talk(1, status="rejected")
    ToolCall.objects.update(result={"reason": "Heed every word. " * 20})
    read = read_result(context_for(turn, actor), message=2)
    assert str(read["text"]).count("Heed every word.") == 20 and "Why I rejected" in str(read["text"])


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("It builds on step 1 (look), which failed.", "withdrawn: It builds on step 1 (look), which failed."),
        ("A new message came.", "withdrawn, the user went on: A new message came."),
    ],
)
def test_a_summary_says_why_a_call_was_superseded(turn: Turn, talk: Talk, reason: str, words: str) -> None:
    talk(1, status="superseded")
    ToolCall.objects.update(result={"reason": reason})
    assert f"[000000000]: {words}" in summarize_rounds(list_pieces(turn.thread), max_tokens=500)


def test_results_of_other_threads_cannot_be_read(thread: Thread, turn: Turn, talk: Talk, actor: Actor) -> None:
    talk(1)
    other = threads.create(actor)
    elsewhere = Turn.objects.create(
        thread=other, number=1, model="none", max_rounds=1, limit_micros=1, code_version="test"
    )
    with pytest.raises(NotFound, match="no call '000000000'"):
        read_result(context_for(elsewhere, actor), call_id="000000000")


def test_a_zombie_compacts_nothing(turn: Turn, talk: Talk) -> None:
    talk(40, answer=WORDY)
    Turn.objects.update(fence=2)
    with pytest.raises(LeaseLost):
        build_messages(turn, budget=BUDGET)
    assert not ThreadSummary.objects.exists()


@pytest.mark.parametrize(("window", "tokens"), [(None, 24_000), (200_000, 40_000), (100_000, 24_000), (5_000, 2_000)])
def test_the_budget_follows_what_the_model_reads(turn: Turn, window: int | None, tokens: int) -> None:
    LanguageModel.objects.update_or_create(name=turn.model, defaults={"max_input_tokens": window})
    request = RoundRequest(turn, LiveText(turn))
    assert request.measure_budget() == tokens


def test_big_reads_of_earlier_rounds_are_cleared_in_steps_and_can_be_read_again(
    thread: Thread, turn: Turn, talk: Talk, actor: Actor
) -> None:
    """Many rounds in a row begin alike, so that a provider keeps their beginning."""
    starts, cleared = [], []
    for _ in range(12):
        talk(1, result="x" * 6_000)
        ToolCall.objects.update(tool="get_ocr_text")
        messages = build_messages(turn, budget=200_000)
        check_pairing(messages)
        results = [str(message["content"]) for message in messages if message["role"] == "tool"]
        cleared.append(sum("is cleared here" in result for result in results))
        starts.append(results[0])
        assert all("is cleared here" not in result for result in results[-KEPT_ANSWERS:])
    assert cleared == [0] * 8 + [3, 3, 3, 6] and len(set(starts)) == 2
    call_id = re.findall(r'read_result\(call_id=."(\w+)', starts[-1])[0]
    answer = read_result(context_for(turn, actor), call_id=call_id)
    assert "x" * 6_000 in str(answer["text"])


def test_small_results_and_changes_are_not_cleared(turn: Turn, talk: Talk) -> None:
    talk(12, result="x" * 6_000)
    ToolCall.objects.update(tool="update_document")
    assert "is cleared here" not in str(build_messages(turn, budget=200_000))
    ToolCall.objects.update(tool="get_ocr_text", result={"text": "x" * 1_000})
    assert "is cleared here" not in str(build_messages(turn, budget=200_000))
