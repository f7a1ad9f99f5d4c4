"""How much a message over MCP may hold, before anything makes objects of it."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from agent.mcp import bounds
from agent.mcp.bounds import LARGE, SMALL, check_message
from agent.mcp.stdio_lines import BoundedLines
from kit.errors import Invalid, TooLarge


def write_call(tool: str, value: Any, **more: Any) -> bytes:
    params = {"name": tool, "arguments": {"x": value}}
    return json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params, **more}).encode()


@pytest.mark.parametrize("value", [[[]] * (SMALL.max_values + 1), "x" * SMALL.max_bytes], ids=["values", "bytes"])
@pytest.mark.parametrize("tool", ["list_documents", "query_fields", "get_decision", "research", "no_tool", 5])
def test_most_calls_are_small(tool: Any, value: Any) -> None:
    with pytest.raises(TooLarge, match=r"may have (256 kB|5,000 values)\. Only calls of tools that take"):
        check_message(write_call(tool, value))


@pytest.mark.parametrize("tool", ["create_schema", "propose_changes", "update_extraction_field", "validate_schema"])
def test_what_takes_schemas_values_or_texts_may_be_large(tool: str) -> None:
    assert check_message(write_call(tool, [[0]] * (LARGE.max_values // 3)))
    assert check_message(write_call(tool, "x" * (LARGE.max_bytes - 1000)))
    assert not check_message(write_call(tool, "x"))
    with pytest.raises(TooLarge, match="4 MB"):
        check_message(write_call(tool, "x" * LARGE.max_bytes))
    with pytest.raises(TooLarge, match="more than 50,000 values"):
        check_message(write_call(tool, [[]] * (LARGE.max_values + 1)))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"5",
        b"\xff",
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode("utf-16"),
        json.dumps({"z": [[]] * 20_000}).encode(),
        write_call("create_schema", 1, z=[[]] * 20_000),
        b'{"a":' + b"[" * 300 + b"]" * 300 + b"}",
    ],
    ids=["empty", "cut", "batch", "number", "bytes", "UTF-16", "no message", "more members", "deep"],
)
def test_what_is_no_message_comes_no_further(body: bytes) -> None:
    """The SDK would look at each of its parts on the loop, and write what is wrong with it."""
    with pytest.raises(Invalid, match="message"):
        check_message(body)


async def test_over_stdio_a_refused_line_is_answered_and_the_next_one_read() -> None:
    sent: list[Any] = []

    class Answers:
        async def send(self, item: Any) -> None:
            sent.append(item.message)

    good, endless = write_call("list_documents", 1), b"x" * (LARGE.max_bytes * 2)
    lines = BoundedLines(io.BytesIO(b"\n".join([write_call("list_documents", [[]] * 6_000), endless, good, b""])))
    lines.answers = Answers()
    assert [line async for line in lines] == [good.decode() + "\n"]
    assert [answer.id for answer in sent] == [7, None]
    assert all(answer.error.message for answer in sent)
    assert bounds.read_id(good) == 7
