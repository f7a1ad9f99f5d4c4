"""Answers with their sources; and in a thread about no single document steps in short."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from accounts.actor import Actor
from agent.citations.checked_answers import (
    NOTHING_READ,
    CheckedText,
    CitedThread,
    get_coverage,
    has_doubts,
    has_read_nothing,
    hide_names,
    is_checked,
    list_not_checked,
    list_sums,
    list_unsupported,
)
from agent.citations.reviewing import NOT_ALL_READ
from agent.citations.sentences import strip_markers
from agent.conversation.cited_messages import number_sources
from agent.conversation.sources import Source, find_sources
from agent.models import Message, Thread, ToolCall, Turn
from agent.toolkit.pages_read import SURVEY
from agent.turns.surveys.full_pass import find_full_pass
from agent.turns.surveys.survey_retry import find_rest
from agent.views.thread.answer_checks import Check, SumPart, SumTable
from agent.views.thread.ran_rows import describe_rows
from agent.views.thread.thread_items import AgentText, Item, Note, RanCalls

MAX_SUMS = 20
# The commas between markers, and the space before them.
_LEFT_OVER = re.compile(r"(?:\s*,)*\s*([.;:!?]|,(?=\s*\w)|$)")
_MARKS = re.compile(r"^\s*(?:[-*+•>]|#{1,6}|\d{1,3}[.)])\s+|\*\*|__|[`|]")


def build_check(message: Message) -> Check | None:
    if not has_doubts(message):
        return None
    sums = [
        SumTable(each["result"], [SumPart(*part) for part in each["parts"]], each.get("note", ""))
        for each in list_sums(message)[:MAX_SUMS]
    ]
    return Check(
        [replace(each, text=_strip_marks(each.text)) for each in list_unsupported(message)],
        [replace(each, text=_strip_marks(each.text)) for each in list_not_checked(message)],
        sums,
        get_coverage(message),
        NOTHING_READ if has_read_nothing(message) else "",
        is_answer=is_checked(message),
    )


def _strip_marks(sentence: str) -> str:
    """The words alone: without markers of sources, of lists and of Markdown."""
    words = " ".join(_MARKS.sub("", strip_markers(sentence)).split())
    return _LEFT_OVER.sub(r"\1", words)


def present_answers(thread: Thread, items: list[Item]) -> list[Item]:
    """In a thread about no single document answers number their sources, and steps fold to a sentence.

    An answer that was repaired is not shown: what came after it stands in its place.
    """
    items = _drop_drafts(items)
    checked = _expand_checked(thread, items)
    items = [
        replace(item, text=checked[item.key].text if item.key in checked else hide_names(item.text))
        if isinstance(item, AgentText)
        else item
        for item in items
    ]
    if thread.document_id:
        return items
    texts = {item.key: item.text for item in items if isinstance(item, AgentText)}
    sources = find_sources(thread.organization, texts)
    return [_present(item, _number(sources.get(item.key, []), checked.get(item.key))) for item in items]


def offer_rest(items: Sequence[Item], calls: Sequence[ToolCall]) -> list[Item]:
    """With what was left unread, under the answer to the newest survey, or where it says that it was stopped."""
    turn_id = next((call.turn_id for call in reversed(calls) if call.tool == SURVEY), "")
    rest = find_rest([call for call in calls if call.turn_id == turn_id])
    ends: list[AgentText | Note] = [
        item
        for item in items
        if (isinstance(item, AgentText) and item.turn_id == turn_id and item.text)
        or (isinstance(item, Note) and item.turn.pk == turn_id and rest and not rest.count)
    ]
    if rest is None or not ends:
        return [*items]
    last = replace(ends[-1], rest=rest, version=f"{ends[-1].version}-{rest.count}")
    return [last if item is ends[-1] else item for item in items]


def offer_full_pass(items: Sequence[Item], actor: Actor, turns: Sequence[Turn]) -> list[Item]:
    """Under the newest answer, where it says what no document does and not all of them were read for it."""
    last = next((item for item in reversed(items) if isinstance(item, AgentText) and item.text), None)
    check = last.check if last else None
    turn = next((turn for turn in turns if last and turn.pk == last.turn_id), None)
    if last is None or turn is None or check is None or check.coverage is None:
        return [*items]
    denies = any(NOT_ALL_READ in each.missing for each in check.not_checked)
    full_pass = find_full_pass(actor, turn) if denies else None
    if full_pass is None:
        return [*items]
    offered = replace(last, full_pass=full_pass, version=f"{last.version}-{full_pass.price}")
    return [offered if item is last else item for item in items]


def _drop_drafts(items: Sequence[Item]) -> list[Item]:
    last = {item.turn_id: item.key for item in items if isinstance(item, AgentText) and item.text}
    return [
        item
        for item in items
        if not (isinstance(item, AgentText) and item.is_draft and last.get(item.turn_id) not in (None, item.key))
    ]


def _expand_checked(thread: Thread, items: Sequence[Item]) -> Mapping[str, CheckedText]:
    texts = [item for item in items if isinstance(item, AgentText) and item.check and item.check.is_answer]
    if not texts:
        return {}
    cited = CitedThread(thread)
    numbers = dict(thread.turns.values_list("pk", "number"))
    return {item.key: cited.expand(numbers[item.turn_id], item.text) for item in texts}


def _number(sources: list[Source], checked: CheckedText | None) -> list[Source]:
    return number_sources(sources, checked.citations) if checked else sources


def _present(item: Item, sources: list[Source]) -> Item:
    if isinstance(item, AgentText) and sources:
        return replace(item, sources=sources, check=_link_sums(item.check, sources), version=_version_of(sources))
    if isinstance(item, RanCalls):
        return replace(item, sentence=describe_rows(item.rows))
    return item


def _link_sums(check: Check | None, sources: Sequence[Source]) -> Check | None:
    """Without those of which a document is gone."""
    if check is None:
        return None
    by_block = {source.block_id: source for source in sources if source.document}
    sums = [
        replace(each, parts=[replace(part, source=by_block.get(part.block_id)) for part in each.parts])
        for each in check.sums
        if all(part.block_id in by_block for part in each.parts if part.block_id)
    ]
    return replace(check, sums=sums)


def _version_of(sources: Sequence[Source]) -> str:
    """Another one once a document is renamed or gone."""
    named = [(source.document.name if source.document else "") for source in sources]
    return sha256(repr(named).encode()).hexdigest()[:12]
