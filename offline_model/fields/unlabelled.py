"""Values that stand on a page without a label: issuer, address, date and currency."""

import re
from collections.abc import Callable

from offline_model.fields.kinds import KINDS
from offline_model.fields.labels import FoundValue, is_label
from offline_model.fields.layout import Layout, LayoutLine
from offline_model.fields.values import IBAN, find_date, parse_currency, parse_email
from offline_model.fields.vocabulary import BY_NAME
from offline_model.text import compile_labels
from printed.folding import fold_letters
from printed.languages import LANGUAGES, join_pattern, list_words, write_pattern
from printed.stopwords import STOPWORDS

LEGAL = re.compile(
    join_pattern(set(list_words(lambda language: f"{language.company_forms} {language.shops}")) - STOPWORDS)
)
# The English signs of a kind may begin a company's name: Contract Logistics, Cash & Carry.
_SIGNS = "|".join(
    fold_letters(sign) for kind in KINDS for sign in kind.signs if sign not in LANGUAGES[0].kinds[kind.name]
)
TITLE = re.compile(
    r"^\W*((simplified |tax |cash |pro ?forma |commercial )*(invoice|receipt|bill)|delivery note|purchase order|"
    rf"page \d|from|to|subject|date|{_SIGNS})\b"
)
CALLED = re.compile(
    r"(\w+[ -]){1,4}"
    r"(form|application|certificate|report|list|transcript|schedule|policy|permit|record|timesheet|minutes)"
)
REGISTRATION = re.compile(r"\s*\([\dA-Z-]*\d[\dA-Z -]*\)$")
STREET = re.compile(rf"{write_pattern(lambda language: language.streets)}|\d")
ADDRESS_ENDS = re.compile(
    rf"{write_pattern(lambda language: language.address_ends)}|\b(?:{_SIGNS})\b"
    r"|^\W*\d{2}-?\d{3,4}[ -]?\d{3,4}\W*$"
)


# Without an amount beside them these are named in passing.
COMMON_CURRENCIES = frozenset(("EUR", "GBP", "USD", "JPY", "MYR", "PLN", "CZK"))


def find_issuer(layout: Layout) -> FoundValue | None:
    """The first line with a company's form among the top lines, else the first that is a name at all."""
    names = [(line, cell) for line in layout.lines[:6] for cell in line.cells[:2] if _is_name(cell)]
    named = [pair for pair in names if LEGAL.search(fold_letters(pair[1]).replace(".", ""))] or names
    if not named:
        return None
    line, cell = named[0]
    return FoundValue(REGISTRATION.sub("", cell).strip(), line, cell)


def find_title(layout: Layout) -> str:
    """Find the page's own title in its top lines, such as `Membership application form`; empty without one."""
    cells = (cell.strip(" :.") for line in layout.lines[:4] for cell in line.cells)
    named = (cell for cell in cells if CALLED.fullmatch(fold_letters(cell)) and not re.search(r"\d", cell))
    return next((cell[:1].upper() + cell[1:].lower() for cell in named), "")


def _is_name(cell: str) -> bool:
    cell = REGISTRATION.sub("", cell)
    letters = sum(c.isalpha() for c in cell)
    known = compile_labels(BY_NAME["customer"].labels).match(fold_letters(cell))
    worded = letters >= 3 and letters * 2 > len(cell)
    return worded and not (TITLE.search(fold_letters(cell)) or is_label(cell) or known)


def find_address(layout: Layout) -> FoundValue | None:
    """The lines below the issuer that read as an address, until the next label."""
    top = find_issuer(layout)
    start = layout.lines.index(top.line) + 1 if top else 0
    lines: list[LayoutLine] = []
    for line in layout.lines[start : start + 9]:
        folded = fold_letters(line.text)
        skipped = re.fullmatch(r"\W*\(?[\w -]*\d[\w-]*\)\W*", line.text) or find_date(line.text)
        if skipped and not lines:
            continue
        if ADDRESS_ENDS.search(folded) or len(lines) == 5:
            break
        if lines or STREET.search(folded):
            lines.append(line)
    text = " ".join(line.text.replace(" | ", " ") for line in lines)
    return FoundValue(text, lines[0], text) if lines else None


def find_first_date(layout: Layout) -> FoundValue | None:
    """The first date that is not labelled as another one, such as a date of birth."""
    never = re.compile(BY_NAME["date"].never)
    for line in (line for line in layout.lines if not never.search(fold_letters(line.text))):
        for cell in line.cells:
            date = find_date(cell)
            if date:
                return FoundValue(date[0], line, date[1])
    return None


def find_currency(layout: Layout) -> FoundValue | None:
    """The currency in a line of a total, else the first one printed beside or above an amount."""
    totals = [line for line in layout.lines if compile_labels(BY_NAME["total"].labels).search(fold_letters(line.text))]
    for line in (*totals, *layout.lines):
        code = parse_currency(line.text)
        if code and (re.search(r"\d", line.text) or code not in COMMON_CURRENCIES or "(" in line.text):
            return FoundValue(code, line, code)
    return None


def find_iban(layout: Layout) -> FoundValue | None:
    return _find_first(layout, lambda text: match[0].replace(" ", "") if (match := IBAN.search(text)) else None)


def find_email(layout: Layout) -> FoundValue | None:
    return _find_first(layout, parse_email)


def _find_first(layout: Layout, parse: Callable[[str], str | None]) -> FoundValue | None:
    values = ((line, value) for line in layout.lines if (value := parse(line.text)))
    return next((FoundValue(value, line, value) for line, value in values), None)


UNLABELLED = {
    "vendor": find_issuer,
    "company": find_issuer,
    "address": find_address,
    "invoice_date": find_first_date,
    "date": find_first_date,
    "currency": find_currency,
    "iban": find_iban,
    "email": find_email,
}
