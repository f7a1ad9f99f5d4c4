"""Calls of an answer that could not be checked because a call before them, which makes what they name, is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.calls.call_drafts import Draft
from agent.models import ToolCall
from agent.toolkit import turn_changes
from agent.toolkit.registry import registry
from agent.toolkit.tool_kinds import Access, Category
from kit.errors import Invalid, NotFound
from kit.json_types import Json
from kit.rows.models import fold_case

UNTRIED = f"{turn_changes.UNTRIED}{{step}} ({{tool}}) failed: {{why}}"
UNFOUNDED_RUN = f"{UNTRIED} The run may build on that. Send both again in one answer, the first one corrected."


def refuse_untried(drafts: Sequence[Draft]) -> list[Draft]:
    """Says so of them in place of what they did not find, and answers them; they are not saved here."""
    untried = []
    for at, draft in enumerate(drafts):
        if draft.call.status == ToolCall.Status.INVALID and isinstance(draft.error, NotFound):
            failed = next((each for each in drafts[:at] if _is_missed(each, draft)), None)
            if failed:
                draft.refuse(Invalid(_explain(failed, UNTRIED)), because=failed.because or failed)
                untried.append(draft)
    return untried


def refuse_unfounded_run(draft: Draft, drafts: Sequence[Draft]) -> bool:
    """A run of what stood before costs money, and nobody asked for it, where a change of definitions before it in the
    answer cannot be used."""
    tool = draft.plan.tool if draft.plan else None
    if tool is None or tool.category is not Category.EXTRACTION or tool.access is not Access.COSTLY:
        return False
    earlier = (each for each in drafts if each.call.position < draft.call.position)
    failed = next((each for each in earlier if each.is_unusable_definition), None)
    if failed:
        draft.refuse(Invalid(_explain(failed, UNFOUNDED_RUN)), because=failed.because or failed)
    return failed is not None


def _explain(failed: Draft, sentence: str) -> str:
    root = failed.because or failed
    why = root.error.sentence if root.error else ""
    return sentence.format(step=root.call.position + 1, tool=root.call.tool, why=why)


def _is_missed(earlier: Draft, draft: Draft) -> bool:
    """Whether the earlier call would have made what the later one does not find: it names that, or one of the kind."""
    if not _would_make(earlier) or draft.error is None:
        return False
    names = {fold_case(text) for name, text in _list_texts(earlier.call.proposed or {}) if name in ("name", "new_name")}
    given = {fold_case(text) for _, text in _list_texts(draft.call.proposed or {})}
    kind = earlier.call.tool.rpartition("_")[2]
    return not names.isdisjoint(given) or kind in draft.error.sentence.lower()


def _would_make(draft: Draft) -> bool:
    makers = {
        tool.name for tool in registry if tool.creates or (tool.category is Category.DEFINITION and not tool.is_read)
    }
    return draft.call.status == ToolCall.Status.INVALID and draft.call.tool in makers


def _list_texts(value: Json, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _list_texts(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _list_texts(inner, name)
    elif isinstance(value, str):
        yield name, value
