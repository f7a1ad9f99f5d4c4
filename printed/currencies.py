"""Currency codes, how they are printed, and in which one a value is: what stands in it, else in a field beside it, else
once for the document. A symbol may stand for several currencies; a code for one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from kit.json_types import Json
from printed.folding import split_names

SYMBOLS = {
    "EUR": ("€",),
    "GBP": ("£",),
    "USD": ("$", "US$"),
    "CAD": ("$", "C$", "CA$"),
    "AUD": ("$", "A$", "AU$"),
    "NZD": ("$", "NZ$"),
    "SGD": ("$", "S$"),
    "HKD": ("$", "HK$"),
    "MXN": ("$", "MX$"),
    "BRL": ("R$",),
    "JPY": ("¥", "円"),
    "CNY": ("¥", "元", "RMB"),
    "INR": ("₹", "Rs", "Rs."),
    "MYR": ("RM",),
    "CHF": ("Fr.", "SFr."),
    "CZK": ("Kč",),
    "PLN": ("zł",),
    "SEK": ("kr",),
    "NOK": ("kr",),
    "DKK": ("kr",),
    "HUF": ("Ft",),
    "TRY": ("₺",),
    "ILS": ("₪",),
    "KRW": ("₩",),
    "RUB": ("₽",),
    "UAH": ("₴",),
    "ZAR": ("R",),
    "THB": ("฿",),
    "IDR": ("Rp",),
    "VND": ("₫",),
    "AED": ("AED",),
}

CODES = frozenset(SYMBOLS)

# Single letters are left out: in front of a number they are part of an article code as often as a currency.
MARKS = sorted(
    {mark for code, marks in SYMBOLS.items() for mark in (code, *marks) if len(mark) > 1 or not mark.isalpha()},
    key=len,
    reverse=True,
)


def list_marks(code: str) -> tuple[str, ...]:
    """How this currency may be printed, its code first."""
    return (code, *SYMBOLS.get(code, ()))


def is_shared(mark: str) -> bool:
    return sum(mark in marks for marks in SYMBOLS.values()) > 1


def may_be_same(one: str, other: str) -> bool:
    """True when some currency is printed both ways."""
    return any({one, other} <= {code, *marks} for code, marks in SYMBOLS.items())


CURRENCY_NAMES = ("currency", "currency_code", "waehrung", "währung", "devise", "moneda", "valuta")
_COUNTS = (
    "quantity qty count number no nr num id code year month days hours hour minutes weight kg rate percent percentage"
    " page pages pieces units unit_count position index menge anzahl stueck stuck stunden tage gewicht satz nummer"
    " quantite cantidad quantita aantal"
)
_NO_MONEY = frozenset(_COUNTS.split())
MAX_NAMED_LETTERS = 200
_MARK = "|".join(rf"{re.escape(mark)}(?![^\W\d_])" if mark[-1].isalpha() else re.escape(mark) for mark in MARKS)
_ANY = re.compile(rf"(?<![^\W\d_])(?:{_MARK})")


def read_currency(text: object) -> str:
    """The code or sign that a text names; empty for none and for several."""
    if not isinstance(text, str) or len(text) > MAX_NAMED_LETTERS:
        return ""
    upper = text.strip().upper()
    marks = [upper] if upper in CODES else list(dict.fromkeys(match[0] for match in _ANY.finditer(text)))
    return marks[0] if len(marks) == 1 else ""


def find_currency(path: str, value: Json, *containers: Json) -> str:
    """`containers` are the objects that the value stands in, the nearest first. What its path says is a count, a weight
    or a rate is in none of their currencies."""
    if own := read_currency(value):
        return own
    if _NO_MONEY & set(split_names(path.rpartition(".")[2])):
        return ""
    fields = (each for each in containers if isinstance(each, Mapping))
    named = (read_currency(each.get(name)) for each in fields for name in CURRENCY_NAMES)
    return next(filter(None, named), "")


def differ(currencies: Iterable[str]) -> bool:
    """Whether two of them cannot be the same, as EUR and $. What has none differs from nothing."""
    known = sorted(set(filter(None, currencies)))
    return any(not may_be_same(one, other) for at, one in enumerate(known) for other in known[at + 1 :])


def join_currencies(currencies: Iterable[str]) -> str:
    """EUR and USD; EUR, GBP and USD."""
    known = sorted(set(filter(None, currencies)))
    return f"{', '.join(known[:-1])} and {known[-1]}" if len(known) > 1 else "".join(known)
