"""How many documents a turn may read: by a person's word, else by the model's own choice."""

from __future__ import annotations

from agent.models import ToolCall, Turn

MAX_DOCUMENTS = {Turn.Depth.SIMPLE: 1, Turn.Depth.CONCISE: 5, Turn.Depth.DETAILED: 15}
READING = ("read_document", "read_multiple_documents", "get_document_summary", "get_ocr_text")
TOO_DEEP = (
    "The depth {depth} reads at most {maximum} documents in a turn, and {count} have been read. Answer from these, and "
    "say what you did not look at."
)


def count_left(turn: Turn, chosen: str = "") -> int:
    """How many documents more it may read. `chosen` is the model's own depth, which counts where no person chose."""
    return get_maximum(turn, chosen) - len(list_read(turn))


def get_maximum(turn: Turn, chosen: str = "") -> int:
    return MAX_DOCUMENTS[get_depth(turn, chosen)]


def get_depth(turn: Turn, chosen: str = "") -> Turn.Depth:
    return Turn.Depth(turn.depth or chosen or Turn.Depth.DETAILED)


def explain_end(turn: Turn, chosen: str = "") -> str:
    depth, count = get_depth(turn, chosen), len(list_read(turn))
    return TOO_DEEP.format(depth=depth, maximum=MAX_DOCUMENTS[depth], count=count)


def list_read(turn: Turn) -> set[str]:
    """The documents that its calls have read; not the thread's own, which stands before the model anyway."""
    calls = turn.calls.filter(tool__in=READING, status=ToolCall.Status.SUCCEEDED).values_list("result", flat=True)
    rows = [row for result in calls for row in (result or {}).get("documents", [result or {}])]
    return {row["document_id"] for row in rows if row.get("document_id")} - {turn.thread.document_id}
