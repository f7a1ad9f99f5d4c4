"""Streams of OpenAI's form as servers really send them, put right byte by byte before litellm reads them.

Seen: the whole answer as JSON although a stream was asked for, a page of a proxy, nothing at all, text in parts, and
the calls of 2023.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable

from kit.json_types import Json, JsonObject

PAGE = "A web page came instead of an answer."
EMPTY = "What came holds no answer."
# Bounds a body that is no stream, and one line of a stream. The longest answers take a tenth of it.
MAX_KEPT_BYTES = 1024 * 1024
# Only lines that hold one of these are parsed: the content as a list, or the old form of a call.
_ODD = re.compile(rb'"content"\s*:\s*\[|"function_call"\s*:\s*\{')
_FIELD = b"data:"


async def repair_stream(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Put the stream into OpenAI's form. A body that is no stream becomes one with its answer or its error."""
    begun = await _read_until(parts, lambda body: bool(body.strip()))
    start = begun.lstrip()[:1]
    if start in (b"<", b"{", b"[", b""):
        yield _convert_whole(begun if start == b"<" else begun + await _read_until(parts, lambda _: False))
        return
    unfinished = b""
    async for part in _resume(begun, parts):
        lines, newline, unfinished = (unfinished + part).rpartition(b"\n")
        if newline:
            yield _repair_lines(lines + newline)
        if len(unfinished) > MAX_KEPT_BYTES:
            yield unfinished
            unfinished = b""
    if unfinished:
        yield _repair_lines(unfinished)


async def _read_until(parts: AsyncIterator[bytes], is_enough: Callable[[bytes], bool]) -> bytes:
    """Read on to the end where it is never enough, but no more than is held at once."""
    body = b""
    async for part in parts:
        body += part
        if is_enough(body) or len(body) > MAX_KEPT_BYTES:
            break
    return body


async def _resume(begun: bytes, parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield begun
    async for part in parts:
        yield part


def _convert_whole(body: bytes) -> bytes:
    """A body that is no stream, as one."""
    try:
        answer = json.loads(body)
    except ValueError:
        return _write_error(PAGE if body.lstrip()[:1] == b"<" else EMPTY)
    if not isinstance(answer, dict) or not isinstance(answer.get("choices"), list):
        error = answer.get("error") if isinstance(answer, dict) else None
        return _write({"error": error}) if error else _write_error(EMPTY)
    return b"".join([*map(_write, _list_chunks(answer)), b"data: [DONE]\n\n"])


def _list_chunks(answer: JsonObject) -> list[JsonObject]:
    """The chunks in which the answer would have come: what it says, how it ended, and how long it was."""
    choice = answer["choices"][0] if answer["choices"] and isinstance(answer["choices"][0], dict) else {}
    message = choice.get("message")
    delta = _repair_delta(dict(message)) if isinstance(message, dict) else {}
    calls = delta.get("tool_calls")
    if isinstance(calls, list):
        delta["tool_calls"] = [{**call, "index": at} for at, call in enumerate(calls) if isinstance(call, dict)]
    frame = {name: answer.get(name) for name in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    chunks: list[JsonObject] = [
        {**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": choice.get("finish_reason") or "stop"}]},
    ]
    return [*chunks, {**frame, "choices": [], "usage": answer["usage"]}] if answer.get("usage") else chunks


def _repair_lines(lines: bytes) -> bytes:
    return b"\n".join(map(_repair_line, lines.split(b"\n"))) if _ODD.search(lines) else lines


def _repair_line(line: bytes) -> bytes:
    if not line.startswith(_FIELD) or not _ODD.search(line):
        return line
    try:
        chunk = json.loads(line.removeprefix(_FIELD))
    except ValueError:
        return line
    choices = chunk.get("choices") if isinstance(chunk, dict) else None
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, dict) and isinstance(choice.get("delta"), dict):
            choice["delta"] = _repair_delta(choice["delta"])
    return _FIELD + json.dumps(chunk).encode() + (b"\r" if line.endswith(b"\r") else b"")


def _repair_delta(delta: JsonObject) -> JsonObject:
    content, old_call = delta.get("content"), delta.pop("function_call", None)
    if isinstance(content, list):
        thought = "".join(_join_texts(part) for part in content if _is_thought(part))
        delta["content"] = "".join(_join_texts(part) for part in content if not _is_thought(part))
        if thought:
            delta["reasoning_content"] = f"{delta.get('reasoning_content') or ''}{thought}"
    if isinstance(old_call, dict) and not delta.get("tool_calls"):
        delta["tool_calls"] = [{"index": 0, "type": "function", "function": old_call}]
    return delta


def _is_thought(part: Json) -> bool:
    return isinstance(part, dict) and part.get("type") in ("thinking", "reasoning", "thought")


def _join_texts(part: Json) -> str:
    """The words of one part; those of a thought may be parts themselves."""
    if isinstance(part, str):
        return part
    if isinstance(part, list):
        return "".join(_join_texts(each) for each in part)
    if not isinstance(part, dict):
        return ""
    return _join_texts(next((part[name] for name in ("text", "thinking", "reasoning") if part.get(name)), ""))


def _write(chunk: JsonObject) -> bytes:
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"


def _write_error(sentence: str) -> bytes:
    return _write({"error": {"message": sentence, "type": "server_error", "code": None}})
