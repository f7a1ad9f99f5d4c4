"""What goes to a model and what comes back, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from docrouter.kit.errors import Upstream

Json = dict[str, Any]
Failure = Literal[
    "key", "model", "context", "rate", "down", "deadline", "broken", "request", "credit", "refused", "tools", "busy"
]


@dataclass(frozen=True)
class ModelRequest:
    """`messages`, `tools`, `tool_choice` and `response_format` in OpenAI's shape. 0 stands for the setting's value."""

    model: str
    messages: Sequence[Json]
    tools: Sequence[Json] | None = None
    tool_choice: str | Json | None = None
    response_format: Json | None = None
    max_tokens: int = 0
    temperature: float = 0
    deadline_seconds: float = 0
    most_wait_seconds: float | None = None
    """The longest wait for a provider before a further try; a longer one is the caller's. None: until the deadline."""


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
    provider_extras: Json = field(default_factory=dict)
    truncated: bool = False
    refused: bool = False
    tokens_estimated: bool = False
    price_known: bool = True


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


class Hold(Protocol):
    """Money held for one call."""

    def settle(self, cost: Cost, *, duration_ms: int) -> None: ...

    def release(self) -> None: ...


class Spender(Protocol):
    """Who pays. `documents.services.spending.Spender` is the real one."""

    def reserve(self, estimate: Cost, *, seconds: float) -> Hold:
        """Holds the estimate for about `seconds`, or raises OutOfBudget."""
        ...
