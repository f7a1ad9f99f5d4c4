"""What of a sentence can be looked for: quotes, dates, numbers, identifiers and names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from documents.locate.amounts import parse_numbers
from documents.locate.currencies import CODES
from documents.locate.dates import MONTHS, find_dates
from documents.locate.folding import fold

QUOTATION = re.compile(r"[“„\"«]([^“”„\"«»\n]{2,400})[”“\"»]")
_CODE = re.compile(r"(?<![\w.,/-])(?=[\w/.-]*\d)(?=[\w/.-]*[^\W\d_])\w[\w/.-]*\w")
_NUMBER = re.compile(
    r"(?<![\w.,])(?:[-−–]\s?)?(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d(?:[\d.,'’]*\d)?)(?!\w)"
)
_NAMES = re.compile(r"[A-Z\u00c0-\u00de][\w&'’-]*(?: +(?:(?:&|of|von|van|de) +)?[A-Z\u00c0-\u00de][\w&'’-]*)*")
_JOINERS = ("&", "of", "von", "van", "de")
_LISTED = re.compile(r"^\s*(?:#{1,6}\s+|>\s*)?(?:[-*•]\s+|\d{1,3}[.)]\s+)?")
_PLACE = re.compile(r"\b(?:pages?|lines?|seiten?|zeilen?)\s+\d+(?:\s*(?:,|and|to|und|bis|-|–)\s*\d+)*", re.I)
_WORD = re.compile(r"\w+")
MIN_LETTERS = 4
_MARKUP = re.compile(r"[*_`~|]+")
# Where every noun begins with a capital letter, one alone tells no name.
_CAPITALIZED_NOUNS = re.compile(r"\b(?:der|die|das|und|ist|nicht|ein|eine|wurde|beträgt|vom|zum|zur|mit|für)\b")
_NO_NAMES = {*(fold(code) for code in CODES), *MONTHS, "i", "monday", "tuesday", "wednesday", "thursday", "friday"}


@dataclass(frozen=True)
class Facts:
    """Dates and numbers as they are written, each with all that it can mean. A name has its other readings."""

    quotes: list[str]
    dates: dict[str, set[date]]
    numbers: dict[str, set[Decimal]]
    names: dict[str, list[str]]


def find_facts(sentence: str) -> Facts:
    """Of a sentence without its markers."""
    text = _MARKUP.sub(" ", _LISTED.sub("", sentence))
    quotes = [match[1] for match in QUOTATION.finditer(text)]
    text = QUOTATION.sub(" , ", text)
    dates = {text[printed.start : printed.end]: printed.days for printed in find_dates(text)}
    for written in dates:
        text = text.replace(written, " , ")
    text = _PLACE.sub(" , ", text)
    codes = {match[0]: [match[0]] for match in _CODE.finditer(text)}
    text = _CODE.sub(" , ", text)
    return Facts(quotes, dates, list_numbers(text), codes | dict(_list_names(text)))


def list_words(text: str) -> set[str]:
    """Those of some length, without numbers."""
    return {word for word in _WORD.findall(fold(text)) if len(word) >= MIN_LETTERS and word.isalpha()}


def list_numbers(text: str) -> dict[str, set[Decimal]]:
    numbers: dict[str, set[Decimal]] = {}
    for match in _NUMBER.finditer(text):
        written = match[0].strip()
        # Two numbers side by side may also be one with a space between its thousands.
        for part in dict.fromkeys([written, *written.split()]):
            if values := {number.value for number in parse_numbers(part)}:
                numbers.setdefault(part, set()).update(values)
    return numbers


def _list_names(text: str) -> Iterator[tuple[str, list[str]]]:
    is_telling = not _CAPITALIZED_NOUNS.search(text)
    begins = len(text) - len(text.lstrip(" ,"))
    for match in _NAMES.finditer(text):
        words = match[0].split()
        if not is_telling and match.start() == begins:
            words = words[1:]
            if len(words) < 2:
                continue
            yield " ".join(words), [" ".join(words)]
        elif len(words) > 1:
            # The first word of a sentence has a capital letter in any case.
            # “Ana Novak of Brno” is printed as “Ana Novak, Brno” too.
            plain = " ".join(word for word in words if word not in _JOINERS)
            yield match[0], [match[0], plain, *([" ".join(words[1:])] if match.start() == begins else [])]
        elif fold(words[0]) in _NO_NAMES or len(words[0]) < 2:
            continue
        elif words[0].isupper() or (is_telling and match.start() != begins):
            yield match[0], [match[0]]
