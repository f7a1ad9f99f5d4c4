"""What a turn has changed, from the rows of its calls: a sentence below it, whatever its model says of itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from agent.models import ToolCall, Turn
from agent.toolkit.pages_read import SURVEY
from agent.toolkit.previews import format_count, name_outcome
from agent.toolkit.registry import registry
from agent.toolkit.tool_kinds import READS
from kit.errors import NotFound

MAX_NAMED, MAX_TITLE = 3, 80
UNTRIED = "Not tried, because step "
"""Begins the error of a call that a failed one before it left without what it names."""
Status = ToolCall.Status


class End(StrEnum):
    """What became of a call that was to change something."""

    CHANGED = "changed"
    STARTED = "started"
    UNDONE = "undone"
    FAILED = "failed"
    UNTRIED = "untried"
    DENIED = "denied"
    REJECTED = "rejected"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    WAITING = "waiting"
    RUNNING = "running"
    IN_DOUBT = "in_doubt"


_ENDS = {
    Status.SUCCEEDED: End.CHANGED,
    Status.INVALID: End.FAILED,
    Status.FAILED: End.FAILED,
    Status.DENIED: End.DENIED,
    Status.REJECTED: End.REJECTED,
    Status.EXPIRED: End.EXPIRED,
    Status.SUPERSEDED: End.WITHDRAWN,
    Status.CANCELLED: End.WITHDRAWN,
    Status.STALE: End.WITHDRAWN,
    Status.IN_DOUBT: End.IN_DOUBT,
    Status.APPROVED: End.RUNNING,
    Status.EXECUTING: End.RUNNING,
}
# Behind "1 call" and "2 calls".
_WORDS = {
    End.STARTED: ("was started and goes on", "were started and go on"),
    End.UNDONE: ("was taken back", "were taken back"),
    End.FAILED: ("failed", "failed"),
    End.UNTRIED: ("was not tried", "were not tried"),
    End.DENIED: ("was not allowed", "were not allowed"),
    End.REJECTED: ("was rejected", "were rejected"),
    End.EXPIRED: ("expired undecided", "expired undecided"),
    End.WITHDRAWN: ("was withdrawn", "were withdrawn"),
    End.WAITING: ("waits for a decision", "wait for a decision"),
    End.RUNNING: ("is running", "are running"),
    End.IN_DOUBT: ("has an unknown outcome", "have an unknown outcome"),
}
_OPEN = (End.WAITING, End.RUNNING, End.STARTED)


@dataclass(frozen=True)
class TurnChanges:
    """`counts`: how many calls came to each end. `sentence` says it, with what was changed."""

    sentence: str
    counts: dict[End, int]

    @property
    def has_failed(self) -> bool:
        """Whether all was in vain, which an answer may pass over."""
        is_changed = self.counts.keys() & {End.CHANGED, End.STARTED, End.UNDONE, End.WAITING, End.RUNNING}
        return not is_changed


def describe_turn_changes(calls: Iterable[ToolCall]) -> TurnChanges | None:
    """`calls` are those of one turn, with what undid them. None where it meant to change nothing."""
    newest = {(call.round, call.position): call for call in sorted(calls, key=lambda call: call.version)}
    ended = [(call, _find_end(call)) for _, call in sorted(newest.items()) if not call.undoes_id and _is_change(call)]
    if not ended:
        return None
    counts: dict[End, int] = {}
    for _, end in ended:
        counts[end] = counts.get(end, 0) + 1
    return TurnChanges(_write_sentence([call for call, end in ended if end is End.CHANGED], counts), counts)


def read_turn_changes(turn: Turn) -> TurnChanges | None:
    return describe_turn_changes(turn.calls.select_related("undone_by"))


def find_last_changes(turn: Turn) -> TurnChanges | None:
    """Of the turn before this one, as its model may have told it otherwise."""
    if turn.number < 2:
        return None
    calls = ToolCall.objects.filter(thread=turn.thread_id, turn__number=turn.number - 1, message__dropped_at=None)
    calls = calls.filter(turn__refused="")
    return describe_turn_changes(calls.select_related("undone_by"))


def _is_change(call: ToolCall) -> bool:
    """Arguments that cannot be read leave a call without its access."""
    if call.tool == SURVEY:  # it has a card for its price, and changes nothing
        return False
    if call.access:
        return call.access not in READS
    try:
        return not registry.find(call.tool).is_read
    except NotFound:
        return False


def _find_end(call: ToolCall) -> End:
    undo: ToolCall | None = getattr(call, "undone_by", None)
    if undo and undo.status == Status.SUCCEEDED:
        return End.UNDONE
    end = _ENDS.get(Status(call.status), End.WAITING)
    result = call.result or {}
    if end is End.FAILED and str(result.get("error", "")).startswith(UNTRIED):
        return End.UNTRIED
    if end is not End.CHANGED or "job_id" not in result:
        return end
    if "done" not in result:
        return End.STARTED
    return End.CHANGED if result["done"] else End.FAILED


def _write_sentence(changed: Sequence[ToolCall], counts: dict[End, int]) -> str:
    others = [
        f"{format_count(counts[end], 'call')} {words[counts[end] > 1]}"
        for end, words in _WORDS.items()
        if end in counts
    ]
    return f"{'; '.join([_say_changed(changed, counts), *others])}."


def _say_changed(changed: Sequence[ToolCall], counts: dict[End, int]) -> str:
    if changed:
        titles = [_name(call) for call in changed[:MAX_NAMED]]
        more = [f"{len(changed) - MAX_NAMED:,} more"] if len(changed) > MAX_NAMED else []
        were = "was" if len(changed) == 1 else "were"
        return f"{format_count(len(changed), 'change')} {were} made ({'; '.join([*titles, *more])})"
    if End.IN_DOUBT in counts:
        return "Nothing is known to have changed"
    is_open = any(end in counts for end in _OPEN)
    return "Nothing has been changed yet" if is_open else "Nothing was changed"


def _name(call: ToolCall) -> str:
    title = name_outcome(call.preview, call.result) or call.tool
    return title if len(title) <= MAX_TITLE else f"{title[:MAX_TITLE]}…"
