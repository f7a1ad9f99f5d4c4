"""The rest of a result that was too long to be shown whole, or that is only summarized now."""

from __future__ import annotations

from agent.calls.outcomes import whole_text
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from documents.reading.page_text import make_data_block
from kit.errors import Invalid, NotFound

MAX_CHARACTERS = 10_000


def _summarize(arguments: Arguments, result: Result) -> str:
    return f"from character {arguments.get('offset') or 0} of {result.get('characters', 0)}"


@tool(group="chat", access="read", title="Read on in a result", icon="i-file-text", summary=_summarize)
def read_result(context: ToolContext, call_id: str, offset: int = 0) -> Result:
    """The text of an earlier result of this conversation from a position on.

    call_id: the nine letters and digits that a shortened result names
    offset: where to begin; a shortened result names it
    """
    call = context.thread.calls.filter(wire_id=call_id, message__dropped_at=None).order_by("-version").first()
    if call is None:
        raise NotFound(f"There is no call {call_id[:40]!r} in this conversation. A shortened result names its call_id.")
    text = whole_text(call)
    if not 0 <= offset < len(text):
        raise Invalid(f"This result has {len(text)} characters, so offset goes from 0 to {len(text) - 1}.")
    part = text[offset : offset + MAX_CHARACTERS]
    result: Result = {"characters": len(text), "text": make_data_block("result", part, tool=call.tool, offset=offset)}
    end = offset + len(part)
    return {**result, "more": f'read_result(call_id="{call_id}", offset={end})'} if end < len(text) else result
