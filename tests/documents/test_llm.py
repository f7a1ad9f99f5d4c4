"""The client of models, through the real litellm, against a scripted server on loopback."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import time

import pytest

from documents.models import Budget, Reservation, Usage
from llm.client import Delta, ModelFailed, ask
from llm.client.failures import parse_retry_after
from llm.client.litellm_loader import litellm
from llm.money.spending import BudgetAccount
from tests.documents.llm_requests import (  # noqa: F401 - account is a fixture
    TOOLS,
    account,
    request,
)
from tests.scripted_model import (
    ScriptedModel,
    call_delta,
    calls,
    fails,
    refuses,
    says,
    streams,
    thinks,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.usefixtures("unpriced")
def test_it_streams_text_and_books_what_the_provider_reports(
    scripted_model: ScriptedModel, account: BudgetAccount
) -> None:
    scripted_model.will(says("Hel", "lo"))
    deltas: list[Delta] = []
    answer = ask(request(max_tokens=50), account=account, on_delta=deltas.append)
    assert (answer.text, answer.finish_reason, answer.truncated) == ("Hello", "stop", False)
    assert deltas == [Delta("text", "Hel"), Delta("text", "lo")]
    usage = Usage.objects.get()
    assert (usage.prompt_tokens, usage.completion_tokens, usage.subject_id) == (100, 20, "turn")
    # 120 tokens at the ceiling of $30 a million, because nobody knows the price of this model
    assert (usage.cost_micros, usage.price_known, answer.cost_micros) == (3600, False, 3600)
    sent = scripted_model.requests[0]
    assert (sent["model"], sent["max_tokens"], sent["stream_options"]) == ("scripted", 50, {"include_usage": True})
    budget = Budget.objects.get()
    assert (budget.spent_micros, budget.reserved_micros) == (3600, 0)


def test_calls_of_different_deadlines_share_a_client_and_its_connections(
    scripted_model: ScriptedModel, account: BudgetAccount
) -> None:
    """A turn gives each call what is left of its time."""
    clients = litellm().in_memory_llm_clients_cache.cache_dict
    for seconds in (44.7, 31.2, 12.9):
        scripted_model.will(says("Hello"))
        ask(request(deadline_seconds=seconds), account=account)
    assert len([key for key in clients if scripted_model.base_url in key]) == 1


def test_it_gives_back_tool_calls_although_the_finish_reason_says_stop(
    scripted_model: ScriptedModel, account: BudgetAccount
) -> None:
    scripted_model.will(
        streams(call_delta(0, '{"a": 1}', id="x", name="f"), call_delta(0, '{"a": 2}', id="y", name="f"), finish="stop")
    )
    answer = ask(request(tools=TOOLS), account=account)
    assert [(call.id, call.arguments_text) for call in answer.tool_calls] == [("x", '{"a": 1}'), ("y", '{"a": 2}')]
    assert answer.finish_reason == "tool_calls"
    assert scripted_model.requests[0]["tools"] == TOOLS


def test_it_marks_an_answer_that_was_cut_in_the_middle_of_a_call(
    scripted_model: ScriptedModel, account: BudgetAccount
) -> None:
    scripted_model.will(calls(("f", '{"a": '), text="Now").with_finish("length"))
    answer = ask(request(tools=TOOLS), account=account)
    assert (answer.truncated, answer.text, answer.tool_calls[0].arguments_text) == (True, "Now", '{"a": ')


def test_it_keeps_thinking_apart_from_text(scripted_model: ScriptedModel, account: BudgetAccount) -> None:
    scripted_model.will(thinks("Let me ", "see.", then="Done"))
    answer = ask(request(), account=account)
    assert (answer.thinking, answer.text) == ("Let me see.", "Done")


def test_it_says_that_the_model_refused(scripted_model: ScriptedModel, account: BudgetAccount) -> None:
    scripted_model.will(refuses("I cannot do that."))
    answer = ask(request(), account=account)
    assert (answer.refused, answer.text) == (True, "I cannot do that.")


def test_it_takes_an_empty_answer_as_it_is(scripted_model: ScriptedModel, account: BudgetAccount) -> None:
    scripted_model.will(says())
    answer = ask(request(), account=account)
    assert (answer.text, answer.tool_calls, answer.refused) == ("", [], False)


def test_it_counts_tokens_itself_when_the_provider_reports_none(
    scripted_model: ScriptedModel, account: BudgetAccount
) -> None:
    scripted_model.will(says("one two three").without_usage())
    answer = ask(request(), account=account)
    assert answer.tokens_estimated
    assert (answer.prompt_tokens > 5, answer.completion_tokens) == (True, 3)


@pytest.mark.parametrize("reported", [(-50_000_000, 20), (100, 10**15), (10**18, -1)])
def test_it_counts_tokens_itself_when_the_reported_number_can_be_none(
    scripted_model: ScriptedModel, account: BudgetAccount, reported: tuple[int, int]
) -> None:
    scripted_model.will(says("one two three").with_usage(*reported))
    answer = ask(request(), account=account)
    assert answer.tokens_estimated
    assert (answer.prompt_tokens > 5, answer.completion_tokens) == (True, 3)
    assert Budget.objects.get().reserved_micros == 0


def test_it_tries_again_after_a_rate_limit_and_server_errors(
    scripted_model: ScriptedModel, account: BudgetAccount
) -> None:
    scripted_model.will(fails(429, retry_after=0.2), fails(503), says("Hi"))
    began = time.monotonic()
    assert ask(request(), account=account).text == "Hi"
    assert time.monotonic() - began >= 0.2
    assert Usage.objects.count() == 1


def test_it_gives_up_when_the_wait_asked_for_is_past_the_deadline(
    scripted_model: ScriptedModel, account: BudgetAccount
) -> None:
    scripted_model.will(fails(429, retry_after=60))
    with pytest.raises(ModelFailed) as raised:
        ask(request(deadline_seconds=2), account=account)
    assert (raised.value.code, raised.value.retry_after, raised.value.retryable) == ("rate", 60, True)
    assert Reservation.objects.get().status == "released"


@pytest.mark.parametrize(
    ("retry_after", "seconds"),
    [
        ("7", 7),
        ("0.5", 0.5),
        ("-5", 0),
        ("-inf", 0),
        ("inf", 86_400),
        ("Fri, 31 Dec 99999999999 23:59:59 GMT", None),
        ("86401", 86_400),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
        ("nan", None),
        ("soon", None),
        ("Fri, 99 Dec 9999 23:59:59 GMT", None),
        ("Sun, 06 Nov 1994 08:49:37", None),
    ],
)
def test_it_believes_a_retry_after_within_a_day(retry_after: str, seconds: float | None) -> None:
    assert parse_retry_after(retry_after) == seconds


@pytest.mark.parametrize(
    ("status", "message", "code", "says_what"),
    [
        (401, "bad key", "key", "OPENAI_API_KEY"),
        (403, "not allowed", "key", "OPENAI_API_KEY"),
        (404, "no such model", "model", "does not know the model openai/scripted"),
        (400, "This model's maximum context length is 8192 tokens", "context", "too long"),
        (429, "You exceeded your current quota", "credit", "no credit left"),
        (400, "tool_choice is odd", "request", "tool_choice is odd"),
    ],
)
def test_it_says_what_went_wrong_and_charges_nothing(
    scripted_model: ScriptedModel, account: BudgetAccount, status: int, message: str, code: str, says_what: str
) -> None:
    scripted_model.will(fails(status, message))
    with pytest.raises(ModelFailed) as raised:
        ask(request(), account=account)
    assert raised.value.code == code
    assert says_what in raised.value.sentence
    assert not raised.value.retryable
    assert len(scripted_model.requests) == 1
    assert (Budget.objects.get().reserved_micros, Budget.objects.get().spent_micros) == (0, 0)
