"""Tool-call deltas in every form that was seen."""

from __future__ import annotations

from typing import Any

import pytest

from llm.client.stream_assembly import ThinkingBlocks, ToolCalls
from llm.client.types import WireCall


def delta(index: int | None = 0, id: str | None = None, name: str | None = None, arguments: object = "") -> Any:
    return {"index": index, "id": id, "function": {"name": name, "arguments": arguments}}


def merge(*deltas: Any) -> list[WireCall]:
    calls = ToolCalls()
    calls.add(deltas)
    return calls.collect()


TWO = [WireCall("a", "f", '{"x": 1}'), WireCall("b", "g", '{"y": 2}')]


@pytest.mark.parametrize(
    "deltas",
    [
        pytest.param(
            [
                delta(0, "a", "f", '{"x"'),
                delta(0, None, None, ": 1}"),
                delta(1, "b", "g", '{"y": 2'),
                delta(1, arguments="}"),
            ],
            id="as documented",
        ),
        pytest.param([delta(0, "a", "f", '{"x": 1}'), delta(0, "b", "g", '{"y": 2}')], id="whole, all index 0"),
        pytest.param(
            [
                delta(0, "a", "f", '{"x"'),
                delta(0, "a", None, ": 1}"),
                delta(0, "b", "g", '{"y"'),
                delta(0, "b", None, ": 2}"),
            ],
            id="all index 0, ids in each",
        ),
        pytest.param(
            [delta(0, "a", "f"), delta(1, "b", "g"), delta(1, arguments='{"y": 2}'), delta(0, arguments='{"x": 1}')],
            id="interleaved",
        ),
        pytest.param(
            [
                delta(0, "a", "f", '{"x"'),
                delta(0, "a", "f", ": 1}"),
                delta(1, "b", "g", '{"y"'),
                delta(1, "b", "g", ": 2}"),
            ],
            id="id and name in each",
        ),
        pytest.param([delta(0, "a", "f", {"x": 1}), delta(1, "b", "g", {"y": 2})], id="arguments as objects"),
        pytest.param(
            [delta(None, "a", "f", '{"x": 1}'), delta(None, "b", "g", '{"y"'), delta(None, None, None, ": 2}")],
            id="no index",
        ),
        pytest.param(
            [delta(0, "a", "f", '{"x": 1}'), delta(0, "a", None, ""), delta(3, "b", "g", '{"y": 2}')],
            id="empty last delta, gap in the index",
        ),
    ],
)
def test_it_merges_two_calls(deltas: list[Any]) -> None:
    assert merge(*deltas) == TWO


def test_it_tells_calls_without_ids_apart_by_name_and_by_whole_arguments() -> None:
    calls = merge(
        delta(name="f", arguments='{"x": 1}'), delta(name="f", arguments='{"x": 2}'), delta(name="g", arguments="{}")
    )
    assert [(call.name, call.arguments_text) for call in calls] == [("f", '{"x": 1}'), ("f", '{"x": 2}'), ("g", "{}")]


def test_it_keeps_two_calls_that_share_an_id() -> None:
    calls = merge(delta(0, "a", "f", '{"x": 1}'), delta(1, "a", "f", '{"x": 2}'))
    assert [call.arguments_text for call in calls] == ['{"x": 1}', '{"x": 2}']


def test_it_leaves_broken_arguments_as_they_are() -> None:
    assert merge(delta(0, "a", "f", '{"x": ')) == [WireCall("a", "f", '{"x": ')]


def test_it_ignores_a_delta_that_belongs_to_no_call() -> None:
    assert [call.name for call in merge(delta(arguments='{"x": 1}'))] == [""]


def test_it_keeps_signed_thinking_letter_by_letter() -> None:
    blocks = ThinkingBlocks()
    for part in ({"thinking": "a "}, {"thinking": "b", "signature": ""}, {"thinking": "", "signature": "s1"}):
        blocks.add([{"type": "thinking", **part}])
    blocks.add([{"type": "redacted_thinking", "data": "xyz"}])
    blocks.add([{"type": "thinking", "thinking": "c", "signature": "s2"}])
    assert blocks.collect() == [
        {"type": "thinking", "thinking": "a b", "signature": "s1"},
        {"type": "redacted_thinking", "data": "xyz"},
        {"type": "thinking", "thinking": "c", "signature": "s2"},
    ]
