"""Anthropic's own protocol on loopback, as far as signed thinking needs it: one stream with thinking and a tool call."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Json = dict[str, Any]
THINKING, SIGNATURE = "Let me look. ", "c2lnbmVkLWJ5LXRoZS1wcm92aWRlcg=="


class AnthropicModel:
    """The first answer thinks and calls `look`; every later one says "Fine."."""

    def __init__(self) -> None:
        self.requests: list[Json] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def events(self) -> Iterator[Json]:
        usage = {"input_tokens": 10, "output_tokens": 1}
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "content": [],
            "model": "claude",
            "usage": usage,
        }
        yield {"type": "message_start", "message": message}
        blocks = _thinks_and_calls() if len(self.requests) == 1 else [({"type": "text", "text": ""}, [_text("Fine.")])]
        for index, (block, deltas) in enumerate(blocks):
            yield {"type": "content_block_start", "index": index, "content_block": block}
            for delta in deltas:
                yield {"type": "content_block_delta", "index": index, "delta": delta}
            yield {"type": "content_block_stop", "index": index}
        reason = "tool_use" if len(self.requests) == 1 else "end_turn"
        yield {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 9}}
        yield {"type": "message_stop"}


def _thinks_and_calls() -> list[tuple[Json, list[Json]]]:
    half = len(THINKING) // 2
    thinking = [{"type": "thinking_delta", "thinking": part} for part in (THINKING[:half], THINKING[half:])]
    signed = {"type": "signature_delta", "signature": SIGNATURE}
    arguments = {"type": "input_json_delta", "partial_json": '{"word": "x"}'}
    return [
        ({"type": "thinking", "thinking": "", "signature": ""}, [*thinking, signed]),
        ({"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}, [arguments]),
    ]


def _text(text: str) -> Json:
    return {"type": "text_delta", "text": text}


def _handler_for(model: AnthropicModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            model.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for event in model.events():
                self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    return Handler


@pytest.fixture
def anthropic_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicModel]:
    model = AnthropicModel()
    monkeypatch.setenv("ANTHROPIC_API_BASE", model.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    yield model
    model.server.shutdown()
    model.server.server_close()
