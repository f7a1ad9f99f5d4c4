"""The first guard: of all who decide a card at once, one wins, and the others learn who did."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Literal, TypeAlias

from django.utils import timezone

from accounts.actor import Actor
from accounts.services import audit
from agent import feed
from agent.calls import call_checks, call_drafts, plans, rounds, withdrawal
from agent.calls.call_checks import CardChanges, Plan
from agent.calls.chains import members, refitting
from agent.calls.withdrawal import withdraw
from agent.models import Decision, Thread, ToolCall, Turn
from agent.outside.catalog import find_tool_of
from agent.policy.decision_rights import TIME_OVER, Barriers, is_overdue
from agent.policy.policy_context import decider_of, decision_on
from agent.toolkit.previews import Preview
from agent.toolkit.signatures import Arguments
from kit import jobs
from kit.errors import AppError, Conflict, Denied, Invalid
from kit.jobs import Job
from kit.rows.state import move
from kit.timestamps import format_timestamp

Kind: TypeAlias = Literal["approved", "rejected"]
Status = ToolCall.Status
DECIDED = "This card has been decided already."
TOO_LATE = "Nobody decided in time."
CHANGED = "This card has changed since it was shown. Look at it again."
KEY_USED = "This idempotency key was used for another decision on this card. Look at the card, then send a new key."
# What is said of a card that nobody has decided, by its status.
_UNDECIDED: dict[str, str] = {Status.PENDING: CHANGED, Status.EXPIRED: TIME_OVER}


@dataclass(frozen=True)
class CardSnapshot:
    """A card as a person saw it: one that shows something else is not decided."""

    call_id: str
    version: int
    shown_hash: str


@dataclass(frozen=True)
class SkippedCard:
    """A card of several that stays as it is, and why."""

    call: ToolCall
    why: str


def decide(
    actor: Actor,
    *,
    call: ToolCall,
    kind: Kind,
    version: int,
    shown_hash: str,
    idempotency_key: str,
    reason: str = "",
    arguments: Arguments | None = None,
    seen_ms: int | None = None,
) -> Decision:
    """Approves or rejects the card as it was shown. `arguments` are the person's own, checked like the model's.

    The same request with the same key again gives the same decision. Raises Denied, Invalid (arguments), or Conflict
    whose `winner` is {kind, by, at, call_id}: the decision that counts, also when the key was used for another one.
    """
    if kind not in ("approved", "rejected"):
        raise Invalid("A decision is approved or rejected.")
    Barriers(actor).require(call, approves=kind == "approved")
    if is_overdue(call):
        expire(call.pk)
    if kind == "approved" and arguments is None and (problem := call.preview.get("problem")):
        raise Invalid(str(problem))
    edit: CardChanges = {}
    if kind == "approved" and arguments is not None and _is_waiting(call, version):
        # Tried before the decision: what a service refuses of it is not "decided already".
        edit = _check_edit(actor, call, arguments)
    try:
        _require_waiting(call, version)
        return _decide(actor, call, kind, version, shown_hash, idempotency_key, reason.strip(), edit, seen_ms)
    except Conflict:
        winner = find_winner(call)
        earlier = call.decisions.filter(idempotency_key=idempotency_key).first()
        if earlier is None:
            raise Conflict(_UNDECIDED.get(str(winner["kind"]), DECIDED), winner=winner) from None
        same_answer = (earlier.user_id, earlier.kind, earlier.reason) == (actor.user.pk, kind, reason.strip())
        same_face = earlier.version == version and shown_hash in (earlier.shown_hash, call.shown_hash)
        if not (same_answer and same_face and _has_same_arguments(call, earlier, arguments)):
            raise Conflict(KEY_USED, winner=winner) from None
        return earlier


def decide_all(
    actor: Actor, *, thread: Thread, kind: Kind, cards: Sequence[CardSnapshot], idempotency_key: str, reason: str = ""
) -> list[SkippedCard]:
    """The same for several cards of a thread, each by itself and in their order. Answers those that stay as they are.

    One that cannot be decided stands in the way of no other.
    """
    rows = thread.calls.select_related("thread__owner", "thread__organization", "turn")
    calls = {call.pk: call for call in rows.filter(pk__in=[card.call_id for card in cards])}
    skipped = []
    # A rejected step of a plan takes along what builds on it: from the end, each step gets this decision as its own.
    for card in cards if kind == "approved" else reversed(cards):
        call = calls.get(card.call_id)
        if call is None:
            continue
        try:
            decide(
                actor,
                call=call,
                kind=kind,
                version=card.version,
                shown_hash=card.shown_hash,
                reason=reason,
                idempotency_key=f"{idempotency_key}-{call.pk}",
            )
        except Conflict as conflict:
            skipped.append(SkippedCard(call, describe_conflict(conflict)))
        except AppError as error:
            skipped.append(SkippedCard(call, error.sentence))
    return skipped


def describe_conflict(conflict: Conflict) -> str:
    """Who or what was there first, for the one who came later."""
    won = conflict.winner or {}
    kind = str(won.get("kind") or Status.PENDING)
    if kind in _UNDECIDED:
        return _UNDECIDED[kind]
    by = f" by {won['by']}" if won.get("by") else ""
    return f"This card was {won['kind']}{by} already."


@feed.one_transaction()
def _decide(
    actor: Actor,
    call: ToolCall,
    kind: Kind,
    version: int,
    shown_hash: str,
    key: str,
    reason: str,
    changes: CardChanges,
    seen_ms: int | None,
) -> Decision:
    turn = rounds.lock_turn(call.turn_id)
    if kind == "rejected":
        changes = {"result": {"reason": reason}, "finished_at": timezone.now()}
    # Compared by the UPDATE itself: since the card was looked at, it may have been revised, or its time have run out.
    conditions = {"version": version, "shown_hash": shown_hash, "expires_at__gt": timezone.now()}
    move(call, kind, transitions=ToolCall.TRANSITIONS, only_from=[Status.PENDING], where=conditions, **changes)
    decision = Decision.objects.create(
        call=call,
        version=version,
        kind=kind,
        user=actor.user,
        edited=bool(changes.get("decided")),
        reason=reason,
        shown_hash=shown_hash,
        seen_ms=seen_ms,
        idempotency_key=key,
    )
    audit.record(actor, kind, call, tool=call.tool, edited=decision.edited)
    if kind == "approved":
        jobs.enqueue(Job.EXECUTE_CALL, call.pk)
        if changes and call.chain_step:
            refitting.refit_dependents(turn, call)
    else:
        withdrawal.withdraw_dependents(call)
        rounds.finish_round_if_done(turn)
    feed.report_call(call)
    return decision


def _has_same_arguments(call: ToolCall, decision: Decision, arguments: Arguments | None) -> bool:
    """Whether the arguments sent along are those that were decided."""
    if decision.edited:
        return arguments is not None and arguments in (call.decided, call.effective)
    return arguments is None or arguments in (call.proposed, call.effective)


def _require_waiting(call: ToolCall, version: int) -> None:
    """Before the transaction: of many who decide at once, all but the first need no lock to learn that."""
    if not _is_waiting(call, version):
        raise Conflict("This card waits for no decision.")


def _is_waiting(call: ToolCall, version: int) -> bool:
    return ToolCall.objects.filter(pk=call.pk, status=Status.PENDING, version=version).exists()


def _check_edit(actor: Actor, call: ToolCall, arguments: Arguments) -> CardChanges:
    """What a person's own arguments change on the call. They pass the same checks and the same policy."""
    plan, preview = simulate_edit(actor, call=call, arguments=arguments)
    if plan.verdict.outcome == "deny":
        raise Denied(plan.verdict.why)
    if plan.arguments == call.effective and not call.preview.get("problem"):
        return {}
    return {
        "decided": arguments,
        "effective": plan.arguments,
        "preconditions": plan.preconditions,
        "preview": dict(preview),
        "reach": plan.reach,
        "shown_hash": plan.shown_hash,
        "why_asks": call_drafts.reason_to_ask(plan.verdict.why[:300] or call.why_asks, preview),
    }


