"""What the guidance says of its examples is what our own checks say of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agent.models import ToolCall
from agent.tools.examples import BAD_PROMPTS, BETTER, GOOD_PROMPT, GOOD_SCHEMA, REFUSED, REFUSED_PROMPTS, group
from documents.definitions.schema_rules import find_problems, find_schema_problems
from documents.values.fields import find_result_problems

Do = Callable[..., ToolCall]


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from objects(inner)
    if isinstance(schema, dict) and schema.get("type") == "object":
        yield schema


def test_it_gives_the_guidance_whole(do: Do) -> None:
    schemas, prompts = do("help_schemas").result["guidance"], do("help_prompts").result["guidance"]
    assert json.dumps(GOOD_SCHEMA, ensure_ascii=False) in schemas and GOOD_PROMPT in prompts
    assert all(pair.why in schemas for pair in BETTER) and all(bad in prompts for bad in BAD_PROMPTS)
    assert len(schemas) < 8000 and len(prompts) < 4000
    assert "{good}" not in schemas + prompts and "{bad" not in schemas + prompts


def test_its_good_schema_keeps_every_rule_it_gives() -> None:
    assert find_problems(GOOD_SCHEMA) == [] and GOOD_SCHEMA["json_schema"]["strict"] is True
    for part in objects(GOOD_SCHEMA["json_schema"]["schema"]):
        assert part["additionalProperties"] is False and part["required"] == list(part["properties"])
    schema = GOOD_SCHEMA["json_schema"]["schema"]
    missing: dict[str, Any] = dict.fromkeys(schema["properties"])
    assert find_result_problems(schema, {**missing, "invoice_number": "1", "line_items": []}) == []
    assert [problem.where for problem in find_result_problems(schema, {**missing, "line_items": []})] == [
        "invoice_number"
    ]


@pytest.mark.parametrize("example", REFUSED, ids=lambda example: example.because)
def test_the_check_refuses_what_it_says_is_refused(example: Any) -> None:
    (problem,) = find_schema_problems(example.schema)
    assert example.because in problem.message


@pytest.mark.parametrize("pair", BETTER, ids=lambda pair: pair.why)
def test_the_check_passes_both_of_a_pair(pair: Any) -> None:
    assert find_schema_problems(group(pair.bad)) == [] and find_schema_problems(group(pair.good)) == []
    for part in objects(pair.good):
        assert part["additionalProperties"] is False


@pytest.mark.parametrize("content", [GOOD_PROMPT, *BAD_PROMPTS])
def test_a_prompt_can_be_saved_that_says_the_good_or_the_bad(do: Do, content: str) -> None:
    assert do("create_prompt", name="Invoice", content=content).status == "succeeded"


@pytest.mark.parametrize(("content", "because"), REFUSED_PROMPTS.items())
def test_a_prompt_is_refused_that_it_says_is_refused(do: Do, content: str, because: str) -> None:
    assert because in do("create_prompt", name="Invoice", content=content).result["error"]


def test_its_good_prompt_has_the_length_it_asks_for() -> None:
    assert 60 <= len(GOOD_PROMPT.split()) <= 200
