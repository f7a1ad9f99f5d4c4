"""What calls of other threads tell of a document that is deleted for good: all but its id goes.

What people and the agent wrote in those threads is their conversation and stays as it is.
"""

from __future__ import annotations

import json

from django.db import transaction
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from agent import feed
from agent.calls import rounds, withdrawal
from agent.models import ToolCall
from agent.policy.deleted_documents import remove_details
from documents.models import Document

GONE = "This document was deleted for good."
AT_ONCE = 100
ADDS = "add_document"
JSON_FIELDS = ("proposed", "decided", "effective", "result", "inverse")
Status = ToolCall.Status
WAITING = (Status.PENDING, Status.PLANNED, Status.APPROVED)


def redact_calls(document: Document) -> bool:
    """Calls on it that have not begun are withdrawn. False while one of them runs. May be run again."""
    for call in _find_calls_naming(document).filter(status__in=WAITING):
        _withdraw(call)
    last = ""
    while calls := list(_find_calls_naming(document).filter(pk__gt=last).exclude(status=Status.EXECUTING)[:AT_ONCE]):
        for call in calls:
            _redact(call, document.pk)
        ToolCall.objects.bulk_update(calls, [*JSON_FIELDS, "proposed_text", "preview"])
        last = calls[-1].pk
    return not _find_calls_naming(document).filter(status=Status.EXECUTING).exists()


def _find_calls_naming(document: Document) -> QuerySet[ToolCall, ToolCall]:
    """Calls outside the document's own threads that name its id."""
    calls = ToolCall.objects.filter(thread__organization=document.organization_id).exclude(thread__document=document)
    calls = calls.filter(Q(created_at__gte=document.created_at) | Q(tool=ADDS))
    named = Q(proposed_text__contains=document.pk)
    for name in JSON_FIELDS:
        calls = calls.annotate(**{f"written_{name}": Cast(name, TextField())})
        named |= Q(**{f"written_{name}__contains": document.pk})
    return calls.filter(named).order_by("pk")


@transaction.atomic
def _withdraw(call: ToolCall) -> None:
    turn = rounds.lock_turn(call.turn_id)
    withdrawal.withdraw([call], to=Status.CANCELLED, why=GONE)
    withdrawal.withdraw_dependents(call)
    feed.report_call(call)
    rounds.finish_round_if_done(turn)


def _redact(call: ToolCall, document_id: str) -> None:
    is_about_it = document_id in json.dumps([call.proposed_text, call.effective, call.decided])
    if call.tool == ADDS and (call.result or {}).get("document_id") == document_id:  # Its arguments are the document.
        is_about_it, call.proposed_text = True, "{}"
        call.proposed, call.decided, call.effective = {}, None, {}
    for name in JSON_FIELDS:
        setattr(call, name, remove_details(getattr(call, name), document_id))
    if document_id in call.proposed_text:
        call.proposed_text = json.dumps(call.proposed)
    if is_about_it:
        call.preview = {"title": GONE, "done": GONE}
