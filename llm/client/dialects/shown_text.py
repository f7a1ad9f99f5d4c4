"""Tells what a model repeats from what it writes itself: by the messages that it was given to read."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from functools import cached_property

from llm.client.wire import ChatMessage

# The id of a line, as documents are shown.
_LINE_ID = re.compile(r"^\[[\w:]*\d+\.\d+\]", re.MULTILINE)
# Signs that the same words may be written with in one way or another. The Hangul fillers are letters that nobody sees.
_SIGNS = re.compile("[\\W\u115f\u1160\u3164\uffa0]+")
# Results of tools are JSON, so that what they quote is escaped in it, and JSON in that once more.
_ESCAPED = re.compile(r"\\+(?:u([0-9a-fA-F]{4})|[nrtbf])")


class ShownText:
    """The documents, results and words of people in the messages of a request, not what the model said before."""

    def __init__(self, sent: Sequence[ChatMessage]) -> None:
        self._sent = sent

    @cached_property
    def _compact(self) -> str:
        shown = [message for message in self._sent if message["role"] not in ("system", "assistant")]
        return _compact("\n".join(str(message.get("content") or "") for message in shown))

    def holds(self, written: str) -> bool:
        """However it is spaced, cut into lines or escaped there."""
        return _compact(written) in self._compact


def _compact(text: str) -> str:
    plain = _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else "\n", html.unescape(text))
    return _SIGNS.sub("", unicodedata.normalize("NFKC", _LINE_ID.sub("", plain)).casefold())
