from __future__ import annotations

from typing import Any

import pytest

from documents.extractions.edits import parse_input
from kit.errors import Invalid

NUMBER = {"type": ["number", "null"]}
DATE = {"type": "string", "format": "date"}


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        (NUMBER, "17116.55", 17116.55),
        (NUMBER, "17,116.55", 17116.55),
        (NUMBER, "€ 17.116,55", 17116.55),
        (NUMBER, "1.234.567", 1234567),
        (NUMBER, "1,234", 1234),
        (NUMBER, "3,5", 3.5),
        (NUMBER, "(12.50)", -12.5),
        (NUMBER, "−7", -7),
        (NUMBER, "12 500 USD", 12500),
        (NUMBER, "0,123", 0.123),
        (NUMBER, ".5", 0.5),
        (NUMBER, "12,34,567", 1234567),
        (NUMBER, "1'234.50", 1234.5),
        (NUMBER, "  ", None),
        ({"type": "integer"}, "4.0", 4),
        ({"type": "boolean"}, "Yes", True),
        ({"type": "boolean"}, "0", False),
        ({"type": "boolean"}, "nein", False),
        ({"type": "string"}, " 007 ", "007"),
        ({"enum": ["EUR", "USD", None]}, "usd", "USD"),
        ({"enum": [1, 2]}, "2", 2),
        (DATE, "2026-12-27", "2026-12-27"),
        (DATE, "27.12.2026", "2026-12-27"),
        (DATE, "12/27/2026", "2026-12-27"),
        (DATE, "27/12/2026", "2026-12-27"),
        (DATE, "27. Dezember 2026", "2026-12-27"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "5", 5),
        ({"type": "array"}, '["a"]', ["a"]),
    ],
)
def test_it_reads_what_people_type(schema: dict[str, Any], text: str, value: Any) -> None:
    parsed = parse_input(schema, text)
    assert (parsed, type(parsed)) == (value, type(value))


@pytest.mark.parametrize(
    ("schema", "text", "sentence"),
    [
        (NUMBER, "a lot", "“a lot” is no number"),
        (NUMBER, "1.2.3", "is no number"),
        (NUMBER, "12 34", "“12 34” is no number"),
        (NUMBER, "1e3", "“1e3” is no number"),
        (NUMBER, "10 of 20", "is no number"),
        (NUMBER, "1" * 400 + ".5", "may have 300 characters; this has 402"),
        (NUMBER, "9" * 5000, "may have 300 characters; this has 5,000"),
        ({"type": "integer"}, "9" * 400 + ".0", "may have 300 characters"),
        ({"type": "integer"}, "4.5", "no whole number"),
        ({"type": "boolean"}, "maybe", "neither yes nor no"),
        ({"enum": ["EUR", "USD"]}, "GBP", "none of the choices: EUR, USD"),
        (DATE, "03/04/2026", "two ways. Write the date like 2026-04-03"),
        (DATE, "2026-02-30", "no day of the calendar"),
        (DATE, "tomorrow", "is no date"),
        (DATE, "27.12.26", "is no date"),
        ({"type": "object"}, "{", "needs JSON"),
    ],
)
def test_it_says_what_it_would_understand(schema: dict[str, Any], text: str, sentence: str) -> None:
    with pytest.raises(Invalid, match=sentence):
        parse_input(schema, text)
