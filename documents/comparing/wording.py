"""Compares two passages word by word, and judges what a change of them is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rapidfuzz.distance import Indel, Levenshtein

from documents.comparing.results import Matter, Stretch
from documents.comparing.words import ComparedWord, join_texts
from printed.confusable import make_skeleton
from printed.currencies import find_code
from printed.dates import find_dates
from printed.number_words import find_worded_numbers
from printed.numbers import parse_numbers

# Longer passages are changed as a whole.
MAX_WORDS = 2_000
# Words that two changes have between them by chance.
MAX_BRIDGE, BRIDGE_LETTERS = 1, 3
MIN_MISREAD = 4


def list_stretches(one: Sequence[ComparedWord], other: Sequence[ComparedWord]) -> list[Stretch]:
    """By their words; where these are all the same, by their punctuation and capitals."""
    by_words = _compare(one, other, "key")
    return by_words if any(not each.is_same for each in by_words) else _compare(one, other, "exact")


def _compare(one: Sequence[ComparedWord], other: Sequence[ComparedWord], name: str) -> list[Stretch]:
    if max(len(one), len(other)) > MAX_WORDS:
        return [Stretch(one, other)]
    steps = Indel.opcodes([getattr(word, name) for word in one], [getattr(word, name) for word in other])
    listed = [Stretch(one[s.src_start : s.src_end], other[s.dest_start : s.dest_end], s.tag == "equal") for s in steps]
    return list(_join(_mark_respaced(_join(_drop_bridges(list(_join(listed)))), name)))


def _join(stretches: Iterable[Stretch]) -> Iterator[Stretch]:
    last: Stretch | None = None
    for each in stretches:
        if last and last.is_same == each.is_same:
            last = Stretch([*last.one, *each.one], [*last.other, *each.other], each.is_same)
            continue
        if last:
            yield last
        last = each
    if last:
        yield last


def _drop_bridges(stretches: Sequence[Stretch]) -> Iterator[Stretch]:
    """A short word that stands between two changes is changed with them."""
    for at, each in enumerate(stretches):
        is_inner = 0 < at < len(stretches) - 1
        is_bridge = is_inner and each.is_same and len(each.one) <= MAX_BRIDGE and _is_short(each.one[0])
        yield Stretch(each.one, each.other, each.is_same and not is_bridge)


def _is_short(word: ComparedWord) -> bool:
    return len(word.key) <= BRIDGE_LETTERS and not word.has_digit


def _mark_respaced(stretches: Iterable[Stretch], name: str) -> Iterator[Stretch]:
    """Takes the same letters with other spaces for the same words."""
    for each in stretches:
        is_same = "".join(getattr(w, name) for w in each.one) == "".join(getattr(w, name) for w in each.other)
        yield Stretch(each.one, each.other, each.is_same or is_same)


def judge(stretches: Sequence[Stretch]) -> Matter:
    changed = [each for each in stretches if not each.is_same]
    if "".join(_list_keys(changed, 0)) == "".join(_list_keys(changed, 1)):
        return "signs"
    if any(map(_changes_numbers, changed)):
        return "number"
    return "misread" if all(map(_may_be_misread, changed)) else "text"


def _list_keys(stretches: Iterable[Stretch], side: int) -> Iterator[str]:
    return (word.key for each in stretches for word in (each.other if side else each.one))


def judge_alone(words: Sequence[ComparedWord]) -> Matter:
    """Judges a passage that stands in one text alone."""
    return "number" if _has_figures(words) else "text"


def _changes_numbers(each: Stretch) -> bool:
    if not _has_figures(each.one) and not _has_figures(each.other):
        return False
    return not (_read_value(each.was) & _read_value(each.now))


def _has_figures(words: Sequence[ComparedWord]) -> bool:
    text = join_texts(words)
    return any(word.has_digit for word in words) or bool(find_code(text) or [*find_worded_numbers(text)])


def _read_value(text: str) -> set[tuple[str, object]]:
    """The one thing that a text can mean, where it is nothing but a number or a day; else nothing."""
    days = {("day", day) for printed in find_dates(text) if len(printed.days) == 1 for day in printed.days}
    numbers = {(number.currency, number.value) for number in parse_numbers(text)}
    return {*days} if len(days) == 1 else {*numbers} if len(numbers) == 1 else set()


def _may_be_misread(each: Stretch) -> bool:
    """Scans alone are read letter by letter. A short word may well be another one."""
    if not any(word.is_recognized for word in (*each.one, *each.other)):
        return False
    was, now = "".join(word.key for word in each.one), "".join(word.key for word in each.other)
    if any(char.isdigit() for char in was + now):
        return False
    return make_skeleton(was) == make_skeleton(now) or (
        min(len(was), len(now)) >= MIN_MISREAD and Levenshtein.distance(was, now) <= max(1, len(was) // 6)
    )
