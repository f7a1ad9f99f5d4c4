"""The request for sentences of an answer that are not proven, and what its model gives in their place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from llm.client import Delta

MAX_NAMED, MAX_QUOTED, MAX_MISSING = 20, 300, 300
CHECKED = "[A check without a person:"
"""How the message begins that asks for sentences again, with proof."""
REPAIR = (
    f"{CHECKED} these sentences of your answer are not proven by the lines that they name.\n{{list}}\n"
    "Read what is missing and cite it, or change the sentence to what the lines say, or leave it out. Then answer with "
    "these sentences alone and without a word about this check, each on a line of its own behind its number, such as "
    "“S1: The total is 12.00 [D1:1.4].”; “S1:” with nothing behind it leaves the sentence out. The rest of your answer "
    "stays as it is.]"
)
_MARK = re.compile(r"^[\s>*_`\"“\[(-]*S(\d{1,2})[\])*_`]*\s*[:.][*_`]*[ \t]*", re.M)
# An answer may announce its sentences in one line, as models do.
_ANNOUNCED = re.compile(r"\s*(?:[^\n]{1,120}:\s*\n\s*)?")
_BEGUN_MARK = re.compile(r"[\s>*_`\"“\[(-]*(?:S\d{0,2})?[\])*_`]*")
_LEFT_OUT = re.compile(r"[\s(\[“\"*_]*(?:left out|leave (?:it )?out|removed?|omitted|none|-|–|—)?[\s)\].”\"*_]*", re.I)
# Signs before the words of a line are no part of a sentence: a bullet, a heading, a quotation.
_BEFORE_WORDS = re.compile(r"(?:[ \t]*(?:>|#{1,6}(?=\s)|[-*•+](?=\s)|\d{1,3}[.)](?=\s)))*[ \t]*")

Span = Sequence[int]
"""Where a sentence begins and ends in its answer."""


def write_request(problems: Sequence[tuple[str, Sequence[str]]]) -> str:
    """It names each sentence with what of it was not found; empty where there is none."""
    lines = [
        f"S{number}: “{text.strip()[:MAX_QUOTED]}” Not found: {'; '.join(missing)[:MAX_MISSING]}"
        for number, (text, missing) in enumerate(problems[:MAX_NAMED], 1)
    ]
    return REPAIR.format(list="\n".join(lines)) if lines else ""


def read_replacements(text: str) -> dict[int, str]:
    """By their numbers; empty where the text is a whole answer. The first of a number counts."""
    marks = list(_MARK.finditer(text))
    begins = _ANNOUNCED.match(text)
    if not marks or begins is None or marks[0].start() > begins.end():
        return {}
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    several = [(int(mark[1]), text[mark.end() : end].strip()) for mark, end in zip(marks, ends, strict=True)]
    return {number: "" if _LEFT_OUT.fullmatch(words) else words for number, words in reversed(several)}


def may_be_replacements(text: str) -> bool:
    """Whether an answer that has begun so may turn out to be no more than sentences behind their numbers."""
    rest = text.lstrip()
    first, ended, others = rest.partition("\n")
    if _MARK.match(rest) or _BEGUN_MARK.fullmatch(rest):
        return True
    if not ended:
        return len(first) <= 120
    return first.rstrip().endswith(":") and (_MARK.match(others) or _BEGUN_MARK.fullmatch(others)) is not None


def put_in(answer: str, spans: Sequence[Span], replacements: Mapping[int, str]) -> str:
    """The answer with these sentences in place of those with their numbers; the others of it stay."""
    for number, (start, end) in sorted(enumerate(spans, 1), key=lambda each: each[1][0], reverse=True):
        if number in replacements:
            answer = _replace(answer, start, end, replacements[number])
    return answer.strip()


def _replace(answer: str, start: int, end: int, words: str) -> str:
    before = _BEFORE_WORDS.match(answer, start, end)
    begins = before[0] if before else ""
    if words:
        own = _BEFORE_WORDS.match(words)
        kept = "" if own and own[0].strip() else begins
        return f"{answer[:start]}{kept}{words}{answer[end:]}"
    head, tail = answer[:start], answer[end:].lstrip(" \t")
    if tail.startswith("\n") and (not head or head.endswith("\n")):
        return head + tail[1:]
    if begins.strip():  # more stands behind it in the same item of a list
        return f"{head}{begins}{tail}"
    return f"{head.rstrip(' ')}{tail}" if not tail or tail.startswith("\n") else head + tail


class ReplacementFilter:
    """Passes on what comes of an answer, and words only once they are no sentences for an earlier one: a person sees
    those in their place there, and not on their way."""

    def __init__(self, take: Callable[[Delta], None]) -> None:
        self._take = take
        self._text = ""
        self._is_closed = True

    def take(self, delta: Delta) -> None:
        if delta.kind == "text" and self._is_closed:
            self._text += delta.text
            self._is_closed = may_be_replacements(self._text)
            delta = Delta("text", "" if self._is_closed else self._text)
        if delta.text:
            self._take(delta)
