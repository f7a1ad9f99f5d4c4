"""The unit of a number, by the words beside it: “39.80 EUR”, “€ 5”, “30 days”, “19 %”, and “3 million” as a number.

Units are compared, never converted: 36 months stand in no line that says three years.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from printed.currencies import MARKS, SYMBOLS

_WORDS_OF_MONEY = {
    "EUR": "euro euros",
    "GBP": "pounds sterling pfund",
    "USD CAD AUD NZD SGD HKD": "dollar dollars dólares dollari",
    "CHF": "franken francs franchi",
    "PLN": "zloty złoty złotych złote",
    "SEK NOK DKK CZK": "kronen kronor kroner",
    "JPY": "yen",
}
_UNITS = {
    "%": "% percent prozent pourcent procent procenten procenta proc pct",
    "day": "day days tag tage tagen tages jour jours día días dia dias giorno giorni dag dagen dzień dni werktage"
    " werktagen arbeitstage arbeitstagen kalendertage kalendertagen",
    "week": "week weeks woche wochen semaine semaines semana semanas settimana settimane weken"
    " tydzień tygodnie tygodni",
    "month": "month months monat monate monaten monats mois meses mese mesi maand maanden miesiąc miesiące miesięcy",
    "year": "year years jahr jahre jahren jahres ans années año años anno anni anos jaar jaren rok lata lat",
    "hour": "hour hours stunde stunden std heures horas ore uur uren godzin godziny",
    "minute": "minute minutes minuten minutos minuti minuut",
    "kg": "kg kilogram kilograms kilogramm kilos kilo",
    "g": "gram grams gramm grammes",
    "t": "tonne tonnes tonnen",
    "km": "km kilometre kilometres kilometer kilometers",
    "m": "metre metres meter meters mètres metros metri",
    "cm": "cm",
    "mm": "mm",
    "m²": "m² qm sqm",
    "m³": "m³ cbm",
    "l": "litre litres liter litri litros",
    "ml": "ml",
    "kWh": "kwh",
    "MWh": "mwh",
    "kW": "kw",
}
# Single letters, as they are written, with what they may stand for.
_LETTERS = {"g": "g", "t": "t day", "m": "m month minute", "l": "l", "h": "hour"}
_SCALES = {
    10**3: "thousand tausend tsd mille mil mila duizend tysięcy tys",
    10**6: "million millions mio mln millionen millón millones milione milioni miljoen milion milionów milhões",
    10
    ** 9: "billion billions milliarde milliarden mrd milliard milliards miliardo miliardi miljard miliard miliardów bn",
}
SHORT_SCALES = ("mio", "mln", "mrd", "tsd", "tys", "teur")
_BY_WORD = {word: frozenset(codes.split()) for codes, words in _WORDS_OF_MONEY.items() for word in words.split()}
_BY_WORD |= {word: frozenset([unit]) for unit, words in _UNITS.items() for word in words.split()}
_FACTORS = {word: Decimal(factor) for factor, words in _SCALES.items() for word in words.split()}
_BY_MARK = {mark: frozenset(code for code, marks in SYMBOLS.items() if mark == code or mark in marks) for mark in MARKS}
_MARK = "|".join(rf"{re.escape(mark)}(?!\w)" if mark[-1].isalpha() else re.escape(mark) for mark in MARKS)
_BEFORE = re.compile(rf"(?<!\w)(?P<mark>{'|'.join(map(re.escape, MARKS))})\s?[-−–]?\s?$")
_BEHIND = re.compile(
    rf"(?:[.,][-–]{{1,2}})?[\s\u00a0\u202f]?(?:(?P<mark>{_MARK})|(?P<percent>%|per\s?cent\b|pour\s?cent\b|por\s?ciento\b|per\s?cento\b)"
    r"|[(-]?(?:(?:calendar|working|business|full|whole|consecutive|volle|ganze)\s)?(?P<word>[^\W\d_]+[²³]?))"
)
_SCALE = re.compile(r"[\s\u00a0\u202f]?(?P<word>[^\W\d_]+)\b\.?")
# What is money without a number beside it: no short word, which may be another.
_ANY_MARK = re.compile(rf"\b(?:{'|'.join(SYMBOLS)})\b|[€£$¥]|\b(?:euros?|dollars?|złotych)\b")
_WORD, _THOUSANDS = re.compile(r"[^\W\d_]+"), re.compile(r"\b[Tk](?:EUR\b|€)")
_NEAR = 24
_LONG = ("kg", "km", "cm", "mm", "kWh", "MWh", "qm", "m²", "m³")
_ATTACHED = "|".join(sorted({*(mark for mark in MARKS if mark.isalpha()), *_LONG}, key=len)[::-1])
_SHORT_FACTORS = {"k": "thousand", "m": "million", "mn": "million", "bn": "billion"}
_SHORT_SCALE = re.compile(r"(?P<amount>(?:[€$£]|\b(?:EUR|USD|GBP|CHF)) ?\d[\d.,]*) ?(?P<letter>(?i:k|mn?|bn))\b")
_GLUED = re.compile(rf"(?<=\d)(?=(?:{_ATTACHED})(?![\w]))|(?<![\w])(?:{'|'.join(sorted(SYMBOLS))})(?=\d)")
_HYPHEN = re.compile(
    r"(?<=\d)[-‑](?=(?:days?|weeks?|months?|years?|hours?|minutes?|tage|monat|jahr|wochen)[^\W\d_]*)", re.I
)


class Unit(NamedTuple):
    """`kinds`: all that it can be; a sign of money may stand for several currencies."""

    written: str
    kinds: frozenset[str]

    @property
    def is_money(self) -> bool:
        return bool(self.kinds & SYMBOLS.keys())

    @property
    def is_amount(self) -> bool:
        return self.is_money or "%" in self.kinds


def find_unit(text: str, start: int, end: int) -> Unit | None:
    """Of the number at this place, by what stands directly behind it, else before it."""
    behind, before = _BEHIND.match(text, end, end + _NEAR), _BEFORE.search(text[max(0, start - _NEAR) : start])
    if behind and (kinds := _name_kinds(behind)) and not (before and behind["word"] in _LETTERS):
        return Unit(behind[0].strip(" (-"), kinds)
    return Unit(before["mark"], _BY_MARK[before["mark"]]) if before else None


def _name_kinds(behind: re.Match[str]) -> frozenset[str]:
    if behind["mark"]:
        return _BY_MARK[behind["mark"]]
    if behind["percent"]:
        return frozenset("%")
    word = behind["word"]
    return _BY_WORD.get(word.lower(), frozenset()) or frozenset(_LETTERS.get(word, "").split())


def find_scale(text: str, end: int) -> tuple[Decimal, int]:
    """By how much the number that ends there is more than it says, and where the word for it ends."""
    word = _SCALE.match(text, end, end + _NEAR)
    factor = _FACTORS.get(word["word"].lower()) if word else None
    return (factor, word.end()) if word and factor else (Decimal(1), end)


def list_money(text: str) -> frozenset[str]:
    """The currencies that it names anywhere, as the head of a column does."""
    return frozenset(kind for kinds in _list_kinds(text) for kind in kinds if kind in SYMBOLS)


def _list_kinds(text: str) -> Iterator[frozenset[str]]:
    for match in _ANY_MARK.finditer(text):
        yield _BY_MARK.get(match[0]) or _BY_WORD.get(match[0], frozenset())


def list_scales(text: str) -> set[Decimal]:
    """Those that belong to no number of its own: “in millions of EUR”, “TEUR”."""
    words = (match[0].lower() for match in _WORD.finditer(text) if not text[: match.start()].rstrip()[-1:].isdigit())
    return {_FACTORS[word] for word in words if word in _FACTORS} | (
        {Decimal(1000)} if _THOUSANDS.search(text) else set()
    )


def split_glued(text: str) -> str:
    """“39.80EUR”, “EUR39.80” and “a 30-day period” with a space beside the number, and “€250k” as thousands."""
    text = _SHORT_SCALE.sub(lambda match: f"{match['amount']} {_SHORT_FACTORS[match['letter'].lower()]}", text)
    text = _GLUED.sub(lambda match: f"{match[0]} ", text)
    return _HYPHEN.sub(" ", text)
