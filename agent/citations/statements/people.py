"""Finds the names that a dictionary has as words: “Mr. Kern”, “Approved by Miller”, “Kern signed it”.

A capital letter alone does not tell such a name from a heading or a button. Where it stands in a sentence does, and a
census says which words are family names.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from zxcvbn.frequency_lists import FREQUENCY_LISTS

from printed.folding import fold

UPPER = "".join(chr(code) for code in range(0x41, 0x2C00) if unicodedata.category(chr(code)) in ("Lu", "Lt"))
_WORD = rf"[{UPPER}](?:(?!['’]s\b)[\w'’-])+"
_NAME = rf"{_WORD}(?: (?:(?:von|van|de|di) )?{_WORD}){{0,2}}"
_NAMES = rf"(?<!\w)(?P<names>{_NAME}(?:(?:, | and | & | und | et | y | e | en ){_NAME})*)"
_TITLE = (
    r"(?<!\w)(?:Mr|Mrs|Ms|Miss|Messrs|Dr|Prof|Herrn?|Frau|Monsieur|Madame|Mme|Señora?|Sra?|Signora?|Mevrouw|Meneer"
    r"|Dhr|Mevr|Senhora?)\.? "
)
_DONE = (
    r"(?:counter-?signed|signed|approved|authori[sz]ed|written|reviewed|prepared|confirmed|certified|witnessed|agreed"
    r"|accepted|ordered|requested|issued|checked|received|verified|released|unterschrieben|unterzeichnet|genehmigt"
    r"|freigegeben|geprüft|bestätigt|bestellt|signé|approuvé|validé|firmado|aprobado|autorizado|firmato|approvato"
    r"|ondertekend|goedgekeurd|assinado|aprovado)e?s?"
)
_DID = (
    r"(?:(?:has|had|have|also|then) )?(?:counter-?signed|signed|approved|authori[sz]ed|wrote|reviewed|prepared"
    r"|confirmed|certified|witnessed|agreed|resigned|signs|approves|works|lives|unterschrieb|unterzeichnete|genehmigte"
    r"|firmó|aprobó|autorizó|assinou|aprovou|(?:(?:hat|haben|a|ont|ha|han|heeft|hebben)\b[^.;:]{0,40}? " + _DONE + "))"
)
_ROLE = (
    r"(?:approver|signer|signatory|author|contact(?: person)?|manager|director|owner|buyer|seller|tenant|landlord|clerk"
    r"|recipient|sender|employee|witness|ansprechpartner(?:in)?|sachbearbeiter(?:in)?|bearbeiter(?:in)?)"
)
_BELONGING = r"(?:signature|approval|consent|permission|initials)"
_PLACES = [
    re.compile(rf"\b(?i:{_DONE}(?: on [^.;:]{{1,30}}?)? (?:by|von|durch|par|por|da|door)) {_NAMES}"),
    re.compile(rf"{_NAMES} (?:{_DID})\b"),
    re.compile(rf"\b(?i:{_ROLE})(?: (?:is|was|ist|war)|:) {_NAMES}"),
    re.compile(rf"\b(?i:{_BELONGING} (?:of|by)|(?:paid|billed|sent|addressed|delivered) to) {_NAMES}"),
    re.compile(rf"{_NAMES}['’]s {_BELONGING}\b"),
]
_TITLED = re.compile(rf"{_TITLE}(?P<names>{_NAME})")
_BETWEEN = re.compile(r", | (?:and|&|und|et|y|e|en) ")
_FAMILY_NAMES = frozenset(FREQUENCY_LISTS["surnames"])
_FIRST_NAMES = frozenset([*FREQUENCY_LISTS["female_names"], *FREQUENCY_LISTS["male_names"]])
_ARTICLES = frozenset("the a an der die das ein eine le la les el los il lo de het een o os".split())  # noqa: SIM905
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
    return len(words) == 2 and words[0] in _FIRST_NAMES and words[1] in _FAMILY_NAMES


def _split(names: str) -> Iterator[str]:
    for name in _BETWEEN.split(names):
        words = name.split()
        # “Director Kern” is Kern, and “The Baker” is somebody who bakes.
        while len(words) > 1 and fold(words[0]) not in _FIRST_NAMES | _FAMILY_NAMES | _ARTICLES:
            words = words[1:]
        if fold(words[-1]) in _FAMILY_NAMES and fold(words[0]) not in _ARTICLES:
            yield " ".join(words)
