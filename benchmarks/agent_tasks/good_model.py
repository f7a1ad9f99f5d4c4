"""A scripted model that answers as a good one would, from the request alone, and counts what it was sent."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

from benchmarks.agent_tasks.parts import count_parts
from benchmarks.agent_tasks.request import Absent, Request
from offline_model import ChatRequest, answer
from offline_model.reply import estimate_tokens
from tests.scripted_answers import make_whole
from tests.scripted_model import Json, Reply, ScriptedModel, answers, calls, says

Script = Generator[Reply, Request, None]
CACHED_STEP = 128
"""Providers keep the beginning of a request in steps of so many tokens."""


@dataclass
class Traffic:
    """Tokens are estimated, four characters each; `cached` had begun an earlier request of the same task.

    `parts` says what the requests of its rounds consist of.
    """

    rounds: int = 0
    extractions: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0
    parts: Counter[str] = field(default_factory=Counter)


class GoodModel(ScriptedModel):
    """Extractions are answered by the rules of the offline model, everything else by the script of the task."""

    def __init__(self) -> None:
        super().__init__()
        self.play(say_nothing)

    def play(self, script: Callable[[], Script]) -> None:
        self.traffic, self.absent, self.sent = Traffic(), "", list[str]()
        self.make_script = script
        self.start_script()

    def start_script(self) -> None:
        """A script is for one turn: it begins anew with the request after its last answer."""
        self.script = self.make_script()
        next(self.script, None)

    def next_reply(self, body: Json, headers: dict[str, str]) -> Reply:
        with self._lock:
            is_extraction = bool(body.get("response_format")) or isinstance(body.get("tool_choice"), dict)
            reply = extract(body) if is_extraction else self.next_step(Request(body))
            return self.count(body, reply, is_extraction)

    def next_step(self, request: Request) -> Reply:
        try:
            return self.finish(self.script.send(request), request)
        except StopIteration:
            self.start_script()
            return self.next_step(request)
        except Absent as absent:
            self.absent = self.absent or str(absent)
            return says(f"I cannot go on: {absent}.")

    def finish(self, reply: Reply, request: Request) -> Reply:
        require_offered(reply, request)
        return reply if request.tools else write_as_text(reply)

    def count(self, body: Json, reply: Reply, is_extraction: bool) -> Reply:
        prompt = json.dumps([body.get("tools") or [], body["messages"]], ensure_ascii=False)
        shared = max((count_shared(prompt, earlier) for earlier in self.sent), default=0)
        cached = estimate_tokens(prompt[:shared]) // CACHED_STEP * CACHED_STEP
        self.sent.append(prompt)
        tokens = estimate_tokens(prompt), estimate_tokens(json.dumps(reply.deltas, ensure_ascii=False))
        self.traffic.rounds += not is_extraction
        self.traffic.extractions += is_extraction
        self.traffic.input += tokens[0]
        self.traffic.cached += cached
        self.traffic.output += tokens[1]
        self.traffic.parts += Counter() if is_extraction else count_parts(body)
        return reply.with_usage(*tokens, cached=cached)


def require_offered(reply: Reply, request: Request) -> None:
    """As providers do: no tool is called that is not in the request."""
    message = make_whole(reply)["choices"][0]["message"]
    names = {call["function"]["name"] for call in message.get("tool_calls") or ()}
    if absent := names - list_offered(request, names):
        raise Absent(f"{', '.join(sorted(absent))} is not among the tools")


def list_offered(request: Request, names: set[str]) -> set[str]:
    """Those of the names that the request offers, as tools or in words."""
    return request.tools or {name for name in names if f'{{"name": "{name}"' in request.text}


def write_as_text(reply: Reply) -> Reply:
    """As a model answers that was told of its tools in words."""
    message = make_whole(reply)["choices"][0]["message"]
    functions = [call["function"] for call in message.get("tool_calls") or ()]
    written = [{"name": each["name"], "arguments": json.loads(each["arguments"])} for each in functions]
    action = "call_tools" if written else "answer"
    return answers({"thinking": "", "action": action, "tool_calls": written, "response": message["content"] or ""})


def say_nothing() -> Script:
    while True:
        yield says("")


def extract(body: Json) -> Reply:
    fields = ("messages", "tools", "tool_choice", "response_format")
    reply = answer(ChatRequest(**{name: body[name] for name in fields if body.get(name)}))
    return calls((reply.call.name, dict(reply.call.arguments))) if reply.call else answers(json.loads(reply.text))


def count_shared(text: str, other: str) -> int:
    """How many characters both begin with."""
    low, high = 0, min(len(text), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if text[:middle] == other[:middle] else (low, middle - 1)
    return low


def make_format(name: str, fields: dict[str, Any]) -> Json:
    schema = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}
