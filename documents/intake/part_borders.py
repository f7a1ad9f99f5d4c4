"""Where in a file the next document seems to begin, by the numbers that its pages print themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from printed.languages import list_words

_PAGE = "|".join(list_words(lambda language: language.pages))
_OF = "|".join([*list_words(lambda language: language.page_joiners), "/"])
_NUMBER = re.compile(rf"\b(?:{_PAGE})\s*(\d{{1,3}})\s*(?:{_OF})\s*(\d{{1,3}})\b", re.IGNORECASE)


def propose_borders(pages: Iterable[tuple[int, str]]) -> Iterator[int]:
    """Pages that say they are a first one, and those after a last one. Nothing where pages print no such numbers.

    `pages`: (number, text).
    """
    is_after_last = False
    for number, text in pages:
        printed = [(int(match[1]), int(match[2])) for match in _NUMBER.finditer(text)]
        begins = bool(printed) and printed[0][0] == 1
        if number > 1 and (begins or is_after_last):
            yield number
        is_after_last = bool(printed) and printed[0][0] == printed[0][1]
