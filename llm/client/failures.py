"""A provider's failure as one sentence that says what to do. litellm's classes are told by name: it is not imported."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from email.utils import parsedate_to_datetime

from django.utils import timezone

from kit.json_types import JsonObject
from llm.client.dialects.streams import EMPTY, PAGE
from llm.client.providers import find_provider_of
from llm.client.redacting import redact
from llm.client.types import Failure, ModelFailed
from llm.client.wire import WireMessage

_CONTEXT = re.compile(
    r"context.{0,3}(length|window)|maximum context|prompt is too long|too many (input )?tokens|input is too long", re.I
)
# Servers of one's own say it in many ways; a model that is given no tools answers as well.
_NO_TOOLS = re.compile(
    r"not support (tools|function|tool.?(use|call))|tools? (is|are|use is|calling is) not supported"
    r"|not support parameters: .?.?tools|tool choice requires|endpoints found that support tool",
    re.I,
)
_CREDIT = re.compile(r"insufficient_quota|exceeded your current quota|credit balance|billing", re.I)
# The longest wait for a provider that work takes upon itself, whoever asks for it: longer ones are a person's matter.
LONGEST_WAIT_SECONDS = 600.0
LONGEST_ASKED_SECONDS = 86_400.0
# litellm says this when a hundred pieces of an answer are the same.
REPEATS = "The model is repeating the same chunk"
REDIRECTED = "A redirect is not followed."
_OVERLOADED = re.compile(r"overloaded|over capacity|at capacity", re.I)
_RETRIED = ("rate", "down", "overloaded", "empty", "deadline")
# The transport says these in a server's place.
_OURS: dict[str, Failure] = {REDIRECTED: "moved", PAGE: "page", EMPTY: "empty"}

_SENTENCES: dict[Failure, str] = {
    "key": "{provider} refused the key ({status}). Check {setting}.",
    "model": "{provider} does not know the model {model}. Check the name, or DEFAULT_MODEL and EXTRACTION_MODEL in "
    "the environment.",
    "context": "The text is too long for {model}: it does not fit into the model's context.",
    "rate": "{provider} takes no more calls for now (429). Try again in a while.",
    "credit": "The account at {provider} has no credit left. Top it up there, or choose another model.",
    "down": "{provider} could not be reached or answered with an error{status_note}{why}. Try again later.",
    "overloaded": "{provider} has more to do than it can take now{status_note}. Try again in a while.",
    "page": "A web page came instead of an answer of {model}: of a proxy, or of a sign-in before {provider}. Check the "
    "address of {provider}, and any proxy before it.",
    "empty": "What {provider} sent for {model} holds no answer. Try again later.",
    "deadline": "{model} did not answer in time. The limit is set by MODEL_TIMEOUT_SECONDS.",
    "refused": "{model} refused to answer.",
    "broken": "The answer of {model} broke off in the middle{why}. Try again.",
    "request": "{provider} did not accept the request for {model}. Try another model. It said: {detail}",
    "busy": "{provider} has as many calls under way as PROVIDER_CONCURRENCY allows. It goes on by itself.",
    "moved": "{provider} sends calls on to another address, which is not followed. Set its address to where it is.",
    "overlong": "{model} wrote more than the {max_tokens:,} tokens that it was asked for: its server ignores "
    "max_tokens. The answer was cut there, so that limits hold. Choose another model, or have the server mended.",
    "tools": "{model} takes no tools. Choose another model, or name it in MODELS_WITHOUT_TOOLS.",
}


def convert_error(
    error: BaseException,
    model: str,
    *,
    sent: Sequence[WireMessage] = (),
    partial_text: str = "",
    began: bool = False,
) -> ModelFailed:
    """The failure to raise, which repeats nothing of what was `sent`.

    Once an answer `began`, any connection trouble is a broken answer and is not retried.
    """
    code = classify_error(error)
    streamed = _find_streamed_error(error) or {}
    why = redact(str(streamed.get("message") or (REPEATS if REPEATS in str(error) else "")), sent)
    if began and code in ("down", "overloaded", "deadline", "request"):
        code = "broken"
    return describe(
        code,
        model,
        status=get_status(error),
        detail=_get_detail(error, sent),
        why=f". It said: “{why.rstrip('.')}”" if why else "",
        retry_after=read_retry_after(error),
        partial_text=partial_text,
        retryable=code in _RETRIED and not began,
    )


def describe(
    code: Failure,
    model: str,
    *,
    status: int | None = None,
    detail: str = "",
    why: str = "",
    retry_after: float | None = None,
    partial_text: str = "",
    retryable: bool = False,
    max_tokens: int = 0,
) -> ModelFailed:
    provider = find_provider_of(model)
    sentence = _SENTENCES[code].format(
        provider=provider.title if provider else "The provider",
        setting=provider.key_setting if provider and provider.key_setting else "the provider's key setting",
        model=model,
        status=status or "no status",
        status_note=f" ({status})" if status else "",
        detail=detail or "it gave no reason.",
        why=why,
        max_tokens=max_tokens,
    )
    return ModelFailed(sentence, code=code, retryable=retryable, retry_after=retry_after, partial_text=partial_text)


def classify_error(error: BaseException) -> Failure:
    names = {kind.__name__ for kind in type(error).__mro__}
    status, text = get_status(error), f"{error} {(_find_streamed_error(error) or {}).get('type', '')}"
    for mark, code in _OURS.items():
        if mark in text:
            return code
    if "ContextWindowExceededError" in names or (status in (400, 413, 422) and _CONTEXT.search(text)):
        return "context"
    if status in (400, 404, 422, 500, 501) and _NO_TOOLS.search(text):
        return "tools"
    if names & {"LiteLLMUnknownProvider", "NotFoundError"} or status == 404 or "LLM Provider NOT provided" in text:
        return "model"
    if status == 402 or (status in (400, 403, 429) and _CREDIT.search(text)):
        return "credit"
    if status in (401, 403):
        return "key"
    if status == 429:
        return "rate"
    if names & {"Timeout", "APITimeoutError", "TimeoutError"} or status == 408:
        return "deadline"
    if status == 529 or (status in (None, 500, 503) and _OVERLOADED.search(text)):
        return "overloaded"
    if "APIConnectionError" in names or status is None or status >= 500:
        return "down"
    return "request"


def get_status(error: BaseException) -> int | None:
    streamed = _find_streamed_error(error)
    status = streamed.get("code") if streamed else getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def read_retry_after(error: BaseException) -> float | None:
    """Seconds that the provider asks to wait, at most a day; None when it asks for nothing that can be understood."""
    response = getattr(error, "response", None)
    for headers in (getattr(error, "litellm_response_headers", None), getattr(response, "headers", None)):
        if isinstance(headers, Mapping) and (value := headers.get("retry-after") or headers.get("Retry-After")):
            return parse_retry_after(str(value))
    return None


def parse_retry_after(retry_after: str) -> float | None:
    """Read the seconds of a Retry-After header, which has seconds or a date (RFC 9110, section 10.2.3)."""
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(retry_after) - timezone.now()).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None
    return None if math.isnan(seconds) else min(max(0.0, seconds), LONGEST_ASKED_SECONDS)


def _find_streamed_error(error: BaseException) -> JsonObject | None:
    """Find the error that a server put into its stream. The status of litellm's own error is made up then.

    It lies below litellm's error, as the client library raised it.
    """
    below: BaseException | None = error
    while below is not None:
        body = getattr(below, "body", None)
        if type(below).__name__ == "APIError" and body:
            return body if isinstance(body, dict) else {"message": str(body)}
        below = below.__cause__ or below.__context__
    return None


def _get_detail(error: BaseException, sent: Sequence[WireMessage]) -> str:
    text = re.sub(r"^(litellm\.\w+: |\w+Exception - )+", "", str(error)).strip()
    return redact(text, sent)
