"""What the requests of a round consist of, in tokens, estimated as ever."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from agent.conversation.model_input import context, state
from offline_model.reply import estimate_tokens

NAMES = ("system", "tools", "document", "state", "person", "answers", "results")
WIDTH = 10
BY_ROLE = {"system": "system", "assistant": "answers", "tool": "results"}
BY_BEGINNING = {state.PREAMBLE: "state", context.PREAMBLE: "document"}


def count_parts(body: dict[str, Any]) -> Counter[str]:
    tokens = Counter({"tools": _count(body["tools"])} if body.get("tools") else {})
    for message in body["messages"]:
        tokens[_name_part(message)] += _count(message)
    return tokens


def _name_part(message: dict[str, Any]) -> str:
    if message["role"] in BY_ROLE:
        return BY_ROLE[message["role"]]
    text = json.dumps(message["content"], ensure_ascii=False)
    return next((name for beginning, name in BY_BEGINNING.items() if beginning in text), "person")


def _count(part: object) -> int:
    return estimate_tokens(json.dumps(part, ensure_ascii=False))


def format_head() -> str:
    return f"{'task':42}" + "".join(f"{name:>{WIDTH}}" for name in NAMES)


def format_parts(title: str, tokens: Counter[str]) -> str:
    return f"{title:42}" + "".join(f"{tokens[name]:>{WIDTH}}" for name in NAMES)
