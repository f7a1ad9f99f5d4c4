"""The words that an answer over many documents rests on: its block ids, numbered, with what they quote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from accounts.models import Organization
from agent.citations.citing import MAX_NUMBER
from documents.models import Document, Reading
from documents.reading.blocks import Block, BlockId, load_lines, parse_block_id

# As in the results of tools: reading, page, line and maybe a word. With or without brackets around it.
PLACE = re.compile(r"\[?\b([0-9a-f]{24}\.([1-9]\d{0,6})\.([1-9]\d{0,6})(?:\.[1-9]\d{0,6})?)\b\]?")
MAX_QUOTE = 160


@dataclass(frozen=True)
class Source:
    """`document` is None where the id names nothing that the organization has; then it proves nothing."""

    number: int
    block_id: str
    page: int
    document: Document | None = None
    quote: str = ""


def list_block_ids(text: str) -> list[str]:
    """Each once, in the order in which they are named first: the first one is source 1."""
    return list(dict.fromkeys(match[1] for match in PLACE.finditer(text)))


def find_sources(organization: Organization, texts: Mapping[str, str]) -> dict[str, list[Source]]:
    """By the keys of the texts that name any, as many of each as can be cited; three queries for all of them."""
    named = {key: [parse_block_id(each) for each in list_block_ids(text)[:MAX_NUMBER]] for key, text in texts.items()}
    cited = [each for several in named.values() for each in several]
    if not cited:
        return {}
    rows = Reading.objects.for_org(organization).filter(document__trashed_at=None)
    readings = rows.select_related("document").in_bulk({each.reading_id for each in cited})
    quotes = _quote_lines(each for each in cited if each.reading_id in readings)
    return {key: _number_sources(several, readings, quotes) for key, several in named.items() if several}


def _quote_lines(cited: Iterable[BlockId]) -> dict[BlockId, str]:
    """The whole line of each, also of a word in it, which alone says little."""
    cited = list(cited)
    lines = load_lines(cited)
    quotes = {each: lines[each.line].text for each in cited if each.line in lines and _has_word(lines[each.line], each)}
    return {each: text if len(text) <= MAX_QUOTE else f"{text[:MAX_QUOTE]}…" for each, text in quotes.items()}


def _has_word(line: Block, block_id: BlockId) -> bool:
    return block_id.place.word <= len(line.words)


def _number_sources(
    named: Sequence[BlockId], readings: Mapping[str, Reading], quotes: Mapping[BlockId, str]
) -> list[Source]:
    return [
        Source(
            number=number,
            block_id=str(each),
            page=each.place.page,
            document=readings[each.reading_id].document if each in quotes else None,
            quote=quotes.get(each, ""),
        )
        for number, each in enumerate(named, start=1)
    ]
