"""Signs of a document's type: titles at its head, labels and phrases by language, and how its lines are built."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from documents.types.page_lines import TypeLine, is_date
from printed.type_words import fold_line, get_labels, get_phrases, get_titles, get_types_of_titles

HEAD_LINES = 10
MAX_TITLE_WORDS = 8
SENTENCE_WORDS = 8
WORDS_OF_SENTENCE = 4
COLUMNS_OF_HEAD = 4
LAYOUT_LABELS = {"party_column", "ordinal_clause", "referring"}
"""Labels that tell how a line is built, and nothing by themselves."""
LINE_BEGINNINGS = {"salutation", "closing"}
"""Phrases that are meant where a line begins with them: "estimado" greets there, and means an estimate elsewhere."""
_BEFORE_LABEL = re.compile(r"^(?:[\W\d_]+|[a-z0-9]{1,3}[.)]\s+)*")
_CLAUSE = re.compile(
    r"^\W*(?:§\s?\d+|art(?:icle|ikel|iculo|ykul|icolo|igo|\.)?\s?\d+|cl(?:anek|ause|ausula|\.)\s?[ivx\d]+)(?!\w)", re.I
)
_NUMBERED = re.compile(r"^\W*(?:\d{1,2}(?:\.\d)?|[IVX]{1,4})[.)]?\s+[^\W\d_]{3,}")
_MRZ = re.compile(r"(?:[A-Z0-9]<{1,}[A-Z0-9<]{6,}|[A-Z0-9<]{10,}<{2,}|<{3,})")
_LICENCE = re.compile(r"(?<!\w)4\s?[abc][.)]")
_LICENCE_FIELD = re.compile(r"^\W*[1-59][.)]\s+\S")


@dataclass(frozen=True)
class TypeSign:
    """`name` says of which kind it is; `words` are those that stand there."""

    name: str
    page: int
    line: int
    words: str


def find_titles(lines: Sequence[TypeLine]) -> Iterator[TypeSign]:
    """Titles at the head, the surest first: a title is a short cell, so a sentence about another type is none."""
    head = lines[: max(4, min(HEAD_LINES, len(lines)))]
    for at, line in enumerate(head):
        if not _ends_with_amount(line):
            is_denied = bool(get_phrases()["no_invoice"].search(line.folded))
            titles = [title for cell in line.cells for title in _read_title(line, cell, at)]
            yield from (title for title in titles if not (is_denied and title.name.endswith(":invoice")))


def _ends_with_amount(line: TypeLine) -> bool:
    """Then it is a row of goods or of sums, whatever it names."""
    return len(line.cells) > 1 and bool(line.amounts) and line.cells[-1].strip()[:1] in "+-−–0123456789€$£"


def _read_title(line: TypeLine, cell: str, at: int) -> Iterator[TypeSign]:
    folded = fold_line(cell)
    bare = _BEFORE_LABEL.sub("", folded)
    if len(re.findall(r"[^\W\d_]{2,}", folded)) > MAX_TITLE_WORDS or not bare:
        return
    start = get_titles().match(bare)
    match = start or get_titles().search(bare)
    if match is None:
        return
    followed = bare[match.end() :].lstrip()
    is_label = followed.startswith(":") and at > 0
    rank = "title" if start and not is_label else "inner" if not is_label else "label"
    before = bare[: match.start()]
    if len(line.cells) >= COLUMNS_OF_HEAD:
        rank = "label"
    if bare.endswith((".", ",")) and len(bare.split()) >= WORDS_OF_SENTENCE:
        rank = "label"
    if rank == "inner" and (re.search(r"\d", before) or get_labels()["referring"].match(before)):
        rank = "label"
    for name, pattern in get_types_of_titles().items():
        if pattern.fullmatch(match[0]):
            shade = "high" if at < 3 else "low"
            rank = "label" if name == "letter" and followed.startswith(":") else rank
            loud = "loud" if cell.upper() == cell else "plain"
            yield TypeSign(f"{rank}.{shade}.{loud}:{name}", line.page, line.number, cell.strip())


def find_word_signs(lines: Sequence[TypeLine]) -> Iterator[TypeSign]:
    """A label below another one with nothing beside them names no value, so it is no sign: anybody can write a list."""
    was_bare = False
    for line in lines:
        is_bare = _is_bare_label(line)
        was_bare, is_listed = is_bare, is_bare and was_bare
        for cell in () if is_listed else line.cells:
            folded = fold_line(cell)
            start = match.end() if (match := _BEFORE_LABEL.match(folded)) else 0
            for name, pattern in get_labels().items():
                label = pattern.match(folded[start:])
                is_said = label and (name != "mail_header" or folded[start + label.end() :].lstrip().startswith(":"))
                if label and is_said and name not in LAYOUT_LABELS:
                    yield TypeSign(name, line.page, line.number, cell[start : start + label.end()])
        for name, pattern in get_phrases().items():
            phrase = pattern.search(line.folded)
            if phrase and (name not in LINE_BEGINNINGS or not line.folded[: phrase.start()].strip(" ,>")):
                yield TypeSign(name, line.page, line.number, line.text[phrase.start() : phrase.end()])


def _is_bare_label(line: TypeLine) -> bool:
    if len(line.cells) > 1:
        return False
    bare = _BEFORE_LABEL.sub("", line.folded).rstrip(" :")
    return any(pattern.fullmatch(bare) for name, pattern in get_labels().items() if name not in LAYOUT_LABELS)


def find_layout_signs(lines: Sequence[TypeLine]) -> Iterator[TypeSign]:
    """Find signs in how lines are built, whatever their words are."""
    for line in lines:
        for name in _name_layout(line):
            yield TypeSign(name, line.page, line.number, line.text[:60])
    yield from _find_running_balances(lines)
    yield from _find_quantities_alone(lines)


def _name_layout(line: TypeLine) -> Iterator[str]:
    if _MRZ.search(line.text):
        yield "mrz"
    if _LICENCE.search(line.text):
        yield "licence"
    elif _LICENCE_FIELD.match(line.text) and len(line.text) < 40:
        yield "licence_field"
    if _CLAUSE.match(line.folded) or get_labels()["ordinal_clause"].match(_BEFORE_LABEL.sub("", line.folded)):
        yield "clause"
    elif _NUMBERED.match(line.text) and not line.amounts:
        yield "numbered"
    yield from ["blank"] * line.blanks + ["box"] * line.boxes + ["numbered_box"] * line.numbered_boxes
    if is_listed := len(line.cells) > 2 and bool(line.amounts) and any(map(is_date, line.cells[1:])):
        yield "row_with_date"
    if line.is_priced and not is_listed:
        yield "priced_row"
    if line.is_counted_goods:
        yield "quantity_row"
    if _ends_with_amount(line):
        yield "sum_row" if _is_sum(line) else "dated_amount_row" if is_listed else "amount_row"
    if len(line.cells) > 3 and line.measures > 1 and not line.starts_with_date:
        yield "measured_row"
    if _is_head_of_list(line):
        yield "list_head"
    if line.starts_with_date and line.amounts:
        yield "dated_row"
    if any(amount < 0 for amount in line.amounts):
        yield "negative"
    if line.has_time:
        yield "time"


def _is_sum(line: TypeLine) -> bool:
    bare = _BEFORE_LABEL.sub("", line.folded)
    return any(get_labels()[name].match(bare) for name in ("vat_sums", "amount_due", "credit_sum"))


def _is_head_of_list(line: TypeLine) -> bool:
    """The head of a list about documents has a column for their numbers and one for those whom they are of."""
    cells = [fold_line(cell).strip() for cell in line.cells]
    types = get_types_of_titles()
    has_number = any(types["invoice"].fullmatch(cell) or get_labels()["invoice_number"].match(cell) for cell in cells)
    return len(cells) > 3 and has_number and any(get_labels()["party_column"].fullmatch(cell) for cell in cells)


def _find_running_balances(lines: Sequence[TypeLine]) -> Iterator[TypeSign]:
    rows = [line for line in lines if line.amounts]
    for before, line in pairwise(rows):
        if len(line.amounts) > 1 and before.amounts:
            step = abs(line.amounts[-1] - before.amounts[-1])
            if step and step in {abs(amount) for amount in line.amounts[:-1]}:
                yield TypeSign("running_balance", line.page, line.number, line.text[:60])


def _find_quantities_alone(lines: Sequence[TypeLine]) -> Iterator[TypeSign]:
    """Rows of goods with quantities and no prices."""
    for line in lines:
        if line.counts and not line.amounts and len(line.cells) > 1 and not line.starts_with_date:
            yield TypeSign("counted_row", line.page, line.number, line.text[:60])


def measure_prose(lines: Sequence[TypeLine]) -> float:
    """The share of words that stand in sentences."""
    cells = [len(re.findall(r"[^\W\d_]+", cell)) for line in lines for cell in line.cells]
    return sum(count for count in cells if count >= SENTENCE_WORDS) / max(1, sum(cells))
