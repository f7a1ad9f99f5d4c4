"""The values of cells: numbers, dates, codes and currencies."""

import math
import re
from collections.abc import Callable

from offline_model.text import split_words
from printed.currencies import SURE, find_code
from printed.dates import find_dates
from printed.numbers import choose_number, to_json_number
from printed.stopwords import NO, YES

Value = str | int | float | bool

PERCENT = re.compile(r"@?\s*(\d{1,3}(?:[.,]\d+)?)\s*%")
SPACED_MARK = re.compile(r"(?<=\d) (?=[.,]\d)")
# A sign ends in a dot or a ring, or is written small: the capitals of NW-2026 and NR-7 belong to the number.
NUMBER_SIGN = re.compile(r"^(?:[Nn][°º]|(?:N[OR]?|[Nn][or]?)\.(?=[A-Z\d])|[Nn][or](?=[A-Z\d]))")
CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9/._-]*")
IBAN = re.compile(r"(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?(?![A-Z0-9])")

TAX_ID = re.compile(
    r"(?<![^\W_])(?:[A-Z]{1,3}[ -]?)?(?:\d[ ./-]{0,2}(?:[A-Z]{1,3}[ .-]?(?=\d))?){6,15}(?:[A-Z](?![A-Za-z]))?"
)
# The number of value added tax in the states of the European Union, the United Kingdom and Switzerland.
VAT_ID = re.compile(
    r"\b(?:ATU|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|CHE[- ])"
    r"[0-9A-Z][\d.]{6,13}[0-9A-Z]?(?:B\d\d)?\b"
    r"|\bFR ?[\dA-Z]{2} ?\d{3} ?\d{3} ?\d{3}\b|\b(?:DE|PT|GB) ?\d{3} ?\d{3} ?\d{3}\b"
)
MIN_DIGITS_OF_TAX_ID = 6
FAR_IN_A_SENTENCE = 40


def parse_date(text: str, *, month_first: bool = False) -> str | None:
    date = find_date(text, month_first=month_first)
    return date[0] if date else None


def find_date(text: str, *, month_first: bool = False) -> tuple[str, str] | None:
    """The first date as (YYYY-MM-DD, as printed); 03/04 is read day first unless only month first is possible."""
    for printed in find_dates(text):
        days = (printed.month_first, printed.day_first) if month_first else (printed.day_first, printed.month_first)
        if day := days[0] or days[1]:
            return day.isoformat(), text[printed.start : printed.end].strip()
    return None


def parse_number(text: str, comma: bool = False) -> int | float | None:
    """The number when the text is nothing but one, apart from currency, a percentage beside it and a tax code."""
    bare = SURE.sub(" ", PERCENT.sub(" ", SPACED_MARK.sub("", text))).strip(" :=|*#").rstrip("" if "(" in text else ")")
    return _choose(re.sub(r"\s[A-Z]{1,3}$", "", bare).strip(" :=|*#."), comma)


def _choose(text: str, comma: bool) -> int | float | None:
    number = choose_number(text, "," if comma else ".")
    return to_json_number(number) if number is not None and abs(float(number)) < math.inf else None


def parse_percent(text: str, comma: bool = False) -> int | float | None:
    match = PERCENT.search(text)
    return _choose(match.group(1), comma or "," in match.group(1)) if match else None


def parse_integer(text: str, comma: bool = False) -> int | None:
    number = parse_number(text, comma)
    return int(number) if number is not None and number == int(number) else None


def parse_code(text: str) -> str | None:
    """A number of a document: the first word with a digit in it, among at most three."""
    date, bare = find_date(text), text.strip(" :#.=").split()
    if date and text.strip().startswith(date[1]):
        return None
    for word in (NUMBER_SIGN.sub("", word) for word in bare[:2]):
        match = CODE.match(word.strip("()[]#:"))
        if match and any(c.isdigit() for c in match.group()) and not _is_time(match.group()):
            return match.group().rstrip(".-_/")
    return None


def _is_time(word: str) -> bool:
    return bool(parse_date(word))


def parse_iban(text: str) -> str | None:
    match = IBAN.search(text.upper())
    return match.group().replace(" ", "") if match else None


def parse_currency(text: str) -> str | None:
    return find_code(text) or None


def parse_text(text: str) -> str | None:
    bare = text.strip(" :=|-–")
    return bare if split_words(bare) else None


def parse_email(text: str) -> str | None:
    match = re.search(r"[\w.+-]+@[\w-]+\.[\w.-]*\w", text)
    return match.group() if match else None


def parse_phone(text: str) -> str | None:
    match = re.match(r"\W*(\+?[\d][\d ()/.-]{5,18}\d)", text)
    return match.group(1) if match else None


def parse_code_word(text: str) -> str | None:
    match = re.match(r"\W*([A-Z0-9]{6,14})\b", text)
    return match.group(1) if match else None


def parse_truth(text: str) -> bool | None:
    first = (split_words(text) or [""])[0]
    return True if first in YES | {"x"} else False if first in NO else None


def parse_tax_id(text: str) -> str | None:
    """As printed, without what stands behind it: at least six digits, and letters only around them."""
    match = TAX_ID.search(text[:FAR_IN_A_SENTENCE])
    code = match.group().strip(" -./") if match else ""
    return code if sum(c.isdigit() for c in code) >= MIN_DIGITS_OF_TAX_ID and not parse_date(code) else None


def parse_value(kind: str, text: str, comma: bool = False, *, month_first: bool = False) -> Value | None:
    """The value of this kind that the text is, or None; kinds are the keys below."""
    if kind == "date":
        return parse_date(text, month_first=month_first)
    numeric = {"number": parse_number, "integer": parse_integer, "percent": parse_percent}.get(kind)
    return numeric(text, comma) if numeric else READERS[kind](text)


READERS: dict[str, Callable[[str], Value | None]] = {
    "date": parse_date,
    "code": parse_code,
    "tax_id": parse_tax_id,
    "iban": parse_iban,
    "currency": parse_currency,
    "text": parse_text,
    "truth": parse_truth,
    "email": parse_email,
    "phone": parse_phone,
    "code_word": parse_code_word,
}
