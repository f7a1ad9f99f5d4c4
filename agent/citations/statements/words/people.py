"""Finds the names that a dictionary has as words: “Mr. Kern”, “Approved by Miller”, “Kern signed it”.

A capital letter alone does not tell such a name from a heading or a button. Where it stands in a sentence does, and a
census says which words are family names.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from agent.citations.statements.words.census import FAMILY, FIRST, load_names
from printed.folding import fold
from printed.languages import write_pattern
from printed.stopwords import STOPWORDS

UPPER = "".join(chr(code) for code in range(0x41, 0x2C00) if unicodedata.category(chr(code)) in ("Lu", "Lt"))
_WORD = rf"[{UPPER}](?:(?!['’]s\b)[\w'’-])+"
_NAME = rf"{_WORD}(?: (?:(?:von|van|de|di) )?{_WORD}){{0,2}}"
_JOINER = rf"(?:, | & | {write_pattern(lambda language: language.list_joiners)} )"
_NAMES = rf"(?<!\w)(?P<names>{_NAME}(?:{_JOINER}{_NAME})*)"
_TITLE = write_pattern(lambda language: language.titles)
_APPROVED = write_pattern(lambda language: language.approved)
_APPROVES = write_pattern(lambda language: language.approves)
_HAS, _BY = write_pattern(lambda language: language.has), write_pattern(lambda language: language.by)
_SIGNER = write_pattern(lambda language: language.signers)
_APPROVAL = write_pattern(lambda language: language.approvals)
_ASKS = write_pattern(lambda language: language.asks)
_PAID_TO = write_pattern(lambda language: language.paid_to)
_PLACES = [
    re.compile(rf"(?i:{_APPROVED}(?: on [^.;:]{{1,30}}?)? {_BY}) {_NAMES}"),
    re.compile(rf"{_NAMES} (?:{_HAS} )?{_APPROVES}"),
    re.compile(rf"{_NAMES} {_HAS}\b[^.;:]{{0,40}}? {_APPROVED}"),
    re.compile(rf"(?i:{_SIGNER})(?: (?:is|was|ist|war)|:) {_NAMES}"),
    re.compile(rf"(?i:{_PAID_TO}) {_NAMES}"),
    re.compile(rf"{_NAMES}['’]s {_APPROVAL}"),
    re.compile(rf"(?i:{_ASKS}) {_NAMES}(?! [a-z])"),
]
_TITLED = re.compile(rf"(?i:{_TITLE})\.? (?P<names>{_NAME})")
_BETWEEN = re.compile(_JOINER)
MAX_PEOPLE = 20


def find_people(text: str) -> list[str]:
    """The names of people by where they stand, without their titles."""
    titled = [match["names"] for match in _TITLED.finditer(text)]
    text = drop_titles(text)
    placed = (name for pattern in _PLACES for match in pattern.finditer(text) for name in _split(match["names"]))
    return list(dict.fromkeys([*titled, *placed]))[:MAX_PEOPLE]


def drop_titles(text: str) -> str:
    return _TITLED.sub(lambda match: match["names"], text)


def is_full_name(name: str) -> bool:
    """Whether a first and a family name are side by side, as in “Grant Baker”, wherever they stand."""
    words = fold(name).split()
    return len(words) == 2 and words[0] in load_names(FIRST) and words[1] in load_names(FAMILY)


def _split(names: str) -> Iterator[str]:
    for name in _BETWEEN.split(names):
        words = name.split()
        # “Director Kern” is Kern, and “The Baker” is somebody who bakes.
        while len(words) > 1 and not _may_lead(fold(words[0])):
            words = words[1:]
        if fold(words[-1]) in load_names(FAMILY) and fold(words[0]) not in STOPWORDS:
            yield " ".join(words)


def _may_lead(word: str) -> bool:
    return word in STOPWORDS or word in load_names(FIRST) or word in load_names(FAMILY)
