"""Serves the offline model through litellm's custom providers. Import it lazily: it imports litellm."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from typing import Literal, NotRequired, TypedDict, Unpack

import litellm
from litellm.llms.custom_llm import CustomLLM
from litellm.types.utils import Delta, ModelResponse, ModelResponseStream, StreamingChoices, Usage

from kit.json_types import JsonObject
from offline_model import ChatRequest, Reply, answer

PROVIDER = "offline"
ABILITIES = {
    "litellm_provider": PROVIDER,
    "mode": "chat",
    "max_input_tokens": 200_000,
    "max_output_tokens": 32_000,
    "input_cost_per_token": 0.0,
    "output_cost_per_token": 0.0,
    "cache_creation_input_token_cost": 0.0,
    "cache_read_input_token_cost": 0.0,
    "supports_function_calling": True,
    "supports_response_schema": True,
}


class FunctionDelta(TypedDict):
    name: NotRequired[str]
    arguments: str


class CallDelta(TypedDict):
    """A tool call, or a piece of one; the id and the name come with the first."""

    index: int
    id: NotRequired[str]
    type: NotRequired[Literal["function"]]
    function: FunctionDelta


class CompletionCall(TypedDict):
    """The part that matters here of all that litellm passes by keyword."""

    model: str
    messages: list[JsonObject]
    model_response: ModelResponse
    optional_params: JsonObject | None


class OfflineRules(CustomLLM):  # type: ignore[misc]
    """litellm calls these four by keyword; only the messages and the optional parameters matter here."""

    def completion(self, *args: object, **kwargs: Unpack[CompletionCall]) -> ModelResponse:
        return _whole(_reply(kwargs), kwargs)

    async def acompletion(self, *args: object, **kwargs: Unpack[CompletionCall]) -> ModelResponse:
        return _whole(await asyncio.to_thread(_reply, kwargs), kwargs)

    def streaming(self, *args: object, **kwargs: Unpack[CompletionCall]) -> Iterator[ModelResponseStream]:
        pause = _pause()
        for chunk in _chunks(_reply(kwargs), kwargs["model"]):
            time.sleep(pause)
            yield chunk

    async def astreaming(self, *args: object, **kwargs: Unpack[CompletionCall]) -> AsyncIterator[ModelResponseStream]:
        # In a thread: a long document takes longer than the other calls of this loop should wait.
        reply, pause = await asyncio.to_thread(_reply, kwargs), _pause()
        for chunk in _chunks(reply, kwargs["model"]):
            await asyncio.sleep(pause)
            yield chunk


def register() -> None:
    """Makes `offline/rules` a model of this litellm; calling it again changes nothing."""
    others = [item for item in litellm.custom_provider_map if item["provider"] != PROVIDER]
    litellm.custom_provider_map = [*others, {"provider": PROVIDER, "custom_handler": OfflineRules()}]
    litellm.utils.custom_llm_setup()
    litellm.register_model({"offline/rules": ABILITIES})


def _pause() -> float:
    return int(os.environ.get("OFFLINE_DELAY_MS") or 0) / 1000


def _reply(kwargs: CompletionCall) -> Reply:
    options = kwargs.get("optional_params") or {}
    return answer(
        ChatRequest(
            messages=kwargs["messages"],
            tools=options.get("tools") or (),
            tool_choice=options.get("tool_choice"),
            response_format=options.get("response_format"),
        )
    )


def _usage(reply: Reply) -> Usage:
    prompt, completion = reply.prompt_tokens, reply.completion_tokens
    return Usage(prompt_tokens=prompt, completion_tokens=completion, total_tokens=prompt + completion)


def _tool_call(reply: Reply) -> CallDelta | None:
    if not reply.call:
        return None
    function = FunctionDelta(name=reply.call.name, arguments=reply.call.as_json)
    return {"id": reply.call_id, "type": "function", "index": 0, "function": function}


def _whole(reply: Reply, kwargs: CompletionCall) -> ModelResponse:
    response: ModelResponse = kwargs["model_response"]
    response.model = f"{PROVIDER}/{kwargs['model']}"
    call = _tool_call(reply)
    message = litellm.Message(content=reply.text or None, role="assistant", tool_calls=[call] if call else None)
    response.choices = [litellm.Choices(finish_reason=reply.finish_reason, index=0, message=message)]
    response.usage = _usage(reply)
    return response


def _chunks(reply: Reply, model: str) -> Iterator[ModelResponseStream]:
    deltas = [Delta(role="assistant", content=piece) for piece in reply.text_chunks()]
    deltas += [Delta(role="assistant", content=None, tool_calls=[delta]) for delta in _call_deltas(reply)]
    chunks = [_chunk(model, delta) for delta in deltas or [Delta(role="assistant", content="")]]
    # litellm drops a bare last chunk with all that it carries and would count the tokens itself.
    chunks[-1].usage = _usage(reply)
    yield from chunks
    yield _chunk(model, Delta(content=None), reply.finish_reason)


def _call_deltas(reply: Reply) -> Iterator[CallDelta]:
    """The id and name first, the arguments in pieces after, as OpenAI's API streams them."""
    call = _tool_call(reply)
    if not call:
        return
    name = call["function"]["name"]
    yield {"index": 0, "id": call["id"], "type": "function", "function": {"name": name, "arguments": ""}}
    for piece in reply.argument_chunks():
        yield {"index": 0, "function": {"arguments": piece}}


def _chunk(model: str, delta: Delta, finish_reason: str | None = None) -> ModelResponseStream:
    return ModelResponseStream(
        model=model, choices=[StreamingChoices(index=0, delta=delta, finish_reason=finish_reason)]
    )
