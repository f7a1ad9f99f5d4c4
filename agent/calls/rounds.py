"""A round is done when each of its calls is, and each bulk action that they began: then the turn goes back to the queue
and the model is asked again.

That of an MCP client has one round, and no model.

Rows are locked in one order everywhere: the turn, its calls, what a tool changes, the thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q, QuerySet
from django.utils import timezone

from agent import feed
from agent.calls import plans
from agent.calls.chains import members
from agent.models import ToolCall, Turn
from agent.outside.catalog import find_tool_of, is_outside
from agent.toolkit.named_documents import list_document_ids
from agent.toolkit.registry import END_TURN, Tool, ToolContext, registry
from agent.toolkit.signatures import Arguments
from agent.toolkit.tool_kinds import Effect
from documents.autosetup.auto_setup import OPEN_PROPOSALS
from documents.catalog.state import select_locked
from documents.models import Extraction, Proposal
from kit import jobs
from kit.jobs import Job
from kit.rows.fixed_select import FixedSelect
from kit.rows.locks import lock_rows
from kit.rows.state import move

Status = Turn.Status
DOUBTS = frozenset(
    {"unsure", "same_words", "left_out", "beside_a_label", "unread", "checks", "missing", "failed"},
)
"""What a result says of values that somebody should look at."""


@FixedSelect
def _select_turn(turn: str) -> QuerySet[Turn]:
    return Turn.objects.select_for_update(of=("self",)).select_related("thread__owner").filter(pk=turn)


def lock_turn(turn_id: str) -> Turn:
    """The turn, locked by this transaction. Of two calls that end at once, the later one sees the other's end."""
    return _select_turn.get(turn_id)


@FixedSelect
def _select_present_calls(turn: str, round: int) -> QuerySet[ToolCall]:
    return ToolCall.objects.filter(Q(round=round) | Q(planned_step__gt=0), turn=turn)


def open_calls(turn: Turn) -> list[ToolCall]:
    """The calls of the present round, and the steps of its plan, that somebody has to wait for, in order."""
    return _keep_open(_list_present_calls(turn))


def _keep_open(calls: Sequence[ToolCall]) -> list[ToolCall]:
    """Also those whose bulk action goes on."""
    return [call for call in calls if call.status not in ToolCall.ENDED_OR_PLANNED or call.job_id]


def _list_present_calls(turn: Turn) -> list[ToolCall]:
    calls = _select_present_calls.list(turn.pk, turn.round)
    for call in calls:
        call.turn = turn
    return calls


def finish_round_if_done(turn: Turn) -> None:
    """Call it in the transaction that locked the turn and ended a call, before the feed is written."""
    if turn.status != Status.AWAITING_APPROVAL:
        return
    present = _list_present_calls(turn)
    waiting = _keep_open(present)
    for call in waiting:
        if call.status == ToolCall.Status.APPROVED:
            # Its own message may have come while it was behind the call that has ended now, and was dropped then.
            jobs.enqueue(Job.EXECUTE_CALL, call.pk)
    has_plan = any(call.planned_step for call in present)
    if waiting:
        return
    ends = not turn.refused and not has_plan and _ends_turn(present)
    if turn.origin == Turn.Origin.MCP or ends:
        move(turn, Status.COMPLETED, transitions=Turn.TRANSITIONS, finished_at=timezone.now())
        feed.report_turn(turn)
    elif turn.refused or not (has_plan and plans.complete_if_carried_out(turn)):
        queue_turn(turn)


def _ends_turn(calls: Sequence[ToolCall]) -> bool:
    """Whether the model asked to end here, and nothing that came of its other calls wants to be looked at."""
    newest = {call.position: call for call in sorted(calls, key=lambda call: call.version)}
    others = [call for call in newest.values() if call.tool != END_TURN]
    return len(others) < len(newest) and all(_is_settled(call) for call in others)


def _is_settled(call: ToolCall) -> bool:
    """Values by a definition that the same answer has made are always looked at."""
    tool = find_tool_of(call)
    is_first_run = bool(call.builds_on) and tool.effect is Effect.PREPARED
    if call.status != ToolCall.Status.SUCCEEDED or tool.is_answer or is_first_run:
        return False
    return not any((call.result or {}).get(doubt) for doubt in DOUBTS)


def keeps_thread(name: str) -> bool:
    """Whether the tool only keeps something of the thread's own, as its steps: nothing of it is looked at."""
    return any(tool.name == name and tool.writes_thread for tool in registry)


def is_presented(calls: Sequence[ToolCall]) -> bool:
    """Whether an answer that adds steps to a plan also says that the plan is whole."""
    steps = [call for call in calls if not (call.tool == END_TURN or keeps_thread(call.tool))]
    is_last = any(call.tool == END_TURN for call in calls)
    return is_last and all(call.status == ToolCall.Status.PLANNED for call in steps)


def is_behind(call: ToolCall) -> bool:
    """Whether something has to end first: what it builds on, an earlier step of its plan, or an earlier call of its
    round that touches the same thing or that its tool follows; with the bulk action that such a call has begun.
    """
    if call.planned_step:
        return not all(step.is_over for step in plans.list_steps(call.turn, before=call))
    if call.position == 0:
        return False
    foundations = members.find_foundations(call) if call.builds_on else []
    earlier = call.turn.calls.filter(round=call.round, position__lt=call.position)
    followed = () if is_outside(call.tool) else find_tool_of(call).follows
    before = [one for one in earlier if one.tool in followed or one.preconditions.keys() & call.preconditions.keys()]
    return not all(other.is_over for other in (*foundations, *before))


def resume_after_doubt(turn: Turn) -> None:
    """After the outcome of a call was reported: the locked turn goes on, or waits for its other cards again."""
    if turn.status != Status.PAUSED or turn.pause_reason != Turn.Pause.IN_DOUBT:
        return None
    still_open = open_calls(turn)
    if any(call.status == ToolCall.Status.IN_DOUBT for call in still_open):
        return None
    if not still_open and turn.origin != Turn.Origin.MCP:
        return queue_turn(turn)
    move(turn, Status.AWAITING_APPROVAL, transitions=Turn.TRANSITIONS, pause_reason="", reason="")
    feed.report_turn(turn)
    return finish_round_if_done(turn)


def queue_turn(turn: Turn) -> None:
    """Back to the queue, for the next round."""
    move(turn, Status.QUEUED, transitions=Turn.TRANSITIONS, pause_reason="", reason="", lease_until=None)
    jobs.enqueue(Job.RUN_TURN, turn.pk)
    feed.report_turn(turn)


def lock_documents(context: ToolContext, tool: Tool, arguments: Arguments) -> None:
    """Preconditions are compared under this lock until the effect is committed: an edit in between has to wait.

    The open proposals come first, as where they are decided: the effect may refine one. A bulk action locks each
    document when it comes to it.
    """
    ids = [] if arguments.get("documents") else list_document_ids(context.thread, tool.category, arguments)
    for document_id in ids:
        lock_rows(Proposal.objects.filter(members__document=document_id, status__in=OPEN_PROPOSALS))
    for document_id in ids:
        locked = select_locked.first(document_id)
        if locked is not None and context.document is not None and locked.pk == context.document.pk:
            context.document.trashed_at = locked.trashed_at
    if ids:
        lock_rows(Extraction.objects.filter(document__in=ids).order_by("pk"))
