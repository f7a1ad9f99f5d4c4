"""A client that hands out pages as a browser takes them: without the white space that only lays out the templates."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

# Beside the blocks of HTML what the stylesheets make blocks or lays out in rows wherever it is used.
BLOCKS = (
    "html|head|title|link|meta|script|body|header|footer|main|nav|aside|section|article|div|p|h[1-6]|ul|ol|li|dl|dt|dd|"
    "table|thead|tbody|tr|td|th|form|fieldset|legend|details|summary|dialog|select|option|optgroup|button|template|"
    "blockquote|svg|use|progress"
)
VERBATIM = re.compile(r"(<(pre|textarea|script|style)\b.*?</\2>)", re.S)
TAG = re.compile(r"""</?[a-zA-Z](?:[^>"']|"[^"]*"|'[^']*')*>""")
QUOTED = re.compile(r"""("[^"]*"|'[^']*')""")
TAG_OR_SPACE = re.compile(rf"{TAG.pattern}|\s\s+|[^\S ]")
UNTIDY_TAG = re.compile(r"\s\s|[^\S ]| /?>$")
AT_A_BLOCK = re.compile(rf"\s*(</?(?:{BLOCKS})\b(?:[^>\"']|\"[^\"]*\"|'[^']*')*>)\s*")


def collapse(html: str) -> str:
    """One space where a browser shows one, none beside a block; a tag on one line. What is verbatim stays."""
    parts = VERBATIM.split(html)
    # Of three parts each: what is between, the verbatim element, its name.
    return "".join(part if at % 3 == 1 else _collapse_markup(part) for at, part in enumerate(parts) if at % 3 != 2)


def _collapse_markup(html: str) -> str:
    return AT_A_BLOCK.sub(r"\1", TAG_OR_SPACE.sub(_collapse_piece, html))


def _collapse_piece(piece: re.Match[str]) -> str:
    text = piece[0]
    if text[0] != "<":
        return " "
    return _collapse_tag(text) if UNTIDY_TAG.search(text) else text


def _collapse_tag(tag: str) -> str:
    parts = QUOTED.split(tag)
    plain = [part if at % 2 else re.sub(r"\s+", " ", part) for at, part in enumerate(parts)]
    return re.sub(r" (/?)>$", r"\1>", "".join(plain))


class PageClient(Client):
    def request(self, **request: Any) -> Any:
        response = super().request(**request)
        if not response.streaming and response.headers.get("Content-Type", "").startswith("text/html"):
            response.content = collapse(response.content.decode()).encode()
        return response
