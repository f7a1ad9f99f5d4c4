"""One model call on the loop thread: a stream, read to its end or closed, tried again only while nothing came."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING

from pydantic import BaseModel

from kit import sanitize
from llm.client.failures import convert_error, describe
from llm.client.pricing import NOTHING_CACHED, CachedTokens, believe_count
from llm.client.stream_assembly import Collected, Raw, read_written_text
from llm.client.types import Delta, ModelFailed
from llm.client.wire import CompletionArguments

if TYPE_CHECKING:
    from litellm.types.utils import ModelResponseStream  # slow to import

MAX_ATTEMPTS = 4
FIRST_WAIT = 0.5
# Where a provider takes no more calls for now and does not say for how long.
FIRST_RATE_WAIT, LONGEST_RATE_WAIT = 5.0, 60.0
Emit = Callable[[Delta], None]


async def collect(
    module: ModuleType,
    arguments: CompletionArguments,
    into: Collected,
    emit: Emit,
    *,
    deadline_seconds: float,
    max_written: float,
    max_wait_seconds: float | None = None,
) -> None:
    """Fills `into`. Raises ModelFailed; asyncio's cancellation closes the stream at once.

    `max_written`: tokens, by the low estimate, after which the answer is cut.
    """
    model = arguments["model"]
    try:
        async with asyncio.timeout(deadline_seconds) as limit:
            latest = limit.when() if max_wait_seconds is None else None
            patience = _Patience(latest, max_wait_seconds)
            await _try_repeatedly(
                partial(_try_once, module, arguments, into, emit, max_written), arguments, into, patience
            )
    except TimeoutError:
        began = into.began
        raise describe("deadline", model, partial_text="".join(into.text), retryable=not began) from None


@dataclass(frozen=True)
class _Patience:
    """Until when, on the loop's clock, or for how long a further try may be waited for."""

    latest: float | None
    seconds: float | None

    def allows(self, wait: float) -> bool:
        if self.seconds is not None:
            return wait <= self.seconds
        return self.latest is None or asyncio.get_running_loop().time() + wait < self.latest


async def _try_repeatedly(
    attempt_call: Callable[[], Awaitable[None]], arguments: CompletionArguments, into: Collected, patience: _Patience
) -> None:
    for attempt in range(1, MAX_ATTEMPTS + 1):
        try:
            return await attempt_call()
        except ModelFailed:
            raise
        except Exception as error:  # Each provider's client raises errors of its own.
            failure = convert_error(
                error,
                arguments["model"],
                sent=arguments["messages"],
                partial_text="".join(into.text),
                began=into.began,
            )
            wait = failure.retry_after
            if wait is None:
                wait = _choose_wait(failure, attempt)
            if not failure.retryable or attempt == MAX_ATTEMPTS or not patience.allows(wait):
                raise failure from error
            into.sent = False
        await asyncio.sleep(wait)
    return None


def _choose_wait(failure: ModelFailed, attempt: int) -> float:
    if failure.code == "rate":
        return min(LONGEST_RATE_WAIT, FIRST_RATE_WAIT * 2.0 ** (attempt - 1))
    return FIRST_WAIT * 2.0 ** (attempt - 1) * random.uniform(0.8, 1.2)  # noqa: S311 - jitter


async def _try_once(
    module: ModuleType, arguments: CompletionArguments, into: Collected, emit: Emit, max_written: float
) -> None:
    into.sent = True
    stream = await module.acompletion(**arguments)
    try:
        async for chunk in stream:
            take_chunk(chunk, into, emit)
            if into.exceeds(max_written):
                _cut(into, arguments)
                return
    finally:
        # `break` and cancellation leave the connection open; only this closes it.
        await stream.aclose()
    if not _has_usage(stream):
        into.prompt_tokens = into.completion_tokens = None
        into.cached = NOTHING_CACHED
    _take_words(into.thoughts.end(), into, emit)
    if not _has_finished(stream):
        into.began = True
        raise describe("broken", arguments["model"], partial_text="".join(into.text))


