"""The lines of a page in which the words stand that were looked for, with the boxes of these."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from documents.backends.words import Word, make_block_id
from documents.search.results import Box, PageHit, Snippet
from documents.word_index.expressions import Group, Phrase
from documents.word_index.terms import IndexedTerm, list_joined_numbers, list_page_terms

MAX_LETTERS = 300
MAX_BOXES = 100
_BEFORE = 60


def make_page_hit(reading_id: str, number: int, words: Sequence[Word], groups: Sequence[Group]) -> PageHit:
    places = find_places(words, groups)
    if not places:
        return PageHit(reading_id, number, Snippet(""))
    start, end = _choose_part(words, places)
    text, marks = _write_part(words[start:end], {place - start for place in places})
    return PageHit(
        reading_id,
        number,
        Snippet(text, marks),
        _join_boxes(words, places)[:MAX_BOXES],
        sorted({word.line for word in words[start:end]}),
        _name_blocks(number, words, places)[:MAX_BOXES],
    )


def _name_blocks(page: int, words: Sequence[Word], places: Sequence[int]) -> list[str]:
    firsts: dict[int, int] = {}
    for place, word in enumerate(words):
        firsts.setdefault(word.line, place)
    return [make_block_id(page, words[place].line, place - firsts[words[place].line] + 1) for place in places]


def find_places(words: Sequence[Word], groups: Sequence[Group]) -> list[int]:
    """Of the words on the page that were looked for, in their order."""
    terms, joined = list_page_terms(words), list_joined_numbers(words)
    places: set[int] = set()
    for phrase in {phrase for group in groups for phrase in group}:
        places.update(_find_phrase(terms, phrase))
        if len(phrase.terms) == 1:
            places.update(_find_phrase(joined, phrase))
    return sorted(places)


def _find_phrase(terms: Sequence[IndexedTerm], phrase: Phrase) -> set[int]:
    places: set[int] = set()
    for at, term in enumerate(terms):
        if not _agrees(term.text, phrase, 0):
            continue
        following = terms[at : at + len(phrase.terms)]
        if len(following) == len(phrase.terms) and all(
            _agrees(other.text, phrase, offset) for offset, other in enumerate(following)
        ):
            places.update(other.word for other in following)
    return places


def _agrees(text: str, phrase: Phrase, offset: int) -> bool:
    term = phrase.terms[offset]
    return text == term or (phrase.is_prefix and offset == len(phrase.terms) - 1 and text.startswith(term))


def _choose_part(words: Sequence[Word], places: Sequence[int]) -> tuple[int, int]:
    """From a little before the place after which the most of them follow, as many as fit."""
    best = max(places, key=lambda first: sum(_reaches(words, first, place) for place in places))
    start, letters = best, 0
    while start > 0 and not words[start - 1].hidden and letters + len(words[start - 1].text) < _BEFORE:
        start -= 1
        letters += len(words[start].text) + 1
    end = start + 1
    letters = len(words[start].text)
    while end < len(words) and not words[end].hidden and letters + 1 + len(words[end].text) <= MAX_LETTERS:
        letters += 1 + len(words[end].text)
        end += 1
    return start, end


def _reaches(words: Sequence[Word], first: int, place: int) -> bool:
    return 0 <= place - first < 60 and sum(len(word.text) + 1 for word in words[first:place]) < MAX_LETTERS - _BEFORE


def _write_part(words: Sequence[Word], places: set[int]) -> tuple[str, list[tuple[int, int]]]:
    pieces: list[str] = []
    marks: list[tuple[int, int]] = []
    at = 0
    for place, word in enumerate(words):
        text = word.text[: MAX_LETTERS - at]
        if pieces:
            pieces.append(" ")
            at += 1
        if place in places:
            joins = bool(marks) and place - 1 in places and marks[-1][1] == at - 1
            marks[-1:] = [(marks[-1][0], at + len(text))] if joins else [*marks[-1:], (at, at + len(text))]
        pieces.append(text)
        at += len(text)
    return "".join(pieces), marks


def _join_boxes(words: Sequence[Word], places: Sequence[int]) -> list[Box]:
    """Neighbours in one line share a box."""
    boxes: list[Box] = []
    runs = groupby(enumerate(places), key=lambda entry: (entry[1] - entry[0], words[entry[1]].line))
    for _, run in runs:
        near = [words[place] for _, place in run]
        boxes.append(
            (
                min(word.x0 for word in near),
                min(word.y0 for word in near),
                max(word.x1 for word in near),
                max(word.y1 for word in near),
            )
        )
    return boxes
