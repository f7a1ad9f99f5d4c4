"""Finds the value that belongs to a label: in the same cell, to the right, or below in the same column."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from offline_model.fields.layout import Layout, LayoutLine
from offline_model.fields.tables import SUMMARY, list_table_lines
from offline_model.fields.values import Value, parse_number, parse_value
from offline_model.fields.vocabulary import FIELDS, Field
from offline_model.text import compile_labels, split_words
from printed.folding import fold_letters

BELOW, MIDDLE, SUMMARIZED = 10, 3, 100
FAR_IN_A_SENTENCE = 28
ALL_LABELS = tuple(dict.fromkeys(label for f in FIELDS for label in f.labels if len(label) > 2))
POSTCODE = re.compile(r"\b\d{4,5}\b|\b\d{2}-\d{3}\b|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|\b\d{4}-\d{3}\b")
PLACE = re.compile(rf"(?:^|\s)(?:{POSTCODE.pattern})\s+[^\W\d_]{{2}}|[^\W\d_]{{3}},?\s+(?:{POSTCODE.pattern})$")
STREET_NUMBER = re.compile(r"[^\W\d_]{4}[^\d:.#]* \d{1,3} ?[a-z]?$")
DECIMALS = re.compile(r"\d[.,]\d\d(?!\d)")
LAST_VALUE = re.compile(r".*[\d:]")
REST_OF_LABEL = re.compile(r"[^\d:]*:?")


@dataclass(frozen=True)
class FoundValue:
    value: Value
    line: LayoutLine
    raw: str


@dataclass(frozen=True)
class LabelledValue:
    """A candidate: `rank` is the place of its label among those of the field, `distance` how far off it stands."""

    distance: int
    rank: int
    found: FoundValue


def find_value(layout: Layout, field: Field) -> FoundValue | None:
    """The best-labelled value of the field; the first in reading order among equals."""
    candidates = list_values(layout, field)
    return min(candidates, key=lambda c: (c.distance, c.rank)).found if candidates else None


@lru_cache(maxsize=64)
def list_values(layout: Layout, field: Field) -> tuple[LabelledValue, ...]:
    return tuple(_list_candidates(layout, field))


def _list_candidates(layout: Layout, field: Field) -> Iterator[LabelledValue]:
    pattern = compile_labels(field.labels)
    never = re.compile(field.never) if field.never else None
    rows, in_summary = list_table_lines(layout), False
    for at, line in enumerate(layout.lines):
        in_summary = in_summary or bool(SUMMARY.search(fold_letters(line.text)))
        for n, cell in enumerate(line.cells if line not in rows else ()):
            folded = fold_letters(cell)
            match = pattern.search(folded)
            if not match or (never and never.search(_find_label(folded, match))):
                continue
            if not field.is_known and split_words(cell[: match.start()]):
                continue
            distance, hit = _find_value_near(layout, at, n, match.end(), field)
            if hit:
                rank = next(int(k[1:]) for k, v in match.groupdict().items() if v is not None)
                distance += MIDDLE * bool(split_words(cell[: match.start()]))
                # OCR loses decimal points: an amount that has one is the surer reading.
                distance += field.kind == "number" and isinstance(hit.value, int)
                yield LabelledValue(distance + SUMMARIZED * in_summary, rank, hit)


def _find_label(folded: str, match: re.Match[str]) -> str:
    """The words around the match up to the values beside it, as `Total (excl. VAT):`."""
    before = LAST_VALUE.sub("", folded[: match.start()])
    rest = REST_OF_LABEL.match(folded[match.end() :])
    return before + match.group() + (rest.group() if rest else "")


def _find_value_near(layout: Layout, at: int, n: int, end: int, field: Field) -> tuple[int, FoundValue | None]:
    line, kind = layout.lines[at], field.kind
    inline = line.cells[n][end:].lstrip(" .:#=-–)°º*")
    hit = _read_inline(layout, line, line.cells[n], end, field)
    if hit:
        return 0, hit
    if len(split_words(inline)) > 4 and kind != "number":
        return BELOW, None
    right = _find_to_the_right(line, n, kind, layout)
    if right:
        return 0, right
    return BELOW, _find_below(layout, at, n, field)


def _read_inline(layout: Layout, line: LayoutLine, cell: str, end: int, field: Field) -> FoundValue | None:
    inline = cell[end:].lstrip(" .:#=-–)°º*")
    has_colon = ":" in cell[max(0, end - 1) : end + 3]
    if re.match(r"\.[a-z]", cell[end:]):
        return None  # the name of a file: invoice.pdf
    if field.kind == "date":
        inline = inline[:FAR_IN_A_SENTENCE]
    value = parse_cell(field.kind, inline, layout)
    if value is None and field.kind == "number" and ":" in inline:
        inline = inline.rpartition(":")[2]
        value = parse_cell("number", inline, layout)
    if value is None:
        return None
    if field.kind == "text":
        # “The Client shall pay” names nobody: what goes on small without a colon is a sentence.
        if is_label(inline) or (inline[:1].islower() and not has_colon):
            return None
        if not field.is_known and not has_colon:
            return None
        inline = inline.split(". ")[0]
        value = inline.strip(" :=|-–")
    return FoundValue(value, line, inline)


def _find_to_the_right(line: LayoutLine, n: int, kind: str, layout: Layout) -> FoundValue | None:
    cells = [c for c in line.cells[n + 1 :] if split_words(c) or not c.strip(" :.#")]
    if kind == "number":
        return _choose_amount(line, cells, layout)
    for cell in [c for c in cells if c.strip(" :.#")][:1]:
        value = None if kind == "code" and is_address(cell) else parse_cell(kind, cell, layout)
        if value is not None and not (kind in {"text", "code", "tax_id"} and is_label(cell)):
            return FoundValue(value, line, cell.strip(" :"))
    return None


def _choose_amount(line: LayoutLine, cells: list[str], layout: Layout) -> FoundValue | None:
    """The last amount with decimals before the next label, since a count often stands before the sum."""
    amounts: list[str] = []
    for cell in cells:
        if parse_number(cell, layout.decimal_comma) is not None:
            amounts.append(cell)
        elif len(split_words(cell)) > 1 or cell.rstrip().endswith(":"):
            break
    exact = [cell for cell in amounts if isinstance(parse_number(cell, layout.decimal_comma), float)]
    chosen = (exact or amounts)[-1:]
    number = parse_number(chosen[0], layout.decimal_comma) if chosen else None
    return FoundValue(number, line, chosen[0]) if number is not None else None


def _find_below(layout: Layout, at: int, n: int, field: Field) -> FoundValue | None:
    line = layout.lines[at]
    below = get_cell_below(layout, at, n)
    if not below or (len(line.cells) == 1 and at and _is_label_alone(layout.lines[at - 1])):
        return None
    cell = below[1]
    is_head = len(line.cells) > 1 and len(below[0].cells) > 1 and all(not parse_number(c) for c in line.cells)
    if field.kind == "text" and not field.is_known and not (is_head or line.cells[n].rstrip().endswith(":")):
        return None
    value = parse_cell(field.kind, cell, layout)
    is_other = is_label(cell) or (field.kind == "code" and is_address(cell))
    return None if value is None or is_other else FoundValue(value, below[0], cell)


def _is_label_alone(line: LayoutLine) -> bool:
    """Whether the line is one more of a list of labels, under which their values do not stand."""
    cell = line.cells[0]
    opens = is_label(cell) or compile_labels(ALL_LABELS).match(fold_letters(cell).strip())
    return bool(len(line.cells) == 1 and opens and not DECIMALS.search(cell))


def get_cell_below(layout: Layout, at: int, n: int) -> tuple[LayoutLine, str] | None:
    """The cell under the n-th one of a line, where the columns of the two lines can be told."""
    if at + 1 >= len(layout.lines) or layout.lines[at + 1].page != layout.lines[at].page:
        return None
    line, below = layout.lines[at], layout.lines[at + 1]
    if len(line.columns) == len(below.columns) > 1:
        cell = below.columns[[place for place, text in enumerate(line.columns) if text][n]]
    elif n == 0 or len(line.cells) == len(below.cells):
        cell = below.cells[n]
    else:
        return None
    return (below, cell) if cell else None


def parse_cell(kind: str, text: str, layout: Layout) -> Value | None:
    if not text.strip():
        return None
    return parse_value(kind, text, layout.decimal_comma, month_first=layout.month_first)


def is_address(cell: str) -> bool:
    """A place with its postcode, or a street with its number: they are numbers of nothing else."""
    return bool(PLACE.search(cell) or STREET_NUMBER.match(cell))


def is_label(cell: str) -> bool:
    """Whether the cell is nothing but a known label, ends as one does, or begins as a labelled value does."""
    folded = fold_letters(cell).strip()
    match = compile_labels(ALL_LABELS).match(folded)
    rest = folded[match.end() :].strip(" .#°º") if match else ""
    return folded.endswith(":") or bool(match and (rest.startswith(":") or not split_words(rest)))
