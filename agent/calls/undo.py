"""Undo of what a call did: a call of a person's own, through the same guards as the agent's.

The person's role is asked for, the preconditions are checked under locks, and the effect, its row and its decision
are one transaction. A call is taken back once: `undoes` is unique. Nothing gives money back. A call chain is taken back
step by step, the last one first.
"""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.actor import UNDO, Actor
from accounts.services import audit
from agent import feed
from agent.calls import rounds
from agent.calls.chains import members
from agent.calls.working_state import save_working_state
from agent.models import Decision, ToolCall, Turn
from agent.outside.catalog import find_tool_of
from agent.policy.policy_context import context_for
from agent.toolkit.effects import Inverse
from agent.toolkit.inverses import apply_inverse, list_edits, search_evidence
from agent.toolkit.registry import Result, Tool
from agent.toolkit.tool_kinds import Effect
from documents import extractions
from documents.autosetup.auto_setup import OPEN_PROPOSALS
from documents.extractions.edits import NO_EVIDENCE, Evidence, store_with_evidence
from documents.models import Extraction, FieldEdit, Proposal, Verification
from documents.values.addresses import overlaps
from kit.errors import AppError, Conflict, Invalid, NotFound

Status = ToolCall.Status
TOOL = "undo"
NEVER = "This cannot be taken back."
AS_A_WHOLE = "Accept or reject the proposal as a whole."
NO_STEP = "No step of this chain can be taken back."
UNDER_WAY = "The documents are being taken back by a job: undo the rest when it has ended."
ALREADY = "This has been taken back already."


def undo_call(actor: Actor, *, call: ToolCall, idempotency_key: str) -> ToolCall:
    """Takes the call back. The same key again gives the same undo.

    Raises Denied without the right, Invalid for a call without an inverse, Conflict when somebody has changed since
    what it did, has taken it back before, or when it is part of a proposal that waits for its decision.
    """
    return store_with_evidence(
        lambda: _search(actor, call), lambda evidence: undo_once(actor, call, idempotency_key, evidence)
    )


def _search(actor: Actor, call: ToolCall) -> Evidence:
    """Of what is refused, or was done before, nothing needs to be found."""
    if why_not(actor, call) or ToolCall.objects.filter(undoes=call).exists():
        return NO_EVIDENCE
    return search_evidence(call.inverse or Inverse())


@transaction.atomic
def undo_once(actor: Actor, call: ToolCall, idempotency_key: str, evidence: Evidence) -> ToolCall:
    """As `undo_call`, with what was searched for before the caller's transaction."""
    rounds.lock_turn(call.turn_id)
    earlier = ToolCall.objects.filter(undoes=call).first()
    if earlier:
        return _answer_repeat(actor, earlier, idempotency_key)
    tool, inverse = _require_undoable(actor, call)
    context = replace(context_for(call.turn, actor.because(UNDO), call_id=call.pk), evidence=evidence)
    rounds.lock_documents(context, tool, call.effective or {})
    _refuse_over_people(call, inverse)
    result = apply_inverse(context, inverse)
    undone = _record(actor, call, tool, inverse, result, idempotency_key)
    save_working_state(context)
    audit.record(actor, "undid", call, tool=call.tool)
    feed.report_call(call)
    return undone


def why_not(actor: Actor, call: ToolCall) -> str:
    """Why this actor is offered no undo; empty when they are. What has changed since is found out by trying."""
    try:
        _require_undoable(actor, call)
    except AppError as error:
        return error.sentence
    return ""


def list_undoable(actor: Actor, call: ToolCall) -> list[ToolCall]:
    """The steps of the call's chain that this actor can take back, in that order."""
    undone = set(ToolCall.objects.filter(undoes__turn=call.turn_id).values_list("undoes", flat=True))
    steps = [step for step in members.list_steps(call) if step.pk not in undone and not why_not(actor, step)]
    return steps[::-1]


def undo_chain(actor: Actor, *, call: ToolCall, idempotency_key: str) -> list[ToolCall]:
    """Takes back every step that can be. A step that somebody has changed since stops it, and those before it stay.

    The same key again gives the same undos. Raises Invalid where there is nothing to take back, and Conflict with what
    was and what was not.
    """
    steps = list_undoable(actor, call)
    if not steps and (earlier := _list_undone(actor, call, idempotency_key)):
        return earlier
    if not steps:
        raise Invalid(NO_STEP)
    undone: list[ToolCall] = []
    for step in steps:
        try:
            undone.append(undo_call(actor, call=step, idempotency_key=f"{idempotency_key}-{step.chain_step}"))
        except AppError as error:
            done = f"{len(undone)} of {len(steps)} steps were taken back. " if undone else ""
            has_job = any("job_id" in (each.result or {}) for each in undone)
            later = f" {UNDER_WAY}" if has_job else ""
            raise Conflict(f"{done}Step {step.chain_step} stays: {error.sentence}{later}") from error
    return undone


