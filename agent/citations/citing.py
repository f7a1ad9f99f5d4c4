"""Binding a number in an answer to words of a document that the thread has read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agent.citations.aliases import ThreadAliases
from agent.citations.evidence import Box, find_quotation, load_printed_lines
from agent.models import Citation, Thread, ToolCall, Turn
from documents.models import Reading
from documents.reading.blocks import BlockId, BlockPlace, load_blocks
from kit.errors import Invalid

CITE_SOURCE = "cite_source"
MAX_NUMBER = 99
MAX_CITED, MAX_SHOWN = 1000, 300
NOT_THERE = "These words are not at {name}. It says: “{text}”. Cite what it says, or another block."
WRONG_NUMBER = f"citation_number must be 1 to {MAX_NUMBER}."
TOO_LONG = f"cited_text may have {MAX_CITED} characters. Cite the words that matter."


@dataclass(frozen=True)
class CitedBlock:
    """A line of a reading, as it is printed to the model, with its box. `beside`: the other lines of its page."""

    block_id: BlockId
    text: str
    box: Box
    beside: Mapping[BlockPlace, str] = field(default_factory=dict)


def cite(turn: Turn, *, number: int, block_id: str, cited_text: str) -> Citation:
    """Raises Invalid and NotFound with what stands there instead. The same number again is bound anew."""
    if not 1 <= number <= MAX_NUMBER:
        raise Invalid(WRONG_NUMBER)
    if len(cited_text) > MAX_CITED:
        raise Invalid(TOO_LONG)
    aliases = ThreadAliases(turn.thread)
    place = aliases.resolve(block_id.strip().strip("[]"))
    reading = aliases.get_reading(place)
    quotation = find_quotation(reading, place, cited_text, aliases.list_lines(place))
    if quotation is None:
        printed = load_block(reading, place)
        shown = printed.text[:MAX_SHOWN] if printed else ""
        raise Invalid(NOT_THERE.format(name=aliases.name(place), text=shown))
    return store(turn, number=number, block_id=place, box=quotation.box, cited_text=quotation.text)


def store(turn: Turn, *, number: int, block_id: BlockId, box: Box, cited_text: str) -> Citation:
    where = {"reading_id": block_id.reading_id, "page": block_id.place.page, "line": block_id.place.line}
    values = {**where, "box": list(box), "cited_text": cited_text[:MAX_CITED]}
    return Citation.objects.update_or_create(turn=turn, number=number, defaults=values)[0]


def list_citations(thread: Thread, *, upto: int | None = None) -> dict[int, Citation]:
    """By number: those of the turn with the number `upto`, and of earlier ones what it does not cite anew."""
    return {row.number: row for row in load_citations(thread) if upto is None or row.turn.number <= upto}


def list_bound(turn: Turn) -> frozenset[int]:
    """The numbers that the model has bound to words in this turn, by the tool for that."""
    calls = turn.calls.filter(tool=CITE_SOURCE, status=ToolCall.Status.SUCCEEDED)
    effective = calls.values_list("effective", flat=True)
    return frozenset(arguments["citation_number"] for arguments in effective if arguments)


def load_citations(thread: Thread) -> list[Citation]:
    """All of a thread in the order of its turns, without those of documents in the trash."""
    rows = Citation.objects.filter(turn__thread=thread, reading__document__trashed_at=None)
    return list(rows.select_related("turn", "reading__document").order_by("turn__number", "number"))


def load_block(reading: Reading, block_id: BlockId) -> CitedBlock | None:
    return next(iter(load_cited_blocks(reading, [block_id])), None)


def load_cited_blocks(reading: Reading, block_ids: Iterable[BlockId]) -> list[CitedBlock]:
    """Those that are on its pages; whole lines, also of a word."""
    lines = {each: BlockPlace(each.place.page, each.place.line) for each in block_ids}
    printed = load_printed_lines(reading, {place.page for place in lines.values()})
    blocks = {block.id.place: block for block in load_blocks(reading, lines.values())}
    return [
        CitedBlock(
            each,
            printed.get(place, blocks[place].text),
            blocks[place].box,
            {other: text for other, text in printed.items() if other.page == place.page and other != place},
        )
        for each, place in lines.items()
        if place in blocks
    ]
