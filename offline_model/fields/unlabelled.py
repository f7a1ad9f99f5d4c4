"""Values that stand on a page without a label: title, date, currency, account and mail address."""

import re
from collections.abc import Callable

from offline_model.fields.labels import FoundValue, find_value
from offline_model.fields.layout import Layout
from offline_model.fields.values import IBAN, find_date, parse_currency, parse_email
from offline_model.fields.vocabulary import BY_NAME
from offline_model.text import compile_labels
from printed.folding import fold_letters

CALLED = re.compile(
    r"(\w+[ -]){1,4}"
    r"(form|application|certificate|report|list|transcript|schedule|policy|permit|record|timesheet|minutes)"
)
# Without an amount beside them these are named in passing.
COMMON_CURRENCIES = frozenset(("EUR", "GBP", "USD", "JPY", "MYR", "PLN", "CZK"))


MAIL_HEAD = re.compile(r"(From|To|Cc|Date|Sent): ")
IBAN_COUNTRIES = {
    15: "NO",
    16: "BE",
    18: "DK FI NL",
    19: "SI",
    20: "AT EE LT LU",
    21: "CH HR LI LV",
    22: "BG DE GB IE",
    23: "AE IL",
    24: "CZ ES RO SA SE SK",
    25: "PT",
    26: "IS TR",
    27: "FR GR IT MC SM",
    28: "CY HU PL",
    29: "BR",
    31: "MT",
}
"""By the length of the number: https://en.wikipedia.org/wiki/International_Bank_Account_Number"""


def find_title(layout: Layout) -> str:
    """Find the page's own title in its top lines, such as `Membership application form`; empty without one."""
    cells = (cell.strip(" :.") for line in layout.lines[:4] for cell in line.cells)
    named = (cell for cell in cells if CALLED.fullmatch(fold_letters(cell)) and not re.search(r"\d", cell))
    return next((cell[:1].upper() + cell[1:].lower() for cell in named), "")


def find_first_date(layout: Layout) -> FoundValue | None:
    """The first date that is not labelled as another one, such as a date of birth."""
    never = re.compile(BY_NAME["date"].never)
    for line in (line for line in layout.lines if not never.search(fold_letters(line.text))):
        for cell in line.cells:
            date = find_date(cell, month_first=layout.month_first)
            if date:
                return FoundValue(date[0], line, date[1])
    return None


def find_currency(layout: Layout) -> FoundValue | None:
    """The currency in a line of a total, else the first one beside or above an amount, else behind its label."""
    totals = [line for line in layout.lines if compile_labels(BY_NAME["total"].labels).search(fold_letters(line.text))]
    for line in (*totals, *layout.lines):
        code = parse_currency(line.text)
        if code and (re.search(r"\d", line.text) or code not in COMMON_CURRENCIES or "(" in line.text):
            return FoundValue(code, line, code)
    return find_value(layout, BY_NAME["currency"])


def find_invoice_date(layout: Layout) -> FoundValue | None:
    """The day on which a mail was sent is none."""
    is_mail = any(line.text.startswith("From: ") for line in layout.lines)
    lines = tuple(line for line in layout.lines if not MAIL_HEAD.match(line.text))
    layout = Layout(lines) if is_mail else layout
    return find_value(layout, BY_NAME["invoice_date"]) or find_first_date(layout)


def find_iban(layout: Layout) -> FoundValue | None:
    return _find_first(layout, _parse_sure_iban)


def _parse_sure_iban(text: str) -> str | None:
    """One that is as long as those of its country: without a label other numbers look like it."""
    ibans = (match[0].replace(" ", "") for match in IBAN.finditer(text))
    return next((iban for iban in ibans if iban[:2] in IBAN_COUNTRIES.get(len(iban), "")), None)


def find_email(layout: Layout) -> FoundValue | None:
    return _find_first(layout, parse_email)


def _find_first(layout: Layout, parse: Callable[[str], str | None]) -> FoundValue | None:
    values = ((line, value) for line in layout.lines if (value := parse(line.text)))
    return next((FoundValue(value, line, value) for line, value in values), None)
