"""Request and answer of a bare call of a model, in OpenAI's shape, as they are stored with the call."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from kit.json_types import JsonObject
from llm.client import ChatMessage


class ChatRequest(TypedDict):
    """`purpose` is of its cost; without one it is that of a bare call."""

    messages: list[ChatMessage]
    max_tokens: int | None
    temperature: float
    response_format: NotRequired[JsonObject]
    purpose: NotRequired[str]


class EmbeddingRequest(TypedDict):
    input: str


CallBody: TypeAlias = ChatRequest | EmbeddingRequest


class Answered(TypedDict):
    role: Literal["assistant"]
    content: str


class Choice(TypedDict):
    index: int
    message: Answered
    finish_reason: str


class EmbeddingUsage(TypedDict):
    prompt_tokens: int
    total_tokens: int


class CompletionUsage(EmbeddingUsage):
    completion_tokens: int


class Completion(TypedDict):
    """The model's answer, as OpenAI's API gives it."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[Choice]
    usage: CompletionUsage


class Embedded(TypedDict):
    """The numbers."""

    model: str
    dimensions: int
    embedding: list[float]
    usage: EmbeddingUsage
