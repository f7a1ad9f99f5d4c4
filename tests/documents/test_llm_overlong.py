"""A server that writes more than `max_tokens`: it is cut, what came is paid for, and people are told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from accounts.models import Organization
from documents.models import Budget, Usage
from kit.errors import OutOfBudget
from llm.client import Cost, ModelFailed, ModelRequest, Quote, ask, ask_whole
from llm.client.litellm_loader import litellm
from llm.client.pricing import estimate_min_tokens
from llm.client.stream_assembly import Collected
from llm.client.streaming import collect
from llm.money.spending import BudgetAccount, Limit
from tests.scripted_model import ScriptedModel, call_delta, says, streams, thinks

MESSAGES = [{"role": "user", "content": "Hi"}]
REQUEST = ModelRequest("openai/scripted", MESSAGES, max_tokens=1000)
WORDS = "all work and no play " * 100


@pytest.fixture
def account(scripted_model: ScriptedModel, settings: Any) -> BudgetAccount:
    settings.MODEL_PRICES = {"openai/scripted": (1_000_000, 1_000_000)}
    return BudgetAccount(Organization.objects.create(name="Acme"), "agent", "turn")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("flood", "is_of_use"),
    [
        (says(*[WORDS] * 10), True),
        (streams(call_delta(0, "", id="c", name="f"), *[call_delta(0, WORDS)] * 10), True),
        (thinks(*[WORDS] * 10), False),
        (streams(*[{"content": " " * 20_000}] * 20), False),
        (streams(*[call_delta(at, WORDS, id=f"{at}", name="f") for at in range(10)]), False),
    ],
    ids=["text", "arguments", "thinking", "spaces", "many calls"],
)
def test_it_cuts_what_never_ends_and_pays_for_what_came(
    flood: Any, is_of_use: bool, account: BudgetAccount, scripted_model: ScriptedModel, caplog: pytest.LogCaptureFixture
) -> None:
    """What came is kept as an answer that was cut, where it holds words or one call."""
    scripted_model.will(flood.with_hang())
    if is_of_use:
        answer = ask_whole(REQUEST, account=account)
        assert answer.truncated and answer.is_overlong and len(scripted_model.requests) == 1
        assert WORDS in (answer.text or answer.tool_calls[0].arguments_text)
    else:
        with pytest.raises(ModelFailed) as caught:
            ask(REQUEST, account=account)
        assert caught.value.code == "overlong" and not caught.value.retryable
        assert "openai/scripted wrote more than the 1,000 tokens" in caught.value.sentence
    assert "ignores max_tokens" in caplog.text
    assert scripted_model.hung_up.wait(120)
    usage, budget = Usage.objects.get(), Budget.objects.get()
    assert usage.completion_tokens < 3000 and usage.cost_micros == budget.spent_micros and budget.reserved_micros == 0


@pytest.mark.django_db
def test_a_turn_that_has_paid_for_more_than_its_limit_has_nothing_left(account: BudgetAccount) -> None:
    limited = replace(account, limit=Limit(1000, "the limit for this turn", "An admin can raise it."))
    limited.reserve(Quote("openai/x", 900), seconds=60).book_cost(Cost("openai/x", 1, 1, 1200), duration_ms=1)
    with pytest.raises(OutOfBudget, match=r"\$0\.00 is left of the limit for this turn"):
        limited.reserve(Quote("openai/x", 1), seconds=60)


@pytest.mark.django_db(transaction=True)
def test_it_cuts_calls_that_say_nothing(account: BudgetAccount, scripted_model: ScriptedModel) -> None:
    scripted_model.will(streams(*[call_delta(number) for number in range(1000)]).with_hang())
    with pytest.raises(ModelFailed, match="ignores max_tokens"):
        ask(ModelRequest("openai/scripted", MESSAGES, max_tokens=10), account=account)


class Nothing:
    """A stream of chunks that hold nothing but a count, which is too low."""

    async def __aiter__(self) -> AsyncIterator[Any]:
        while True:
            yield SimpleNamespace(choices=[], usage=SimpleNamespace(prompt_tokens=10, completion_tokens=1))

    async def aclose(self) -> None:
        pass


async def test_it_pays_for_chunks_of_nothing_by_its_own_count() -> None:
    async def acompletion(**_: Any) -> Nothing:
        return Nothing()

    collected, sent = Collected(), {"model": "openai/scripted", "messages": [], "max_tokens": 10}
    with pytest.raises(ModelFailed, match="ignores max_tokens"):
        module = SimpleNamespace(acompletion=acompletion)
        await collect(module, sent, collected, print, deadline_seconds=60, max_written=77)
    assert collected.sent and collected.began
    assert (collected.prompt_tokens, collected.completion_tokens) == (None, None)


@pytest.mark.django_db(transaction=True)
def test_it_takes_an_answer_of_just_the_length(
    account: BudgetAccount, scripted_model: ScriptedModel, caplog: pytest.LogCaptureFixture
) -> None:
    """100 tokens of six letters in one go, and letter by letter."""
    words = "abcde " * 100
    scripted_model.will(says(words).with_usage(10, 100), says(*words).with_usage(10, 100))
    for _ in range(2):
        answer = ask(ModelRequest("openai/scripted", MESSAGES, max_tokens=100), account=account)
        assert answer.text == words
    # asyncio may speak of the sessions that tests before this one left open.
    assert not [record for record in caplog.records if record.name != "asyncio"]
    assert not Usage.objects.overlong()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("reported", "is_overlong"), [(1314, False), (1315, True)])
def test_it_marks_an_answer_whose_server_says_that_it_wrote_surely_more(
    reported: int,
    is_overlong: bool,
    account: BudgetAccount,
    scripted_model: ScriptedModel,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What a model thinks unseen shows only in what it reports."""
    scripted_model.will(says("Yes.").with_usage(10, reported))
    ask(REQUEST, account=account)
    assert ("asked for 1000 tokens and wrote 1315" in caplog.text) is is_overlong
    assert Usage.objects.overlong().exists() is is_overlong


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("price", "is_cut"), [(0, False), (1_000_000, True)])
def test_a_server_that_counts_four_letters_a_token_is_cut_only_where_that_may_cost(
    price: int, is_cut: bool, account: BudgetAccount, scripted_model: ScriptedModel, settings: Any
) -> None:
    settings.MODEL_PRICES = {"openai/scripted": (price, price)}
    table = "1,2,3;4-5," * 400
    scripted_model.will(says(table[:2000], table[2000:]).with_finish("length").with_usage(10, 1000))
    answer = ask(REQUEST, account=account)
    assert answer.truncated and answer.is_overlong is is_cut
    assert (answer.text == table) is not is_cut


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("accommodation", 1), ("a b c", 3), ("x" * 160, 10), ("123456", 2), ("\n        {", 1), ("漢字仮名", 2)],
)
def test_it_counts_no_more_tokens_than_there_can_be(text: str, tokens: int) -> None:
    assert estimate_min_tokens(text) == tokens


@pytest.mark.django_db(transaction=True)
def test_it_takes_answers_as_they_are_and_breaks_off_one_without_end(
    account: BudgetAccount, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(streams(*[{"padding": "x" * 1024 * 1024}] * 65))
    with pytest.raises(ModelFailed):
        ask(replace(REQUEST, max_wait_seconds=0), account=account)
    assert scripted_model.request_headers[0]["accept-encoding"] == "identity"


class Flood(httpx.AsyncByteStream):
    """One line that never ends, in pieces of 1 MB."""

    sent = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while self.sent < 1000:
            self.sent += 1
            yield b"x" * 1024 * 1024


@pytest.mark.flows
async def test_it_takes_64_megabytes_of_an_answer_and_no_more() -> None:
    litellm()
    from llm.client.transport import BoundedStream  # noqa: PLC0415 - it imports litellm, slowly

    flood, taken = Flood(), 0
    with pytest.raises(httpx.ReadError):
        async for part in BoundedStream(flood):
            taken += len(part)
    assert taken == 64 * 1024 * 1024 and flood.sent == 65
