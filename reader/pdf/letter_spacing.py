"""Words printed with their letters apart ("I N V O I C E"), which PDFium gives out as a word for each letter."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from statistics import median

from reader.words import Word

# Fewer may be marks of their own, such as "A B C" beside boxes to tick.
FEWEST_LETTERS = 4
# Between letters, in their heights; figures of columns stand further apart.
MAX_GAP = 0.9
# Between words, in gaps between their letters.
WORD_GAP = 1.7
MAX_SHIFT = 0.2


def join_letters(words: Iterable[Word], shape: float) -> list[Word]:
    """shape: width by height of the page. Words in the order of the file, as letters of one follow each other."""
    joined: list[Word] = []
    for run in list_runs(words, shape):
        joined += join_run(run) if len(run) >= FEWEST_LETTERS and is_word(run) else run
    return joined


def list_runs(words: Iterable[Word], shape: float) -> Iterator[list[Word]]:
    """Single letters that follow each other in a line; whatever else by itself."""
    run: list[Word] = []
    for word in words:
        if run and not (is_letter(run[-1]) and is_letter(word) and is_next(run[-1], word, shape)):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def is_letter(word: Word) -> bool:
    return len(word.text) == 1 and word.text.isalpha() and word.text.upper() != word.text.lower()


def is_next(one: Word, other: Word, shape: float) -> bool:
    height = one.y1 - one.y0
    is_level = abs(one.y1 - other.y1) < MAX_SHIFT * height and abs(one.y0 - other.y0) < MAX_SHIFT * height
    gap = (other.x0 - one.x1) * shape
    return is_level and one.flags == other.flags and 0 <= gap < MAX_GAP * height and not one.is_upright


def is_word(run: list[Word]) -> bool:
    """Neither the alphabet nor answers ("Y N Y N Y")."""
    codes = [ord(word.text.lower()) for word in run]
    steps = {after - before for before, after in pairwise(codes)}
    return steps != {1} and len(set(codes)) > 2


def join_run(run: list[Word]) -> list[Word]:
    """One word, or several where some of the gaps are clearly wider."""
    gaps = [other.x0 - one.x1 for one, other in pairwise(run)]
    limit = WORD_GAP * median(gaps)
    words = [run[0]]
    for gap, letter in zip(gaps, run[1:], strict=True):
        if gap > limit:
            words.append(letter)
        else:
            words[-1] = merge(words[-1], letter)
    return words


def merge(one: Word, other: Word) -> Word:
    y0, y1 = min(one.y0, other.y0), max(one.y1, other.y1)
    return one._replace(text=one.text + other.text, x1=other.x1, y0=y0, y1=y1)
