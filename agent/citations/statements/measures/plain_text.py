"""Texts as numbers and names are looked for in them, whatever signs they are written with."""

from __future__ import annotations

import re
import unicodedata

from printed.units import split_glued

TURNS_AROUND = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Signs behind which letters are shown in another order than in the file."""
_LOOKS = ("<wide>", "<narrow>", "<font>")
# Behind a Latin letter; composed ones are letters by now.
_STRAY_MARK = re.compile("(?<=[\u0000-\u024f])[\u0300-\u036f]+")


def make_plain(text: str) -> str:
    """Without signs that no font draws, in letters and digits of usual width, and with spaces beside numbers."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", "".join(map(_make_usual, text)))
        text = _STRAY_MARK.sub("", text)
    return split_glued(text)


def _make_usual(char: str) -> str:
    if unicodedata.category(char) == "Cf":
        return ""
    return unicodedata.normalize("NFKC", char) if unicodedata.decomposition(char).startswith(_LOOKS) else char
