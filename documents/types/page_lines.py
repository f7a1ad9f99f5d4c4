"""Lines of a reading as the rules of types look at them: cells, amounts, dates and blanks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from statistics import median

from printed.languages import write_pattern
from printed.type_words import fold_line
from reader.words import Word, group_lines, list_widths, split_row

_AMOUNT = re.compile(
    r"(?<![\w.,/:-])([-−–+]?) ?(\d{1,3}(?:[ .,'’\xa0\u202f]\d{3})*|\d+)[.,](\d{2}|[-–])"
    r"(?![\d%:/]|[.,]\d|\.(?:\s|$)|\s?%)(-?)"
)
_ROUND_AMOUNT = re.compile(r"^([-−–]?)[1-9]\d{0,2}(?:[ .,'’\xa0\u202f]\d{3})+$")
_COUNT = re.compile(r"^[-−–]?\d{1,4}(?:[.,]\d{1,3})?(?:\s*(?:[a-zµ²³]{1,5}\.?))?$", re.I)
_MONTH = write_pattern(lambda language: language.months.replace(",", " "))
_DATE = re.compile(
    r"^\W*(?:\d{1,2}[./-]\s?\d{1,2}[./-]?(?:\s?\d{2,4})?|\d{4}-\d{2}-\d{2}"
    rf"|\d{{1,2}}\.? {_MONTH}(?: \d{{4}})?)(?!\w)"
)
_TIME = re.compile(r"(?<![\d:])\d{1,2}:\d{2}(?!\d)")
_BLANK = re.compile(r"_{3,}|\.{4,}|…{2,}|(?:_ ){3,}|(?:\. ){4,}|-{12,}")
_QUANTITY = re.compile(r"^\W{0,2}\d{1,4}(?:\s*[x×]|\s+(?=[^\W\d]))")
_NUMBERED_BOX = re.compile(r"(?:\[\d\]\s?-?){2,}|\[\s?\d{2,3}\s?\]")
_MEASURE = re.compile(r"^[<>≤≥±~]?\s?-?\d{1,6}(?:[.,]\d{1,4})?(?:\s?[%‰°]?[a-zµ²³/]{0,6})$", re.I)
_BOX = re.compile(r"(?:\[\d\]\s?-?){2,}|\[\s?[xX✓]?\s?\]|[□☐☑☒◻▢❏]|\(\s\)|\|_\|")


MAX_GOODS_WORDS = 8


@dataclass(frozen=True)
class TypeLine:
    """One line of a page; its cells are what is parted by wide gaps."""

    page: int
    number: int
    cells: tuple[str, ...]

    @cached_property
    def text(self) -> str:
        return "  ".join(self.cells)

    @cached_property
    def folded(self) -> str:
        return fold_line(self.text)

    @cached_property
    def amounts(self) -> list[Decimal]:
        return [amount for cell in self.cells for amount in _read_amounts(cell)]

    @property
    def starts_with_date(self) -> bool:
        return bool(_DATE.match(self.folded))

    @property
    def has_time(self) -> bool:
        return bool(_TIME.search(self.text))

    @property
    def blanks(self) -> int:
        return len(_BLANK.findall(self.text))

    @property
    def boxes(self) -> int:
        return len(_BOX.findall(self.text))

    @property
    def is_priced(self) -> bool:
        """Whether an amount stands behind a quantity or a price, and not alone as on a menu."""
        numbers = sum(bool(_COUNT.match(cell.strip()) or _read_any_amount(cell)) for cell in self.cells)
        return bool(self.amounts) and (numbers > 1 or bool(_QUANTITY.match(self.text)))

    @property
    def is_counted_goods(self) -> bool:
        """A quantity, perhaps with its unit, before the name of what is wanted, and no price."""
        return bool(_QUANTITY.match(self.text)) and not self.amounts and len(self.folded.split()) < MAX_GOODS_WORDS

    @property
    def numbered_boxes(self) -> int:
        return len(_NUMBERED_BOX.findall(self.text))

    @property
    def measures(self) -> int:
        """Count the cells that are nothing but a number, perhaps compared or with its unit."""
        return sum(bool(_MEASURE.match(cell.strip())) for cell in self.cells[1:])

    @property
    def counts(self) -> int:
        """Count the cells that are nothing but a quantity, perhaps with its unit."""
        return sum(bool(_COUNT.match(cell.strip())) for cell in self.cells[1:])


def read_lines(page: int, words: Iterable[Word]) -> Iterator[TypeLine]:
    """Hidden words are not what a person sees, so they tell nothing."""
    seen = [word for word in words if not word.hidden]
    usual = median(list_widths(seen) or [0.01])
    for number, row in group_lines(seen):
        cells = split_row(row, usual)
        yield TypeLine(page, number, tuple(" ".join(word.text for word in cell) for cell in cells))


def is_date(cell: str) -> bool:
    match = _DATE.match(fold_line(cell))
    return bool(match and match.end() >= len(cell.rstrip(" ."))) and not _read_any_amount(cell)


def _read_any_amount(cell: str) -> bool:
    return any(True for _ in _read_amounts(cell))


def _read_amounts(cell: str) -> Iterator[Decimal]:
    for sign, whole, cents, behind in _AMOUNT.findall(cell):
        digits = re.sub(r"\D", "", whole)
        value = Decimal(f"{digits}.{cents if cents.isdigit() else '00'}")
        yield -value if sign in {"-", "−", "–"} or behind else value
    if round_amount := _ROUND_AMOUNT.match(cell.strip()):
        value = Decimal(re.sub(r"\D", "", cell))
        yield -value if round_amount[1] else value
