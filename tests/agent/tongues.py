"""The two ways in which a model asks for tools: by calls of its own, or by JSON in its text. Flows hold for both."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from tests.scripted_model import Json, Reply, calls, says

RESULT = re.compile(r'<data kind="result" tool="[^"]*">\n(.*?)\n</data>', re.S)


class Native:
    """A model that calls tools."""

    as_text = False

    def calls(self, *requests: tuple[str, Any], text: str = "") -> Reply:
        """Arguments that are text are sent as they are, whatever they hold."""
        return calls(
            *(
                (name, arguments if isinstance(arguments, str) else json.dumps(arguments))
                for name, arguments in requests
            ),
            text=text,
        )

    def says(self, text: str) -> Reply:
        return says(*_halves(text))

    def results(self, request: Json) -> list[Json]:
        """What the model was told of its calls."""
        return [json.loads(each["content"]) for each in request["messages"] if each["role"] == "tool"]

    def list_asked(self, request: Json) -> list[tuple[str, Any]]:
        """The calls that the model reads as its own."""
        return [
            (call["function"]["name"], json.loads(call["function"]["arguments"]))
            for each in request["messages"]
            for call in each.get("tool_calls") or ()
        ]


class InText:
    """A model that writes its calls as JSON."""

    as_text = True

    def calls(self, *requests: tuple[str, Any], text: str = "") -> Reply:
        return says(*_halves(write_answer(requests, text)))

    def says(self, text: str) -> Reply:
        return says(*_halves(write_answer((), text)))

    def results(self, request: Json) -> list[Json]:
        return [json.loads(html.unescape(match)) for match in RESULT.findall(_read(request, "user"))]

    def list_asked(self, request: Json) -> list[tuple[str, Any]]:
        own = [json.loads(each["content"]) for each in request["messages"] if each["role"] == "assistant"]
        return [(call["name"], call["arguments"]) for answer in own for call in answer["tool_calls"]]


def write_answer(requests: Sequence[tuple[str, Any]], text: str) -> str:
    calls = [{"name": name, "arguments": arguments} for name, arguments in requests]
    return json.dumps(
        {"thinking": "", "action": "call_tools" if calls else "answer", "tool_calls": calls, "response": text}
    )


def _read(request: Json, role: str) -> str:
    return "\n".join(each["content"] for each in request["messages"] if each["role"] == role)


def _halves(text: str) -> tuple[str, str]:
    return text[: len(text) // 2], text[len(text) // 2 :]


Tongue: TypeAlias = Native | InText
