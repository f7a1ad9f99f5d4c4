"""Decisions about what the agent asked for, proposed or may do by itself."""

from __future__ import annotations

from typing import cast

from accounts.models import Role
from agent.calls import undo
from agent.inbox.decided.decision_row import Decided, DecisionRow, quote
from agent.inbox.inbox_rows import describe_proposal
from agent.models import Rule, Thread, ToolCall, Turn
from agent.outside.catalog import find_tool
from agent.policy.rules import VERDICT_WORDS, why_not_revoke
from agent.toolkit.previews import name_outcome
from documents.models import Proposal
from kit.errors import NotFound
from kit.ids import new_id

CALL_WORDS = {"approved": ("Approved", True), "rejected": ("Rejected", False), "resolved": ("Reported", True)}
TURN_WORDS = {"resumed": ("Resumed", True), "stopped": ("Stopped", False)}
PROPOSAL_WORDS = {"accepted": ("Accepted", True), "rejected": ("Rejected", False)}


def describe_turn(decided: Decided) -> DecisionRow:
    turn = cast("Turn", decided.target)
    words, is_done = TURN_WORDS[decided.entry.action]
    return DecisionRow(
        decided.entry, words, "the agent’s turn", decided.who, is_done=is_done, about=_name_thread(turn.thread)
    )


def describe_offer(decided: Decided) -> DecisionRow:
    proposal = cast("Proposal", decided.target)
    words, is_done = PROPOSAL_WORDS[decided.entry.action]
    about, title = proposal.lead.name if proposal.lead else "", describe_proposal(proposal)
    return DecisionRow(
        decided.entry, words, title, decided.who, is_done=is_done, about=about, note=quote(proposal.reason)
    )


def describe_rule(decided: Decided) -> DecisionRow:
    rule = cast("Rule", decided.target)
    try:
        tool = find_tool(rule.organization_id, rule.tool).title
    except NotFound:
        tool = "every tool"
    title = f"{tool} {VERDICT_WORDS[Rule.Verdict(rule.verdict)]}"
    if decided.entry.action == "revoked":
        return DecisionRow(decided.entry, "Revoked the rule:", title, decided.who, is_done=False)
    may_revoke = rule.revoked_at is None and not why_not_revoke(decided.actor, rule)
    revoke = decided.make_undo("rule-revoke", rule.pk) if may_revoke else None
    return DecisionRow(
        decided.entry, "Made the rule:", title, decided.who, undo=revoke, is_undone=rule.revoked_at is not None
    )


def describe_thread(decided: Decided) -> DecisionRow:
    thread = cast("Thread", decided.target)
    stands = thread.trashed_at is not None
    restore = decided.make_undo("thread-restore", thread.pk, role=Role.VIEWER) if stands else None
    return DecisionRow(
        decided.entry, "Moved to the trash:", thread.title, decided.who, undo=restore, is_undone=not stands
    )


def describe_call(decided: Decided) -> DecisionRow:
    call, entry = cast("ToolCall", decided.target), decided.entry
    words, is_done = CALL_WORDS[entry.action]
    words = f"{words} with edits" if entry.detail.get("edited") else words
    is_done, note = _describe_outcome(call, is_done)
    succeeded, is_undone = call.status == ToolCall.Status.SUCCEEDED, undo.is_undone(call)
    button = None
    if succeeded and not is_undone and not undo.why_not(decided.actor, call):
        button = decided.make_undo("call-undo", call.pk, values={"idempotency_key": new_id()})
    title = (name_outcome(call.preview, call.result) if succeeded else "") or call.preview.get("title") or call.tool
    return DecisionRow(
        entry,
        words,
        str(title),
        decided.who,
        is_done=is_done,
        about=_name_thread(call.thread),
        note=note,
        undo=button,
        is_undone=is_undone,
    )


def _describe_outcome(call: ToolCall, is_done: bool) -> tuple[bool, str]:
    result = call.result or {}
    if call.status == ToolCall.Status.REJECTED:
        return is_done, quote(str(result.get("reason", "")))
    if is_done and call.status in (ToolCall.Status.FAILED, ToolCall.Status.DENIED):
        return False, str(result.get("error") or result.get("note") or "It failed.")
    return is_done, ""


def _name_thread(thread: Thread) -> str:
    return thread.document.name if thread.document else thread.title
