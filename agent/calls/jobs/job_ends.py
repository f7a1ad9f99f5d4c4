"""The end of a bulk action that a call has begun: what it came to is the call's result, and its turn wakes, once."""

from __future__ import annotations

from typing import cast

from django.db.models import QuerySet

from agent import feed
from agent.calls import rounds
from agent.calls.jobs.job_outcomes import describe_job, list_rows
from agent.calls.outcomes import REST
from agent.models import ToolCall, Turn
from agent.policy.deleted_documents import remove_details
from agent.toolkit.registry import Result
from documents.models import BulkAction, Document
from kit.errors import Invalid
from kit.rows.locks import lock_rows

READ_ON = 'get_decision(call_id="{call}", from_document=1) lists all of them in their order.'
NO_JOB = "This call began no job over several documents. Ask for it without from_document."


def find_job(call: ToolCall, result: Result) -> str | None:
    """The bulk action whose end the turn waits for. A program that asks as an MCP client waits by itself."""
    return None if call.turn.origin == Turn.Origin.MCP else result.get("job_id")


def list_ended() -> QuerySet[ToolCall, ToolCall]:
    """Calls whose bulk action has ended and whose result does not say so yet."""
    begun = ToolCall.objects.filter(job__isnull=False)
    return begun.exclude(job__status__in=BulkAction.UNDER_WAY).order_by("pk")


def record_ends_of(action_id: str) -> None:
    for call_id in list_ended().filter(job=action_id).values_list("pk", flat=True):
        record_end(call_id)


def record_end(call_id: str) -> None:
    """Safe to run at any time and by several processes at once: one of them finds the job at the call."""
    call = list_ended().select_related("job", "thread__organization").filter(pk=call_id).first()
    if call is not None and call.job is not None:
        begun = {name: part for name, part in (call.result or {}).items() if name != "note"}
        _store(call, {**begun, **describe_job(call.thread, call.job)})


def read_for_client(call: ToolCall) -> Result:
    """Read how far the job is that a program's call has begun, or its end; empty for a call without one.

    Nobody's turn sleeps for a program, so no end is recorded at its call.
    """
    action = _find_of_client(call)
    if action is None:
        return {}
    if action.status in BulkAction.UNDER_WAY:
        return _describe_progress(action)
    described = _remove_deleted(describe_job(call.thread, action))
    further = described.pop(REST, [])
    rest = {"further_documents": len(further), "more": READ_ON.format(call=call.pk)} if further else {}
    return {**described, "job": "ended", **rest}


def read_on(call: ToolCall, start: int) -> Result:
    """List documents of a program's ended job in their order, from a place that is counted from 1.

    Raises Invalid for a call without a job, and for a place behind its last document.
    """
    action = _find_of_client(call)
    if action is None:
        raise Invalid(NO_JOB)
    if action.status in BulkAction.UNDER_WAY:
        return _describe_progress(action)
    return {**_remove_deleted(list_rows(call.thread, action, start)), "job": "ended"}


def _find_of_client(call: ToolCall) -> BulkAction | None:
    job_id = (call.result or {}).get("job_id")
    if not job_id or call.turn.origin != Turn.Origin.MCP:
        return None
    return BulkAction.objects.filter(organization=call.thread.organization_id, pk=job_id).first()


def _describe_progress(action: BulkAction) -> Result:
    return {"job": "under way", "documents": action.total_count, "done": action.done_count}


def _remove_deleted(result: Result) -> Result:
    """Without documents whose deletion has begun since."""
    ids = _list_ids(result)
    kept = Document.objects.filter(pk__in=ids, purge_requested_at=None)
    for document_id in ids.difference(kept.values_list("pk", flat=True)):
        result = cast(Result, remove_details(result, document_id))
    return result


def _list_ids(result: Result) -> set[str]:
    return {row["document_id"] for part in ("rows", "worst", "examples", REST) for row in result.get(part, ())}


@feed.one_transaction()
def _store(call: ToolCall, result: dict[str, object]) -> None:
    turn = rounds.lock_turn(call.turn_id)
    # The deletion of any of them waits until the result is stored.
    lock_rows(Document.objects.filter(pk__in=_list_ids(result), purge_requested_at=None).order_by("pk"))
    result = _remove_deleted(result)
    if not ToolCall.objects.filter(pk=call.pk, job=call.job_id).update(job=None, result=result):
        return
    call.refresh_from_db(fields=["job", "result"])
    rounds.finish_round_if_done(turn)
    feed.report_call(call)
