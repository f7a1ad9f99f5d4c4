"""The planner's answer: a short text, and at most one tool call."""

from dataclasses import dataclass

from offline_model.reply import Call


@dataclass(frozen=True)
class Step:
    text: str
    call: Call | None = None


def use(text: str, tool: str, **arguments: object) -> Step:
    return Step(text, Call(tool, arguments))
