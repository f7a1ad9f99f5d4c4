"""Words of a page in a reading order, as one text in which a value of several words or lines is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from documents.locate.words.pages import Page


@dataclass
class Flow:
    """A page's words in one reading order, as one text of letters and digits."""

    page: int
    text: str
    ends: dict[int, int]
    """Offset just after a part of a word → place of the word in `words`."""
    starts: dict[int, int]
    words: list[int]


def order_by_row(page: Page) -> list[int]:
    return [at for line in page.lines for at in page.rows[line]]


def order_by_column(page: Page) -> list[int]:
    """Cells chained downwards where one stands under the other: a block of text reads on past its neighbours."""
    below: dict[int, int] = {}
    last: dict[int, list[int]] = {}
    for line in page.lines:
        here = list(dict.fromkeys(page.cell_of[at] for at in page.rows[line]))
        above = [cell for cells in last.values() for cell in cells]
        for cell in here:
            upper = next((other for other in above if other not in below and _is_continued(page, other, cell)), None)
            if upper is not None:
                below[upper] = cell
        last = {kept: last[kept] for kept in sorted(last)[-1:]} | {line: here}
    started = set(below.values())
    order: list[int] = []
    for cell in range(len(page.cells)):
        following = None if cell in started else cell
        while following is not None:
            order += page.cells[following]
            following = below.get(following)
    return order


def _is_continued(page: Page, upper: int, lower: int) -> bool:
    one, other = page.words[page.cells[upper][0]], page.words[page.cells[lower][0]]
    height = max(one.y1 - one.y0, other.y1 - other.y0)
    return abs(one.x0 - other.x0) < 2 * page.width and 0 <= other.y0 - one.y0 < 2.5 * height


def build_flow(at: int, page: Page, order: Sequence[int]) -> Flow:
    """`at` is the page's place among the pages."""
    offset = 0
    texts: list[str] = []
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    for place, word in enumerate(order):
        for part in page.parts[word]:
            starts[offset] = place
            offset += len(part)
            ends[offset] = place
            texts.append(part)
    return Flow(at, "".join(texts), ends, starts, list(order))
