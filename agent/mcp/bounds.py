"""How much a message over MCP may hold. Looked at before the SDK is, which makes objects of it on the server's loop."""

from __future__ import annotations

import json
from dataclasses import dataclass

from agent.mcp.tools.tool_list import find_tool, to_listed_name
from agent.turns.client_turns import PROPOSE
from kit import sanitize
from kit.errors import AppError, Invalid, TooLarge
from kit.http.bodies import Body, format_size

NO_TEXT = "The message is no text in UTF-8."
UNREADABLE = "The message cannot be read as JSON: {error}"
NO_MESSAGE = "This is no message of JSON-RPC 2.0: an object with jsonrpc, method, params and id, and nothing else."
MORE = "Only calls of tools that take schemas, values or texts may have {largest}."
# Of a call; what an answer to us would hold comes in none.
_MEMBERS = {"jsonrpc", "id", "method", "params"}
_ANSWERS = {"result", "error"}
# What tools that read take and that is as long as what is stored.
_LONG_PARAMETERS = {"data", "schema", "value_checks"}


@dataclass(frozen=True)
class Bounds:
    max_bytes: int
    max_values: int


SMALL = Bounds(Body.FORM.max_bytes, 5_000)
LARGE = Bounds(Body.TEXT.max_bytes, sanitize.MAX_VALUES)


def check_message(body: bytes) -> bool:
    """Whether it is larger than most may be. Takes a while, so it runs in a thread.

    Raises TooLarge or Invalid, which say the bound.
    """
    if len(body) > LARGE.max_bytes:
        raise TooLarge(f"A message may have {format_size(LARGE.max_bytes)}.")
    message, values = _read(body)
    if not isinstance(message, dict) or set(message) - _MEMBERS - _ANSWERS:
        raise Invalid(NO_MESSAGE)
    bounds = _bounds_of(message)
    if len(body) > bounds.max_bytes:
        raise _refuse(format_size(bounds.max_bytes), format_size(LARGE.max_bytes))
    if values > bounds.max_values:
        raise _refuse(f"{bounds.max_values:,} values", f"{LARGE.max_values:,}")
    return len(body) > SMALL.max_bytes or values > SMALL.max_values


def read_id(body: bytes) -> int | str | None:
    """Of a message that was refused, for its sender, who waits for an answer to it. None where it cannot be read."""
    try:
        message, _ = _read(body)
    except AppError:
        return None
    number = message.get("id") if isinstance(message, dict) else None
    return number if isinstance(number, int | str) else None


def _read(body: bytes) -> tuple[object, int]:
    """The message, and how many values it holds."""
    try:
        text = body.decode()
        values = sanitize.count_values(text)
        return json.loads(text), values
    except UnicodeDecodeError:
        raise Invalid(NO_TEXT) from None
    except sanitize.TooMuch as error:
        raise TooLarge(str(error)) from None
    except ValueError as error:
        raise Invalid(UNREADABLE.format(error=error)) from None


def _bounds_of(message: dict[str, object]) -> Bounds:
    params = message.get("params")
    if message.get("method") != "tools/call" or not isinstance(params, dict):
        return SMALL
    name = params.get("name")
    return LARGE if isinstance(name, str) and _takes_much(to_listed_name(name)) else SMALL


def _takes_much(name: str) -> bool:
    tool = find_tool(name)
    if tool is None:
        return name == PROPOSE
    return not tool.is_read or not _LONG_PARAMETERS.isdisjoint(tool.parameters["properties"])


def _refuse(maximum: str, largest: str) -> AppError:
    return TooLarge(f"A message like this may have {maximum}. {MORE.format(largest=largest)}")
