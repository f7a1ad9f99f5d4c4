"""What is said of a plan or of a call chain as a whole, before its first step."""

from __future__ import annotations

from collections.abc import Sequence

from agent.cards.chain_ends import make_chain_key
from agent.models import ToolCall
from agent.views.thread.thread_items import PlanHead

Status = ToolCall.Status
_WORDS = {
    Status.SUCCEEDED: "done",
    Status.APPROVED: "approved",
    Status.EXECUTING: "running",
    Status.FAILED: "failed",
    Status.DENIED: "refused",
    Status.IN_DOUBT: "outcome unknown",
    Status.REJECTED: "rejected",
    Status.SUPERSEDED: "superseded",
    Status.PENDING: "to decide",
}
LEFT_OUT = "left out"
UNDECIDED = "Each builds on those before it. Approve all at once, or decide each step."


def build_head(plan: Sequence[ToolCall]) -> PlanHead:
    """`plan` holds the newest revision of each step, in order."""
    waiting = sum(step.status == Status.PENDING for step in plan)
    sentence = _describe_plan(plan, waiting)
    return PlanHead(
        key=f"plan-{plan[0].turn_id}",
        steps=len(plan),
        waiting=waiting,
        sentence=sentence,
        version=f"{len(plan)}-{waiting}-{sentence}",
    )


def join_chains(calls: Sequence[ToolCall]) -> list[ToolCall]:
    """The calls of a message in order, the steps of a call chain one after the other where its first one stands."""
    return sorted(calls, key=lambda call: (call.position if call.chain is None else call.chain, call.position))


def build_chain_head(chain: Sequence[ToolCall]) -> PlanHead:
    """Of calls that build on one another."""
    waiting = sum(step.status == Status.PENDING for step in chain)
    sentence = UNDECIDED if waiting == len(chain) > 1 else _count_outcomes(chain)
    return PlanHead(make_chain_key(chain[0]), len(chain), waiting, sentence, version=sentence, name="Chain")


def _describe_plan(plan: Sequence[ToolCall], waiting: int) -> str:
    if any(step.status == Status.PLANNED for step in plan):
        return "Nothing has changed. You decide when the agent has presented the whole plan."
    if waiting == len(plan):
        return (
            "Nothing has changed. Approve the plan whole, or decide each step."
            if waiting > 1
            else "Nothing has changed."
        )
    return _count_outcomes(plan)


def _count_outcomes(steps: Sequence[ToolCall]) -> str:
    counts: dict[str, int] = {}
    for step in steps:
        words = _WORDS.get(Status(step.status), LEFT_OUT)
        counts[words] = counts.get(words, 0) + 1
    return " · ".join(f"{number} {words}" for words, number in counts.items())
