"""Geometry of charts. Templates draw it as SVG; words stand beside the picture, the figures in a table below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil, log10

from kit.formats import format_day
from llm.money.budgets import MICROS

# A bar fills this share of its room; at most so many labels stand below.
FILLED, MAX_LABELS = 0.68, 5
MAX_STEPS = 5


@dataclass(frozen=True)
class Rect:
    colour: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Bar:
    """One day: its rectangles from the bottom, and what is said of it."""

    title: str
    rects: Sequence[Rect]


@dataclass(frozen=True)
class Chart:
    """All lengths are of a square of 100 by 100, whose y grows downwards."""

    label: str
    steps: Sequence[str]
    days: Sequence[str]
    bars: Sequence[Bar] = ()
    track: str = ""
    pace: str = ""
    limit: float | None = None
    swatches: Sequence[tuple[str, str]] = ()

    @property
    def lines(self) -> list[float]:
        """The heights of the lines of the scale."""
        return [round(100 * at / (len(self.steps) - 1), 2) for at in range(len(self.steps))]


@dataclass(frozen=True)
class Series:
    """`words` are those of each value, for whoever hovers or listens."""

    name: str
    colour: str
    values: Sequence[int]
    words: Sequence[str]


def draw_bars(
    label: str, days: Sequence[date], series: Sequence[Series], steps: Scale, totals: Mapping[str, str]
) -> Chart:
    """`totals` are the words of all days together, by the name of a series."""
    bars = [_draw_bar(at, day, series, steps.top, len(days)) for at, day in enumerate(days)]
    swatches = [(each.colour, f"{each.name} {totals[each.name]}") for each in series]
    return Chart(label, steps.words, _label_days(days), bars, swatches=swatches)


def _draw_bar(at: int, day: date, series: Sequence[Series], top: int, number: int) -> Bar:
    room, rects, bottom = 100 / number, [], 100.0
    for each in series:
        height = 100 * each.values[at] / top
        bottom -= height
        if height:
            left = (at + (1 - FILLED) / 2) * room
            rects.append(Rect(each.colour, round(left, 2), round(bottom, 2), round(room * FILLED, 2), round(height, 2)))
    parts = ", ".join(f"{each.name.lower()} {each.words[at]}" for each in series if each.values[at])
    return Bar(f"{format_day(day)}: {parts or 'nothing'}", rects)


def draw_track(
    label: str, days: Sequence[date], sums: Sequence[int], steps: Scale, *, limit: int = 0, pace: int = 0
) -> Chart:
    """A line through the sums of the days until now, on to where it comes to at this pace, and against a limit."""
    points = [(0.0, 100.0), *((100 * (at + 1) / len(days), _height(sum_, steps)) for at, sum_ in enumerate(sums))]
    ahead = f"{_join(points[-1:])} 100,{_height(pace, steps)}" if pace else ""
    shown_limit = _height(limit, steps) if limit else None
    return Chart(label, steps.words, _label_days(days), track=_join(points), pace=ahead, limit=shown_limit)


def _height(amount: int, steps: Scale) -> float:
    return round(100 - 100 * amount / steps.top, 2)


def _join(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{round(x, 2)},{y}" for x, y in points)


@dataclass(frozen=True)
class Scale:
    """Steps of one size, from nothing up to the `top`; amounts are millionths of a dollar."""

    step: int
    number: int
    is_amount: bool = False

    @property
    def top(self) -> int:
        return self.step * self.number

    @property
    def words(self) -> list[str]:
        """They are written beside the lines, from the top down."""
        return [self._format(self.step * at) for at in range(self.number, -1, -1)]

    def _format(self, value: int) -> str:
        if not self.is_amount:
            return f"{value:,}"
        return f"${value / MICROS:,.{0 if self.step % MICROS == 0 else 2}f}"


def make_scale(highest: int, *, is_amount: bool = False) -> Scale:
    """The lowest top above the highest value, by three to five steps of a round size; fewer where all is small."""
    smallest = MICROS // 100 if is_amount else 1
    if highest <= smallest * MAX_STEPS:
        return Scale(smallest, max(1, ceil(highest / smallest)), is_amount)
    size = smallest * 10 ** int(log10(highest / smallest / MAX_STEPS))
    steps = [size, 2 * size, size * 5 // 2 if size % (2 * smallest) == 0 else 5 * size, 5 * size, 10 * size]
    scales = [Scale(step, ceil(highest / step), is_amount) for step in steps]
    return min((scale for scale in scales if scale.number <= MAX_STEPS), key=lambda scale: (scale.top, -scale.number))


def _label_days(days: Sequence[date]) -> list[str]:
    last = len(days) - 1
    places = sorted({round(last * at / (MAX_LABELS - 1)) for at in range(MAX_LABELS)})
    return [format_day(days[place], has_year=False) for place in places]
