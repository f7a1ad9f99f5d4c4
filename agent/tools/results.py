"""The rest of a result that was too long to be shown whole, or that is only summarized now."""

from __future__ import annotations

from agent.calls.outcomes import join_reasons, whole_text
from agent.models import Message, ToolCall, Turn
from agent.policy.deleted_documents import DeletedDocuments
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from documents.reading.page_text import make_data_block
from kit.errors import Invalid, NotFound

MAX_CHARACTERS = 10_000
Status = ToolCall.Status


def _summarize(arguments: Arguments, result: Result) -> str:
    return f"from character {arguments.get('offset') or 0} of {result.get('characters', 0)}"


@tool(
    category="memory", access="read", title="Read on in a result", icon="i-file-text", summary=_summarize, is_rare=True
)
def read_result(context: ToolContext, call_id: str = "", offset: int = 0, message: int | None = None) -> Result:
    """The text of an earlier result, or of an earlier message of the person, from a position on.

    call_id: the nine letters and digits that a shortened result names
    offset: where to begin; a shortened result names it
    message: in the place of call_id, the number that a shortened message names
    """
    if message is not None:
        return _read_on(_fetch_message(context, message), "message", offset, f"message={message}")
    call = _fetch_call(context, call_id)
    call = DeletedDocuments.find(context.thread).hide_in_call(call)
    text = whole_text(call, reason_follows=context.turn.origin != Turn.Origin.MCP)
    return _read_on(text, "result", offset, f'call_id="{call_id}"', tool=call.tool)


def _fetch_call(context: ToolContext, call_id: str) -> ToolCall:
    calls = context.thread.calls.filter(wire_id=call_id, turn__refused="", message__dropped_at=None)
    call: ToolCall | None = calls.order_by("-version").first()
    if call is None:
        raise NotFound(f"There is no call {call_id[:40]!r} here. A shortened result names its call_id.")
    return call


def _fetch_message(context: ToolContext, number: int) -> str:
    messages = context.thread.messages.filter(role=Message.Role.USER, turn__refused="", dropped_at=None)
    message = messages.filter(number=number).first()
    text = message.join_text() if message else _fetch_reasons(context, number)
    if not text:
        raise NotFound(f"There is no message {number} of the person in this conversation.")
    return text


def _fetch_reasons(context: ToolContext, number: int) -> str:
    """Why calls of the agent's message were rejected: a summary names these words of the person by its number."""
    calls = context.thread.calls.filter(message__number=number, message__dropped_at=None, status=Status.REJECTED)
    return join_reasons(list(calls.order_by("position")))


def _read_on(text: str, kind: str, offset: int, name: str, **about: object) -> Result:
    if not 0 <= offset < len(text):
        raise Invalid(f"This {kind} has {len(text)} characters, so offset goes from 0 to {len(text) - 1}.")
    part = text[offset : offset + MAX_CHARACTERS]
    result: Result = {"characters": len(text), "text": make_data_block(kind, part, **about, offset=offset)}
    end = offset + len(part)
    return {**result, "more": f"read_result({name}, offset={end})"} if end < len(text) else result
