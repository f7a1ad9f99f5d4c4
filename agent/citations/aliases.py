"""The short names under which a thread reads documents: D3 is a reading of one, D3:2.14 line 14 on its page 2.

A reading is never changed, so such a name stays true when the document is read anew: the new reading is another number.
The rows know which lines the thread has read, and no other line can be cited.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from django.db import transaction
from django.db.models import Max

from agent.models import ReadingAlias, Thread
from documents.find.search.retrieving import Passage
from documents.models import Reading
from documents.reading.blocks import BlockId, parse_block_id, parse_place
from documents.reading.page_text import MarkedText, mark_pages
from kit.errors import Invalid, NotFound
from kit.rows.locks import lock_rows

ALIAS = re.compile(r"\bD([1-9]\d{0,4}):([1-9]\d{0,6}\.[1-9]\d{0,6}(?:\.[1-9]\d{0,6})?)\b")
UNKNOWN = "{name} names nothing that was read here. Block ids are in the answers of read_document."
NOT_READ = "{name} has not been read here. Read its page first, then cite it."
_NAMED = re.compile(r"\[([1-9]\d{0,5})\.([1-9]\d{0,5})\]")
_PRINTED = re.compile(r"^\[(\d+)\.(\d+)\]", re.M)


def print_lines(thread: Thread, reading: Reading, text: MarkedText) -> MarkedText:
    """The text with `[D3:2.14]` before each line, which the thread has then read."""
    return print_named_lines(thread, reading, text)[1]


def print_named_lines(thread: Thread, reading: Reading, text: MarkedText) -> tuple[str, MarkedText]:
    """Print lines so, and give the short name of the reading before them."""
    alias = note_read(thread, reading, list_lines(text)).name
    return alias, replace(text, text=_PRINTED.sub(rf"[{alias}:\1.\2]", text.text))


def print_passages(thread: Thread, passages: Sequence[Passage], max_letters: int) -> list[str]:
    """Of each its first lines, each after its block id: those the thread has then read."""
    shown = [list(_choose_lines(passage, max_letters)) for passage in passages]
    lines: defaultdict[str, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for passage, numbered in zip(passages, shown, strict=True):
        lines[passage.reading_id][passage.page] += [number for number, _ in numbered]
    aliases = note_all_read(thread, lines)
    return [
        _print_passage(aliases[passage.reading_id], passage, numbered)
        for passage, numbered in zip(passages, shown, strict=True)
    ]


def _choose_lines(passage: Passage, max_letters: int) -> Iterator[tuple[int, str]]:
    """The first, and others as long as there is room beside the heading."""
    letters = len(passage.heading)
    for at, (number, text) in enumerate(passage.lines):
        letters += len(text)
        if at and letters > max_letters:
            return
        yield number, text if len(text) <= max_letters else f"{text[:max_letters]}…"


def _print_passage(alias: ReadingAlias, passage: Passage, numbered: Iterable[tuple[int, str]]) -> str:
    lines = [f"[{alias.name}:{passage.page}.{number}] {text}" for number, text in numbered]
    return "\n".join([passage.heading, *lines] if passage.heading else lines)


def print_condensed(thread: Thread, several: Sequence[tuple[Reading, str, MarkedText]]) -> list[str]:
    """What a model has made of these pages of each reading, with a block id for each line of them that it names: the
    thread has read that. The words of a document may make it name others, which stay as they are."""
    places = [(reading.pk, text, list_lines(pages)) for reading, text, pages in several]
    lines: defaultdict[str, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for reading_id, text, printed in places:
        of_reading = lines[reading_id]
        for page, line in _list_named(text, printed):
            of_reading[page].append(line)
    aliases = note_all_read(thread, lines)
    return [_name_places(aliases[reading_id].name, text, printed) for reading_id, text, printed in places]


def _list_named(text: str, printed: Mapping[int, Collection[int]]) -> list[tuple[int, int]]:
    named = ((int(page), int(line)) for page, line in _NAMED.findall(text))
    return [(page, line) for page, line in named if line in printed.get(page, ())]


def _name_places(name: str, text: str, printed: Mapping[int, Collection[int]]) -> str:
    return _NAMED.sub(
        lambda each: f"[{name}:{each[1]}.{each[2]}]" if int(each[2]) in printed.get(int(each[1]), ()) else each[0], text
    )


def name_lines(thread: Thread, reading_id: str, lines: Mapping[str, str]) -> dict[str, str]:
    """The block ids of these lines, given as `page.line`: what was taken from them has been shown."""
    names = name_blocks(thread, [f"{reading_id}.{line}" for line in lines.values()])
    return {name: names[f"{reading_id}.{line}"] for name, line in lines.items()}


def name_blocks(thread: Thread, block_ids: Iterable[str]) -> dict[str, str]:
    """The short names of lines of any readings, by their whole block ids: what was taken from them has been shown."""
    blocks = {each: parse_block_id(each) for each in block_ids}
    lines: defaultdict[str, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for block in blocks.values():
        lines[block.reading_id][block.place.page].append(block.place.line)
    aliases = note_all_read(thread, lines)
    return {each: f"{aliases[block.reading_id].name}:{block.place}" for each, block in blocks.items()}


def list_lines(text: MarkedText) -> dict[int, list[int]]:
    """The numbers of its lines by page. What goes on below a row of a table is in that row, without a number."""
    lines: defaultdict[int, list[int]] = defaultdict(list)
    for page, line in _PRINTED.findall(text.text):
        lines[int(page)].append(int(line))
    for page in text.whole_pages:
        lines[page] = list(range(1, max(lines.get(page, [0])) + 1))
    return dict(lines)


def has_shown_all(thread: Thread, reading: Reading) -> bool:
    """Whether the thread has read each line of it."""
    alias = _load(thread, [reading.pk]).get(reading.pk)
    printed = list_lines(mark_pages(reading)) if alias else {}
    return alias is not None and _add_lines(alias.lines, printed) == alias.lines


def note_read(thread: Thread, reading: Reading, lines: Mapping[int, Iterable[int]]) -> ReadingAlias:
    """The alias of the reading in this thread, once it has read these lines too."""
    return note_all_read(thread, {reading.pk: lines})[reading.pk]


def note_all_read(thread: Thread, lines: Mapping[str, Mapping[int, Iterable[int]]]) -> dict[str, ReadingAlias]:
    """The same for several readings, by their ids."""
    known = _load(thread, lines)
    if all(each in known and _add_lines(known[each].lines, lines[each]) == known[each].lines for each in lines):
        return known
    return _store(thread, lines)


def _load(thread: Thread, reading_ids: Iterable[str]) -> dict[str, ReadingAlias]:
    rows = ReadingAlias.objects.filter(thread=thread, reading__in=list(reading_ids))
    return {row.reading_id: row for row in rows if row.reading_id}


@transaction.atomic
def _store(thread: Thread, lines: Mapping[str, Mapping[int, Iterable[int]]]) -> dict[str, ReadingAlias]:
    """Calls of one round read side by side: the lock on the thread's row keeps their numbers apart."""
    lock_rows(Thread.objects.filter(pk=thread.pk))
    last = ReadingAlias.objects.filter(thread=thread).aggregate(last=Max("number"))["last"] or 0
    known, numbers = _load(thread, lines), count(last + 1)
    fresh = {
        each: ReadingAlias(thread=thread, reading_id=each, number=next(numbers)) for each in lines if each not in known
    }
    aliases = known | fresh
    for reading_id, added in lines.items():
        aliases[reading_id].lines = _add_lines(aliases[reading_id].lines, added)
    ReadingAlias.objects.bulk_create(fresh.values())
    ReadingAlias.objects.bulk_update(known.values(), ["lines"])
    return aliases


