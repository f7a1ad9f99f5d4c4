"""The message list for a model, derived from rows before each call, so that it is whole whatever happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, TypeAlias

from agent.models import Message, Thread, ToolCall
from agent.outcomes import result_text
from agent.signatures import parse
from docrouter.kit.errors import Invalid

Wire: TypeAlias = dict[str, Any]
"""A message as providers take it."""

EMPTY = "(no text)"
BROKEN_OFF = "[The user stopped the answer here.]"


class BrokenHistory(Exception):
    """A tool call without its one result, or a result without a call: a fault of ours that no provider would take."""


def wire_messages(thread: Thread) -> list[Wire]:
    """All messages of the thread, each tool call followed by exactly one result."""
    calls = _newest_revisions(thread)
    messages: list[Wire] = []
    for message in thread.messages.all():
        messages += _wire(message, calls.get(message.pk, []))
    check_pairing(messages)
    return messages


def check_pairing(messages: Iterable[Wire]) -> None:
    """Raises BrokenHistory unless results follow their calls, one for one, before anything else is said."""
    open_ids: Counter[str] = Counter()
    seen: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            if not open_ids[message["tool_call_id"]]:
                raise BrokenHistory(f"A result has no call: {message['tool_call_id']}.")
            open_ids -= Counter([message["tool_call_id"]])
            continue
        if open_ids:
            raise BrokenHistory(f"Calls have no result: {', '.join(open_ids)}.")
        asked = [call["id"] for call in message.get("tool_calls") or ()]
        if len(set(asked)) < len(asked) or seen & set(asked):
            raise BrokenHistory("Two calls share one id.")
        seen.update(asked)
        open_ids = Counter(asked)
    if open_ids:
        raise BrokenHistory(f"Calls have no result: {', '.join(open_ids)}.")


def text_of(message: Message, kind: str = "text") -> str:
    return "".join(block["text"] for block in message.blocks if block["type"] == kind)


def _newest_revisions(thread: Thread) -> dict[str, list[ToolCall]]:
    """Message id to its calls in order. A card that was asked again counts with what became of its last revision."""
    newest: dict[tuple[str, int], ToolCall] = {}
    for call in thread.calls.order_by("version"):
        newest[call.message_id, call.position] = call
    found: dict[str, list[ToolCall]] = {}
    for (message_id, _), call in sorted(newest.items()):
        found.setdefault(message_id, []).append(call)
    return found


def _wire(message: Message, calls: list[ToolCall]) -> list[Wire]:
    text = text_of(message)
    if message.role == Message.Role.USER:
        return [{"role": "user", "content": text}]
    if not message.complete:
        return [{"role": "assistant", "content": f"{text} {BROKEN_OFF}".strip()}]
    said: Wire = {"role": "assistant", "content": text or (None if calls else EMPTY), **message.provider_extras}
    if calls:
        said["tool_calls"] = [_wire_call(call) for call in calls]
    results = [{"role": "tool", "tool_call_id": call.wire_id, "content": result_text(call)} for call in calls]
    return [said, *results]


def _wire_call(call: ToolCall) -> Wire:
    """The call as the model asked for it. Providers refuse arguments that are no object; the result quotes those."""
    try:
        parse(call.proposed_text)
        arguments = call.proposed_text or "{}"
    except Invalid:
        arguments = "{}"
    function = {"name": call.tool or "unknown", "arguments": arguments}
    return {"id": call.wire_id, "type": "function", "function": function}
