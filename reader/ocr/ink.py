"""Whether something is drawn on a page on which no words were found."""

from collections.abc import Callable, Iterable

from PIL import Image

from reader.gaps import Gap
from reader.words import Word

# A picture so small has no noise of a scanner left, and what a person would see of a page from afar.
SIDE = 120
CONTRAST = 40
SHARE = 0.003


def find_empty_page(number: int, words: Iterable[Word], draw: Callable[[], Image.Image]) -> tuple[Gap, ...]:
    """The gap of a page on which no words were found, unless it is blank as the back of a scanned sheet is.

    A sign alone is no word: recognition takes a disc for one.
    """
    if any(sign.isalnum() for word in words if not word.hidden for sign in word.text) or not has_ink(draw()):
        return ()
    return (Gap("empty", "Something is drawn on this page, and no words were found on it.", number),)


def has_ink(picture: Image.Image) -> bool:
    """Whether enough of it stands out from its paper, which is what most of it looks like."""
    small = picture.convert("L").resize((SIDE, SIDE), Image.Resampling.BOX)
    counts = small.histogram()
    paper = sorted(small.tobytes())[SIDE * SIDE // 2]
    alike = counts[max(0, paper - CONTRAST) : paper + CONTRAST + 1]
    return SIDE * SIDE - sum(alike) >= SHARE * SIDE * SIDE
