"""The numbers by which pages count themselves: page 2 of 3."""

from __future__ import annotations

import re
from typing import NamedTuple

from printed.languages import list_words

_PAGE = "|".join(list_words(lambda language: language.pages))
_OF = "|".join([*list_words(lambda language: language.page_joiners), "/"])
_NUMBER = re.compile(rf"\b(?:{_PAGE})\s*(\d{{1,3}})\s*(?:{_OF})\s*(\d{{1,3}})\b", re.IGNORECASE)


class PageCount(NamedTuple):
    number: int
    last: int


def read_count(text: str) -> PageCount | None:
    """The first that the page prints."""
    match = _NUMBER.search(text)
    return PageCount(int(match[1]), int(match[2])) if match else None
