"""Taking back what the agent did in a thread, by the same undo as a person's, on a card that names what it is."""

from __future__ import annotations

from itertools import islice

from accounts.models import Role
from agent.calls import undo
from agent.models import ToolCall
from agent.outside.catalog import find_tool_of
from agent.policy.policy_context import owner_of
from agent.toolkit.effects import Preconditions
from agent.toolkit.inverses import search_evidence
from agent.toolkit.previews import ArgumentRow, Preview, name_outcome
from agent.toolkit.registry import Reach, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from documents.extractions.edits import Evidence
from kit.errors import Invalid
from kit.ids import is_id
from kit.rows.models import fold_case

MAX_LISTED, MAX_LOOKED_AT = 20, 500
NOTHING = "Nothing that you did here can be taken back."
UNCLEAR = "Say which change is meant, by its number: {listed}"


def _list_changes(context: ToolContext) -> list[ToolCall]:
    """The changes of the agent in this thread that can be taken back here, the newest first."""
    done = ToolCall.objects.filter(thread=context.thread, status=ToolCall.Status.SUCCEEDED, undone_by=None)
    done = done.filter(inverse__isnull=False).exclude(tool=undo.TOOL).select_related("turn__thread")
    newest = done.order_by("-finished_at", "-pk")[:MAX_LOOKED_AT]
    return list(islice((call for call in newest if not undo.why_not(context.actor, call)), MAX_LISTED))


def _describe(call: ToolCall) -> str:
    return name_outcome(call.preview, call.result) or find_tool_of(call).title


def _fetch(context: ToolContext, arguments: Arguments) -> ToolCall:
    """The one that is meant, by its id, number or words. Raises Invalid with the list."""
    named = str(arguments.get("change", "")).strip()
    if is_id(named):
        return _fetch_chosen(context, {"change": named})
    changes = _list_changes(context)
    if not changes:
        raise Invalid(NOTHING)
    numbers = {str(at): call for at, call in enumerate(changes, 1)}
    if call := numbers.get(named or "1"):
        return call
    fitting = [call for call in changes if fold_case(named) in fold_case(_describe(call))]
    if len(fitting) == 1:
        return fitting[0]
    raise Invalid(UNCLEAR.format(listed="; ".join(f"{at} {_describe(call)}" for at, call in numbers.items())))


def _resolve(context: ToolContext, arguments: Arguments) -> Arguments:
    return {"change": _fetch(context, arguments).pk}


def _fetch_chosen(context: ToolContext, arguments: Arguments) -> ToolCall:
    """The call that the card names. Raises Invalid where it is of another thread, or cannot be taken back any more."""
    call = ToolCall.objects.filter(thread=context.thread, pk=arguments["change"]).select_related("turn__thread").first()
    if call is None:
        raise Invalid(undo.NEVER)
    if ToolCall.objects.filter(undoes=call).exists():
        raise Invalid(undo.ALREADY)
    if why := undo.why_not(context.actor, call):
        raise Invalid(why)
    return call


def _reach(context: ToolContext, arguments: Arguments) -> Reach:
    return Reach(_fetch_chosen(context, arguments).reach)


def _rest_on(context: ToolContext, arguments: Arguments) -> Preconditions:
    """One card a change: a second one for it waits behind the first."""
    return {f"change:{arguments['change']}": 0}


def _search(context: ToolContext, arguments: Arguments) -> Evidence:
    return search_evidence(_fetch_chosen(context, arguments).inverse or {})


def _preview(context: ToolContext, arguments: Arguments) -> Preview:
    call = _fetch_chosen(context, arguments)
    what = _describe(call)
    done_at = f"{call.finished_at:%Y-%m-%d %H:%M} UTC" if call.finished_at else ""
    rows: list[ArgumentRow] = [{"name": "Takes back", "value": what}, {"name": "Done", "value": done_at}]
    documents: list[ArgumentRow] = [row for row in call.preview.get("rows", []) if row.get("name") != "Wish"]
    return {
        "title": f"Undo: {what}",
        "done": f"Took back: {what}",
        "rows": [*rows, *documents],
        "effect": "The change no longer holds. Money that it cost stays spent.",
        "warnings": ["This undo cannot be undone: propose the change anew instead."],
    }


@tool(
    category="memory",
    access="write",
    role=Role.REVIEWER,
    title="Undo a change",
    icon="i-undo-2",
    is_rare=True,
    needs_person=True,
    resolve=_resolve,
    reach=_reach,
    preconditions=_rest_on,
    search=_search,
    preview=_preview,
)
def undo_change(context: ToolContext, change: str = "") -> Result:
    """Takes back (undoes, reverts) a change that you made in this thread.

    change: its number, 1 the newest, or words of it; without it the newest
    """
    call = _fetch_chosen(context, {"change": change})
    owner_of(context.thread).require(find_tool_of(call).needed_role)
    undone = undo.undo_once(context.actor, call, context.call_id, context.evidence)
    return {"undone": _describe(call), **(undone.result or {})}
