"""Values that words say in another form: thousands by the head of a column, names in another order, CR for minus."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from documents.locate.derived.inference import Evidence, infer_location
from documents.locate.leaves import Leaf
from documents.locate.locations import make_location
from documents.locate.matches import Match
from documents.locate.weights import is_unique_unlabelled
from documents.locate.words.pages import Page, Span
from documents.values.addresses import Where
from documents.values.provenance import Location
from printed.numbers import parse_number, to_json_number
from printed.units import list_money, list_scales

LABELLED = 0.5
MAX_ABOVE = 60
MAX_NAMES = 4
MIN_SCALED = 1000
MAX_BARE = 2
"""Words of a head that names no currency: in thousands."""
# A bill prints CR behind what it gives back, a statement behind what comes in.
_CREDIT = re.compile(r"(?<=\d)\s?\(?(?P<side>CR|Cr|cr)\.?\)?\W*$")
_TICKED = frozenset(["☑", "☒", "✓", "✔", "✗", "✘", "[x]", "(x)"])
_EMPTY = frozenset(["☐", "□", "▢", "[]", "()", "[_]"])


def infer_readings(evidence: Evidence) -> Iterator[tuple[Where, Location]]:
    # Looked for once: a table may have a thousand answers.
    boxes = list(_iterate_boxes(evidence)) if any(isinstance(leaf.value, bool) for leaf in evidence.open) else []
    for leaf in evidence.open:
        if isinstance(leaf.value, bool):
            location = _find_tick(leaf, leaf.value, boxes)
        elif (number := parse_number(leaf.value)) is not None:
            location = _find_scaled(leaf, number, evidence) or _find_credit(leaf, number, evidence)
        else:
            location = _find_turned_name(str(leaf.value), evidence)
        if location:
            yield leaf.where, location


def _find_scaled(leaf: Leaf, number: Decimal, evidence: Evidence) -> Location | None:
    """The number that a head above it makes thousands or millions of."""
    if abs(number) < MIN_SCALED or number != number.to_integral_value():
        return None
    for scale in (Decimal(1000), Decimal(1_000_000), Decimal(1_000_000_000)):
        match = _choose(leaf, evidence, to_json_number((number / scale).normalize() + 0), number / scale)
        head = _find_scale(match, scale) if match else None
        if match and head:
            note = f"{match.quote} under “{head.quote}”."
            return infer_location([make_location(match), make_location(head)], note)
    return None


def _find_scale(match: Match, scale: Decimal) -> Match | None:
    """Words that say it, on the line itself or above: the nearest head with a scale."""
    page, line = match.page, match.lines[0]
    at = page.lines.index(line)
    for other in reversed(page.lines[max(0, at - MAX_ABOVE) : at + 1]):
        for cell in dict.fromkeys(page.cell_of[word] for word in page.rows[other]):
            words = page.cells[cell]
            text = " ".join(page.words[word].text for word in words)
            # A short head in the corner of a table is meant for all of it; a sentence may have such a word by chance.
            is_head = bool(list_money(text)) or len(words) <= MAX_BARE
            if is_head and list_scales(text) == {scale}:
                return Match(page, Span(match.span.page, tuple(words)), "text")
    return None


def _find_credit(leaf: Leaf, number: Decimal, evidence: Evidence) -> Location | None:
    """45.00 CR for -45."""
    match = _choose(leaf, evidence, to_json_number(-number), -number, is_credit=True) if number < 0 else None
    side = _CREDIT.search(match.quote) if match else None
    if match is None or side is None:
        return None
    return infer_location([make_location(match)], f"“{side['side']}” is read as minus.")


def _choose(
    leaf: Leaf, evidence: Evidence, value: int | float, number: Decimal, *, is_credit: bool = False
) -> Match | None:
    """The one place in its row, under its label, or where nothing else says so much."""
    matches = [match for match in evidence.matcher.find_all(value) if not is_credit or _CREDIT.search(match.quote)]
    line = evidence.lines.get(leaf.row_id)
    if line is not None:
        on_line = [match for match in matches if (match.span.page, match.lines[0]) == line]
        return on_line[0] if len(on_line) == 1 else None
    labelled = [match for match in matches if evidence.labels.fit(leaf.label, match) >= LABELLED]
    if len(labelled) == 1:
        return labelled[0]
    return matches[0] if len(matches) == 1 and is_unique_unlabelled(float(number)) and is_credit else None


def _find_turned_name(value: str, evidence: Evidence) -> Location | None:
    """Ortega, Maria for Maria Ortega; one of the two has the comma."""
    first, comma, last = value.partition(",")
    words = value.split()
    if any(char.isdigit() for char in value) or not 2 <= len(words) <= MAX_NAMES:
        return None
    turned = (
        [f"{last.strip()} {first.strip()}"]
        if comma
        else [f"{' '.join(words[at:])}, {' '.join(words[:at])}" for at in range(1, len(words))]
    )
    for name in turned:
        matches = [m for m in evidence.matcher.find_all(name) if comma or "," in m.quote.rstrip(",")]
        if matches and len(name) >= 2 * MAX_NAMES:
            return infer_location([make_location(matches[0])], "The order of the names differs.")
    return None


def _iterate_boxes(evidence: Evidence) -> Iterator[tuple[Match, Match]]:
    """Each box with the words behind it."""
    for at, page in enumerate(evidence.matcher.index.pages):
        for cell in page.cells:
            for sign, words in _split_boxes(page, cell):
                yield Match(page, Span(at, tuple(sign)), "text"), Match(page, Span(at, tuple(words)), "text")


def _find_tick(leaf: Leaf, value: bool, boxes: Sequence[tuple[Match, Match]]) -> Location | None:
    """A ticked box before the words of its label, or an empty one for false."""
    signs = _TICKED if value else _EMPTY
    options = [
        (sign, words)
        for sign, words in boxes
        if sign.quote.lower().replace(" ", "") in signs
        and leaf.label.fit_names([name for at in words.span.words for name in words.page.names[at]]) >= LABELLED
    ]
    if len(options) != 1:
        return None
    state = "ticked" if value else "empty"
    return infer_location([make_location(match) for match in options[0]], f"The box before these words is {state}.")


def _split_boxes(page: Page, cell: Sequence[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Each box of a cell with the words behind it, up to the next."""
    signs: list[list[int]] = []
    at = 0
    while at < len(cell):
        lengths = (3, 2, 1)
        texts = {n: "".join(page.words[word].text for word in cell[at : at + n]).lower() for n in lengths}
        length = next((n for n in lengths if at + n <= len(cell) and texts[n] in _TICKED | _EMPTY), 0)
        if length:
            signs.append(list(cell[at : at + length]))
        at += length or 1
    for number, sign in enumerate(signs):
        end = cell.index(signs[number + 1][0]) if number + 1 < len(signs) else len(cell)
        words = list(cell[cell.index(sign[-1]) + 1 : end])
        if words:
            yield sign, words
