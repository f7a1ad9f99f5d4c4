"""Changes in two texts that the values beside them already say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from documents.comparing import Change
from documents.extractions.value_differences import ValueComparison, ValueDifference
from documents.models import Reading


def find_values_of_changes(
    changes: Sequence[Change], compared: ValueComparison | None, readings: Sequence[Reading]
) -> Mapping[int, int]:
    """By the number of such a change, the place from 1 of the first value that it is about.

    Every word that differs, in either text, has to belong to a value that differs and that both documents have.
    """
    differences = compared.differences if compared else ()
    by_word = tuple(_index_words(differences, side) for side in (0, 1))
    places = {}
    for change in changes:
        words = [_list_changed(change, side, reading) for side, reading in enumerate(readings)]
        if all(words) and all(set(some) <= set(known) for some, known in zip(words, by_word, strict=True)):
            places[change.number] = by_word[1][words[1][0]]
    return places


def _index_words(differences: Sequence[ValueDifference], side: int) -> dict[str, int]:
    """By the id of a word the place of its value."""
    words: dict[str, int] = {}
    for at, difference in enumerate(differences, 1):
        if difference.one and difference.other:
            value = difference.other if side else difference.one
            words = dict.fromkeys(value.words, at) | words
    return words


def _list_changed(change: Change, side: int, reading: Reading) -> list[str]:
    stretches = [stretch for stretch in change.stretches if not stretch.is_same and change.kind == "changed"]
    words = [word for stretch in stretches for word in (stretch.other if side else stretch.one)]
    return [f"{reading.pk}.{word.page}.{word.line}.{word.number}" for word in words]
