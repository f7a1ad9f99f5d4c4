"""The JSON of an answer, whole or cut, and what is said back about it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

import pydantic_core

from documents.extractions.model_requests.line_hints import LINES
from documents.reading.page_text import make_data_block
from kit import sanitize
from kit.errors import Problem
from kit.json_types import Json, JsonObject
from llm.client import ChatMessage, ModelAnswer, ModelFailed

_MAX_PROBLEMS = 12
FILTERED = "the content filter of its provider withheld it. Try another model."
MISFIT, AGAIN = "This does not fit the schema:", "Give the whole JSON object again with these put right."


class Truncated(Exception):
    """The window was too long for the model's input or output; a shorter one may do.

    `text` is what came of the answer, `output` its tokens, of at most `max_output`. `is_broken`: the connection was
    lost within it, which tells nothing of the window.
    """

    def __init__(
        self, sentence: str, text: str = "", output: int = 0, max_output: int = 0, *, is_broken: bool = False
    ) -> None:
        super().__init__(sentence)
        self.text, self.output, self.max_output, self.is_broken = text, output, max_output, is_broken


@dataclass(frozen=True)
class CutAnswer:
    """`result` has the rows before the last one, which may be cut; `last_row` is the newest that is kept, of `path`."""

    result: JsonObject
    path: str
    last_row: Json


@dataclass(frozen=True)
class LastRow:
    """Of the list at `path`: an answer goes on after it."""

    path: str
    row: Json


def read_cut_answer(text: str) -> CutAnswer | None:
    """None when there is no row to go on after: the answer ended in something else than a list of at least two."""
    try:
        whole = pydantic_core.from_json(text[max(text.find("{"), 0) :], allow_partial=True, allow_inf_nan=False)
        answered = sanitize.loads(json.dumps(whole))
    except ValueError:
        return None
    names = [name for name in answered if name != LINES] if isinstance(answered, dict) else []
    name = names[-1] if names else ""
    rows = answered[name] if name else None
    if not isinstance(rows, list) or len(rows) < 2:
        return None
    return CutAnswer({**answered, name: rows[:-1]}, name, rows[-2])


def get_answer_text(answer: ModelAnswer) -> str:
    call = next(iter(answer.tool_calls), None)
    return call.arguments_text if call else answer.text


def parse_answer(answer: ModelAnswer) -> Json:
    """The JSON in the answer, also from a code block or with words around it; None when there is none."""
    text = get_answer_text(answer).strip()
    fenced = re.search(r"```(?:json)?(.*?)```", text, re.S)
    braces = text[text.find("{") : text.rfind("}") + 1]
    for candidate in (text, fenced[1] if fenced else "", braces, sanitize.strip_trailing_commas(braces)):
        try:
            return sanitize.loads(candidate)
        except ValueError:
            continue
    return None


def make_repair_messages(answer: ModelAnswer, problems: Sequence[Problem]) -> list[ChatMessage]:
    listed = "\n".join(f"- {problem.where or 'the whole'}: {problem.message}" for problem in problems[:_MAX_PROBLEMS])
    # They quote the values, which are the document's words, and the schema, which may be a proposal's.
    content = f"{MISFIT}\n{make_data_block('problems', listed)}\n{AGAIN}"
    return [
        {"role": "assistant", "content": get_answer_text(answer) or "(nothing)"},
        {"role": "user", "content": content},
    ]


def make_refusal(model: str, answer: ModelAnswer) -> ModelFailed:
    quote = f" It said: “{answer.text.strip()[:200]}”" if answer.text.strip() else ""
    why = f": {FILTERED}" if answer.is_filtered else "."
    return ModelFailed(f"{model} gave no answer to this document{why}{quote}", code="refused")


def clear_value(result: Json, path: str) -> Json:
    """Sets the value at a dotted path to null and returns what was there."""
    *outer, last = path.split(".")
    here = result
    for name in outer:
        here = _get_inner(here, name)
    if isinstance(here, list) and last.isdecimal() and int(last) < len(here):
        before, here[int(last)] = here[int(last)], None
        return before
    if isinstance(here, dict):
        return here.pop(last, None)
    return None


def _get_inner(value: Json, name: str) -> Json:
    """A name may contain a dot where the schema takes any name, so the path of a problem may lead nowhere."""
    if isinstance(value, list):
        return next((item for position, item in enumerate(value) if str(position) == name), None)
    return value.get(name) if isinstance(value, dict) else None
