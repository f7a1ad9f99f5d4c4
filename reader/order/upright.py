"""Text that runs up or down the page: its lines stand beside each other, and each is read along itself."""

from collections.abc import Iterable, Sequence

from reader.words import DOWNWARD, UPWARD, Word, WordRow, group_rows

# Clockwise, by which words so marked become level; and what is level then runs that way.
ROTATIONS = {UPWARD: 90, DOWNWARD: 270}
DIRECTIONS = {90: DOWNWARD, 270: UPWARD}
# A page with fewer letters that run up or down is not turned for them.
FEWEST_LETTERS = 40


def part_upright(words: Iterable[Word]) -> tuple[list[Word], list[Word]]:
    """The level words, and those that run up or down."""
    level: list[Word] = []
    upright: list[Word] = []
    for word in words:
        (upright if word.is_upright else level).append(word)
    return level, upright


def group_upright(words: Sequence[Word]) -> list[WordRow]:
    """The lines that run up, then those that run down; from the first letter of each on."""
    return [row for direction in ROTATIONS for row in _group_direction(words, direction)]


def _group_direction(words: Sequence[Word], direction: int) -> list[WordRow]:
    turned = [rotate_word(word, ROTATIONS[direction]) for word in words if word.flags & direction]
    rows = group_rows(turned, 0.0)
    for row in rows:
        ordered = sorted(row.words, key=lambda word: word.x0)
        row.words = [rotate_word(word, 360 - ROTATIONS[direction]) for word in ordered]
    return rows


def rotate_word(word: Word, rotation: int) -> Word:
    """Its box on the page turned clockwise by 90 or 270 degrees."""
    x0, y0, x1, y1 = word[1:5]
    box = (1 - y1, x0, 1 - y0, x1) if rotation == 90 else (y0, 1 - x1, y1, 1 - x0)
    return word._replace(x0=box[0], y0=box[1], x1=box[2], y1=box[3])


def find_rotation(words: Iterable[Word]) -> int:
    """The turn, 0, 90 or 270, after which most of the visible letters are level."""
    counts = dict.fromkeys((0, *ROTATIONS), 0)
    for word in words:
        if not word.hidden:
            counts[word.flags & (UPWARD | DOWNWARD)] += len(word.text)
    commonest = max(counts, key=lambda direction: counts[direction])
    return ROTATIONS[commonest] if commonest and counts[commonest] >= FEWEST_LETTERS else 0


def rotate_words(words: Iterable[Word], rotation: int) -> list[Word]:
    """On the page turned clockwise by 90 or 270 degrees: what was level runs up or down there."""
    return [_mark(rotate_word(word, rotation), word, rotation) for word in words]


def _mark(turned: Word, word: Word, rotation: int) -> Word:
    # A sign alone, such as a tick, runs nowhere.
    is_text = any(sign.isalnum() for sign in word.text)
    direction = DIRECTIONS[rotation] if is_text and not word.is_upright else 0
    return turned._replace(flags=word.flags & ~(UPWARD | DOWNWARD) | direction)
