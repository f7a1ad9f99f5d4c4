"""A provider's words about a refused request, without what must not be repeated: keys, and the words of documents.

Providers quote the request. Seen: "Incorrect API key provided: sk-proj-ab*****yz", "Invalid value: 'ACME Ltd, …'", and
the whole body after "got:".
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from llm.client.wire import WireMessage

LONGEST = 300
# Look through so much for them. Some servers quote a whole request, which would be compared with itself for hours.
LONGEST_READ = 4_000
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


def redact(text: str, sent: Sequence[WireMessage]) -> str:
    """At most 300 characters of `text`; what looks like a key, and what the messages in `sent` say, is "…"."""
    text = _KEY.sub(GONE, _cut_at_word(" ".join(text.split())))
    words = _words(json.dumps([message.get("content") for message in sent], ensure_ascii=False))
    if words:
        sent_words = f" {' '.join(words)} "
        text = _QUOTED.sub(lambda quote: GONE if _stands_in(quote["inner"], sent_words) else quote[0], text)
        text = _redact_runs(text, sent_words)
    return text[:LONGEST]


def _cut_at_word(text: str) -> str:
    """Half a key might not be told for one."""
    return text if len(text) <= LONGEST_READ else text[:LONGEST_READ].rpartition(" ")[0] or GONE


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _stands_in(quoted: str, sent_words: str) -> bool:
    words = " ".join(_words(quoted))
    return bool(words) and f" {words} " in sent_words


def _redact_runs(text: str, sent_words: str) -> str:
    words_in_text = list(_WORD.finditer(text))
    is_quoted = [False] * len(words_in_text)
    for at in range(len(words_in_text) - _FEWEST_WORDS + 1):
        run = words_in_text[at : at + _FEWEST_WORDS]
        if f" {' '.join(word[0].casefold() for word in run)} " in sent_words:
            is_quoted[at : at + _FEWEST_WORDS] = [True] * _FEWEST_WORDS
    pieces, end = [], 0
    for number, word in enumerate(words_in_text):
        if is_quoted[number]:
            begins = not (number and is_quoted[number - 1])
            pieces.append(text[end : word.start()] + GONE if begins else "")
            end = word.end()
    return "".join(pieces) + text[end:]
