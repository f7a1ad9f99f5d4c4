"""An answer that reached its length limit is asked for once more, with more room, where the limits allow it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from accounts.models import Organization
from documents.models import Reservation, Usage
from llm.client import Delta, ModelRequest, ask, ask_longer, ask_whole
from llm.money.spending import BudgetAccount, Limit
from tests.scripted_model import ScriptedModel, calls, fails, says

pytestmark = pytest.mark.django_db(transaction=True)
REQUEST = ModelRequest("openai/scripted", [{"role": "user", "content": "Hi"}])
CUT = says("It beg").with_finish("length").with_usage(10, 4000)


def make_account(micros: int | None = None) -> BudgetAccount:
    """$1 a million tokens, by the setting of each test."""
    limit = None if micros is None else Limit(micros, "the limit", "Raise it.")
    return BudgetAccount(Organization.objects.create(name="Acme"), "agent", "turn", limit=limit)


@pytest.fixture(autouse=True)
def priced(scripted_model: ScriptedModel, settings: Any) -> None:
    settings.MODEL_PRICES = {"openai/scripted": (1_000_000, 1_000_000)}


def test_it_is_asked_for_once_more_with_all_the_room(scripted_model: ScriptedModel) -> None:
    scripted_model.will(CUT, says("It begins and ends.").with_usage(10, 5000))
    deltas: list[Delta] = []
    answer = ask_whole(REQUEST, account=make_account(), on_delta=deltas.append)
    assert (answer.text, answer.truncated) == ("It begins and ends.", False)
    assert (answer.cost_micros, answer.prompt_tokens, answer.completion_tokens) == (9020, 20, 9000)
    assert [sent["max_tokens"] for sent in scripted_model.requests] == [4000, 8000]
    assert [delta.text for delta in deltas] == ["It beg"]
    assert Reservation.objects.count() == Usage.objects.count() == 2


def test_a_whole_answer_is_asked_for_once(scripted_model: ScriptedModel) -> None:
    scripted_model.will(says("Whole."), says("Another."))
    assert ask_whole(REQUEST, account=make_account()).text == "Whole."
    assert len(scripted_model.requests) == 1


def test_an_answer_that_is_cut_twice_is_not_asked_for_again(scripted_model: ScriptedModel) -> None:
    scripted_model.will(CUT, calls(("f", '{"a": ')).with_finish("length"))
    answer = ask_whole(REQUEST, account=make_account())
    assert answer.truncated and len(scripted_model.requests) == 2


def test_an_answer_that_had_all_the_room_is_not_asked_for_again(scripted_model: ScriptedModel, settings: Any) -> None:
    settings.MODEL_MAX_TOKENS = 4000
    scripted_model.will(CUT)
    assert ask_whole(REQUEST, account=make_account()).truncated and len(scripted_model.requests) == 1


@pytest.mark.parametrize(("micros", "room"), [(12_045, None), (12_046, 8000)])
def test_it_is_asked_for_again_only_with_twice_the_room(
    micros: int, room: int | None, scripted_model: ScriptedModel
) -> None:
    """The first call has cost 4,010 tokens; the second may cost 8,000 and a prompt that is counted as 36 at most."""
    scripted_model.will(CUT, says("Whole."))
    answer = ask_whole(REQUEST, account=make_account(micros))
    assert answer.truncated is (room is None)
    assert [sent["max_tokens"] for sent in scripted_model.requests[1:]] == ([room] if room else [])


def test_the_cut_answer_stands_when_the_second_fails(scripted_model: ScriptedModel) -> None:
    scripted_model.will(CUT, fails(400))
    answer = ask_whole(REQUEST, account=make_account())
    assert (answer.text, answer.truncated) == ("It beg", True)


@pytest.mark.parametrize(("seconds", "times"), [(29.5, 1), (10, 2)])
def test_both_together_keep_to_the_deadline_of_the_request(
    scripted_model: ScriptedModel, seconds: float, times: int
) -> None:
    scripted_model.will(CUT, says("Whole."))
    request, account = replace(REQUEST, deadline_seconds=30), make_account()
    first = replace(ask(request, account=account), seconds=seconds)
    answer = ask_longer(request, first, account=account)
    assert (answer.truncated, len(scripted_model.requests)) == (times == 1, times)
    assert answer.seconds >= seconds