def _list_undone(actor: Actor, call: ToolCall, key: str) -> list[ToolCall]:
    """What this person took back of the chain with this key, from its end."""
    undone = [(step, step.undone_by) for step in reversed(members.list_steps(call)) if is_undone(step)]
    keys = {undo.pk: f"{key}-{step.chain_step}" for step, undo in undone}
    return [
        undo for _, undo in undone if undo.decisions.filter(idempotency_key=keys[undo.pk], user=actor.user).exists()
    ]


def find_changed_again(calls: list[ToolCall]) -> set[str]:
    """The ids of the calls whose work a later call of the list has changed or built on: first that is taken back."""
    changed_again: set[str] = set()
    later: set[str] = set()
    built_on: set[tuple[str, int, int | None, int]] = set()
    for call in reversed(calls):
        if call.status != Status.SUCCEEDED or not call.inverse or is_undone(call):
            continue
        keys = set(call.inverse.get("precondition") or call.preconditions)
        if keys & later or (call.turn_id, call.round, call.chain, call.chain_step) in built_on:
            changed_again.add(call.pk)
        later |= keys
        built_on |= {(call.turn_id, call.round, call.chain, step) for step in call.builds_on}
    return changed_again


def is_undone(call: ToolCall) -> bool:
    return getattr(call, "undone_by", None) is not None


def _answer_repeat(actor: Actor, earlier: ToolCall, key: str) -> ToolCall:
    """The undo that this person made with this key. Another's key is another request."""
    if earlier.decisions.filter(idempotency_key=key, user=actor.user).exists():
        return earlier
    raise Conflict(ALREADY, winner={"call_id": earlier.pk})


def _require_undoable(actor: Actor, call: ToolCall) -> tuple[Tool, Inverse]:
    try:
        tool = find_tool_of(call)
    except NotFound:
        raise Invalid(NEVER) from None
    actor.require(tool.needed_role)
    if call.status != Status.SUCCEEDED or not call.inverse:
        raise Invalid(NEVER)
    if call.turn.origin == Turn.Origin.HEADLESS and _is_proposed(call):
        raise Conflict(AS_A_WHOLE)
    return tool, call.inverse


def _is_proposed(call: ToolCall) -> bool:
    """Whether what automatic setup did here is part of a proposal that nobody has decided yet."""
    result = call.result or {}
    part = Q(members__turn_id=call.turn_id)
    if result.get("schema_id"):
        part |= Q(schema_revision__schema=result["schema_id"])
    if result.get("prompt_id"):
        part |= Q(prompt_revision__prompt=result["prompt_id"])
    return Proposal.objects.filter(part, status__in=OPEN_PROPOSALS).exists()


def _refuse_over_people(call: ToolCall, inverse: Inverse) -> None:
    """What a person did on top since would be hidden or cleared."""
    if inverse["service"] == "extractions.withdraw":
        extractions.require_untouched(Extraction.objects.get(pk=inverse["extraction_id"]))
    if inverse["service"] == "edits.undo":
        _refuse_verified(FieldEdit.objects.select_related("extraction").get(pk=inverse["edit_id"]))
    if inverse["service"] == "edits.undo_all":
        for edit in list_edits(inverse["edit_ids"]):
            _refuse_verified(edit)


def _refuse_verified(edit: FieldEdit) -> None:
    since = Verification.objects.filter(extraction=edit.extraction, cleared_at=None, created_at__gt=edit.created_at)
    mark = next((mark for mark in since.select_related("user") if _covers(mark, edit)), None)
    if mark is not None:
        who = mark.user.shown_name if mark.user else "Somebody"
        raise Conflict(f"{who} has verified this value since. Change it on the Extraction tab instead.")


def _covers(mark: Verification, edit: FieldEdit) -> bool:
    return not mark.where or overlaps(mark.where, edit.where)


def _record(actor: Actor, call: ToolCall, tool: Tool, inverse: Inverse, result: Result, key: str) -> ToolCall:
    """The undo as a call beside the one that it undoes. No model asked for it, so it answers no wire id."""
    last = call.turn.calls.filter(round=call.round).aggregate(last=Max("position"))["last"] or 0
    undone = ToolCall.objects.create(
        thread_id=call.thread_id,
        turn_id=call.turn_id,
        message_id=call.message_id,
        round=call.round,
        position=last + 1,
        wire_id=get_random_string(9),
        tool=TOOL,
        undoes=call,
        effective=dict(inverse),
        access=tool.access,
        effect=Effect.LOCAL,
        reach=call.reach,
        status=Status.SUCCEEDED,
        fence=1,
        attempt=1,
        preview={"title": f"Undo: {call.preview.get('done') or tool.title}"},
        result=result,
        finished_at=timezone.now(),
    )
    Decision.objects.create(
        call=undone,
        version=undone.version,
        kind=Decision.Kind.APPROVED,
        user=actor.user,
        shown_hash=call.shown_hash,
        idempotency_key=key,
    )
    return undone
