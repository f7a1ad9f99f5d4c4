"""What a request to a model holds, and nothing else: a scripted answer takes ids and names from here alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Json = dict[str, Any]
RESULT_BLOCK = re.compile(r'<data kind="result" tool="(\w+)"[^>]*>(.*?)</data>', re.DOTALL)
"""What came of a call, in a conversation with a model that was told of its tools in words."""


class Absent(Exception):
    """The request does not say what the answer needs."""


@dataclass(frozen=True)
class Request:
    body: Json

    @property
    def tools(self) -> set[str]:
        return {tool["function"]["name"] for tool in self.body.get("tools") or ()}

    @cached_property
    def text(self) -> str:
        """All that is not a result of a tool."""
        return "\n".join(read_text(message) for message in self.body["messages"] if message["role"] != "tool")

    @cached_property
    def results(self) -> list[tuple[str, Any]]:
        """The tools that were called, and what came back, as JSON where it is JSON."""
        names: dict[str, str] = {}
        results = []
        for message in self.body["messages"]:
            for call in message.get("tool_calls") or ():
                names[call["id"]] = call["function"]["name"]
            if message["role"] == "tool":
                results.append((names.get(message["tool_call_id"], ""), parse(read_text(message))))
            elif message["role"] == "user":
                results += [(tool, parse(text)) for tool, text in RESULT_BLOCK.findall(read_text(message))]
        return results

    def result(self, tool: str) -> Any:
        """The newest of this tool."""
        for name, result in reversed(self.results):
            if name == tool:
                return result
        raise Absent(f"no result of {tool}")

    def value(self, tool: str, key: str, **where: object) -> Any:
        """Of the newest result of the tool: `key` of the first object that has it and all of `where`."""
        for candidate in walk_objects(self.result(tool)):
            if key in candidate and all(candidate.get(name) == expected for name, expected in where.items()):
                return candidate[key]
        raise Absent(f"no {key} with {where} in the result of {tool}: {str(self.result(tool))[:300]}")

    def find(self, pattern: str) -> str:
        """The first group of the pattern in what the request says, results included."""
        everything = "\n".join([self.text, *(json.dumps(result, ensure_ascii=False) for _, result in self.results)])
        if match := re.search(pattern, everything):
            return match[1]
        raise Absent(f"nothing fits {pattern!r}")


def read_text(message: Json) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def parse(text: str) -> Any:
    """The JSON that it is, or that stands in its data block; else the text."""
    inner = re.sub(r"^\s*<data[^>]*>\s*|\s*</data>\s*$", "", text)
    try:
        return json.loads(inner)
    except ValueError:
        return text


def walk_objects(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk_objects(inner)
