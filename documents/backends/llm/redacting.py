"""What a provider says about a refused request, without what must not be repeated: keys, and the words of documents.

Providers quote the request. Seen: "Incorrect API key provided: sk-proj-ab*****yz", "Invalid value: 'ACME Ltd, …'", and
the whole body after "got:".
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

LONGEST = 300
GONE = "…"
# Four words in a row, or a quoted piece, that stand in the request were taken from it.
_FEWEST_WORDS = 4
_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r"([\"'`“‘])(?P<inner>[^\"'`“”‘’]{3,})[\"'`”’]")
_KEY = re.compile(
    r"\b(?:bearer|basic)\s+\S+|\b(?:sk|pk|rk|gsk|xai|hf)[-_][\w*.…-]{6,}|\b(?:AIza|AKIA)\w{8,}|\S*\*{3,}\S*"
    r"|\b(?=\w*\d)(?=\w*[A-Za-z])[\w-]{24,}",
    re.I,
)


def without_secrets(text: str, sent: Sequence[Mapping[str, Any]]) -> str:
    """At most 300 characters of `text`; what looks like a key, and what the messages in `sent` say, is "…"."""
    text = _KEY.sub(GONE, " ".join(text.split()))
    said = " ".join(_words(json.dumps([message.get("content") for message in sent], ensure_ascii=False)))
    if said:
        text = _QUOTED.sub(lambda quote: GONE if _stands_in(quote["inner"], said) else quote[0], text)
        text = _without_runs(text, said)
    return text[:LONGEST]


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _stands_in(quoted: str, said: str) -> bool:
    words = " ".join(_words(quoted))
    return bool(words) and f" {words} " in f" {said} "


def _without_runs(text: str, said: str) -> str:
    found = list(_WORD.finditer(text))
    taken = [False] * len(found)
    for at in range(len(found) - _FEWEST_WORDS + 1):
        run = found[at : at + _FEWEST_WORDS]
        if f" {' '.join(word[0].casefold() for word in run)} " in f" {said} ":
            taken[at : at + _FEWEST_WORDS] = [True] * _FEWEST_WORDS
    kept, end = [], 0
    for number, word in enumerate(found):
        if taken[number]:
            begins = not (number and taken[number - 1])
            kept.append(text[end : word.start()] + GONE if begins else "")
            end = word.end()
    return "".join(kept) + text[end:]
