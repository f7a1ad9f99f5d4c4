"""Currency codes, how they are printed, and in which one a value is: what stands in it, else in a field beside it, else
once for the document. A symbol may stand for several currencies; a code for one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal

from kit.json_types import Json
from printed.folding import split_names
from printed.languages import join_words, list_words

_SIGNS = (
    "EUR €, GBP £, USD $ US$, CAD $ C$ CA$, AUD $ A$ AU$, NZD $ NZ$, SGD $ S$, HKD $ HK$, MXN $ MX$, BRL R$, JPY ¥"
    " 円, CNY ¥ 元 RMB, INR ₹ Rs Rs., MYR RM, CHF Fr. SFr., CZK Kč, PLN zł, SEK kr, NOK kr, DKK kr, HUF Ft, TRY ₺, ILS"
    " ₪, KRW ₩, RUB ₽, UAH ₴, ZAR R, THB ฿, IDR Rp, VND ₫, AED, RON, TWD NT$, PHP ₱, PEN S/ S/., COP COL$, ARS AR$,"
    " CLP CLP$, NGN ₦, KZT ₸, BDT ৳, SAR, KES KSh"
)
SYMBOLS = {code: tuple(signs) for code, *signs in map(str.split, _SIGNS.split(","))}
"""By its code how each currency is printed; the best known of those that share a sign stands first."""

# ISO 4217: the others have two.
_WITHOUT_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_WITH_THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND"
CODES = frozenset(SYMBOLS)

# Single Latin letters are left out: in front of a number they are part of an article code as often as a currency.
MARKS = sorted(
    {
        mark
        for code, marks in SYMBOLS.items()
        for mark in (code, *marks)
        if len(mark) > 1 or not (mark.isascii() and mark.isalpha())
    },
    key=len,
    reverse=True,
)


def list_marks(code: str) -> tuple[str, ...]:
    """List the forms in which this currency may be printed, its code first."""
    return (code, *SYMBOLS.get(code, ()))


def is_shared(mark: str) -> bool:
    return sum(mark in marks for marks in SYMBOLS.values()) > 1


def may_be_same(one: str, other: str) -> bool:
    """True when some currency is printed both ways."""
    return any({one, other} <= {code, *marks} for code, marks in SYMBOLS.items())


CURRENCY_NAMES = ("currency_code", *join_words(lambda language: language.label_words)["currency"])
_NO_MONEY = frozenset(list_words(lambda language: language.counts))
MAX_NAMED_LETTERS = 200
# Words that are something else as often: Fr. Kern, 3 Ft.
_UNSURE = frozenset(("Rs", "Rs.", "Fr.", "kr", "Ft", "Rp"))


_MONEY_LABELS = ("amount", "subtotal", "tax")
_MONEY_NAMES = frozenset(
    [
        *(word for label in _MONEY_LABELS for word in join_words(lambda language: language.label_words)[label]),
        *(word.strip("*") for word in list_words(lambda language: language.totals)),
    ]
)


def _write_pattern(marks: Iterable[str]) -> re.Pattern[str]:
    whole = (rf"{re.escape(mark)}(?![^\W\d_])" if mark[-1].isalpha() else re.escape(mark) for mark in marks)
    return re.compile(rf"(?<![^\W\d_])(?:{'|'.join(whole)})")


_ANY = _write_pattern(MARKS)
SURE = _write_pattern(mark for mark in MARKS if mark not in _UNSURE)
_CODES = {mark: code for code, marks in reversed(SYMBOLS.items()) for mark in (*marks, code)}


def find_code(text: str) -> str:
    """The currency of the first sign or code in a text, the best known where several share the sign; empty for none."""
    match = SURE.search(text)
    return _CODES[match[0]] if match else ""


def read_currency(text: object) -> str:
    """The code or sign that a text names; empty for none and for several."""
    if not isinstance(text, str) or len(text) > MAX_NAMED_LETTERS:
        return ""
    upper = text.strip().upper()
    marks = [upper] if upper in CODES else list(dict.fromkeys(match[0] for match in _ANY.finditer(text)))
    return marks[0] if len(marks) == 1 else ""


def names_money(path: str) -> bool:
    """Whether the name of a field says that it is an amount of money."""
    words = set(split_names(path.rpartition(".")[2]))
    return bool(words & _MONEY_NAMES) and not words & _NO_MONEY


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


def count_decimals(currency: str) -> int:
    code = currency.strip().upper()
    if len(code) != 3:
        return 2
    return 0 if code in _WITHOUT_DECIMALS else 3 if code in _WITH_THREE_DECIMALS else 2


MARKS_WITHOUT_DECIMALS = frozenset(
    mark for code, marks in SYMBOLS.items() if not count_decimals(code) for mark in (code, *marks)
)


def format_amount(amount: Decimal, decimals: int = 2) -> str:
    """17116.5 → 17,116.50: as many decimals as the currency has, or as the amount needs."""
    needed = -int(amount.normalize().as_tuple().exponent)
    return f"{amount:,.{max(decimals, min(needed, 10))}f}"
