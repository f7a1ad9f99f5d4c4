"""How many documents a turn may read: by a person's word, else by the model's own choice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agent.models import ToolCall, Turn
from agent.policy.pages_read import PAGE_TOOLS
from kit.errors import Invalid
from kit.json_types import JsonObject

MAX_DOCUMENTS = {Turn.Depth.SIMPLE: 1, Turn.Depth.CONCISE: 5, Turn.Depth.DETAILED: 15}
UNDER_WAY = (ToolCall.Status.APPROVED, ToolCall.Status.EXECUTING)
TOO_DEEP = (
    "The depth {depth} reads at most {maximum} documents in a turn, and {count} have been read. Answer from these, and "
    "say what you did not look at."
)


def get_maximum(turn: Turn, chosen: str = "") -> int:
    return MAX_DOCUMENTS[_get_depth(turn, chosen)]


def _get_depth(turn: Turn, chosen: str) -> Turn.Depth:
    return Turn.Depth(turn.depth or chosen or Turn.Depth.DETAILED)


@dataclass
class ReadDocuments:
    """Those of a turn, by their ids; not the thread's own, which stands before the model anyway."""

    turn: Turn
    depth: Turn.Depth
    ids: set[str]

    def add(self, document_id: str) -> None:
        """Raises Invalid where it is one too many for the depth."""
        if document_id in (*self.ids, self.turn.thread.document_id):
            return
        if len(self.ids) >= MAX_DOCUMENTS[self.depth]:
            raise Invalid(TOO_DEEP.format(depth=self.depth, maximum=MAX_DOCUMENTS[self.depth], count=len(self.ids)))
        self.ids.add(document_id)


def limit_reading(turn: Turn, *, call_id: str, chosen: str = "") -> ReadDocuments:
    """For this call. `chosen` is the model's own depth, which counts where no person chose."""
    return ReadDocuments(turn, _get_depth(turn, chosen), list_read(turn, call_id=call_id))


def list_read(turn: Turn, *, call_id: str = "") -> set[str]:
    """What its calls have read; with `call_id` also what those of the same answer that stand before it are to read,
    since they run at the same time."""
    calls = list(turn.calls.filter(tool__in=PAGE_TOOLS))
    own = next((_get_place(call) for call in calls if call.pk == call_id), (0, 0))
    ids = {each for call in calls for each in _list_documents(call, is_before=_get_place(call) < own)}
    return ids - {turn.thread.document_id}


def _get_place(call: ToolCall) -> tuple[int, int]:
    return call.round, call.position


def _list_documents(call: ToolCall, *, is_before: bool) -> Iterable[str]:
    if call.status == ToolCall.Status.SUCCEEDED:
        result: JsonObject = call.result or {}
        return [row["document_id"] for row in result.get("documents", [result]) if row.get("document_id")]
    if call.status in UNDER_WAY and is_before:
        asked = call.effective or {}
        return asked.get("document_ids") or filter(None, [asked.get("document")])
    return ()
