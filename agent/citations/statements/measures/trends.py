"""Whether a text tells that something has become more or less. Of seven languages, by how the words begin."""

from __future__ import annotations

import re

_MORE = (
    "increas,rise,rising,rose,risen,grew,grow,higher,raise,erhöh,gestiegen,steig,stieg,zugenommen,wuchs,gewachsen,"
    "augment,hausse,aument,subió,suben,subida,increment,salit,stijg,steeg,gestegen,toegenomen,wzros"
)
_LESS = (
    "decreas,fell,falls,fallen,drop,declin,lower,reduc,shrank,gesunken,sank,sinkt,sinken,gefallen,abgenommen,gesenkt,"
    "verringer,diminu,baiss,bajó,bajan,disminu,diminui,cala,calo,daal,gedaald,afgenomen,verlaag,spad"
)
_ANY = re.compile(
    rf"(?<!\w)(?:(?P<more>(?:{_MORE.replace(',', '|')})\w*)|(?P<less>(?:{_LESS.replace(',', '|')})\w*))", re.I
)


def find_trends(text: str) -> dict[str, str]:
    """The first word for each: by `more` and `less`."""
    trends: dict[str, str] = {}
    for match in _ANY.finditer(text):
        trends.setdefault(str(match.lastgroup), match[0])
    return trends


def find_other_trend(statement: str, line: str) -> tuple[str, str] | None:
    """The word of the sentence and that of its line where the one tells only of more, the other only of less."""
    own, printed = find_trends(statement), find_trends(line)
    if len(own) == len(printed) == 1 and own.keys() != printed.keys():
        return next(iter(own.values())), next(iter(printed.values()))
    return None
