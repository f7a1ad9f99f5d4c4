"""Quantities in words: “three months” in a sentence, “thirty days” in a line. Of seven languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from printed.folding import fold

_WORDS = {
    1: "one a an ein eine einen einem einer eines un une una uno um uma een",
    2: "two zwei deux dos due twee dois duas",
    3: "three drei trois tres tre drie",
    4: "four vier quatre cuatro quattro quatro",
    5: "five fünf cinq cinco cinque vijf",
    6: "six sechs seis sei zes",
    7: "seven sieben sept siete sette zeven sete",
    8: "eight acht huit ocho otto oito",
    9: "nine neun neuf nueve nove negen",
    10: "ten zehn dix diez dieci tien dez",
    11: "eleven elf onze once undici",
    12: "twelve zwölf douze doce dodici twaalf doze",
    14: "fourteen vierzehn quatorze catorce quattordici veertien",
    15: "fifteen fünfzehn quinze quince quindici vijftien",
    18: "eighteen achtzehn dieciocho diciotto achttien dezoito",
    20: "twenty zwanzig vingt veinte venti twintig vinte",
    24: "vierundzwanzig vierentwintig ventiquattro veinticuatro",
    30: "thirty dreißig trente treinta trenta dertig trinta",
    36: "sechsunddreißig zesendertig trentasei",
    40: "forty vierzig quarante cuarenta quaranta veertig quarenta",
    45: "fünfundvierzig",
    50: "fifty fünfzig cinquante cincuenta cinquanta vijftig cinquenta",
    60: "sixty sechzig soixante sesenta sessanta zestig sessenta",
    90: "ninety neunzig noventa novanta negentig",
    100: "hundred hundert cent cien cento honderd cem",
}
_NUMBERS = {fold(word): number for number, words in _WORDS.items() for word in words.split()}
# How many of the unit after it one of it has.
_UNITS = {
    "years": "years? jahr(?:e|en|es|s)? ans? annees? anos? ann[oi] jaar jaren",
    "months": "months? monat(?:e|en|s)? mois mes(?:es)? mes[ei] maand(?:en)?",
    "weeks": "weeks? wochen? semaines? semanas? settiman[ae] week weken",
    "days": "days? tag(?:e|en|es|s)? jours? dias? giorn[oi] dag(?:en)?",
    "hours": "hours? stunden? heures? horas? or[ae] uur",
    "percent": "percent per_cent prozent pour_cent por_ciento per_cento procent por_cento",
}
_SMALLER = {"years": Decimal(12), "weeks": Decimal(7)}
_LARGER = {"months": Decimal(12), "days": Decimal(7)}
_ANY_UNIT = "|".join(f"(?P<{name}>{'|'.join(words.split()).replace('_', ' ')})" for name, words in _UNITS.items())
# An article is no number of a sentence: “a day” may be any.
_SAID = "|".join(sorted((word for word, number in _NUMBERS.items() if number > 1 or word == "one"), key=len)[::-1])
_QUANTITY = re.compile(
    rf"\b(?P<number>{_SAID})[ -](?:(?:calendar|full|whole|working|business|consecutive|more)[ -])?(?:{_ANY_UNIT})\b"
)
_WORD = re.compile(r"[^\W\d_]+")


# Of what something is per, by the unit: “per month”, “je Kalenderjahr”, “1.5 % a month”.
_PERIOD = re.compile(
    r"(?:\b(?:per|pro|je|each|every|par|por|al|all)|(?:%|percent|prozent|once|twice|times|einmal|zweimal) an?)"
    rf"\s(?:calendar |kalender|business )?(?:{_ANY_UNIT}|(?P<annum>annum))\b"
)


class Quantity(NamedTuple):
    """As it is written, and the numbers that may be printed for it: two years are 24 months. `unit` in English."""

    written: str
    values: set[Decimal]
    unit: str
    number: Decimal

    def contradicts(self, other: Quantity) -> bool:
        """The same number of something else: three weeks and three months."""
        return self.number == other.number and self.unit != other.unit


def find_quantities(sentence: str) -> Iterator[Quantity]:
    for match in _QUANTITY.finditer(fold(sentence)):
        unit, number = str(match.lastgroup), Decimal(_NUMBERS[match["number"]])
        values = {number, number * _SMALLER.get(unit, 1)}
        if not number % (larger := _LARGER.get(unit, Decimal(1))):
            values.add(number / larger)
        yield Quantity(match[0], values, unit, number)


def find_periods(text: str) -> dict[str, str]:
    """By its unit each that something is said to be per, as it is written."""
    matches = _PERIOD.finditer(fold(text))
    return {"years" if match.lastgroup == "annum" else str(match.lastgroup): match[0] for match in matches}


def list_worded_numbers(line: str) -> set[Decimal]:
    return {Decimal(_NUMBERS[word]) for word in _WORD.findall(fold(line)) if word in _NUMBERS}
