"""Whether a text layer says what the page shows: fonts may give their letters out as other ones, and look right.

To look at each page with OCR would take a hundred times as long as its text, so only layers that look odd are compared
with it, a line or two of them.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from statistics import fmean, median

from PIL import Image

from reader.layout.fonts import measure_character
from reader.ocr.clippings import fit, read_clipping
from reader.ocr.recognition import Box
from reader.pdf.text_layer import is_garbled
from reader.pdf.word_merge import Places
from reader.words import Word, group_lines, number_rows

# Measured on 14 pages of 7 makers: words are as wide as their letters let expect within .03 to .08 of it, with other
# letters within .08 to .16; of the letters .38 to .43 are vowels, with other ones .10 to .29.
ODD_WIDTHS, FEWEST_WORDS = 0.09, 12
# Share of its characters; where a tenth is garbled the layer is of no use at all.
GARBLED = 0.005
MIN_VOWELS, MAX_VOWELS, FEWEST_LETTERS = 0.31, 0.6, 60
VOWELS = frozenset("aeiouy")
LETTERS_OF_WORD = 3
ALPHABETIC = re.compile(r"[^\W\d_]{4,}")
# A word of which a letter is narrower than this, in heights, stands upright or is squeezed.
NARROWEST = 0.15
SAMPLES, PADDING = 2, 0.3
# Share of what OCR read surely; right layers have .85 and more of it.
AGREEMENT, FEWEST_PAIRS, SURE = 0.5, 3, 70


def is_odd(words: Iterable[Word], size: tuple[float, float]) -> bool:
    """size: of the page, in points."""
    visible = [word for word in words if not word.hidden]
    text = "".join(word.text for word in visible)
    if sum(map(is_garbled, text)) > GARBLED * len(text):
        return True
    return has_odd_letters(visible) or has_odd_widths(visible, size)


def has_odd_letters(words: Iterable[Word]) -> bool:
    text = " ".join(word.text for word in words)
    plain = "".join(sign for sign in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(sign))
    letters = [letter for run in ALPHABETIC.findall(plain) if run.isascii() for letter in run]
    if len(letters) < FEWEST_LETTERS:
        return False
    return not MIN_VOWELS <= sum(letter in VOWELS for letter in letters) / len(letters) <= MAX_VOWELS


def has_odd_widths(words: Iterable[Word], size: tuple[float, float]) -> bool:
    """Neither as in letters of their own widths, nor as in those of one width."""
    widths = list(measure_words(words, size))
    if len(widths) < FEWEST_WORDS:
        return False
    proportional = [width / sum(measure_character("regular", sign) for sign in text) for text, width in widths]
    equal = [width / len(text) for text, width in widths]
    return min(measure_spread(proportional), measure_spread(equal)) > ODD_WIDTHS


def measure_words(words: Iterable[Word], size: tuple[float, float]) -> Iterator[tuple[str, float]]:
    """Text and width in heights, of words that lie and are written in letters whose widths are known."""
    for word in words:
        width, height = (word.x1 - word.x0) * size[0], (word.y1 - word.y0) * size[1]
        is_long = len(word.text) >= LETTERS_OF_WORD and word.text.isascii()
        if is_long and width > NARROWEST * len(word.text) * height > 0:
            yield word.text, width / height


def measure_spread(ratios: Sequence[float]) -> float:
    middle = median(ratios)
    return fmean(abs(ratio / middle - 1) for ratio in ratios)


def is_contradicted(words: Iterable[Word], picture: Image.Image) -> bool:
    """picture: the page as shown. Whether OCR reads other words in the fullest lines of it."""
    visible = [word for word in words if not word.hidden]
    seen = [word for box in choose_samples(visible) for word in read_clipping(picture, box)]
    return differs(visible, seen)


def choose_samples(words: Iterable[Word]) -> list[Box]:
    """The lines with the most letters."""
    lines = [line for _, line in group_lines(number_rows(words))]
    fullest = sorted(lines, key=lambda line: sum(len(word.text) for word in line), reverse=True)[:SAMPLES]
    return [frame(line) for line in fullest]


def frame(line: Sequence[Word]) -> Box:
    top, bottom = min(word.y0 for word in line), max(word.y1 for word in line)
    air = PADDING * (bottom - top)
    left, right = min(word.x0 for word in line), max(word.x1 for word in line)
    return fit(left - air), fit(top - air), fit(right + air), fit(bottom + air)


def differs(layer: Sequence[Word], seen: Iterable[Word]) -> bool:
    """Whether the layer says something else than what was surely seen in the same places."""
    known = [word for word in layer if is_known(word.text) and not word.hidden]
    places = Places(known)
    alike = []
    for word in seen:
        near = [known[at] for at in places.find_near(word)]
        if near and len(word.text) >= LETTERS_OF_WORD and word.confidence >= SURE:
            alike.append(max(measure_likeness(word.text, other.text) for other in near))
    return len(alike) >= FEWEST_PAIRS and fmean(alike) < AGREEMENT


def is_known(text: str) -> bool:
    """In letters that OCR knows: of others its own words would be the wrong ones."""
    return all(unicodedata.name(sign, "").startswith(("LATIN", "CJK")) for sign in text if sign.isalpha())


def measure_likeness(one: str, other: str) -> float:
    one, other = one.casefold(), other.casefold()
    if one in other or other in one:
        return 1.0
    return SequenceMatcher(None, one, other, autojunk=False).ratio()
