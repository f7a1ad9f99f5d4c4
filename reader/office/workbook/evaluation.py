"""Formulas without a stored value, as far as they are sums: + - * /, SUM and ROUND over cells of the same file.

Whatever else stands in a formula makes it one that is not computed. All of a file has one bound of steps.
"""

import math
import re
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Context, Decimal

from reader.office.formulas import Place
from reader.office.workbook.cells import LAST_COLUMN, LAST_ROW, read_place

MAX_STEPS, MAX_DEPTH, MAX_LETTERS = 400_000, 50, 2000
CELL = r"\$?[A-Z]{1,3}\$?\d{1,7}"
TOKEN = re.compile(
    rf"""\s*(?:(?P<number>\d+(?:\.\d*)?(?:E[+-]?\d{{1,3}})?|\.\d+) | (?P<name>SUM|ROUND)\s*\(
    | (?:(?P<sheet>'(?:[^']|'')+'|[^\W\d][\w.]*)!)?(?P<first>{CELL})(?![\w(!])(?::(?P<last>{CELL})(?![\w(!]))?
    | (?P<sign>[-+*/(),;%]))""",
    re.VERBOSE | re.IGNORECASE,
)
ROUNDING = Context(prec=15, rounding=ROUND_HALF_UP)
Value = float | str | None
Cell = tuple[str, Place]
FindCell = Callable[[str, Place], tuple[Value, str]]


class NotComputed(Exception):
    """The formula holds something else than sums, or leads to itself."""


class Evaluator:
    """`find_cell`: the stored value of a cell and its formula, by the name of its sheet and its place."""

    def __init__(self, find_cell: FindCell) -> None:
        self.find_cell = find_cell
        self.steps = MAX_STEPS
        self.values: dict[Cell, float | None] = {}
        self.open: set[Cell] = set()

    def evaluate(self, sheet: str, place: Place, formula: str) -> float | None:
        """None where it is not computed."""
        cell = sheet, place
        if cell not in self.values:
            try:
                self.open.add(cell)
                value = Expression(self, sheet, formula).compute()
                self.values[cell] = value if math.isfinite(value) else None
            except (NotComputed, ZeroDivisionError, OverflowError):
                # A cell that lies too deep may be computed from elsewhere.
                if len(self.open) == 1:
                    self.values[cell] = None
                return None
            finally:
                self.open.discard(cell)
        return self.values[cell]

    def look_up(self, sheet: str, place: Place) -> Value:
        """The value of a cell that a formula names. Raises NotComputed."""
        self.steps -= 1
        if self.steps < 0:
            raise NotComputed
        value, formula = self.find_cell(sheet, place)
        if not formula or value is not None:
            return value
        if (sheet, place) in self.open or len(self.open) >= MAX_DEPTH:
            raise NotComputed
        computed = self.evaluate(sheet, place, formula)
        if computed is None:
            raise NotComputed
        return computed


class Expression:
    """One formula, read from left to right."""

    def __init__(self, evaluator: Evaluator, sheet: str, formula: str) -> None:
        self.evaluator, self.sheet = evaluator, sheet
        if len(formula) > MAX_LETTERS:
            raise NotComputed
        self.tokens = list(split_formula(formula.removeprefix("=").strip()))
        self.at = 0
        self.depth = 0

    def compute(self) -> float:
        value = self.read_sum()
        if self.at < len(self.tokens):
            raise NotComputed
        return value

    def take(self, *signs: str) -> str:
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        if token is None or token["sign"] not in signs:
            return ""
        self.at += 1
        return token["sign"]

    def read_sum(self) -> float:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotComputed
        value = self.read_product()
        while sign := self.take("+", "-"):
            other = self.read_product()
            value = value + other if sign == "+" else value - other
        self.depth -= 1
        return value

    def read_product(self) -> float:
        value = self.read_factor()
        while sign := self.take("*", "/"):
            other = self.read_factor()
            value = value * other if sign == "*" else value / other
        return value

    def read_factor(self) -> float:
        negative = False
        while sign := self.take("+", "-"):
            negative ^= sign == "-"
        value = self.read_operand()
        while self.take("%"):
            value /= 100
        return -value if negative else value

    def read_operand(self) -> float:
        if self.take("("):
            value = self.read_sum()
            self.expect(")")
            return value
        token = self.next_token()
        if token["number"]:
            return float(token["number"])
        if token["name"]:
            return self.read_sum_of_cells() if token["name"].upper() == "SUM" else self.read_rounded()
        if token["first"] and not token["last"]:
            return to_number(self.evaluator.look_up(*self.find_place(token)))
        raise NotComputed

    def next_token(self) -> re.Match[str]:
        if self.at == len(self.tokens):
            raise NotComputed
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise NotComputed

    def read_rounded(self) -> float:
        value = self.read_sum()
        if not self.take(",", ";"):
            raise NotComputed
        digits = int(self.read_sum())
        self.expect(")")
        if abs(digits) > 15 or abs(value) > 1e15:
            raise NotComputed
        exact = ROUNDING.create_decimal(repr(value))
        return float(exact.quantize(Decimal(1).scaleb(-digits), context=Context(prec=60, rounding=ROUND_HALF_UP)))

    def read_sum_of_cells(self) -> float:
        total = self.read_argument()
        while self.take(",", ";"):
            total += self.read_argument()
        self.expect(")")
        return total

    def read_argument(self) -> float:
        """Texts in the cells of a range count for nothing."""
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        if token is None or not token["last"]:
            return self.read_sum()
        self.at += 1
        sheet, first = self.find_place(token)
        last = read_place(token["last"].upper())
        if last is None or (last[0] - first[0] + 1) * (last[1] - first[1] + 1) > self.evaluator.steps:
            raise NotComputed
        values = (
            self.evaluator.look_up(sheet, (row, column))
            for row in range(first[0], last[0] + 1)
            for column in range(first[1], last[1] + 1)
        )
        return math.fsum(value for value in values if isinstance(value, float))

    def find_place(self, token: re.Match[str]) -> Cell:
        place = read_place(token["first"].upper())
        if place is None or place[0] >= LAST_ROW or place[1] >= LAST_COLUMN:
            raise NotComputed
        name = token["sheet"]
        return (name.strip("'").replace("''", "'") if name else self.sheet), place


def split_formula(text: str) -> Iterator[re.Match[str]]:
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise NotComputed
        yield match
        at = match.end()


def to_number(value: Value) -> float:
    if isinstance(value, str):
        raise NotComputed
    return value or 0.0
