"""The lines that a model says its values stand on: asked beside the values, never stored, used by the locator as hints.

One text for all of them, first in the answer: it costs few tokens, and a cut answer has it.
"""

from __future__ import annotations

import re

from documents.locate.leaves import LineHints, LineSpan
from kit.json_types import Json, JsonObject

LINES = "_lines"
DESCRIPTION = (
    "Block ids of the lines that the values below stand on, by their names; of a list or group the first and the last. "
    "Such as: number 1.2; total 3.40; items 1.5-3.38"
)
MAX_LETTERS = 10_000
_ID = r"(\d{1,6})\.(\d{1,6})"
_SPAN = re.compile(rf"\[?{_ID}\]?(?:\.\d+)?(?:\s*(?:-|–|to)\s*\[?(?:(\d{{1,6}})\.)?(\d{{1,6}})\]?)?")


def add_lines(response_format: JsonObject) -> JsonObject:
    """The response format with a text for the lines; as it is where its schema leaves no place for one."""
    inner = response_format["json_schema"]
    schema = inner["schema"]
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not properties or LINES in properties or "maxProperties" in schema:
        return response_format
    asked = {**schema, "properties": {LINES: {"type": "string", "description": DESCRIPTION}, **properties}}
    if inner.get("strict"):  # There every property has to be required.
        asked["required"] = [LINES, *schema.get("required", ())]
    return {**response_format, "json_schema": {**inner, "schema": asked}}


def take_lines(answer: Json) -> LineHints:
    """What the answer says of lines, which is taken out of it. Empty where it says nothing of use."""
    lines = answer.pop(LINES, None) if isinstance(answer, dict) else None
    if isinstance(lines, dict):
        lines = ";".join(f"{name} {line}" for name, line in lines.items())
    return parse_lines(lines[:MAX_LETTERS]) if isinstance(lines, str) else {}


def parse_lines(text: str) -> LineHints:
    hints: dict[str, tuple[LineSpan, ...]] = {}
    for part in re.split(r"[;\n]", text):
        spans = list(_SPAN.finditer(part))
        name = part[: spans[0].start()].strip(" :=\"'") if spans else ""
        if name:
            hints[name] = tuple(_make_span(span) for span in spans)
    return hints


def _make_span(match: re.Match[str]) -> LineSpan:
    first = int(match[1]), int(match[2])
    return LineSpan(first, (int(match[3] or match[1]), int(match[4])) if match[4] else first)