def _add_lines(known: Mapping[str, list[list[int]]], lines: Mapping[int, Iterable[int]]) -> dict[str, list[list[int]]]:
    added = dict(known)
    for page, numbers in lines.items():
        spans = sorted([*added.get(str(page), []), *([number, number] for number in numbers)])
        merged: list[list[int]] = []
        for first, last in spans:
            if merged and first <= merged[-1][1] + 1:
                merged[-1][1] = max(merged[-1][1], last)
            else:
                merged.append([first, last])
        added[str(page)] = merged
    return added


class ThreadAliases:
    """Those of one thread, in one query."""

    def __init__(self, thread: Thread) -> None:
        rows = ReadingAlias.objects.filter(thread=thread, reading__document__trashed_at=None).exclude(reading=None)
        rows = rows.filter(reading__document__organization=thread.organization_id)
        self.rows = list(rows.select_related("reading__document"))
        self._by_number = {row.number: row for row in self.rows}
        self._by_reading = {row.reading_id: row for row in self.rows}

    def resolve(self, name: str) -> BlockId:
        """Of `D3:2.14`, or a whole block id. Raises Invalid and NotFound unless the thread has read that line."""
        match = ALIAS.fullmatch(name)
        if match:
            alias = self._by_number.get(int(match[1]))
            place = parse_place(match[2])
        else:
            reading_id, place = _parse(name)
            alias = self._by_reading.get(reading_id)
        if alias is None or alias.reading_id is None:
            raise NotFound(UNKNOWN.format(name=name[:60]))
        if not alias.has_read(place.page, place.line):
            raise NotFound(NOT_READ.format(name=name[:60]))
        return BlockId(alias.reading_id, place)

    def find(self, name: str) -> BlockId | None:
        """None for what is invented, foreign, in the trash or was never read."""
        try:
            return self.resolve(name)
        except (Invalid, NotFound):
            return None

    def get_reading(self, block_id: BlockId) -> Reading:
        reading = self._by_reading[block_id.reading_id].reading
        if reading is None:
            raise NotFound(UNKNOWN.format(name=str(block_id)))
        return reading

    def list_lines(self, block_id: BlockId) -> list[int]:
        """The numbers of all lines on its page that the thread has read."""
        spans = self._by_reading[block_id.reading_id].lines.get(str(block_id.place.page), ())
        return [line for first, last in spans for line in range(first, last + 1)]

    def name(self, block_id: BlockId) -> str:
        return f"{self._by_reading[block_id.reading_id].name}:{block_id.place}"


def _parse(name: str) -> BlockId:
    try:
        return parse_block_id(name)
    except Invalid:
        raise Invalid(f"“{name[:60]}” names no block. A block is named such as D1:2.14.") from None
