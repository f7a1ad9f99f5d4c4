"""Whether a text tells that something has become more or less, by how the words begin."""

from __future__ import annotations

import re

from printed.languages import list_words

_MORE = "|".join(list_words(lambda language: language.more))
_LESS = "|".join(list_words(lambda language: language.less))
_ANY = re.compile(rf"(?<!\w)(?:(?P<more>(?:{_MORE})\w*)|(?P<less>(?:{_LESS})\w*))", re.I)


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
