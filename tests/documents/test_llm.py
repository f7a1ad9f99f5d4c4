"""The client of models, through the real litellm, against a scripted server on loopback."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Any

import pytest
from django.db import transaction

from accounts.models import Organization
from documents.backends.llm import Cancelled, Delta, ModelFailed, ModelRequest, ask
from documents.backends.llm.failures import parse_retry_after
from documents.backends.llm.stream_assembly import TOO_DEEP
from documents.model_access.spending import BudgetAccount
from documents.models import Budget, Reservation, Usage
from kit.errors import OutOfBudget
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
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}]


@pytest.fixture
def account() -> BudgetAccount:
    return BudgetAccount(Organization.objects.create(name="Acme"), "agent", "turn")


def request(**changes: Any) -> ModelRequest:
    return ModelRequest(**{"model": "openai/scripted", "messages": [{"role": "user", "content": "Hi"}], **changes})


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


@pytest.mark.usefixtures("unpriced")
def test_it_books_cached_tokens_at_the_price_of_the_cache(
    scripted_model: ScriptedModel, account: BudgetAccount
) -> None:
    scripted_model.will(says("Hi").with_usage(1_000_000, 1), says("Hi").with_usage(1_000_000, 1, cached=600_000))
    for _ in range(2):
        ask(request(model="openai/gpt-4o-mini"), account=account)
    # $0.15 a million, and half of that from the cache
    assert list(Usage.objects.order_by("created_at").values_list("cost_micros", flat=True)) == [150_001, 105_001]


SENT = [{"role": "user", "content": "ACME Ltd owes Bob Miller 300 Euro and a horse"}]


@pytest.mark.parametrize(
    ("provider_error", "quoted"),
    [
        ("tool_choice is odd, and 'max_tokens' too", "tool_choice is odd, and 'max_tokens' too"),
        ("Wrong key sk-proj-ab*****yz given", "Wrong key … given"),
        ("Wrong key sk-ant-REDACTED given", "Wrong key … given"),
        ("bad header Bearer abc.def here", "bad header … here"),
        ("token 0123456789abcdefABCDEF0123 expired", "token … expired"),
        ("Invalid value: 'ACME Ltd' in messages[0]", "Invalid value: … in messages[0]"),
        ("cannot parse: owes bob miller 300 euro, sorry", "cannot parse: …, sorry"),
    ],
)
def test_it_repeats_neither_keys_nor_what_was_sent_when_a_provider_quotes_them(
    scripted_model: ScriptedModel, account: BudgetAccount, provider_error: str, quoted: str
) -> None:
    scripted_model.will(fails(400, provider_error))
    with pytest.raises(ModelFailed) as raised:
        ask(request(messages=SENT), account=account)
    assert raised.value.sentence.endswith(f"Try another model. It said: {quoted}")


@pytest.mark.parametrize(
    "server_error",
    [
        "registry.ollama.ai/library/phi does not support tools",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        "No endpoints found that support tool use.",
    ],
)
def test_it_knows_a_model_that_takes_no_tools_by_what_its_server_says(
    scripted_model: ScriptedModel, account: BudgetAccount, server_error: str
) -> None:
    scripted_model.will(fails(400, server_error))
    with pytest.raises(ModelFailed, match="takes no tools") as raised:
        ask(request(tools=TOOLS), account=account)
    assert raised.value.code == "tools"


def test_it_never_tries_again_after_the_first_token(scripted_model: ScriptedModel, account: BudgetAccount) -> None:
    scripted_model.will(says("One ", "two").with_break(), says("never asked for"))
    with pytest.raises(ModelFailed) as raised:
        ask(request(), account=account)
    failure = raised.value
    assert (failure.code, failure.partial_text, failure.retryable) == ("broken", "One two", False)
    assert len(scripted_model.requests) == 1
    assert Usage.objects.get().completion_tokens > 0


def test_it_does_not_take_a_polite_hang_up_for_an_end(scripted_model: ScriptedModel, account: BudgetAccount) -> None:
    scripted_model.will(says("The total is").with_finish(None))
    with pytest.raises(ModelFailed, match="broke off"):
        ask(request(), account=account)


def test_it_ends_a_hanging_call_at_its_deadline(scripted_model: ScriptedModel, account: BudgetAccount) -> None:
    scripted_model.will(says("Some").with_hang())
    with pytest.raises(ModelFailed) as raised:
        ask(request(deadline_seconds=0.5), account=account)
    assert (raised.value.code, raised.value.partial_text) == ("deadline", "Some")
    assert scripted_model.hung_up.wait(10)


def test_it_stops_at_once_when_it_is_cancelled(scripted_model: ScriptedModel, account: BudgetAccount) -> None:
    scripted_model.will(says("Some").with_hang())
    seen: list[Delta] = []
    with pytest.raises(Cancelled) as raised:
        ask(request(), account=account, on_delta=seen.append, cancelled=lambda: bool(seen))
    assert raised.value.partial_text == "Some"
    assert scripted_model.hung_up.wait(10)
    assert Reservation.objects.get().status == "settled"


def test_it_refuses_to_wait_inside_a_transaction(scripted_model: ScriptedModel, account: BudgetAccount) -> None:
    with pytest.raises(RuntimeError, match="inside a transaction"), transaction.atomic():
        ask(request(), account=account)
    assert scripted_model.requests == []


@pytest.mark.usefixtures("unpriced")
def test_it_sends_nothing_when_the_budget_does_not_cover_the_call(
    scripted_model: ScriptedModel, account: BudgetAccount, settings: Any
) -> None:
    settings.MONTHLY_BUDGET_USD = 0.001
    with pytest.raises(OutOfBudget, match=r"may cost \$0\.0.*An admin of Acme can raise it"):
        ask(request(), account=account)
    assert scripted_model.requests == []


def test_it_names_the_setting_of_a_missing_key(
    account: BudgetAccount, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(ModelFailed, match="set ANTHROPIC_API_KEY"):
        ask(request(model="claude-sonnet-4-6"), account=account)


def test_the_web_process_never_imports_litellm() -> None:
    code = (
        "import django, sys; django.setup(); import docrouter.urls, docrouter.asgi, documents.backends.llm;"
        "from django.urls import get_resolver; get_resolver().url_patterns;"
        "print([m for m in ('litellm', 'openai', 'rapidocr', 'onnxruntime', 'cv2') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=_environment(), check=False)
    assert (run.stdout.strip(), run.returncode) == ("[]", 0), run.stderr


def _environment() -> dict[str, str]:
    return {**os.environ, "DJANGO_SETTINGS_MODULE": "docrouter.settings"}


def test_it_joins_a_character_that_a_server_cut_in_two(scripted_model: ScriptedModel, account: BudgetAccount) -> None:
    scripted_model.will(streams({"content": "a \ud83d"}, {"content": "\ude00 b\0 \ud800 c"}))
    deltas: list[Delta] = []
    answer = ask(request(), account=account, on_delta=deltas.append)
    assert answer.text == "".join(delta.text for delta in deltas) == "a 😀 b \ufffd c"


@pytest.mark.parametrize(
    ("sent", "arguments"),
    [
        ('{"value": NaN}', '{"value": null}'),
        ('{"value": 1e999}', '{"value": null}'),
        ('{"value": "\\ud800\\u0000!"}', '{"value": "\ufffd!"}'),
        ("[" * 5000 + "]" * 5000, TOO_DEEP),
        ('{"value": ', '{"value": '),
    ],
    ids=["not a number", "beyond numbers", "half a character", "too deep", "no JSON"],
)
def test_it_gives_back_arguments_that_rows_can_keep(
    sent: str, arguments: str, scripted_model: ScriptedModel, account: BudgetAccount
) -> None:
    scripted_model.will(calls(("f", sent)))
    assert ask(request(tools=TOOLS), account=account).tool_calls[0].arguments_text == arguments
