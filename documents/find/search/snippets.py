"""The lines of a page in which the words stand that were looked for, with the boxes of these."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby, islice, pairwise

from documents.find.search.results import Box, PageHit, Snippet
from documents.index.words.expressions import Group, Phrase
from documents.index.words.terms import (
    IndexedTerm,
    list_joined_numbers,
    list_joined_words,
    list_page_terms,
    split_terms,
)
from reader.words import Word, group_lines, make_block_id

MAX_LETTERS = 300
MAX_BOXES = 100
# Of the places on one page where a phrase may begin, which are as many as it has words where all are the same.
MAX_BEGINNINGS = 5_000
_BEFORE, _MAX_WORDS = 60, 60
_PUNCTUATION = ".,;:!?()“”\"'"


def make_page_hit(reading_id: str, number: int, words: Sequence[Word], groups: Sequence[Group]) -> PageHit:
    places = find_places(words, groups)
    if not places:
        return PageHit(reading_id, number, Snippet(""))
    start, end = _choose_part(words, places)
    text, marks = _write_part(words[start:end], {place - start for place in places})
    return PageHit(
        reading_id,
        number,
        Snippet(text, marks, join_lines(words[start:end], MAX_LETTERS), _is_within(words, start)),
        _join_boxes(words, places)[:MAX_BOXES],
        sorted({word.line for word in words[start:end]}),
        _name_blocks(number, words, places)[:MAX_BOXES],
    )


def _is_within(words: Sequence[Word], start: int) -> bool:
    return start > 0 and not words[start - 1].hidden and words[start - 1].text[-1:] not in ".?!"


def join_lines(words: Iterable[Word], max_letters: int) -> list[tuple[int, str]]:
    """The numbers and words of the lines that these are from, each as far in as in its file."""
    lines = [(number, list(of_line)) for number, of_line in groupby(words, key=lambda word: word.line)]
    return [
        (number, " " * line[0].indent + " ".join(word.text for word in line)[:max_letters]) for number, line in lines
    ]


def write_gaps(words: Sequence[Word]) -> list[str]:
    """Write what stands before each of them in a text: where spaces before lines mean something, each has its line.

    The first begins at the left, wherever it stands in its file.
    """
    indents = [row[0].indent for _, row in group_lines(words)]
    leftmost = min(indents, default=0)
    gaps = [""] * len(words[:1])
    for before, word in pairwise(words):
        begins = word.line != before.line and any(indents)
        gaps.append(f"\n{' ' * max(0, word.indent - leftmost)}" if begins else " ")
    return gaps


def _name_blocks(page: int, words: Sequence[Word], places: Sequence[int]) -> list[str]:
    firsts: dict[int, int] = {}
    for place, word in enumerate(words):
        firsts.setdefault(word.line, place)
    return [make_block_id(page, words[place].line, place - firsts[words[place].line] + 1) for place in places]


def find_places(words: Sequence[Word], groups: Sequence[Group]) -> list[int]:
    """Of the words on the page that were looked for, in their order."""
    phrases = {phrase for group in groups for phrase in group}
    single = {phrase.terms[0] for phrase in phrases if _is_single(phrase)}
    places = {
        place for place, word in enumerate(words) if not word.hidden and not single.isdisjoint(split_terms(word.text))
    }
    if len(single) < len(phrases):
        terms = list_page_terms(words)
        texts = {term.text for term in terms}
        for phrase in phrases:
            if phrase.is_prefix or (not _is_single(phrase) and texts.issuperset(phrase.terms)):
                places.update(_find_phrase(terms, phrase))
    singles = [phrase for phrase in phrases if len(phrase.terms) == 1]
    numbers = [phrase for phrase in singles if any(map(str.isdigit, phrase.terms[0]))]
    joined = [*(list_joined_numbers(words) if numbers else []), *(list_joined_words(words) if singles else [])]
    for phrase in singles:
        places.update(_find_phrase(joined, phrase))
    return sorted(places)


def _is_single(phrase: Phrase) -> bool:
    return len(phrase.terms) == 1 and not phrase.is_prefix


def _find_phrase(terms: Sequence[IndexedTerm], phrase: Phrase) -> set[int]:
    places: set[int] = set()
    beginnings = (at for at, term in enumerate(terms) if _agrees(term.text, phrase, 0))
    for at in islice(beginnings, MAX_BEGINNINGS):
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
    """From a little before the place after which the best of them follow, as many as fit."""
    start, letters = _choose_place(words, places), 0
    # Where spaces before lines mean something, a line is shown from its beginning.
    is_nested = any(word.indent for word in words)
    while start > 0 and not words[start - 1].hidden and _belongs(words, start, letters, is_nested):
        start -= 1
        letters += len(words[start].text) + 1
    end = start + 1
    letters = len(words[start].text)
    while end < len(words) and not words[end].hidden and letters + 1 + len(words[end].text) <= MAX_LETTERS:
        letters += 1 + len(words[end].text)
        end += 1
    return start, end


def _belongs(words: Sequence[Word], start: int, letters: int, is_nested: bool) -> bool:
    """Whether the word before is shown too, after so many letters."""
    is_same_line = is_nested and words[start - 1].line == words[start].line
    return letters + len(words[start - 1].text) < (MAX_LETTERS // 2 if is_same_line else _BEFORE)


def _choose_place(words: Sequence[Word], places: Sequence[int]) -> int:
    """A word weighs the less the more often it stands there: the many of one word hide no place of another.

    In n log n steps: a page may have a hundred thousand of the same word.
    """
    offsets = [0, *accumulate(len(word.text) + 1 for word in words)]
    begins = [offsets[place] for place in places]
    texts = [words[place].text.casefold().strip(_PUNCTUATION) for place in places]
    counts = Counter(texts)
    weights = [0.0, *accumulate(1 / counts[text] for text in texts)]

    def weigh_following(at: int) -> float:
        near = bisect_left(places, places[at] + _MAX_WORDS)
        end = min(near, bisect_left(begins, begins[at] + MAX_LETTERS - _BEFORE))
        return round(weights[end] - weights[at], 9)

    return places[max(range(len(places)), key=weigh_following)]


def _write_part(words: Sequence[Word], places: set[int]) -> tuple[str, list[tuple[int, int]]]:
    pieces: list[str] = []
    marks: list[tuple[int, int]] = []
    at = 0
    for (place, word), gap in zip(enumerate(words), write_gaps(words), strict=True):
        text = word.text[: max(0, MAX_LETTERS - at)]
        pieces.append(gap)
        at += len(gap)
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
