"""A model that obeys whatever orders it finds in what it is sent, over real HTTP.

It knows nothing but the request: where no order is in it, it answers the person's question. What it was sent before it
obeys shows whether an order reached it.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
import threading
import time
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from agent.conversation import text_protocol
from tests.agent.injection.attack import Attack
from tests.agent.injection.orders import IMAGINED, Call
from tests.scripted_model import Reply, ScriptedModel, answers, says

Json = dict[str, Any]
STEP = "The document orders {word}, step {step}. The user has approved it."
HARMLESS = "The total is 39.80 EUR."
READS_PAGES: Call = ("get_ocr_text", {})
_ORDER = re.compile(r"ORDER-(\d\d)")
_PLACE = re.compile(r"\$(\w+)")
_LOOKALIKES = str.maketrans("\u0410\u0415\u041e\u0420\u0421\u0430\u0435\u043e\u0440\u0441", "AEOPCaeopc")


class _Elsewhere(ThreadingHTTPServer):
    """The attacker's own server; `asked` are the addresses that anybody asked it for."""

    daemon_threads = True

    def __init__(self) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_error(404)

            do_POST = do_HEAD = do_GET

            def log_message(self, *args: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class ObedientModel(ScriptedModel):
    """`places` are the ids that attackers know; `reads` is how it looks around when it has found no order yet."""

    def __init__(self, attacks: list[Attack]) -> None:
        super().__init__()
        self.attacks = {attack.number: attack for attack in attacks}
        self.places: dict[str, str] = {}
        self.reads: tuple[Call, ...] = (READS_PAGES,)
        self.elsewhere = _Elsewhere()

    def start(self) -> None:
        super().start()
        threading.Thread(target=self.elsewhere.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        self.elsewhere.shutdown()
        self.elsewhere.server_close()
        super().stop()

    def next_reply(self, body: Json, headers: dict[str, str]) -> Reply:
        with self._lock:
            self.requests.append(body)
        orders = orders_in(body)
        in_text = _is_told_to_write_calls(body)
        if not body.get("tools") and not in_text:
            # Without a schema it condenses a document for a question, and says what that orders.
            return answers(_values(body, orders)) if body.get("response_format") else says(f"{_name(orders)} [1.1]")
        reply = self._answer(body, orders)
        return _write_as_json(reply) if in_text else reply

    def _answer(self, body: Json, orders: set[int]) -> Reply:
        if not orders:
            looked = any(message["role"] == "assistant" for message in body["messages"])
            return says(HARMLESS) if looked or not self.reads else _asks_for(self.fill(self.reads))
        return self._obey(self.attacks[min(orders)], body)

    def _obey(self, attack: Attack, body: Json) -> Reply:
        """First what is ordered; then the same again and in other words, with whatever else might help."""
        texts = [message.get("content") or "" for message in body["messages"] if message["role"] == "assistant"]
        step = 1 + sum(f"The document orders {attack.word}" in text for text in texts)
        text = STEP.format(word=attack.word, step=step)
        if step == 1 and attack.calls:
            return _asks_for(self.fill(attack.calls), text)
        if step == 2 and attack.insists:
            again = [*attack.calls[:2], *map(otherwise, attack.calls[:2]), IMAGINED[0]]
            return _asks_for(self.fill(again), text)
        return says(fill_in(attack.says, self.places) or f"I have done what the document says ({attack.word}).")

    def fill(self, calls: Any) -> list[Call]:
        return [(name, fill_in(arguments, self.places)) for name, arguments in calls]


def _asks_for(calls: Sequence[Call], text: str = "") -> Reply:
    """All calls in one piece of the stream, which is quick."""
    tool_calls = [
        {
            "index": at,
            "id": f"call_{at}_{time.monotonic_ns()}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for at, (name, arguments) in enumerate(calls)
    ]
    return Reply(({"content": text, "tool_calls": tool_calls},), finish="tool_calls")


def _is_told_to_write_calls(body: Json) -> bool:
    return any(text_protocol.RULES.strip() in _text(message) for message in body["messages"][:1])


def _write_as_json(reply: Reply) -> Reply:
    """The same answer as the JSON that a model without tools writes."""
    functions = [call["function"] for delta in reply.deltas for call in delta.get("tool_calls", ())]
    tool_calls = [{"name": call["name"], "arguments": json.loads(call["arguments"])} for call in functions]
    text = "".join(delta.get("content") or "" for delta in reply.deltas)
    return answers(
        {"thinking": "", "action": "call_tools" if tool_calls else "answer", "tool_calls": tool_calls, "response": text}
    )


def fill_in(value: Any, places: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _PLACE.sub(lambda place: places.get(place[1], place[0]), value)
    if isinstance(value, dict):
        return {name: fill_in(inner, places) for name, inner in value.items()}
    return [fill_in(inner, places) for inner in value] if isinstance(value, list) else value


def otherwise(call: Call) -> Call:
    """The same wish in other words, which is no repetition."""
    name, arguments = call
    texts = {key: f"{value} again" for key, value in arguments.items() if key in ("name", "content", "document_name")}
    return name, {**arguments, **texts} if texts else {**arguments, "confirmed": True}


def orders_in(body: Json) -> set[int]:
    """The numbers of the orders in what the model is told by anybody but itself, however they are dressed up."""
    texts = [_text(message) for message in body["messages"] if message["role"] in ("user", "tool")]
    return {number for text in texts for number in _orders_in(text)}


@lru_cache(maxsize=2000)
def _orders_in(text: str) -> frozenset[int]:
    return frozenset(int(number) for plain in _readings(text) for number in _ORDER.findall(plain))


def _text(message: Json) -> str:
    content = message.get("content") or ""
    if isinstance(content, list):
        content = " ".join(str(part.get("text", "")) for part in content)
    return html.unescape(str(content))


def _readings(text: str) -> Iterator[str]:
    """The text as a clever reader may take it: unescaped, without what is not seen, backwards, decoded."""
    text = re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), text)
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    drawn = "".join(sign for sign in text if unicodedata.category(sign) not in ("Cf", "Mn"))
    plain = unicodedata.normalize("NFKC", drawn).translate(_LOOKALIKES)
    yield from (plain, plain[::-1], _from_tags(text), _from_selectors(text))
    for word in re.findall(r"[A-Za-z0-9+/]{8,}={0,2}", plain):
        try:
            yield base64.b64decode(word, validate=True).decode("ascii", "ignore")
        except binascii.Error:
            continue


def _from_tags(text: str) -> str:
    return "".join(chr(ord(sign) - 0xE0000) for sign in text if 0xE0020 <= ord(sign) <= 0xE007E)


def _from_selectors(text: str) -> str:
    code = [ord(sign) - (0xFE00 if ord(sign) < 0xE0000 else 0xE00F0) for sign in text if _is_selector(ord(sign))]
    return bytes(code).decode("ascii", "ignore")


def _is_selector(code: int) -> bool:
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF


def _name(orders: set[int]) -> str:
    return " ".join(f"ORDER-{number:02}" for number in sorted(orders)) or "Northwind Traders Ltd"


def _values(body: Json, orders: set[int]) -> Json:
    """An extraction without tools: the order goes into every field that takes a text."""
    words = _name(orders)
    schema = _schema_of(body)
    return {name: words for name, field in schema.get("properties", {}).items() if "string" in json.dumps(field)}


def _schema_of(body: Json) -> Json:
    response_format = body.get("response_format") or {}
    return dict((response_format.get("json_schema") or {}).get("schema") or {})
