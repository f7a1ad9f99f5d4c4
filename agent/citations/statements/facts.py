"""What of a sentence can be looked for: quotes, dates, numbers, identifiers and names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from agent.citations.statements.measures.bounds import find_bound
from agent.citations.statements.words.ordinary_words import CAPITALIZES_NOUNS, is_ordinary, list_languages
from agent.citations.statements.words.people import UPPER, drop_titles, find_people
from printed.currencies import CODES
from printed.dates import MONTHS, WEEKDAYS, PartialDate, cut_out, find_dates, find_partial_dates, find_weekdays
from printed.folding import fold
from printed.languages import list_words, write_pattern
from printed.numbers import parse_numbers
from printed.quantities import Quantity, find_quantities
from printed.stopwords import STOPWORDS
from printed.units import SHORT_SCALES, Unit, find_scale, find_unit

# In single ones an apostrophe inside of a word ends nothing.
QUOTATION = re.compile(
    r"[“„\"«]([^“”„\"«»\n]{2,4000})[”“\"»]|(?<!\w)[‘‚‹']((?:[^‘‚‹›'’\n]|['’](?=\w)){2,2000})[’‘›'](?!\w)"
)
_CODE = re.compile(r"(?<![\w.,/-])(?=[\w/.-]*\d)(?=[\w/.-]*[^\W\d_])\w[\w/.-]*\w")
# “24-month”, “3rd” and “10kg” are numbers, and name nothing.
_MEASURED = re.compile(
    r"(?<![\w.,/-])(\d[\d.,]*)"
    r"(?:-(?=[a-zß-öø-ÿ]{3,}\b)|(?=(?i:st|nd|rd|th|kg|mg|g|km|cm|mm|m|ml|l|h|min|kwh|mwh|kw|mw|gb|mb)\b))"
)
NUMBER = re.compile(
    r"(?<![\w.,])(?:[-−–]\s?)?(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d(?:[\d.,'’]*\d)?)(?!\w)"
)
# Between two numbers it makes neither negative.
_TAKEN_OFF = re.compile(r"(?:(?<=[\d%€$£] )|(?<=\d [A-Z]{3} ))[-−–](?= [\d€$£])")
# Behind a word it is a dash, as in “Liability – 500,000 EUR”; a minus stands at its number or behind a colon.
_DASH = re.compile(r"(?:(?<=[^\W\d_] )|(?<=\) ))[-–](?= \d)")
# With one space between its words: where a marker stood are two.
_NAMES = re.compile(rf"(?<!\w)[{UPPER}][\w&'’-]*(?: (?:(?:&|of|von|van|de) )?[{UPPER}][\w&'’-]*)*")
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)[^\s)>\]]*\w")
# Numbers that are no digits: Ⅻ, ⑫, ½.
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b")
_TIME = re.compile(r"(?<![\d:.])\d{1,2}:\d{2}(?::\d{2})?(?![\d:])")
_SIGN = re.compile(
    f"[{''.join(chr(code) for code in range(0x20A0, 0x3000) if unicodedata.category(chr(code)) in ('No', 'Nl'))}¼½¾]+"
)
JOINED = re.compile(r" (?:of|von|van|de) ")
_JOINERS = ("&", "of", "von", "van", "de")
_LISTED = re.compile(r"^\s*(?:#{1,6}\s+|>\s*)?(?:[-*•]\s+|\d{1,3}[.)]\s+)?")
_AMOUNT = re.compile(r"/|\d[.,]\d\d?(?!\d)")
_DECIMALS = re.compile(r"[.,]\d")
_PAGE = write_pattern(lambda language: f"{language.pages} {language.lines}" if language.code else "")
_AND = "|".join([*list_words(lambda language: language.list_joiners), *",-–"])
_PLACE = re.compile(rf"{_PAGE}\s+\d+(?:\s*(?:{_AND})\s*\d+)*", re.I)
_WORD = re.compile(r"\w+")
YEAR = re.compile(r"(?:19|20)\d\d")
MIN_LETTERS = 3
_MARKUP, _CELL = re.compile(r"[*`~]+|(?<![^\W_])_+|_+(?![^\W_])"), re.compile(r"\s*\|\s*")
_OPENERS = ":;.!?(–—"
_NEAR = 40
_LABEL = re.compile(r"\s*:")
_OF = re.compile(r"['’]s?$")
_NO_NAMES = {
    *map(fold, CODES),
    *MONTHS,
    *SHORT_SCALES,
    *map(fold, WEEKDAYS),
    "i",
    "no",
    "nr",
    "num",
    "mr",
    "mrs",
    "ms",
    "dr",
}


class Measured(NamedTuple):
    """A number as it is written, all that it can mean, its unit, and whether it is the least or the most."""

    written: str
    values: set[Decimal]
    unit: Unit | None
    bound: int

    @property
    def shown(self) -> str:
        return f"{self.written} {self.unit.written}" if self.unit else self.written


@dataclass(frozen=True)
class Facts:
    """Dates and numbers as they are written, each with all that it can mean. A name has its other readings.

    `people`: names whose place in the sentence says that they are some.
    `quantities`: numbers in words. `is_inflected`: the language is none that is known here, and may bend names.
    """

    quotes: list[str]
    dates: dict[str, set[date]]
    partial_dates: dict[str, PartialDate]
    numbers: dict[str, set[Decimal]]
    names: dict[str, list[str]]
    quantities: list[Quantity]
    measured: list[Measured]
    weekdays: dict[str, int]
    is_inflected: bool
    people: frozenset[str] = frozenset()

    @property
    def count(self) -> int:
        return sum(map(len, (self.quotes, self.dates, self.partial_dates, self.numbers, self.names)))


def find_facts(sentence: str) -> Facts:
    """Of a sentence without its markers."""
    text = _CELL.sub(" ; ", _MARKUP.sub("", _LISTED.sub("", sentence)))
    quotes = [match[1] or match[2] for match in QUOTATION.finditer(text)]
    text = QUOTATION.sub(" , ", text)
    whole = list(find_dates(text))
    dates = {text[printed.start : printed.end]: printed.days for printed in whole}
    text = cut_out(text, ((printed.start, printed.end) for printed in whole))
    partial = list(find_partial_dates(text))
    partial_dates = {text[each.start : each.end].strip(): each for each in partial}
    text = cut_out(text, ((each.start, each.end) for each in partial if not each.is_month_alone))
    text = _PLACE.sub(_cut_place, _DASH.sub(",", _TAKEN_OFF.sub("+", text)))
    text = _MEASURED.sub(r"\1 ", text)
    addresses = {match[0]: [match[0]] for match in _ADDRESS.finditer(text)}
    text = _ADDRESS.sub(" , ", text)
    accounts = {match[0]: _list_spacings(match[0]) for match in _IBAN.finditer(text)}
    text = _IBAN.sub(" , ", text)
    codes = {match[0]: [match[0]] for match in (*_TIME.finditer(text), *_CODE.finditer(text), *_SIGN.finditer(text))}
    text = _CODE.sub(" , ", _TIME.sub(" , ", text))
    # What is no number, as the day 32.01.2024: it has to be printed as it is written.
    unread = {written: [written] for written in NUMBER.findall(text) if not parse_numbers(written)}
    people = {name: [name] for name in find_people(text)}
    names = addresses | accounts | codes | unread | people | dict(_list_names(drop_titles(text)))
    measured = [each for each in list_measured(text) if each.unit or each.bound]
    quantities, weekdays = list(find_quantities(text)), find_weekdays(text)
    numbers, is_inflected = list_numbers(text), not list_languages(text)
    return Facts(
        quotes, dates, partial_dates, numbers, names, quantities, measured, weekdays, is_inflected, frozenset(people)
    )


def list_long_words(text: str) -> set[str]:
    """Those of some length, without numbers and the small words of a language."""
    words = {word for word in _WORD.findall(fold(text)) if len(word) >= MIN_LETTERS and word.isalpha()}
    return words - STOPWORDS


def list_numbers(text: str) -> dict[str, set[Decimal]]:
    numbers: dict[str, set[Decimal]] = {}
    text = _MEASURED.sub(r"\1 ", text)
    for match in NUMBER.finditer(text):
        written = match[0].strip()
        factor, end = find_scale(text, match.end())
        if factor > 1:
            numbers.setdefault(f"{written}{text[match.end() : end]}", set()).update(_scale(written, factor))
            continue
        # Two numbers side by side may also be one with a space between its thousands.
        for part in dict.fromkeys([written, *written.split()]):
            if values := {number.value for number in parse_numbers(part)}:
                numbers.setdefault(part, set()).update(values)
    return numbers


def list_measured(text: str) -> Iterator[Measured]:
    """The numbers of a text with their units; what is part of an identifier is none."""
    text = _CODE.sub(lambda code: code[0] if _AMOUNT.search(code[0]) else " , ", text)
    for match in NUMBER.finditer(text):
        written = match[0].strip()
        factor, end = find_scale(text, match.end())
        parts = dict.fromkeys([written, *written.split()])
        values = {value for part in parts for value in _scale(part, factor)}
        yield Measured(written, values, find_unit(text, match.start(), end), find_bound(text, match.start(), end))


def _list_spacings(account: str) -> list[str]:
    """An IBAN as it is printed: as one, and in groups of four."""
    together = account.replace(" ", "")
    return [together, " ".join(together[at : at + 4] for at in range(0, len(together), 4))]


def _cut_place(place: re.Match[str]) -> str:
    """Without the pages and lines that it names; “on page 1, 500 EUR” names one page."""
    *_, last = NUMBER.finditer(place.string, place.start(), place.end())
    goes_on = _DECIMALS.match(place.string, place.end())
    has_unit = goes_on or find_unit(place.string, last.start(), last.end())
    is_listed = len(NUMBER.findall(place[0])) > 1
    return f" , {place[0][last.start() - place.start() :]}" if has_unit and is_listed else " , "


def _scale(written: str, factor: Decimal) -> set[Decimal]:
    return {number.value * factor for number in parse_numbers(written)}


def _list_names(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each name with its readings. What opens a sentence has a capital letter in any case, as a German noun has: there
    a word that its language knows is no name."""
    languages = list_languages(text)
    for match in _NAMES.finditer(text):
        words = match[0].split()
        before = text[max(0, match.start() - _NEAR) : match.start()].rstrip(" \t,")
        opens = not before or before[-1] in _OPENERS
        has_nouns = not CAPITALIZES_NOUNS.isdisjoint(languages)
        # “Ana Novak of Brno” is printed as “Ana Novak, Brno” too.
        readings = [words, [word for word in words if word not in _JOINERS]]
        # “Rechnung von ACME” names ACME.
        may_begin = len(words) > 1 and (opens or (has_nouns and words[1] in _JOINERS[1:]))
        if may_begin and is_ordinary(words[0], languages):
            words = words[2:] if words[1] in _JOINERS else words[1:]
            readings.append(words)
            opens = _LABEL.match(text, match.end()) is not None
        if len(words) > 1 or _is_name(words[0], languages if opens or has_nouns else None):
            yield match[0], list(dict.fromkeys(_OF.sub("", " ".join(reading)) for reading in [*readings, words]))


def _is_name(word: str, languages: Sequence[str] | None) -> bool:
    """`languages`: those that may have it as an ordinary word; None where its capital letter tells that it is none."""
    if fold(word) in _NO_NAMES or len(word) < 2:
        return False
    return word.isupper() or languages is None or not is_ordinary(word, languages)
