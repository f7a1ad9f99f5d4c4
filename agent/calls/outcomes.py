"""What the model reads as the result of each tool call, in honest words for each way a call can end."""

from __future__ import annotations

import json
from collections.abc import Sequence

from agent.models import ToolCall
from agent.toolkit.values.hidden_ids import hide_ids
from documents.reading.page_text import escape_templates_in_json, neutralize_json
from kit.errors import AppError, Conflict

MAX_CHARACTERS = 24_000
"""Of one result. `read_result` gives the rest."""
MAX_PROBLEMS = 10
REST = "rest_of_rows"
"""A part of a result that a model reads only when it asks for it. It comes last."""
DATA_BLOCKS = {("get_ocr_text", "text"), ("read_result", "text"), ("get_prompt", "content")}
"""Values that are data blocks of ours. In all others the same signs are a document's, and are written as escapes."""
Status = ToolCall.Status
WHY_REJECTED = "Why I rejected"
"""How a person's message of reasons begins. They are words of the person, so no result holds them."""
PLANNED = "Step {step} of the plan. Nothing has been changed yet: later steps may name its ids, nothing can read them."


def failure_result(error: AppError) -> dict[str, object]:
    """A failure as a result: the sentence, all that is wrong, and who or what was there first."""
    result: dict[str, object] = {"error": error.sentence}
    if len(error.problems) > 1:
        result["problems"] = [f"{problem.where}: {problem.message}" for problem in error.problems[:MAX_PROBLEMS]]
    if isinstance(error, Conflict) and error.winner:
        result["existing"] = error.winner
    return result


def join_reasons(calls: Sequence[ToolCall]) -> str:
    """Why a person rejected calls of one answer, as their own message; empty where they gave no reason."""
    rejected: dict[str, list[ToolCall]] = {}
    for call in calls:
        if call.status == Status.REJECTED and (reason := str((call.result or {}).get("reason") or "")):
            rejected.setdefault(reason, []).append(call)
    return "\n\n".join(
        f"{WHY_REJECTED} {', '.join(_name_call(call) for call in same)}: {reason}" for reason, same in rejected.items()
    )


def _name_call(call: ToolCall) -> str:
    number = f"step {call.planned_step}" if call.planned_step else f"call {call.position + 1}"
    return f"{number} ({call.tool})"


def result_text(
    call: ToolCall, maximum: int = MAX_CHARACTERS, *, reason_follows: bool = False, with_ids: bool = True
) -> str:
    """One result for the newest revision of a call, whatever its outcome, with a reference to what is cut off."""
    text = whole_text(call, reason_follows=reason_follows, with_ids=with_ids)
    rest = text.find(f', "{REST}": [')
    end = maximum if rest < 0 else min(maximum, rest)
    if len(text) <= end:
        return text
    return (
        f"{text[:end]}… [shortened: {end} of {len(text)} characters. "
        f'read_result(call_id="{call.wire_id}", offset={end}) gives more.]'
    )


def whole_text(call: ToolCall, *, reason_follows: bool = False, with_ids: bool = True) -> str:
    """`reason_follows`: for the model of the thread, which reads why a person rejected the call as a message of theirs,
    and names rows by their names. `with_ids`: for a program, which knows rows by their ids.
    """
    result = {**_describe_outcome(call, reason_follows), **_describe_undo(call)}
    result = hide_ids(result) if reason_follows or not with_ids else result
    return f"{{{', '.join(_format_pair(call.tool, name, value) for name, value in result.items())}}}"


def _format_pair(tool: str, name: str, value: object) -> str:
    safe = escape_templates_in_json if (tool, name) in DATA_BLOCKS else neutralize_json
    return f"{neutralize_json(_json(name))}: {safe(_json(value))}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _describe_undo(call: ToolCall) -> dict[str, object]:
    """A person's undo is a call of its own, which no model asked for: its result is part of the call that it undid."""
    undo: ToolCall | None = getattr(call, "undone_by", None)
    if undo is None or undo.status != Status.SUCCEEDED:
        return {}
    who = next((decision.user.shown_name for decision in undo.decisions.all() if decision.user), "A person")
    when = f" on {undo.finished_at:%Y-%m-%d at %H:%M} UTC" if undo.finished_at else ""
    return {"undone": f"{who} took this back{when}. Its change is gone. Do not do it again unasked."}


def _describe_outcome(call: ToolCall, reason_follows: bool) -> dict[str, object]:
    result: dict[str, object] = dict(call.result or {})
    if call.status in (Status.SUCCEEDED, Status.FAILED) and call.decided is not None:
        edited = "A person changed the arguments before it ran. The arguments that ran are under ran_with."
        return {**result, "note": edited, "ran_with": call.effective}
    if call.status in (Status.SUCCEEDED, Status.FAILED, Status.INVALID):
        return result
    if call.status == Status.PLANNED:
        return {**result, "planned": PLANNED.format(step=call.planned_step)}
    if call.status == Status.DENIED:
        return {"error": f"Not allowed, and not run. {result.get('error', '')}".strip()}
    return {"error": _explain_not_run(call, str(result.get("reason", "")), reason_follows)}


def _explain_not_run(call: ToolCall, reason: str, reason_follows: bool) -> str:
    if call.status == Status.REJECTED:
        given = "Why is in their next message." if reason_follows else f"The reason given: {reason}"
        why = given if reason else "No reason was given."
        return f"The user rejected this call; it was not run. {why} Do not propose the same again."
    if call.status == Status.EXPIRED:
        return "Nobody decided on this call in time, so it was not run. It was not refused: propose it again if needed."
    if call.status in (Status.SUPERSEDED, Status.CANCELLED):
        return f"This call was not run. {reason} It was neither approved nor refused."
    if call.status == Status.IN_DOUBT:
        return "It is not known whether this happened: the worker stopped in the middle. Do not repeat it."
    if call.status == Status.EXECUTING:
        return "This call was still running when the turn ended. Look at the present state before you go on."
    return "This call has not been decided and has not been run."
