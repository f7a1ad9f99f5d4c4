"""What is said of a plan as a whole, before its first step."""

from __future__ import annotations

from collections.abc import Sequence

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
    Status.PENDING: "to decide",
}
LEFT_OUT = "left out"


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


def _describe_plan(plan: Sequence[ToolCall], waiting: int) -> str:
    if any(step.status == Status.PLANNED for step in plan):
        return "Nothing has changed. You decide when the agent has presented the whole plan."
    if waiting == len(plan):
        return (
            "Nothing has changed. Approve the plan whole, or decide each step."
            if waiting > 1
            else "Nothing has changed."
        )
    counts: dict[str, int] = {}
    for step in plan:
        words = _WORDS.get(Status(step.status), LEFT_OUT)
        counts[words] = counts.get(words, 0) + 1
    return " · ".join(f"{number} {words}" for words, number in counts.items())
