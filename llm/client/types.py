"""Requests to a model and its answers, as plain values."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from kit.errors import Upstream
from kit.json_types import JsonObject
from llm.client.wire import ChatMessage, ContentPart, ToolChoice, ToolSchema, WireMessage

# Providers charge at most this for a picture of as many pixels as are sent, and most of them less.
PICTURE_TOKENS = 3000
Failure = Literal[
    "key",
    "model",
    "context",
    "rate",
    "down",
    "overloaded",
    "page",
    "empty",
    "deadline",
    "broken",
    "request",
    "credit",
    "refused",
    "tools",
    "busy",
    "moved",
    "overlong",
]


@dataclass(frozen=True)
class ModelRequest:
    """`messages`, `tools`, `tool_choice` and `response_format` in OpenAI's shape.

    `max_tokens` 0: what such calls have needed. `deadline_seconds` 0: the setting's value.
    """

    model: str
    messages: Sequence[ChatMessage]
    tools: Sequence[ToolSchema] | None = None
    tool_choice: str | ToolChoice | None = None
    response_format: JsonObject | None = None
    max_tokens: int = 0
    min_tokens: int = 0
    """With less room than this for the answer it is not asked for (OutOfBudget). 0: a useful minimum."""
    room_tokens: int = 0
    """The room that the answer surely needs: with `max_tokens` 0 it gets no less, however short past answers were."""
    temperature: float = 0
    deadline_seconds: float = 0
    cache_ends: Sequence[int] = ()
    """The places of messages up to which a later request will begin alike. For providers that have to be told."""
    pictures: Mapping[int, Sequence[bytes]] = field(default_factory=dict)
    """JPEG pictures that a model which sees them is shown, by the places of the messages that they belong to."""
    max_wait_seconds: float | None = None
    """The longest wait for a provider before a further try; a longer one is the caller's. None: until the deadline."""

    @property
    def picture_tokens(self) -> int:
        """The most that its pictures count for."""
        return PICTURE_TOKENS * sum(map(len, self.pictures.values()))

    def wire_messages(self) -> list[WireMessage]:
        """As they are sent: a message with pictures in parts, its text first."""
        return [self._join_pictures(at, message) for at, message in enumerate(self.messages)]

    def _join_pictures(self, at: int, message: ChatMessage) -> WireMessage:
        if at not in self.pictures:
            return message
        shown = [f"data:image/jpeg;base64,{base64.b64encode(data).decode()}" for data in self.pictures[at]]
        parts: list[ContentPart] = [{"type": "text", "text": message["content"] or ""}]
        parts += [{"type": "image_url", "image_url": {"url": url}} for url in shown]
        return {"role": message["role"], "content": parts}


@dataclass(frozen=True)
class Delta:
    kind: Literal["text", "thinking"]
    text: str


@dataclass(frozen=True)
class WireCall:
    """A tool call as the model wrote it; `id` and `name` may be empty and the arguments may be no JSON."""

    id: str
    name: str
    arguments_text: str


@dataclass(frozen=True)
class ModelAnswer:
    """`truncated`: the output limit was hit, so its last call must never run. `refused`: the text is a refusal.

    `provider_extras` (thinking blocks with signatures, reasoning items) goes back to the same provider verbatim.
    """

    text: str
    thinking: str
    tool_calls: list[WireCall]
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int
    cost_micros: int
    model: str
    provider_extras: JsonObject = field(default_factory=dict)
    truncated: bool = False
    is_overlong: bool = False
    """It was cut here, since its server ignores `max_tokens`: with more room it would only cost more."""
    refused: bool = False
    tokens_estimated: bool = False
    price_known: bool = True
    max_tokens: int = 0
    """The most that its answer could have."""
    full_max_tokens: int = 0
    """The most that its answer could have had if every limit had left enough."""
    seconds: float = field(default=0.0, compare=False)
    """For so long it was waited for."""

    @property
    def is_filtered(self) -> bool:
        """Whether the provider withheld it, or what comes after it."""
        return self.finish_reason == "content_filter"


class ModelFailed(Upstream):
    """A call that brought no whole answer. `partial_text` is what had arrived; `code` is a `Failure`."""

    def __init__(
        self,
        sentence: str,
        *,
        code: Failure,
        retryable: bool = False,
        retry_after: float | None = None,
        partial_text: str = "",
    ) -> None:
        super().__init__(sentence, retry_after=retry_after, retryable=retryable)
        self.code = code
        self.partial_text = partial_text


class Cancelled(Exception):
    """The caller's `cancelled()` became true. What was used until then is settled."""

    def __init__(self, partial_text: str = "") -> None:
        super().__init__("The model call was cancelled.")
        self.partial_text = partial_text


@dataclass(frozen=True)
class Cost:
    """Tokens and what they cost in millionths of a dollar."""

    model: str
    prompt_tokens: int
    completion_tokens: int
    micros: int
    price_known: bool = True
    cached_tokens: int = 0
    """The prompt's tokens that came from the provider's cache."""
    cache_written_tokens: int = 0


@dataclass(frozen=True)
class Quote:
    """The most that a call costs: its prompt, and so much for a million tokens of an answer of up to `max_output`.

    `wanted_output` is the length that the caller asks for; 0 leaves it to what such calls have needed. An answer that
    can be no longer than `min_output` (0: a useful minimum) is not worth its price. `room` is the least that what such
    calls have needed may come to.
    """

    model: str
    prompt_micros: int
    output_micros_per_mtok: int = 0
    max_output: int = 0
    wanted_output: int = 0
    min_output: int = 0
    room: int = 0
    price_known: bool = True

    def micros(self, output_tokens: int) -> int:
        return self.prompt_micros + math.ceil(output_tokens * self.output_micros_per_mtok / 1_000_000)

    def output_for(self, micros: int) -> int:
        """Count the tokens of an answer that the money pays for; negative when it does not even pay for the prompt."""
        left = micros - self.prompt_micros
        if left < 0 or not self.output_micros_per_mtok:
            return -1 if left < 0 else self.max_output
        return min(self.max_output, left * 1_000_000 // self.output_micros_per_mtok)


class Reservation(Protocol):
    """Money reserved for one call."""

    @property
    def max_tokens(self) -> int:
        """The most tokens of an answer that costs no more than what is reserved."""
        ...

    def book_cost(self, cost: Cost, *, duration_ms: int) -> None: ...

    def release(self) -> None: ...


class BudgetAccount(Protocol):
    """The account that pays. `llm.money.spending.BudgetAccount` is the real one."""

    def reserve(self, quote: Quote, *, seconds: float) -> Reservation:
        """Reserves what the call costs at most for about `seconds`, or raises OutOfBudget."""
        ...
