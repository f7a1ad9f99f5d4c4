"""A model on loopback that says what the test wrote: OpenAI chat completions over real HTTP, streamed or whole.

    def test_it_…(scripted_model):
        scripted_model.will(says("Hello"), calls(("get_tag", {"tag_id": "1"})), fails(429, retry_after=1))
        …
        assert scripted_model.requests[0]["messages"][0]["role"] == "system"

Replies are used in order; one more request than replies is answered with 500 and remembered in `unexpected`.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from tests.loopback_server import LoopbackServer, QuietHandler
from tests.scripted_answers import (
    make_chunk,
    make_embedding,
    make_order,
    make_usage,
    make_whole,
    send_body,
    send_event,
    send_whole,
    write_part,
)

Json = dict[str, Any]
MODEL = "openai/scripted"


@dataclass(frozen=True)
class Reply:
    """`deltas` are sent as they are, one a chunk; then the finish reason and the usage, unless it dies or hangs first."""

    deltas: tuple[Json, ...] = ()
    finish: str | None = "stop"
    usage: tuple[int, int] | None = (100, 20)
    cached: int = 0
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    error: Json = field(default_factory=dict)
    delay: float = 0.0
    pause: float = 0.0
    dies: bool = False
    hangs: bool = False
    drops: bool = False
    body: bytes | None = None

    def after(self, seconds: float) -> Reply:
        return replace(self, delay=seconds)

    def slowly(self, pause: float) -> Reply:
        """Seconds between two chunks."""
        return replace(self, pause=pause)

    def with_break(self) -> Reply:
        """The connection breaks after the deltas."""
        return replace(self, dies=True)

    def with_hang(self) -> Reply:
        """After the deltas nothing more comes, until the client goes away."""
        return replace(self, hangs=True)

    def with_error(self, error: Json | str) -> Reply:
        """The server puts an error into its stream after the deltas."""
        return replace(self, error={"error": error})

    def with_finish(self, finish: str | None) -> Reply:
        return replace(self, finish=finish)

    def with_usage(self, prompt: int, completion: int, cached: int = 0) -> Reply:
        """`cached` of the prompt's tokens came from the provider's cache."""
        return replace(self, usage=(prompt, completion), cached=cached)

    def without_usage(self) -> Reply:
        return replace(self, usage=None)


def says(*chunks: str) -> Reply:
    return Reply(tuple({"content": chunk} for chunk in chunks))


def thinks(*chunks: str, then: str = "") -> Reply:
    """Reasoning deltas, then text."""
    return Reply((*({"reasoning_content": chunk} for chunk in chunks), {"content": then}))


def call_delta(index: int, arguments: str = "", *, id: str | None = None, name: str | None = None) -> Json:
    """One raw tool-call delta; what is None is left out, so that every odd form can be written."""
    function: Json = {"arguments": arguments, **({} if name is None else {"name": name})}
    call: Json = {"index": index, "function": function}
    if id is not None:
        call |= {"id": id, "type": "function"}
    return {"tool_calls": [call]}


def calls(*requests: tuple[str, Json | str], text: str = "", ids: Sequence[str] | None = None) -> Reply:
    """Well-formed parallel tool calls: (name, arguments as an object or as raw text). Arguments come in two parts."""
    deltas: list[Json] = [{"content": text}] if text else []
    for index, (name, arguments) in enumerate(requests):
        raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
        call_id = ids[index] if ids else f"call_{index}_{time.monotonic_ns()}"
        half = len(raw) // 2
        deltas.append(call_delta(index, raw[:half], id=call_id, name=name))
        deltas.append(call_delta(index, raw[half:]))
    return Reply(tuple(deltas), finish="tool_calls")


def streams(*deltas: Json, finish: str | None = "stop") -> Reply:
    """Raw deltas."""
    return Reply(tuple(deltas), finish=finish)


def answers(data: Json) -> Reply:
    """A JSON answer as text."""
    return says(json.dumps(data))


def embeds(*numbers: float | str | None) -> Reply:
    """The answer to a request for an embedding; without numbers there is no row in it."""
    return Reply(tuple({"number": number} for number in numbers))


def embeds_all(*vectors: Sequence[float]) -> Reply:
    """The answer to a request for embeddings of several texts."""
    return Reply(tuple({"vector": list(vector)} for vector in vectors))


def orders(*scores: tuple[object, object]) -> Reply:
    """The answer to a request for an order of texts: places, each with its score."""
    return Reply(tuple({"place": place, "score": score} for place, score in scores))


def refuses(text: str) -> Reply:
    return Reply(({"refusal": text},))


def fails(
    status: int, message: str = "scripted failure", *, retry_after: float | str | None = 0, code: str = ""
) -> Reply:
    """An HTTP error. It asks to be tried again at once, so that tests need not wait; None leaves that header out."""
    headers = () if retry_after is None else (("Retry-After", str(retry_after)),)
    error = {"message": message, "type": "scripted", "code": code or None}
    return Reply(status=status, headers=headers, error={"error": error})


def sends(body: str | Json) -> Reply:
    """What is no stream, in the place of one: a page, a whole answer, nothing."""
    return Reply(body=(body if isinstance(body, str) else json.dumps(body)).encode())


def drops() -> Reply:
    """Takes the request and closes the connection without an answer."""
    return Reply(drops=True)


class ScriptedModel:
    def __init__(self) -> None:
        self.replies: deque[Reply | Callable[[Json], Reply]] = deque()
        self.requests: list[Json] = []
        self.request_headers: list[dict[str, str]] = []
        self.unexpected: list[Json] = []
        self.hung_up = threading.Event()
        """Set when a client closed a stream that was still going on."""
        self.stopping = threading.Event()
        self.model = MODEL
        self._lock = threading.Lock()
        self._server = LoopbackServer(_handler_for(self))
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def will(self, *replies: Reply | Callable[[Json], Reply]) -> None:
        """Adds to what it answers next; a function is given the request, for an answer that names what it read."""
        with self._lock:
            self.replies.extend(replies)

    def next_reply(self, body: Json, headers: dict[str, str]) -> Reply:
        with self._lock:
            self.requests.append(body)
            self.request_headers.append(headers)
            if self.replies:
                reply = self.replies.popleft()
                return reply if isinstance(reply, Reply) else reply(body)
            self.unexpected.append(body)
        return fails(500, "the test wrote no reply for this request")

    def start(self) -> None:
        self._server.start()

    def stop(self) -> None:
        self.stopping.set()
        self._server.stop()


def _handler_for(model: ScriptedModel) -> type[BaseHTTPRequestHandler]:
    class Handler(QuietHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            reply = model.next_reply(body, dict(self.headers.items()))
            if model.stopping.wait(reply.delay):
                return
            try:
                _answer(self, model, reply, body)
            except (BrokenPipeError, ConnectionResetError):
                model.hung_up.set()
                self.close_connection = True

    return Handler


def _answer(handler: BaseHTTPRequestHandler, model: ScriptedModel, reply: Reply, body: Json) -> None:
    if reply.drops:
        handler.close_connection = True
    elif reply.body is not None:
        send_body(handler, 200, reply.body, "text/html" if reply.body.startswith(b"<") else "application/json")
    elif reply.status != 200:
        send_whole(handler, reply.status, reply.error, reply.headers)
    elif handler.path.endswith("/embeddings"):
        send_whole(handler, 200, make_embedding(reply), reply.headers)
    elif handler.path.endswith("/rerank"):
        send_whole(handler, 200, make_order(reply), reply.headers)
    elif not body.get("stream"):
        send_whole(handler, 200, make_whole(reply), reply.headers)
    else:
        _send_stream(handler, model, reply, bool((body.get("stream_options") or {}).get("include_usage")))


def _send_stream(handler: BaseHTTPRequestHandler, model: ScriptedModel, reply: Reply, with_usage: bool) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    for number, delta in enumerate(reply.deltas):
        if reply.pause and number:
            handler.wfile.flush()
            if model.stopping.wait(reply.pause):
                return
        send_event(handler, make_chunk({"role": "assistant", **delta} if number == 0 else delta, None))
    if reply.hangs:
        handler.wfile.flush()
        _hang(handler, model)
    if reply.dies or reply.hangs:
        handler.close_connection = True
        return
    if reply.error:
        send_event(handler, reply.error)
    elif reply.finish:
        send_event(handler, make_chunk({}, reply.finish))
    if with_usage and reply.usage:
        send_event(handler, {**make_chunk({}, None), "choices": [], "usage": make_usage(reply)})
    write_part(handler, b"data: [DONE]\n\n")
    handler.wfile.write(b"0\r\n\r\n")


def _hang(handler: BaseHTTPRequestHandler, model: ScriptedModel) -> None:
    """Until the client closes its side, which shows as the end of the request stream."""
    handler.connection.settimeout(0.05)
    while not model.stopping.is_set():
        try:
            if not handler.connection.recv(1):
                model.hung_up.set()
                return
        except TimeoutError:
            continue
        except OSError:
            model.hung_up.set()
            return


@pytest.fixture
def scripted_model(request: pytest.FixtureRequest, settings: Any) -> Iterator[ScriptedModel]:
    """Running, and the default model of the settings. Thread-starting flows need `transactional_db`.

    After each test with a database nothing of its rows may have stood in a system message.
    """
    model = ScriptedModel()
    model.start()
    settings.MODEL_API_BASE = model.base_url
    settings.DEFAULT_MODEL = settings.EXTRACTION_MODEL = model.model
    yield model
    model.stop()
    if request.node.get_closest_marker("django_db") or {"db", "transactional_db"} & set(request.fixturenames):
        from tests.untrusted import leaks  # noqa: PLC0415 - this module is loaded before Django is set up

        assert leaks(model.requests) == []


@pytest.fixture
def unpriced(scripted_model: ScriptedModel, settings: Any) -> None:
    """The scripted model as one of a cloud whose price nobody knows; on loopback it would be free."""
    settings.LOCAL_PROVIDERS = {"openai": False}
