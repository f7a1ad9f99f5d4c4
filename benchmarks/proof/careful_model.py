"""A scripted model that reads without a slip what its request holds, and beyond that does what the request's words say.

It knows the truth of the document, and gives of it what stands in the document's block. For the rest it is under the
pressure that models are under, to fill the form in: it gives null where it is told that null is right and the schema
takes it, leaves a field out where it is told so and may, and otherwise takes the first thing of the page that could be
the value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from rapidfuzz import fuzz

from printed.amounts import find_amounts
from printed.currencies import list_marks
from printed.dates import find_dates
from printed.folding import compact_text
from printed.numbers import parse_numbers
from tests.scripted_answers import Json
from tests.scripted_model import Reply, ScriptedModel, answers, calls

NULL_IS_RIGHT = re.compile(r"\bthe document does not say is null\b|\bnull is a right answer\b", re.IGNORECASE)
LEAVE_OUT = re.compile(r"\bleave the field out\b", re.IGNORECASE)
DOCUMENT = re.compile(r'<data kind="document"[^>]*>\n(.*?)</data>', re.DOTALL)
BLOCK_ID = re.compile(r"^\[[\d.]+\] ", re.MULTILINE)
LIKE = 90
NO_PAGES = re.compile(r"</?page[^>]*>")


class CarefulModel(ScriptedModel):
    """`truth`: of the document that is asked about next. `reads_null`: False takes the words about null out first."""

    def __init__(self) -> None:
        super().__init__()
        self.truth: Json = {}
        self.reads_null = True

    def next_reply(self, body: Json, headers: dict[str, str]) -> Reply:
        schema = find_schema(body)
        values = dict(self.answer(body, schema))
        tools = body.get("tools") or ()
        return calls((tools[0]["function"]["name"], values)) if tools else answers(values)

    def answer(self, body: Json, schema: Json) -> Iterator[tuple[str, Any]]:
        rules, text = read_request(body)
        if not self.reads_null:
            rules = LEAVE_OUT.sub("", NULL_IS_RIGHT.sub("", rules))
        for name, field in schema["properties"].items():
            wanted = self.truth.get(name)
            if name.startswith("_") or is_list(field):
                yield name, [] if is_list(field) else ""
            elif wanted not in (None, "") and is_readable(wanted, text):
                yield name, read_number(wanted) if is_number(field) else wanted
            elif NULL_IS_RIGHT.search(rules) and takes_null(field):
                yield name, None
            elif not LEAVE_OUT.search(rules) or name in schema.get("required", ()):
                yield name, guess(field, text)


def find_schema(body: Json) -> Json:
    tools = body.get("tools") or ()
    schema: Json = tools[0]["function"]["parameters"] if tools else body["response_format"]["json_schema"]["schema"]
    return schema


def read_request(body: Json) -> tuple[str, str]:
    """The rules, and the document without the marks of its lines."""
    written = "\n".join(message["content"] for message in body["messages"])
    text = NO_PAGES.sub("", BLOCK_ID.sub("", "".join(DOCUMENT.findall(written))))
    return DOCUMENT.sub("", written), text


def takes_null(field: Json) -> bool:
    return "null" in json.dumps(field.get("type", ""))


def is_list(field: Json) -> bool:
    return "array" in json.dumps(field.get("type", ""))


def is_number(field: Json) -> bool:
    return "number" in json.dumps(field.get("type", ""))


def read_number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else float(parse_numbers(value)[0].value)


def is_readable(value: Any, text: str) -> bool:
    """Whether it stands there, but for slips of whoever read the page."""
    if isinstance(value, int | float):
        digits = {compact_text(f"{value:.2f}"), compact_text(f"{value:g}")}
        return any(each in compact_text(text) for each in digits)
    if any(mark in text for mark in list_marks(value)):
        return True
    days = find_days(value)
    return bool(days & find_days(text)) if days else fuzz.partial_ratio(compact_text(value), compact_text(text)) >= LIKE


def find_days(text: str) -> set[date]:
    return {day for line in text.splitlines() for printed in find_dates(line) for day in printed.days}


def guess(field: Json, text: str) -> Any:
    """The first thing that fits; nothing of the page may."""
    if is_number(field):
        return find_first_number(text)
    return find_first_day(text) if field.get("format") == "date" else find_first_words(text)


def find_first_number(text: str) -> float:
    numbers = (number for line in text.splitlines() for amount in find_amounts(line) for number in amount.readings)
    return next((float(number.value) for number in numbers), 0.0)


def find_first_day(text: str) -> str:
    return min(find_days(text), default=date(2000, 1, 1)).isoformat()


def find_first_words(text: str) -> str:
    return next((line.partition("|")[0].strip() for line in text.splitlines() if line.strip()), "-")
