"""What is booked, what is tried again, and what a failure says."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from django.db import transaction

from documents.models import Reservation, Usage
from kit.errors import OutOfBudget
from llm.client import Cancelled, Delta, ModelFailed, ask
from llm.client.litellm_loader import litellm
from llm.client.pricing import mark_cacheable
from llm.client.stream_assembly import TOO_DEEP
from llm.client.wire import ModelEntry
from llm.money.spending import BudgetAccount
from tests.documents.llm_requests import (  # noqa: F401 - account is a fixture
    TOOLS,
    account,
    request,
)
from tests.scripted_model import (
    ScriptedModel,
    calls,
    fails,
    says,
    streams,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.usefixtures("unpriced")
def test_it_books_cached_tokens_at_the_price_of_the_cache(
    scripted_model: ScriptedModel, account: BudgetAccount
) -> None:
    scripted_model.will(says("Hi").with_usage(1_000_000, 1), says("Hi").with_usage(1_000_000, 1, cached=600_000))
    for _ in range(2):
        ask(request(model="openai/gpt-4o-mini"), account=account)
    # $0.15 a million, and half of that from the cache
    assert list(Usage.objects.order_by("created_at").values_list("cost_micros", flat=True)) == [150_001, 105_001]


MESSAGES = [{"role": role, "content": role} for role in ("system", "user", "assistant", "user")]
PRICED: ModelEntry = {"cache_creation_input_token_cost": 3.75e-06}


@pytest.mark.parametrize(
    ("model", "entry", "marked"),
    [
        ("anthropic/claude-sonnet-4-5", PRICED, [0, 2, 3]),
        ("bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0", PRICED, [0, 2, 3]),
        ("anthropic/claude-2", {}, []),
        ("openai/gpt-4o-mini", {"cache_read_input_token_cost": 1e-07}, []),
        ("gemini/gemini-2.5-pro", PRICED, []),
    ],
)
def test_it_marks_what_to_keep_only_where_a_provider_has_to_be_told(
    model: str, entry: ModelEntry, marked: list[int]
) -> None:
    sent = mark_cacheable(request(model=model, messages=MESSAGES, cache_ends=[0, 2, 3]), entry)
    assert [at for at, message in enumerate(sent.messages) if "cache_control" in message] == marked
    assert "cache_control" not in str(MESSAGES)


def test_the_marks_reach_anthropic_through_litellm() -> None:
    marked = mark_cacheable(request(model="anthropic/claude-sonnet-4-5", messages=MESSAGES, cache_ends=[0, 1]), PRICED)
    body = litellm().AnthropicConfig().transform_request("claude-sonnet-4-5", [*marked.messages], {}, {}, {})
    assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    first, *others = body["messages"]
    assert first["content"][0]["cache_control"] == {"type": "ephemeral"} and "cache_control" not in str(others)


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
    assert scripted_model.hung_up.wait(120)


def test_it_stops_at_once_when_it_is_cancelled(scripted_model: ScriptedModel, account: BudgetAccount) -> None:
    scripted_model.will(says("Some").with_hang())
    seen: list[Delta] = []
    with pytest.raises(Cancelled) as raised:
        ask(request(), account=account, on_delta=seen.append, cancelled=lambda: bool(seen))
    assert raised.value.partial_text == "Some"
    assert scripted_model.hung_up.wait(120)
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


def test_what_all_processes_share_does_not_import_litellm() -> None:
    """The agent worker does; the web, the scheduler and the worker that reads have no more than this."""
    code = (
        "import django, sys; django.setup(); import llm.client;"
        "from worker.supervision.preparation import preload; preload();"
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
