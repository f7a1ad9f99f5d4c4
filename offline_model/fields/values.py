"""Numbers, dates, codes and currencies as people print them."""

import math
import re
from collections.abc import Callable
from datetime import date

from offline_model.text import fold, split_words

Value = str | int | float | bool

MONTHS = {
    "jan": 1,
    "feb": 2,
    "fev": 2,
    "mar": 3,
    "mrz": 3,
    "maerz": 3,
    "apr": 4,
    "avr": 4,
    "may": 5,
    "mai": 5,
    "jun": 6,
    "juin": 6,
    "jul": 7,
    "juil": 7,
    "aug": 8,
    "aou": 8,
    "sep": 9,
    "oct": 10,
    "okt": 10,
    "nov": 11,
    "dec": 12,
    "dez": 12,
}
ISO = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
NUMERIC = re.compile(r"(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?!\d)")
DAY_MONTH = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er)?[-/. ]{0,2}([a-z]{3,9})\.?[-/., ]{0,2}(\d{4}|\d{2})(?!\d)")
MONTH_DAY = re.compile(r"(?<![a-z])([a-z]{3,9})\.? ?(\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)")

CURRENCY_CODES = [
    "EUR",
    "USD",
    "GBP",
    "CHF",
    "JPY",
    "CNY",
    "INR",
    "AUD",
    "CAD",
    "SEK",
    "NOK",
    "DKK",
    "PLN",
    "CZK",
    "HUF",
    "MYR",
    "SGD",
    "RON",
    "TRY",
    "BRL",
    "MXN",
    "ZAR",
    "NZD",
    "HKD",
    "THB",
    "AED",
]
CURRENCY_SIGNS = {"€": "EUR", "£": "GBP", "$": "USD", "¥": "JPY", "RM": "MYR", "zł": "PLN", "Kč": "CZK"}
CURRENCY = re.compile(rf"(?<![A-Za-z])({'|'.join(CURRENCY_CODES)}|RM)(?![A-Za-z])|(€|£|\$|¥|zł|Kč)")
AMOUNT = re.compile(r"[-−–(]?\s*(\d{1,3}(?:[ '’.,]\d{3})+(?:[.,]\d{1,4})?|\d+(?:[.,]\d{1,6})?)\s*\)?-?")
PERCENT = re.compile(r"@?\s*(\d{1,3}(?:[.,]\d+)?)\s*%")
CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9/._-]*")
IBAN = re.compile(r"(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?(?![A-Z0-9])")


def parse_date(text: str) -> str | None:
    date = find_date(text)
    return date[0] if date else None


def find_date(text: str) -> tuple[str, str] | None:
    """The first date as (YYYY-MM-DD, as printed); 03/04 is read day first unless only month first is possible."""
    folded = fold(text)
    for pattern, order in ((ISO, "ymd"), (NUMERIC, "dmy"), (DAY_MONTH, "dmy"), (MONTH_DAY, "mdy")):
        for match in pattern.finditer(folded):
            iso = _format_iso(dict(zip(order, match.groups(), strict=True)))
            if iso:
                return iso, text[match.start() : match.end()].strip()
    return None


def _format_iso(parts: dict[str, str]) -> str | None:
    month = int(parts["m"]) if parts["m"].isdigit() else _parse_month(parts["m"])
    day, year = int(parts["d"]), int(parts["y"])
    if month > 12 >= day:
        day, month = month, day
    try:
        return date(year + 2000 if year < 100 else year, month, day).isoformat()
    except ValueError:
        return None


def _parse_month(name: str) -> int:
    return MONTHS.get(name[:5]) or MONTHS.get(name[:4]) or MONTHS.get(name[:3]) or 0


def parse_number(text: str, comma: bool = False) -> int | float | None:
    """The number when the text is nothing but one, apart from currency, a percentage beside it and a tax code."""
    bare = CURRENCY.sub(" ", PERCENT.sub(" ", text))
    bare = re.sub(r"\s[A-Z]{1,3}$", "", bare.strip(" :=|*#)")).strip(" :=|*#.")
    match = AMOUNT.fullmatch(bare)
    if not match:
        return None
    number = _parse_decimal(match.group(1), comma)
    negative = bare[:1] in "-−–(" or bare.endswith("-")
    return -number if negative and number is not None else number


def _parse_decimal(digits: str, comma: bool) -> int | float | None:
    digits = re.sub(r"[ '’]", "", digits)
    mark = _find_decimal_mark(digits, comma)
    plain = re.sub(r"[.,]", lambda m: "." if m.group() == mark else "", digits)
    try:
        number = float(plain) if "." in plain else int(plain)
    except ValueError:
        return None
    return number if abs(number) < math.inf else None


def _find_decimal_mark(digits: str, comma: bool) -> str:
    last = max(digits, key=lambda c: digits.rfind(c) if c in ".," else -1)
    if last not in ".," or digits.count(last) > 1:
        return ""
    if "," in digits and "." in digits:
        return last
    thousands = len(digits) - digits.rfind(last) == 4
    return "" if thousands and (last == ",") != comma else last


def parse_percent(text: str, comma: bool = False) -> int | float | None:
    match = PERCENT.search(text)
    return _parse_decimal(match.group(1), comma or "," in match.group(1)) if match else None


def parse_integer(text: str, comma: bool = False) -> int | None:
    number = parse_number(text, comma)
    return int(number) if number is not None and number == int(number) else None


def parse_code(text: str) -> str | None:
    """A number of a document: the first word with a digit in it, among at most three."""
    bare = text.strip(" :#.=").split()
    for word in bare[:2]:
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
    match = CURRENCY.search(text)
    if not match:
        return None
    return CURRENCY_SIGNS.get(match.group(), match.group())


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
    return {
        "yes": True,
        "ja": True,
        "oui": True,
        "true": True,
        "x": True,
        "no": False,
        "nein": False,
        "non": False,
        "false": False,
    }.get(first)


def parse_value(kind: str, text: str, comma: bool = False) -> Value | None:
    """The value of this kind that the text is, or None; kinds are the keys below."""
    numeric = {"number": parse_number, "integer": parse_integer, "percent": parse_percent}.get(kind)
    return numeric(text, comma) if numeric else READERS[kind](text)


READERS: dict[str, Callable[[str], Value | None]] = {
    "date": parse_date,
    "code": parse_code,
    "iban": parse_iban,
    "currency": parse_currency,
    "text": parse_text,
    "truth": parse_truth,
    "email": parse_email,
    "phone": parse_phone,
    "code_word": parse_code_word,
}
