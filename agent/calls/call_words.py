"""What a card says of itself in a line: its outcome, who decided, when it expires, what has changed since."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format

from accounts.actor import Actor
from agent.models import Decision, ToolCall
from agent.toolkit.effects import Preconditions

Status = ToolCall.Status
NEAR = timedelta(days=3)
SUPERSEDED = "Superseded."
NEW_MESSAGE = "a new message came before a decision."
STOPPED = "The turn was stopped while this ran. Nothing was changed."
UNFOUNDED = "It builds on step {step} ({tool}), which {how}."
# The first words of a precondition's name, as a person calls them.
PARTS = {
    "edits": "the value",
    "value": "the value",
    "verified": "who verified it",
    "rows": "the rows",
    "version": "the newest version",
    "trash": "whether it is in the trash",
    "name": "the name",
    "document_name": "the name",
    "content": "the text",
    "schema_id": "the schema",
    "model": "the model",
    "tag_ids": "the tags",
    "metadata": "the metadata",
    "document_type": "the type",
    "color": "the colour",
    "description": "the description",
    "used_by": "what uses it",
    "values": "the extractions",
}


def describe_outcome(call: ToolCall, actor: Actor) -> tuple[str, str]:
    """(the outcome of the card in one line, its tone: done, fail, doubt or quiet)."""
    by = _describe_decider(call, actor)
    allowed = call.allowed_by or "a rule"
    words = {
        Status.PLANNED: (f"Step {call.planned_step} of the plan, to be decided when the plan is presented.", "quiet"),
        Status.APPROVED: (
            f"Approved{by}. It is about to run." if by else f"Allowed by {allowed}. About to run.",
            "quiet",
        ),
        Status.EXECUTING: (f"Approved{by}. It is running." if by else f"Allowed by {allowed}. Running.", "quiet"),
        Status.SUCCEEDED: (f"Approved{by}." if by else f"Ran without asking: allowed by {allowed}.", "done"),
        Status.FAILED: _describe_failure(call, f"Approved{by}" if by else f"Allowed by {allowed}"),
        Status.REJECTED: (f"Rejected{by}.", "quiet"),
        Status.EXPIRED: ("It expired before anybody decided.", "quiet"),
        Status.SUPERSEDED: (SUPERSEDED if is_unfounded(call) else f"{SUPERSEDED[:-1]}: {NEW_MESSAGE}", "quiet"),
        Status.CANCELLED: ("Stopped before it ran.", "quiet"),
        Status.IN_DOUBT: ("Outcome unknown. Look whether it happened, then report the outcome.", "doubt"),
        Status.STALE: ("What it rests on has changed. It did not run.", "doubt"),
        Status.DENIED: ("Refused when it was about to run.", "fail"),
    }
    return words.get(Status(call.status), ("", "quiet"))


def _describe_failure(call: ToolCall, allowed: str) -> tuple[str, str]:
    """A call that a person stopped with its turn has not failed."""
    is_stopped = (call.result or {}).get("error") == STOPPED
    return (
        (f"{allowed}, then stopped with its turn.", "quiet") if is_stopped else (f"{allowed}, but it failed.", "fail")
    )


def is_unfounded(call: ToolCall) -> bool:
    """Whether it was superseded with a step of its plan or chain that it builds on, and by no message."""
    reason = str((call.result or {}).get("reason", ""))
    return call.status == Status.SUPERSEDED and reason.startswith(UNFOUNDED.partition("{")[0])


def get_step(call: ToolCall) -> int:
    """Its number in a plan or in a call chain."""
    return call.planned_step or call.chain_step


def describe_step(call: ToolCall, steps: Sequence[ToolCall]) -> str:
    """Step 2 of 3."""
    return f"Step {get_step(call)} of {max(get_step(call), len(steps))}"


def name_steps(calls: Sequence[ToolCall]) -> str:
    """step 1; steps 1, 2 and 4."""
    numbers = [str(get_step(call)) for call in calls]
    if len(numbers) < 2:
        return f"step {''.join(numbers)}"
    return f"steps {', '.join(numbers[:-1])} and {numbers[-1]}"


def describe_queue(call: ToolCall, actor: Actor, before: Sequence[ToolCall]) -> str:
    """An approved step whose time has not come."""
    return f"Approved{_describe_decider(call, actor)}. It runs after {name_steps(before[-1:])}."


def describe_halt(call: ToolCall, actor: Actor) -> str:
    """An approved call while an admin has stopped the agent."""
    by = _describe_decider(call, actor)
    return f"Approved{by}. An admin has stopped the agent: it runs when the agent may work again."


def describe_problem(call: ToolCall) -> str:
    """The reason that was given, or what went wrong."""
    result = call.result or {}
    if call.status == Status.REJECTED:
        return f"“{result['reason']}”" if result.get("reason") else ""
    if set(result) == {"note"}:  # a person reported the outcome
        return str(result["note"])
    if (call.status == Status.CANCELLED and call.planned_step) or is_unfounded(call):
        return str(result.get("reason", ""))
    return str(result.get("error", "")) if call.status in (Status.FAILED, Status.DENIED) else ""


def describe_undo(call: ToolCall, actor: Actor) -> str:
    """Undone by you, 14:06. — empty for a call that nobody has taken back."""
    undo: ToolCall | None = getattr(call, "undone_by", None)
    return f"Undone{_describe_decider(undo, actor)}." if undo else ""


def describe_expiry(call: ToolCall) -> str:
    """When the card ends undecided, once that is near."""
    if call.status != Status.PENDING or call.expires_at is None or call.expires_at - timezone.now() > NEAR:
        return ""
    return f"Expires {_format_moment(call.expires_at)}. Nothing runs then."


def describe_changes(seen: Preconditions, now: Preconditions) -> str:
    """Why a card comes back: the parts of what it rests on that are no longer what they were."""
    differ = [key for key in {**seen, **now} if seen.get(key) != now.get(key)]
    parts = list(dict.fromkeys(PARTS.get(key.split(" ")[0], "what it rests on") for key in differ))
    words = ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + (parts[-1] if parts else "how far it reaches")
    return f"Changed since this card was made: {words}. It did not run, and asks again, about how things are now."


def _describe_decider(call: ToolCall, actor: Actor) -> str:
    """by you, 14:06 — the last person who decided; empty where a rule or nobody did."""
    decisions: list[Decision] = list(call.decisions.all())
    if not decisions or decisions[-1].user is None:
        return ""
    decision = decisions[-1]
    who = "you" if decision.user_id == actor.user.pk else decision.user.shown_name if decision.user else ""
    return f" by {who}{' with edits' if decision.edited else ''}, {_format_moment(decision.created_at)}"


def _format_moment(moment: datetime) -> str:
    local = timezone.localtime(moment)
    return date_format(local, "H:i" if local.date() == timezone.localdate() else "j M, H:i")


def describe_progress(call: ToolCall) -> str:
    """How far a call that goes through many documents is; empty for others."""
    progress = (call.result or {}).get("progress") if call.status == Status.EXECUTING else None
    return f"{progress['visited']} of {progress['documents']} documents visited" if progress else ""
