"""Everything on the pages that looks like a label, with what stands beside and under it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from documents.locate.labels import LONGEST_LABEL
from documents.locate.words.pages import Page
from documents.values.provenance import Box
from printed.dates import find_dates
from printed.folding import read_digits, split_names
from printed.numbers import parse_numbers
from printed.stopwords import FILLERS

# A label and its value in one word: Tel:016-7574666.
_GLUED = re.compile(r"[^\W\d_][^\d:]*:\w")
MAX_GAP = 2.5
"""In heights of its line: text further below a label is not its value."""


@dataclass(frozen=True, eq=False)
class WordRun:
    """Neighbouring words of one line of a page."""

    page: Page
    words: tuple[int, ...]

    @cached_property
    def text(self) -> str:
        return " ".join(self.page.words[at].text for at in self.words)

    @property
    def line(self) -> int:
        return self.page.words[self.words[0]].line

    @property
    def box(self) -> Box:
        words = [self.page.words[at] for at in self.words]
        return (
            min(word.x0 for word in words),
            min(word.y0 for word in words),
            max(word.x1 for word in words),
            max(word.y1 for word in words),
        )

    @property
    def blocks(self) -> set[str]:
        return {self.page.blocks[at] for at in self.words}

    @property
    def has_digit(self) -> bool:
        return any(char.isdigit() for char in self.text)

    @property
    def has_label(self) -> bool:
        """Whether another label stands in it."""
        return any(self.page.words[at].text.endswith(":") for at in self.words)

    def fits(self, kind: str) -> bool:
        """Whether it can be a value of the kind."""
        if kind in ("number", "integer"):
            return any(parse_numbers(read_digits(self.page.words[at].text)) for at in self.words)
        if kind == "date":
            return next(find_dates(self.text), None) is not None
        return any(char.isalnum() for char in self.text)


@dataclass(frozen=True, eq=False)
class PrintedLabel:
    """`names` are its folded words without fillers; `ends_plainly`: by a colon, so what follows is its value."""

    run: WordRun
    names: tuple[str, ...]
    ends_plainly: bool
    rest: WordRun | None

    def iterate_values(self) -> Iterator[WordRun]:
        """Yield what may be its value, the likeliest first: behind it, to its right, below it."""
        if self.rest:
            yield self.rest
            return
        right = _find_right(self.run)
        if right and not right.has_label and (self.ends_plainly or not _is_label_like(right)):
            yield right
        below = None if right and self.ends_plainly else _find_below(self.run)
        if below and not below.has_label:
            yield below

    @property
    def place(self) -> tuple[int, int]:
        """Page and line."""
        return self.run.page.number, self.run.line

    @property
    def beside(self) -> WordRun | None:
        """The words behind it on its line, if they are no label too."""
        beside = self.rest or _find_right(self.run)
        return None if beside is None or _is_label_like(beside) else beside

    @property
    def text(self) -> str:
        """With what stands beside it."""
        return join_runs(self.run, self.beside) if self.beside else self.run.text


def join_runs(label: WordRun, value: WordRun) -> str:
    """Their words, each once."""
    shared = set(value.words) if label.page is value.page else set()
    before = [label.page.words[at].text for at in label.words if at not in shared]
    return " ".join([*before, value.text])


def iterate_labels(page: Page) -> Iterator[PrintedLabel]:
    for cell in page.cells:
        if label := _read_label(page, cell):
            yield label


def _read_label(page: Page, cell: list[int]) -> PrintedLabel | None:
    """The words up to a colon or to the first digit, where they are no more than a label has."""
    words: list[int] = []
    ends_plainly = False
    rest = tuple[int, ...]()
    for place, at in enumerate(cell):
        text = page.words[at].text
        if _GLUED.match(text):
            words, rest, ends_plainly = [*words, at], tuple(cell[place:]), True
            break
        if words and _is_value_like(text):
            break
        words.append(at)
        if text.rstrip(".").endswith((":", "：")):
            ends_plainly = True
            break
        if len(words) > LONGEST_LABEL:
            return None
    run = WordRun(page, tuple(words))
    names = read_names(run.text)
    rest = rest or tuple(cell[len(words) :])
    return PrintedLabel(run, names, ends_plainly, WordRun(page, rest) if rest else None) if names else None


def read_names(text: str) -> tuple[str, ...]:
    return tuple(name for name in split_names(text) if name not in FILLERS)


def _is_value_like(text: str) -> bool:
    return any(char.isdigit() for char in text) or text in ("$", "€", "£")


def _is_label_like(run: WordRun) -> bool:
    """As a head beside a head: no digit in it, and a colon at its end or no more words than a label has."""
    return run.text.endswith(":") or (len(run.words) <= 2 and run.text[:1].isupper() and not run.has_digit)


def _find_right(run: WordRun) -> WordRun | None:
    page = run.page
    cell = page.cell_of[run.words[-1]]
    row = page.rows[run.line]
    later = row[row.index(run.words[-1]) + 1 :]
    following = next((page.cell_of[at] for at in later if page.cell_of[at] != cell), None)
    return WordRun(page, tuple(page.cells[following])) if following is not None else None


def _find_below(run: WordRun) -> WordRun | None:
    page, box = run.page, run.box
    at = page.lines.index(run.line)
    for line in page.lines[at + 1 : at + 2]:
        over = pick_under(page, page.rows[line], box)
        if over and page.words[over[0]].y0 - box[3] <= MAX_GAP * (box[3] - box[1]):
            return WordRun(page, tuple(page.cells[page.cell_of[over[0]]]))
    return None


def pick_under(page: Page, row: Iterable[int], box: Box) -> list[int]:
    """The words of a line that overlap the box sideways."""
    return [at for at in row if page.words[at].x0 < box[2] and page.words[at].x1 > box[0]]
