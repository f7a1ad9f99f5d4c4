"""Whether a sentence gives its names, numbers and days the places that its lines give them.

“A pays B” has the words of “B pays A”, and “VAT 120” those of “VAT 20 | Total 120”.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from agent.citations.statements.facts import NUMBER, Facts, find_facts
from agent.citations.statements.proofs import Proof
from agent.citations.statements.words.content_words import PARTIES, WORD, is_label, is_light, list_meanings
from agent.citations.statements.words.ordinary_words import list_languages
from printed.dates import find_dates, find_partial_dates
from printed.folding import fold
from printed.languages import list_words
from printed.numbers import parse_numbers

APART = "no line that it names has both “{one}” and “{other}”"
EXCHANGED = "“{one}” and “{other}” are in another order in its line"
OTHER_WAY = "between “{one}” and “{other}” its line has other words"
ANOTHERS = "“{word}” is beside another one than “{written}”"
TOO_LONG = "it is too long to compare who does what"
MAX_MARKS = 400
_CELL = "|"
_BREAK = re.compile(r"[,;()\n–—]+|\|")
_JOINERS = frozenset(map(fold, list_words(lambda each: each.list_joiners)))
_DIRECTIONS = frozenset(map(fold, list_words(lambda each: each.directions)))

Kind: TypeAlias = Literal["name", "number", "day", "word", "small", "break"]


@dataclass(frozen=True)
class _Mark:
    """Something in a text at its place; `keys` are all that it may mean."""

    kind: Kind
    start: int
    end: int
    written: str
    keys: frozenset[object]

    def is_same(self, other: _Mark) -> bool:
        return not self.keys.isdisjoint(other.keys)


def find_exchanged(statement: str, facts: Facts, proofs: Sequence[Proof]) -> str:
    """The reason; empty where all stand as they do in the lines."""
    printed = [find_facts(proof.text).names for proof in proofs]
    names = {name: readings for each in (*printed, facts.names) for name, readings in each.items()}
    sentence = _list_marks(statement, names)
    if len(sentence) > MAX_MARKS:
        return TOO_LONG
    texts = [text for proof in proofs for text in (proof.text, proof.label) if text]
    lines = [_list_marks(text, names) for text in texts]
    return _find_exchanged_names(sentence, lines) or _find_others_label(sentence, lines)


def _list_marks(text: str, names: Mapping[str, Sequence[str]]) -> list[_Mark]:
    """In their order. A name comes before the number or the words in it."""
    languages = tuple(list_languages(text))
    taken: list[_Mark] = []
    for mark in (*_list_names(text, names), *_list_days(text), *_list_numbers(text), *_list_words(text, languages)):
        if not any(mark.start < other.end and other.start < mark.end for other in taken):
            taken.append(mark)
    return sorted(taken, key=lambda mark: mark.start)


def _list_names(text: str, names: Mapping[str, Sequence[str]]) -> Iterator[_Mark]:
    """Not those of codes, nor labels that are written as names are: “VAT”."""
    spelled = {spelling: frozenset(map(fold, names[name])) for name in names for spelling in (name, *names[name])}
    for spelling in sorted(spelled, key=len, reverse=True):
        if not any(map(str.isdigit, spelling)) and not is_label(spelling):
            for match in re.finditer(rf"(?<!\w){re.escape(spelling)}(?!\w)", text, re.IGNORECASE):
                yield _Mark("name", *match.span(), match[0], spelled[spelling])


def _list_days(text: str) -> Iterator[_Mark]:
    for day in find_dates(text):
        yield _Mark("day", day.start, day.end, text[day.start : day.end], frozenset(day.days))
    for part in find_partial_dates(text):
        if not part.is_month_alone:
            keys = frozenset({(part.day, part.month, part.year)})
            yield _Mark("day", part.start, part.end, text[part.start : part.end].strip(), keys)


def _list_numbers(text: str) -> Iterator[_Mark]:
    for match in NUMBER.finditer(text):
        keys = frozenset(abs(number.value) for number in parse_numbers(match[0].strip()))
        yield _Mark("number", *match.span(), match[0].strip(), keys)


def _list_words(text: str, languages: Sequence[str]) -> Iterator[_Mark]:
    for match in _BREAK.finditer(text):
        yield _Mark("break", *match.span(), match[0], frozenset())
    for match in WORD.finditer(text):
        folded = fold(match[0])
        if folded in PARTIES:
            yield _Mark("name", *match.span(), match[0], frozenset({PARTIES[folded]}))
        elif folded in _JOINERS:
            yield _Mark("break", *match.span(), match[0], frozenset({folded}))
        elif is_light(match[0], tuple(languages)):
            yield _Mark("small", *match.span(), match[0], frozenset({folded}))
        else:
            yield _Mark("word", *match.span(), match[0], list_meanings(match[0], tuple(languages)))


def _find_exchanged_names(sentence: Sequence[_Mark], lines: Sequence[Sequence[_Mark]]) -> str:
    """Compare each two names side by side. A list of them has no order."""
    places = [at for at, mark in enumerate(sentence) if mark.kind == "name"]
    for first, second in pairwise(places):
        one, other = sentence[first], sentence[second]
        between = sentence[first + 1 : second]
        if one.is_same(other) or (any(map(_parts, between)) and not _tells(between)):
            continue
        if reason := _compare_pair(one, other, between, lines):
            return reason.format(one=one.written, other=other.written)
    return ""


def _compare_pair(one: _Mark, other: _Mark, between: Sequence[_Mark], lines: Sequence[Sequence[_Mark]]) -> str:
    stretches = [stretch for line in lines for stretch in _list_between(line, one, other)]
    if _is_role(one) != _is_role(other) and not _tells(between):
        around = [*stretches, *(stretch for line in lines for stretch in _list_between(line, other, one))]
        return "" if any(_is_apposition(stretch) for stretch in around) else APART
    if any(not (_tells(between) or _tells(stretch)) or _turn(between) == _turn(stretch) for stretch in stretches):
        return ""
    if stretches:
        return OTHER_WAY
    if any(True for line in lines for _ in _list_between(line, other, one)):
        return EXCHANGED
    return "" if any(map(_is_joiner, between)) else APART


def _is_role(mark: _Mark) -> bool:
    return not mark.keys.isdisjoint(PARTIES.values())


def _is_apposition(marks: Sequence[_Mark]) -> bool:
    """“Landlord: A”, “A is the landlord”; behind a comma it is another who is."""
    return not _tells(marks) and not any(map(_parts, marks))


def _list_between(line: Sequence[_Mark], one: _Mark, other: _Mark) -> Iterator[Sequence[_Mark]]:
    """The marks from the one to the next of the other behind it."""
    for start, mark in enumerate(line):
        if mark.is_same(one):
            end = next((at for at in range(start + 1, len(line)) if line[at].is_same(other)), 0)
            stretch = line[start + 1 : end]
            if end and not any(each.kind == "name" for each in stretch):
                yield stretch


def _has(line: Sequence[_Mark], sought: _Mark) -> bool:
    return any(mark.is_same(sought) for mark in line)


def _tells(marks: Sequence[_Mark]) -> bool:
    """Whether the one does something to the other."""
    return any(mark.kind == "word" for mark in marks)


def _turn(marks: Sequence[_Mark]) -> set[object]:
    """By, from, to and the like, and what joins."""
    turning = (mark for mark in marks if mark.kind == "small" or _is_joiner(mark))
    return {key for mark in turning for key in mark.keys if key in _DIRECTIONS | _JOINERS}


def _is_joiner(mark: _Mark) -> bool:
    return mark.kind == "break" and bool(mark.keys)


def _parts(mark: _Mark) -> bool:
    """Whether another thing is spoken of behind it; a cell of a table may be what the one before it means."""
    return mark.kind == "break" and mark.written != _CELL


def _find_others_label(sentence: Sequence[_Mark], lines: Sequence[Sequence[_Mark]]) -> str:
    """A word beside a value that stands beside another value in the lines, and never beside this one."""
    kinds: tuple[Kind, ...] = ("number", "day", "name")
    for kind in kinds:
        printed = [pair for line in lines for pair in _list_labels(line, kind)]
        for value, labels in _list_labels(sentence, kind):
            own = [others for other, others in printed if other.is_same(value)]
            foreign = [others for other, others in printed if not other.is_same(value)]
            for label in labels if own and foreign else ():
                if not any(_has(others, label) for others in own) and any(_has(others, label) for others in foreign):
                    return ANOTHERS.format(word=label.written, written=value.written)
    return ""


def _list_labels(marks: Sequence[_Mark], kind: Kind) -> Iterator[tuple[_Mark, Sequence[_Mark]]]:
    """Each value with what is said of it: all of its clause, and where that has several, what stands before it, or
    behind where nothing does."""
    if shared := _find_row_head(marks):
        yield from ((mark, shared) for mark in marks if mark.kind == kind)
        return
    for clause in _list_clauses(marks, kind):
        places = [at for at, mark in enumerate(clause) if mark.kind == kind]
        for index, at in enumerate(places):
            start = places[index - 1] + 1 if index else 0
            end = places[index + 1] if index + 1 < len(places) else len(clause)
            before, behind = _pick(clause[start:at]), _pick(clause[at + 1 : end])
            yield clause[at], [*before, *behind] if len(places) == 1 else before or behind


def _find_row_head(marks: Sequence[_Mark]) -> list[_Mark]:
    """The words of a row's first cell where no other has any: they are of all its values."""
    head, *cells = _cut(marks, lambda mark: mark.written == _CELL)
    return _pick(head) if cells and not any(map(_pick, cells)) else []


def _list_clauses(marks: Sequence[_Mark], kind: Kind) -> Iterator[list[_Mark]]:
    """Cells are some of their own where a label and its value stand in one."""
    cells = list(_cut(marks, lambda mark: mark.written == _CELL))
    are_whole = any({kind, "word"} <= {mark.kind for mark in cell} for cell in cells)
    for part in cells if are_whole else [[mark for cell in cells for mark in cell]]:
        yield from _cut(part, _parts)


def _cut(marks: Sequence[_Mark], parts: Callable[[_Mark], bool]) -> Iterator[list[_Mark]]:
    clause: list[_Mark] = []
    for mark in marks:
        if parts(mark):
            yield clause
            clause = []
        else:
            clause.append(mark)
    yield clause


def _pick(marks: Sequence[_Mark]) -> list[_Mark]:
    return [mark for mark in marks if mark.kind in ("word", "name")]
