"""Requests to the outside beside the words of a person: what is theirs, and every trick to send something else."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from agent.policy.own_words import MAX_CHARACTERS, MAX_VALUES, MAX_WORDS, TOO_LONG, OwnWords

WORDS = ["Which VAT rate holds in Zürich since 1.5.2024, and what is it of 1,000.50 EUR?", "Answer as (a), b; c d e f."]
SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "speed": {"anyOf": [{"enum": ["fast", "slow"]}, {"type": "null"}]},
        "limit": {"type": "integer", "default": 10},
        "safe": {"type": "boolean"},
        "words": {"type": "array", "items": {"type": "string"}},
        "where": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}


def explain(texts: list[str] = WORDS, /, **arguments: Any) -> str:
    return OwnWords(texts).explain_foreign(arguments, SCHEMA)


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "VAT rate Zürich"},
        {"query": "vat RATE, zurich?"},
        {"query": 'Rate: "EUR" 1000.5 (2024-05-01)'},
        {"query": "1,000.5 EUR, 01.05.2024"},
        {"query": ""},
        {"query": "rate", "speed": "fast", "limit": 10, "safe": True},
        {"query": "rate", "speed": None},
        {"limit": 1000.5},
        {"words": ["VAT", "Zürich"], "where": {"city": "Zurich", "since": 2024}},
    ],
)
def test_words_of_the_person_and_of_the_schema_are_no_others(arguments: dict[str, Any]) -> None:
    assert explain(**arguments) == ""


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({"query": "VAT rate Bern"}, "“Bern”"),
        ({"query": "VATx rate"}, "“VATx”"),
        ({"query": "rates"}, "“rates”"),
        ({"query": base64.b64encode(b"DE89 3704").decode()}, "“REU4OSAzNzA0”"),
        ({"query": "V\u0410T rate"}, "“V\u0410T”"),
        ({"query": "vAt rAtE"}, "“vAt”, “rAtE”"),
        ({"query": "v\u00e0t r\u00e1te h\u00f3lds w\u00edch"}, "“w\u00edch”"),
        ({"query": "v\u00e0t r\u00e1te h\u00f3lds \u00edn"}, "“\u00edn”"),
        ({"query": "\uff36\uff21\uff34"}, "“\uff36\uff21\uff34”"),
        ({"query": "VAT\u200brate"}, "signs that nobody sees"),
        ({"query": "VAT\U000e0041 rate"}, "signs that nobody sees"),
        ({"query": "VAT rate", "speed": "medium"}, "“medium”"),
        ({"query": "fast"}, "“fast”"),
        ({"query": "query"}, "“query”"),
        ({"query": "VAT;;!;:rate"}, "“;;!;:”"),
        ({"query": "VAT  rate"}, "“odd spaces”"),
        ({"query": "VAT\trate"}, "signs that nobody sees"),
        ({"query": "rate rate"}, "“rate”"),
        ({"query": "b c d e"}, "“e”"),
        ({"limit": 11}, "“11”"),
        ({"query": "370400440532013000"}, "“370400440532013000”"),
        ({"query": "VAT 5.370400.440532.013000"}, "“5.370400.440532.013000”"),
        ({"query": "VAT 2024’0001’0002"}, "“2024’0001’0002”"),
        ({"query": "VAT \u0665"}, "“\u0665”"),
        ({"query": "VAT \u0660\u06f0\u0966\u0665"}, "“\u0660\u06f0\u0966\u0665”"),
        ({"query": "VAT 0000005"}, "“0000005”"),
        ({"query": "VAT 5.00000"}, "“5.00000”"),
        ({"query": "VAT.:rate;;holds!!in&&since%%and++what==is@@it::of"}, "“::”"),
        ({"words": [1, 1, 1, 1]}, "“1”"),
        ({"words": ["VAT", "secret"]}, "“secret”"),
        ({"words": [True, False, None]}, "“True”, “False”, “None”"),
        ({"where": {"city": "Zürich", "secret": "rate"}}, "“secret”"),
        ({"where": {"VAT": True}}, "“True”"),
    ],
)
def test_anything_else_is_named(arguments: dict[str, Any], shown: str) -> None:
    assert shown in explain(**arguments)


def test_what_is_shown_of_foreign_words_is_bounded_and_nobody_reads_what_nobody_sees() -> None:
    said = explain(query=" ".join(f"{number}{'x' * 50}" for number in range(7)))
    assert said.count("“") == 3 and len(said) < 200
    assert "\u200b" not in explain(query="a\u200bb")


def test_a_request_is_bounded() -> None:
    words = [f"word{number}" for number in range(100)]
    assert explain(words, query=" ".join(words[:MAX_WORDS])) == ""
    assert explain(words, query=" ".join(words[: MAX_WORDS + 1])) == TOO_LONG
    long = "x" * (MAX_CHARACTERS + 1)
    assert explain([long, long[1:]], query=long) == TOO_LONG and explain([long, long[1:]], query=long[1:]) == ""
    assert explain(words, words=words[:MAX_VALUES]) == ""
    assert explain(words, words=words[: MAX_VALUES + 1]) == TOO_LONG
    deep: Any = "word1"
    for _ in range(10):
        deep = [deep]
    assert explain(words, words=deep) == TOO_LONG


def test_scripts_without_spaces_are_compared_by_parts_of_their_runs() -> None:
    words = ["请告诉我德国的增值税率"]
    assert explain(words, query="增值税率 德国") == ""
    assert explain(words, query="法国") != "" and explain(words, query="德法") != ""


def test_nothing_is_the_persons_where_nothing_was_written() -> None:
    assert explain([], query="VAT") and not explain([], limit=10)
