"""The JSON that goes to providers, in OpenAI's shape, and what litellm's list says of a model."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Literal, NotRequired, Required, TypeAlias, TypedDict

from kit.json_types import JsonObject, JsonSchema


class FunctionCall(TypedDict):
    """`arguments` is JSON as text."""

    name: str
    arguments: str


class MessageCall(TypedDict):
    """A tool call as part of the message that asked for it."""

    id: str
    type: Literal["function"]
    function: FunctionCall


class CacheControl(TypedDict):
    """Asks a provider to keep the request up to the end of this message."""

    type: Literal["ephemeral"]


class ChatMessage(TypedDict, total=False):
    """Beside these names it may have those that its provider gave along with an answer."""

    role: Required[str]
    content: Required[str | None]
    tool_calls: list[MessageCall]
    tool_call_id: str
    cache_control: CacheControl


class PictureAddress(TypedDict):
    """The picture itself, as a data URL."""

    url: str


class ContentPart(TypedDict):
    """A text, or a picture."""

    type: Literal["text", "image_url"]
    text: NotRequired[str]
    image_url: NotRequired[PictureAddress]


class MessageInParts(TypedDict, total=False):
    """A message of a person's side that shows pictures."""

    role: Required[str]
    content: Required[list[ContentPart]]


WireMessage: TypeAlias = ChatMessage | MessageInParts


class FunctionSchema(TypedDict):
    name: str
    description: str
    parameters: JsonSchema


class ToolSchema(TypedDict):
    type: Literal["function"]
    function: FunctionSchema


class FunctionName(TypedDict):
    name: str


class ToolChoice(TypedDict):
    """The one tool that has to be called."""

    type: Literal["function"]
    function: FunctionName


class Credentials(TypedDict, total=False):
    api_base: str
    api_key: str


class CompletionArguments(Credentials):
    """Arguments of a call of litellm."""

    model: str
    messages: Sequence[WireMessage]
    stream: bool
    # With `include_usage`: else OpenAI's API does not say how many tokens a stream took.
    stream_options: dict[str, bool]
    max_tokens: int
    temperature: float
    max_retries: int
    num_retries: int
    timeout: float
    tools: NotRequired[Sequence[ToolSchema]]
    tool_choice: NotRequired[str | ToolChoice]
    response_format: NotRequired[JsonObject]


def round_timeout(seconds: float) -> float:
    """Round up to whole minutes for litellm: it keeps a client with its connections for each, and one that was made
    for seconds of its own serves no other call. The caller's own deadline ends the call before."""
    return 60.0 * ceil(seconds / 60)


class ModelEntry(TypedDict, total=False):
    """The part of a model's entry in litellm's list that is read here; prices are dollars a token."""

    litellm_provider: str
    mode: str
    supports_function_calling: bool
    supports_response_schema: bool
    supports_vision: bool
    deprecation_date: str | None
    output_vector_size: int | None
    max_input_tokens: int | None
    max_output_tokens: int | None
    input_cost_per_token: float | None
    input_cost_per_query: float | None
    output_cost_per_token: float | None
    cache_read_input_token_cost: float | None
    cache_creation_input_token_cost: float | None
