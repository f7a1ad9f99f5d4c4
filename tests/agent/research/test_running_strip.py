"""The strip above the composer: what runs, how far, how long, for how much, and Stop."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from agent.conversation import threads
from agent.models import Thread, ToolCall, Turn
from agent.turns import turns
from tests.agent.research.test_research_page import show

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(actor: Actor) -> Thread:
    thread = threads.create(actor, title="Rates")
    turns.start(actor, thread=thread, text="What are the rates?")
    Turn.objects.update(created_at=timezone.now() - timedelta(seconds=75), spent_micros=18_000)
    return thread


@pytest.fixture
def strip(signed_in: Callable[..., Any], actor: Actor, asked: Thread) -> Callable[..., str]:
    def read(person: Actor = actor) -> str:
        return show(signed_in, person, asked).split('id="thread-running"')[1].split('id="composer-acts"')[0]

    return read


def add_call(thread: Thread, status: str, tool: str, **more: Any) -> None:
    turn = thread.turns.get()
    message = turn.messages.create(thread=thread, number=2, round=1, role="assistant", blocks=[])
    ToolCall.objects.create(
        thread=thread, turn=turn, message=message, round=1, position=0, tool=tool, status=status, **more
    )


@pytest.mark.parametrize("status", ["queued", "running"])
def test_it_says_since_when_and_for_how_much_from_the_first_moment(strip: Callable[..., str], status: str) -> None:
    Turn.objects.update(status=status)
    words = strip()
    assert "The agent is working" in words and "$0.018 so far" in words
    assert int(words.split('data-elapsed="')[1].split('"')[0]) >= 75
    assert 'id="stop"' in words


def test_it_names_the_step_and_how_many_documents_are_done(strip: Callable[..., str], asked: Thread) -> None:
    progress = {"progress": {"visited": 3, "documents": 44}}
    question = {"question": "Which roof?"}
    add_call(asked, "executing", "read_all_documents", effective=question, result=progress, access="costly")
    Turn.objects.update(status="awaiting_approval")
    words = strip()
    assert "Summarising for: Which roof?" in words and "3 of 44" in words
    assert 'max="44" value="3"' in words


def test_it_waits_with_the_provider_and_says_so(strip: Callable[..., str]) -> None:
    Turn.objects.update(not_before=timezone.now() + timedelta(seconds=9), reason="The provider is busy.")
    assert "The provider is busy." in strip()


def test_it_says_when_the_answer_is_being_written(strip: Callable[..., str]) -> None:
    Turn.objects.update(status="running", partial_text="It is")
    assert "Writing the answer" in strip()


@pytest.mark.parametrize("status", ["awaiting_approval", "paused", "completed", "failed"])
def test_nothing_runs_while_a_person_decides_or_it_has_ended(
    strip: Callable[..., str], signed_in: Any, actor: Actor, asked: Thread, status: str
) -> None:
    Turn.objects.update(status=status)
    assert "running" not in strip().partition(">")[2]
    assert ('id="stop"' in show(signed_in, actor, asked)) is (status in Turn.LIVE)


def test_another_person_sees_it_without_stop(strip: Callable[..., str], member: Callable[[Role], Actor]) -> None:
    words = strip(member(Role.ADMIN))
    assert "The agent is working" in words and "stop" not in words
