"""Several decisions at once, as the API's clients send them; and the list of all that waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from django.db import transaction
from django.db.models import QuerySet

from accounts.actor import Actor
from agent.calls import decisions, rounds
from agent.calls.chains import members
from agent.models import ToolCall, Turn
from agent.policy.policy_context import decision_on
from agent.policy.visibility import filter_visible
from agent.toolkit.signatures import Arguments
from kit.errors import Conflict, Invalid
from kit.ids import new_id

Status = ToolCall.Status
OVER = (Turn.Status.CANCELLED, Turn.Status.EXPIRED)
GONE = "Turn expired or not found"
EDITED_BEFORE = (
    "Step {step} is another since step {earlier} was edited. Look at it again and decide it by its own route, "
    "with the shown_hash that it has now, or send its arguments along."
)


class DecisionRequest(TypedDict):
    call_id: str
    approved: bool
    arguments: Arguments | None
    reason: str | None


def find_waiting(actor: Actor) -> QuerySet[ToolCall]:
    """Every card of the organization that the actor may see, oldest first."""
    rows = ToolCall.objects.filter(filter_visible(actor), status=Status.PENDING).select_related(
        "thread__owner", "thread__organization", "thread__document", "turn"
    )
    return rows.order_by("created_at", "pk")


def decide_all(actor: Actor, *, turn: Turn, requests: Sequence[DecisionRequest]) -> list[str]:
    """Decides calls of the turn, all of them or none: {call_id, approved, arguments, reason}.

    Returns the ids that are no calls of it. What was decided so before is left as it is. Raises what `decide` does,
    Conflict for a call that was decided differently, and Invalid for a turn that is over.
    """
    decisions.expire_overdue(turn)
    # Before the lock: of many who decide the same at once, those who come later need none.
    if not all(_is_decided(call, each) for call, each in _match_calls(turn, requests)):
        _decide_rest(actor, turn, requests)
    known = set(turn.calls.filter(undoes=None).values_list("pk", flat=True))
    return [each["call_id"] for each in requests if each["call_id"] not in known]


@transaction.atomic
def _decide_rest(actor: Actor, turn: Turn, requests: Sequence[DecisionRequest]) -> None:
    rounds.lock_turn(turn.pk)
    matches = _match_calls(turn, requests)
    for call, each in matches:
        _require_unedited_foundations(call, each)
    for call, each in _order(matches):
        call.refresh_from_db(fields=["status", "version", "shown_hash", "effective", "preview"])
        if not _is_decided(call, each):
            decisions.decide(
                actor,
                call=call,
                kind=_kind(each),
                version=call.version,
                shown_hash=call.shown_hash,
                idempotency_key=new_id(),
                reason=each["reason"] or "",
                arguments=each["arguments"],
            )


def _require_unedited_foundations(call: ToolCall, request: DecisionRequest) -> None:
    """An earlier edit has changed what the step does, and this way of deciding does not say which face was seen."""
    if not request["approved"] or request["arguments"] is not None or call.status != Status.PENDING:
        return
    edited = next((step for step in members.find_foundations(call) if step.decided is not None), None)
    if edited:
        raise Conflict(EDITED_BEFORE.format(step=call.chain_step, earlier=edited.chain_step))


def _order(matches: list[tuple[ToolCall, DecisionRequest]]) -> list[tuple[ToolCall, DecisionRequest]]:
    """What is rejected comes last and from the end: it takes along what builds on it, which has its own decision."""
    rejected = [match for match in matches if not match[1]["approved"]]
    return [match for match in matches if match[1]["approved"]] + rejected[::-1]


def _match_calls(turn: Turn, requests: Sequence[DecisionRequest]) -> list[tuple[ToolCall, DecisionRequest]]:
    """The calls as they are now. Raises Invalid for a turn that is over."""
    if Turn.objects.filter(pk=turn.pk, status__in=OVER).exists():
        raise Invalid(GONE)
    rows = ToolCall.objects.select_related("thread__owner", "thread__organization", "thread__document", "turn")
    calls = {call.pk: call for call in rows.filter(turn=turn, undoes=None)}
    return [(calls[each["call_id"]], each) for each in requests if each["call_id"] in calls]


def _is_decided(call: ToolCall, request: DecisionRequest) -> bool:
    """Whether this very decision was made before. Raises Conflict when another one was."""
    decision = decision_on(call)
    if decision is None:
        return False
    same_arguments = request["arguments"] is None or request["arguments"] in (call.decided, call.effective)
    if decision.kind == str(_kind(request)) and (not request["approved"] or same_arguments):
        return True
    raise Conflict("This call has been decided already.", winner=decisions.find_winner(call))


def _kind(request: DecisionRequest) -> decisions.Kind:
    return "approved" if request["approved"] else "rejected"
