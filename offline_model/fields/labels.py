"""Finds the value that belongs to a label: in the same cell, to the right, or below in the same column."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from offline_model.fields.layout import Layout, LayoutLine
from offline_model.fields.values import Value, parse_number, parse_value
from offline_model.fields.vocabulary import FIELDS, Field
from offline_model.text import compile_labels, split_words
from printed.folding import fold_letters

SUMMARY = re.compile(r"(gst|tax|vat) summary")
BELOW, MIDDLE = 10, 3
ALL_LABELS = tuple(dict.fromkeys(label for f in FIELDS for label in f.labels if len(label) > 2))


@dataclass(frozen=True)
class FoundValue:
    value: Value
    line: LayoutLine
    raw: str


def find_value(layout: Layout, field: Field) -> FoundValue | None:
    """The best-labelled value of the field; the first in reading order among equals."""
    candidates = list(_list_candidates(layout, field))
    return min(candidates, key=lambda c: c[0])[1] if candidates else None


def _list_candidates(layout: Layout, field: Field) -> Iterator[tuple[tuple[int, int], FoundValue]]:
    pattern = compile_labels(field.labels)
    never = re.compile(field.never) if field.never else None
    in_summary = False
    for at, line in enumerate(layout.lines):
        in_summary = in_summary or bool(SUMMARY.search(fold_letters(line.text)))
        for n, cell in enumerate(line.cells):
            folded = fold_letters(cell)
            match = pattern.search(folded)
            if not match or (never and never.search(folded)):
                continue
            place, hit = _find_value_near(layout, at, n, match.end(), field.kind)
            if hit:
                rank = next(int(k[1:]) for k, v in match.groupdict().items() if v is not None)
                place += MIDDLE * bool(split_words(cell[: match.start()]))
                # OCR loses decimal points: an amount that has one is the surer reading.
                place += field.kind == "number" and isinstance(hit.value, int)
                yield (place + 100 * in_summary, rank), hit


def _find_value_near(layout: Layout, at: int, n: int, end: int, kind: str) -> tuple[int, FoundValue | None]:
    line = layout.lines[at]
    comma = layout.decimal_comma
    inline = line.cells[n][end:].lstrip(" .:#=-–)°º*")
    value = parse_cell(kind, inline, comma)
    # “The Client shall pay” names nobody: what goes on small without a colon is a sentence.
    is_prose = inline[:1].islower() and ":" not in line.cells[n][: end + 2]
    if value is not None and not (kind == "text" and (is_label(inline) or is_prose)):
        return 0, FoundValue(value, line, inline)
    right = _find_to_the_right(line, n, kind, comma)
    if right:
        return 0, right
    return BELOW, _find_below(layout, at, n, kind)


def _find_to_the_right(line: LayoutLine, n: int, kind: str, comma: bool) -> FoundValue | None:
    cells = [c for c in line.cells[n + 1 :] if split_words(c) or not c.strip(" :.#")]
    if kind == "number":
        return _choose_amount(line, cells, comma)
    for cell in [c for c in cells if c.strip(" :.#")][:1]:
        value = parse_cell(kind, cell, comma)
        if value is not None and not (kind in {"text", "code"} and is_label(cell)):
            return FoundValue(value, line, cell.strip(" :"))
    return None


def _choose_amount(line: LayoutLine, cells: list[str], comma: bool) -> FoundValue | None:
    """The last amount with decimals before the next label, since a count often stands before the sum."""
    amounts: list[str] = []
    for cell in cells:
        if parse_number(cell, comma) is not None:
            amounts.append(cell)
        elif len(split_words(cell)) > 1:
            break
    exact = [cell for cell in amounts if isinstance(parse_number(cell, comma), float)]
    chosen = (exact or amounts)[-1:]
    number = parse_number(chosen[0], comma) if chosen else None
    return FoundValue(number, line, chosen[0]) if number is not None else None


def _find_below(layout: Layout, at: int, n: int, kind: str) -> FoundValue | None:
    if at + 1 >= len(layout.lines) or layout.lines[at + 1].page != layout.lines[at].page:
        return None
    line, below = layout.lines[at], layout.lines[at + 1]
    if len(line.columns) == len(below.columns) > 1:
        cell = below.columns[[place for place, text in enumerate(line.columns) if text][n]]
    elif n == 0 or len(line.cells) == len(below.cells):
        cell = below.cells[n]
    else:
        return None
    value = parse_cell(kind, cell, layout.decimal_comma)
    return None if value is None or is_label(cell) else FoundValue(value, below, cell)


def parse_cell(kind: str, text: str, comma: bool) -> Value | None:
    return parse_value(kind, text, comma) if text.strip() else None


def is_label(cell: str) -> bool:
    """Whether the cell is nothing but a known label, ends as one does, or begins as a labelled value does."""
    folded = fold_letters(cell).strip()
    match = compile_labels(ALL_LABELS).match(folded)
    rest = folded[match.end() :].strip(" .#°º") if match else ""
    return folded.endswith(":") or bool(match and (rest.startswith(":") or not split_words(rest)))
