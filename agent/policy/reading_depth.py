"""How many documents a turn may read: by a person's word, else by the model's own choice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agent.models import ToolCall, Turn
from agent.toolkit.pages_read import PAGE_TOOLS
from agent.toolkit.previews import format_count
from kit.errors import Invalid
from kit.json_types import JsonObject

MAX_DOCUMENTS = {Turn.Depth.SIMPLE: 1, Turn.Depth.CONCISE: 5, Turn.Depth.DETAILED: 15}
UNDER_WAY = (ToolCall.Status.APPROVED, ToolCall.Status.EXECUTING)
TOO_DEEP = (
    "The depth {depth} reads at most {maximum} in a turn, and {taken} been read or chosen before this one. Answer from "
    "what was read, and say what you did not look at."
)


def get_maximum(turn: Turn, chosen: str = "") -> int:
    return MAX_DOCUMENTS[_get_depth(turn, chosen)]


def _get_depth(turn: Turn, chosen: str) -> Turn.Depth:
    return Turn.Depth(turn.depth or chosen or Turn.Depth.DETAILED)


@dataclass
class ReadDocuments:
    """Those of a turn, by their ids; not the thread's own, which stands before the model anyway. `chosen`: those of
    calls that run at the same time, of which only as many as the depth has left will be read.
    """

    turn: Turn
    depth: Turn.Depth
    ids: set[str]
    chosen: set[str]

    def add(self, document_id: str) -> None:
        """Raises Invalid where it is one too many for the depth."""
        taken, maximum = self.ids | self.chosen, MAX_DOCUMENTS[self.depth]
        if document_id in (*taken, self.turn.thread.document_id):
            return
        if len(taken) >= maximum:
            raise Invalid(self._explain(max(len(self.ids), maximum)))
        self.ids.add(document_id)

    def _explain(self, count: int) -> str:
        maximum = format_count(MAX_DOCUMENTS[self.depth], "document")
        return TOO_DEEP.format(depth=self.depth, maximum=maximum, taken=f"{count} {'has' if count == 1 else 'have'}")


def limit_reading(turn: Turn, *, call_id: str, chosen: str = "") -> ReadDocuments:
    """For this call. `chosen` is the model's own depth, which counts where no person chose."""
    calls = list(turn.calls.filter(tool__in=PAGE_TOOLS))
    place = next((_get_place(call) for call in calls if call.pk == call_id), (0, 0))
    own = {turn.thread.document_id}
    read = {each for call in calls for each in _list_read(call)} - own
    before = {each for call in calls if _get_place(call) < place for each in _list_chosen(call)} - own
    return ReadDocuments(turn, _get_depth(turn, chosen), read, before)


def _get_place(call: ToolCall) -> tuple[int, int]:
    return call.round, call.position


def _list_read(call: ToolCall) -> Iterable[str]:
    if call.status != ToolCall.Status.SUCCEEDED:
        return ()
    result: JsonObject = call.result or {}
    return [row["document_id"] for row in result.get("documents", [result]) if row.get("document_id")]


def _list_chosen(call: ToolCall) -> Iterable[str]:
    if call.status not in UNDER_WAY:
        return ()
    asked = call.effective or {}
    return asked.get("document_ids") or filter(None, [asked.get("document")])
