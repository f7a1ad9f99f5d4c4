"""A call checked before it may run: its arguments, how far it reaches, what it rests on and what the policy says."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypedDict

from django.db import transaction

from accounts.actor import Actor
from agent.calls.screening.arguments import find_refusal
from agent.models import ToolCall, Turn
from agent.policy.permissions import Verdict
from agent.policy.policy_context import Policy, context_for, list_created_ids, list_own_ids
from agent.toolkit.effects import Preconditions
from agent.toolkit.preconditions import is_free_name
from agent.toolkit.previews import Preview
from agent.toolkit.registry import Reach, Result, Tool, ToolContext
from agent.toolkit.signatures import Arguments
from agent.toolkit.tool_kinds import Effect
from documents.extractions.edits import NO_EVIDENCE, Evidence
from kit.errors import Conflict

PROTECTED = "protected"
_IDS = re.compile(r"\b[0-9a-f]{24}\b")


class CardChanges(TypedDict, total=False):
    """What a decision writes on the call: the end of a rejected one, or what a person's own arguments change."""

    result: Result
    finished_at: datetime
    decided: Arguments
    effective: Arguments
    preconditions: Preconditions
    preview: Mapping[str, object]
    reach: str
    shown_hash: str
    why_asks: str


@dataclass(frozen=True)
class Plan:
    """A checked call: what would run, how far it reaches, what it rests on, and what the policy says."""

    tool: Tool
    context: ToolContext
    arguments: Arguments
    reach: Reach
    preconditions: Preconditions
    verdict: Verdict

    @property
    def shown_hash(self) -> str:
        return compute_shown_hash(self.tool.name, self.arguments, self.preconditions)

    @property
    def preview(self) -> Preview:
        """Made when a card needs it."""
        if self.tool.is_read and self.verdict.outcome != "ask":
            return {}
        return self.tool.build_preview(self.context, self.arguments)


def compute_shown_hash(tool: str, arguments: Arguments, preconditions: Preconditions) -> str:
    """Of what a decision is about. Counts and pictures on the card are shown but not part of it."""
    text = json.dumps([tool, arguments, preconditions], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def plan_call(
    turn: Turn,
    tool: Tool,
    arguments: Arguments,
    *,
    actor: Actor,
    call: ToolCall | None = None,
    policy: Policy | None = None,
    simulate: bool = True,
    evidence: Evidence = NO_EVIDENCE,
) -> Plan:
    """Checks the arguments, pins what they leave open and asks the policy. Raises AppError with a sentence.

    To `simulate` is to run it and roll it back: what a service would refuse never becomes a card. Nothing is searched
    then; the card shows what is in `evidence`.
    """
    context = replace(
        context_for(turn, actor, call_id=call.pk if call and not simulate else ""),
        evidence=evidence.loosen(),
        open_proposals=policy.open_proposals if policy else None,
    )
    arguments = tool.resolve(context, tool.check_arguments(arguments))
    tool, reach = tool.as_called(arguments), tool.reach(context, arguments)
    policy = policy or Policy(turn.thread)
    is_own = _is_own(context, tool, arguments)
    verdict = policy.judge(tool, turn, reach=reach, actor=actor, call=call, is_own=is_own, arguments=arguments)
    if verdict.outcome != "deny" and not _is_undo(call) and (why := find_refusal(turn, tool, arguments)):
        verdict = Verdict("deny", why)
    if tool.is_read or verdict.outcome == "deny":
        return Plan(tool, context, arguments, reach, {}, verdict)
    if simulate and tool.effect is Effect.LOCAL:
        verdict = _simulate(tool, context, arguments, verdict)
    verdict = _ask_in_doubt(tool, context, arguments, verdict)
    return Plan(tool, context, arguments, reach, tool.preconditions(context, arguments), verdict)


def _ask_in_doubt(tool: Tool, context: ToolContext, arguments: Arguments, verdict: Verdict) -> Verdict:
    if verdict.outcome != "allow" or tool.doubt is None:
        return verdict
    doubts = tool.doubt(context, arguments)
    return Verdict("ask", doubts[0]) if doubts else verdict


def _is_undo(call: ToolCall | None) -> bool:
    """A person takes back what was done, which is no request to the assistant."""
    return call is not None and call.undoes_id is not None


def _is_own(context: ToolContext, tool: Tool, arguments: Arguments) -> bool:
    """Whether all that a headless call touches is its turn's to change. What a call touches, its preconditions name.

    A name that has to be free belongs to nobody, whatever it reads like. It is in force at once and no proposal, so
    only what the turn has made itself gets one.
    """
    if context.turn.origin != Turn.Origin.HEADLESS or tool.is_read:
        return False
    keys = tool.preconditions(context, arguments)
    touched = [_IDS.findall(key) for key in keys if not is_free_name(key)]
    if not touched:
        return False
    own = list_own_ids(context.turn) if len(touched) == len(keys) else list_created_ids(context.turn)
    return all(ids and set(ids) <= own for ids in touched)


class _RollBack(Exception):
    """Rolls a rehearsal back."""


def _simulate(tool: Tool, context: ToolContext, arguments: Arguments, verdict: Verdict) -> Verdict:
    """The verdict after a try. What only a person may overrule asks, whatever the rules and the mode say."""
    actor = context.actor.as_agent(by_rule=verdict.outcome == "allow")
    try:
        with transaction.atomic():
            tool.run(replace(context, actor=actor), **arguments)
            raise _RollBack
    except _RollBack:
        return verdict
    except Conflict as conflict:
        if conflict.code != PROTECTED:
            raise
        nobody_is_there = context.turn.origin == Turn.Origin.HEADLESS
        return Verdict("deny" if nobody_is_there else "ask", "A person has set or verified what this would change.")


def search_evidence(turn: Turn, tool: Tool, arguments: Arguments, *, actor: Actor) -> Evidence:
    """What the pages say of arguments that nobody has checked yet. Raises AppError for those that do not fit."""
    if tool.search is None:
        return NO_EVIDENCE  # Unresolved: a step of a plan may name what is not there yet.
    context = context_for(turn, actor)
    return tool.find_evidence(context, tool.resolve(context, tool.check_arguments(arguments)))