def _cut(into: Collected, arguments: CompletionArguments) -> None:
    """A server that ignores `max_tokens` goes on beyond all that is paid for. What came is kept where it is of use."""
    into.began = into.is_overlong = True
    into.prompt_tokens = into.completion_tokens = None
    into.finish_reason = "length"
    if not into.is_of_use:
        raise describe(
            "overlong", arguments["model"], partial_text="".join(into.text), max_tokens=arguments["max_tokens"]
        )


def _has_usage(stream: object) -> bool:
    """litellm counts tokens itself when a provider reports none, and does not say so."""
    return any(getattr(chunk, "usage", None) for chunk in getattr(stream, "chunks", ()))


def _has_finished(stream: object) -> bool:
    """litellm makes a finish reason up when a server hangs up politely in the middle; the wrapper knows better."""
    marks = [getattr(stream, name, "unknown") for name in ("received_finish_reason", "intermittent_finish_reason")]
    return any(mark is not None for mark in marks)


def take_chunk(chunk: ModelResponseStream, into: Collected, emit: Emit) -> None:
    if usage := getattr(chunk, "usage", None):
        into.prompt_tokens = believe_count(getattr(usage, "prompt_tokens", None)) or into.prompt_tokens
        into.completion_tokens = believe_count(getattr(usage, "completion_tokens", None)) or into.completion_tokens
        into.cached = _read_cached(usage) or into.cached
    into.chunks += 1
    for choice in chunk.choices or ():
        into.finish_reason = choice.finish_reason or into.finish_reason
        _take_delta(choice.delta, into, emit)


def _read_cached(usage: object) -> CachedTokens | None:
    """litellm brings the forms of OpenAI, Anthropic and DeepSeek together; both numbers are part of the prompt's."""
    details = getattr(usage, "prompt_tokens_details", None)
    read, written = getattr(details, "cached_tokens", None), getattr(details, "cache_creation_tokens", None)
    read, written = believe_count(read), believe_count(written)
    return CachedTokens(read or 0, written or 0) if read or written else None


def _take_delta(delta: object, into: Collected, emit: Emit) -> None:
    text = _join_halves("text", getattr(delta, "content", None), into)
    thinking = _join_halves("thinking", getattr(delta, "reasoning_content", None), into)
    _take_words([Delta("thinking", thinking)] if thinking else [], into, emit)
    _take_words(into.thoughts.feed(text), into, emit)
    refusal = sanitize.text(_get_refusal(delta))
    if refusal:
        into.refusal.append(refusal)
        emit(Delta("text", refusal))
    calls = [_plain(call) for call in getattr(delta, "tool_calls", None) or ()]
    into.calls.add(calls)
    into.count(thinking + text + refusal + "".join(read_written_text(call) for call in calls))
    into.blocks.add([_plain(block) for block in getattr(delta, "thinking_blocks", None) or ()])
    into.add_extras({k: v for k, v in (getattr(delta, "provider_specific_fields", None) or {}).items() if _is_kept(k)})
    into.began = into.began or bool(text or thinking or refusal or calls)


def _take_words(words: Sequence[Delta], into: Collected, emit: Emit) -> None:
    for each in words:
        (into.text if each.kind == "text" else into.thinking).append(each.text)
        emit(each)


def _join_halves(kind: str, text: str | None, into: Collected) -> str:
    """Some servers cut between the two halves of a character; the first half waits for the next delta."""
    text = into.halves.pop(kind, "") + (text or "")
    if "\ud800" <= text[-1:] <= "\udbff":
        text, into.halves[kind] = text[:-1], text[-1]
    return sanitize.text(text)


def _is_kept(name: str) -> bool:
    return name not in ("refusal", "thinking_blocks", "reasoning_content", "reasoning")


def _get_refusal(delta: object) -> str:
    refusal = getattr(delta, "refusal", None) or (getattr(delta, "provider_specific_fields", None) or {}).get("refusal")
    return refusal if isinstance(refusal, str) else ""


def _plain(value: Raw | BaseModel) -> Raw:
    return value if isinstance(value, Mapping) else value.model_dump()