def simulate_edit(actor: Actor, *, call: ToolCall, arguments: Arguments) -> tuple[Plan, Preview]:
    """What the card would be with these arguments. A step is tried on top of those before it."""
    tool = find_tool_of(call)
    evidence = call_checks.search_evidence(call.turn, tool, arguments, actor=actor)
    with _simulate_before(call):
        plan = call_checks.plan_call(call.turn, tool, arguments, actor=actor, call=call, evidence=evidence)
        return plan, plan.preview


def _simulate_before(call: ToolCall) -> AbstractContextManager[None]:
    if call.planned_step:
        return plans.simulate_steps(call.turn, before=call)
    return members.simulate_foundations(call.turn, call) if call.builds_on else nullcontext()


@feed.one_transaction()
def expire(call_id: str) -> None:
    """An expired card ends its turn: after weeks nobody waits for the model to go on. The next message tells it."""
    call = ToolCall.objects.get(pk=call_id)
    turn = rounds.lock_turn(call.turn_id)
    call.refresh_from_db()
    if not is_overdue(call):  # Somebody decided at the last moment.
        return
    withdraw([call], to=Status.EXPIRED, why=TOO_LATE)
    withdrawal.withdraw_dependents(call)
    feed.report_call(call)
    if turn.status == Turn.Status.AWAITING_APPROVAL:
        others = [other for other in rounds.open_calls(turn) if other.status == Status.PENDING]
        withdraw(others, to=Status.EXPIRED, why=TOO_LATE)
        move(turn, Turn.Status.EXPIRED, transitions=Turn.TRANSITIONS, reason=TOO_LATE, finished_at=timezone.now())
        feed.report_turn(turn)


def expire_overdue(turn: Turn) -> None:
    """What the sweep has not come to yet. Call it before a transaction that a refusal rolls back."""
    now = timezone.now()
    for call_id in turn.calls.filter(status=Status.PENDING, expires_at__lte=now).values_list("pk", flat=True):
        expire(call_id)


def find_winner(call: ToolCall) -> dict[str, object]:
    """What counts for a card now: its decision or its outcome, and the id of its newest revision."""
    call.refresh_from_db()
    newest = call.turn.calls.filter(round=call.round, position=call.position).order_by("-version").first() or call
    decision = decision_on(call)
    return {
        "kind": decision.kind if decision else call.status,
        "by": decider_of(decision) if decision else "",
        "at": format_timestamp(decision.created_at if decision else timezone.now()),
        "call_id": newest.pk,
    }
