"""The bodies in which OpenAI's API, and Cohere's for an order of texts, would say what a scripted reply says, and how they are sent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.scripted_model import Reply

Json = dict[str, Any]


def make_chunk(delta: Json, finish: str | None) -> Json:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "scripted",
        "choices": [choice],
    }


def make_usage(reply: Reply) -> Json:
    prompt, completion = reply.usage or (0, 0)
    counted = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return counted | ({"prompt_tokens_details": {"cached_tokens": reply.cached}} if reply.cached else {})


def make_whole(reply: Reply) -> Json:
    text = "".join(delta.get("content") or "" for delta in reply.deltas)
    merged_calls: dict[int, Json] = {}
    for delta in reply.deltas:
        for call in delta.get("tool_calls", ()):
            merged = merged_calls.setdefault(
                call["index"], {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
            )
            merged["id"] = call.get("id") or merged["id"]
            merged["function"]["name"] = call["function"].get("name") or merged["function"]["name"]
            merged["function"]["arguments"] += call["function"].get("arguments", "")
    message: Json = {"role": "assistant", "content": text or None}
    if merged_calls:
        message["tool_calls"] = list(merged_calls.values())
    body: Json = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
    }
    return body | ({"usage": make_usage(reply)} if reply.usage else {})


def make_embedding(reply: Reply) -> Json:
    """The deltas of `embeds` are the numbers, those of `embeds_all` the vectors, one for each text."""
    vectors = [delta["vector"] for delta in reply.deltas if "vector" in delta]
    numbers = [delta["number"] for delta in reply.deltas if "number" in delta]
    rows = vectors or ([numbers] if numbers else [])
    data = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(rows)]
    return {"object": "list", "data": data, "model": "scripted", "usage": make_usage(reply)}


def make_order(reply: Reply) -> Json:
    """As Cohere's API has it, which others speak as well."""
    rows = [{"index": delta["place"], "relevance_score": delta["score"]} for delta in reply.deltas]
    return {"id": "scripted", "results": rows, "meta": {"billed_units": {"search_units": 1}}}


def send_whole(
    handler: BaseHTTPRequestHandler, status: int, body: Json, headers: Sequence[tuple[str, str]] = ()
) -> None:
    send_body(handler, status, json.dumps(body).encode(), "application/json", headers)


def send_body(
    handler: BaseHTTPRequestHandler,
    status: int,
    payload: bytes,
    media_type: str,
    headers: Sequence[tuple[str, str]] = (),
) -> None:
    handler.send_response(status)
    for name, value in (("Content-Type", media_type), ("Content-Length", str(len(payload))), *headers):
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(payload)


def send_event(handler: BaseHTTPRequestHandler, chunk: Json) -> None:
    write_part(handler, f"data: {json.dumps(chunk)}\n\n".encode())


def write_part(handler: BaseHTTPRequestHandler, payload: bytes) -> None:
    handler.wfile.write(f"{len(payload):x}\r\n".encode() + payload + b"\r\n")
