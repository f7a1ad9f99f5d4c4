"""Words in quotation marks that a sentence only suggests, as the name of a tag, and that no document has to say."""

from __future__ import annotations

import re

from agent.citations.statements.facts import QUOTATION
from printed.languages import join_pattern, join_words, write_pattern

MAX_WORDS = 6
_SUGGESTS = re.compile(write_pattern(lambda language: language.suggestions), re.I)
_NAMED = join_pattern(
    sorted({word for words in join_words(lambda each: each.definitions).values() for word in words}, key=len)
)
_EXAMPLE = write_pattern(lambda language: language.examples)
# “A tag such as “A” or “B””; “put a tag “A” on it”; but “the tag “A”” is said to be there.
_NEW = r"(?<!\w)(?:an?|eine?n?|une?|una|uma?|een)\s+(?:\w+\s+)?"
_INTRODUCES = re.compile(rf"(?:{_EXAMPLE}|{_NEW}{_NAMED})[^\w.!?]*(?:\w{{1,4}}[^\w.!?]*)?$", re.I)


def cut_suggested(statement: str) -> str:
    """The sentence without them. What else it says is not only suggested: “I can confirm that …”."""
    if not _SUGGESTS.search(statement):
        return statement
    cut, end = "", 0
    for match in QUOTATION.finditer(statement):
        cut += statement[end : match.start()]
        is_name = len(match[0].split()) <= MAX_WORDS and _INTRODUCES.search(cut[-80:])
        cut, end = cut + (" " if is_name else match[0]), match.end()
    return cut + statement[end:]
