"""Numbers of clauses: 7.1, §3, (a), Article 4. They count on and stand before a capital letter, unlike amounts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from documents.comparing.words import ComparedWord
from printed.languages import write_pattern

_SIGN = re.compile(rf"§{{1,2}}|art\.?|{write_pattern(lambda language: language.clauses)}", re.I)
_NUMBERED = re.compile(r"(§?\(?)(\d{1,3}(?:\.\d{1,3}){0,5})([.):]?)")
_LETTERED = re.compile(r"\(?([a-z]|[ivx]{1,5})[.)]", re.I)
_ROMAN = {"i": 1, "v": 5, "x": 10}
# As many clauses may be missing between one number and the next.
MAX_STEP = 5


class ClauseNumbers:
    """Reads a text from its beginning. `_seen`: by what stands before the last part the last number there."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, ...], int] = {}

    def count_words(self, words: Sequence[ComparedWord]) -> int:
        """Counts the first words of a line that are the number of its clause."""
        signs = 1 if len(words) > 1 and _SIGN.fullmatch(words[0].exact) else 0
        following = words[signs + 1].exact.lstrip("\"'([")[:1] if len(words) > signs + 1 else ""
        if len(words) <= signs or (following and not following.isupper()):
            return 0
        return signs + 1 if self._reads_on(words[signs].exact, is_named=bool(signs)) else 0

    def _reads_on(self, text: str, *, is_named: bool) -> bool:
        if match := _NUMBERED.fullmatch(text):
            parts = match[2].split(".")
            return (is_named or len(parts) > 1 or bool(match[1] or match[3])) and self._counts_on(("", *parts))
        match = _LETTERED.fullmatch(text)
        return match is not None and any(self._counts_on(parts) for parts in _read_letters(match[1].lower()))

    def _counts_on(self, parts: tuple[str, ...]) -> bool:
        *before, last = parts
        key, number = tuple(before), int(last)
        seen = self._seen.get(key, 0)
        if number != 1 and (number > seen + MAX_STEP or not self._is_known(key)):
            return False
        self._seen[key] = number
        return True

    def _is_known(self, key: tuple[str, ...]) -> bool:
        """A part below a clause follows that clause, or its own first part."""
        return len(key) < 2 or key in self._seen or self._seen.get(key[:-1]) == int(key[-1])


def _read_letters(letters: str) -> list[tuple[str, str]]:
    """(i) may be the ninth letter or the first number."""
    readings = [("letter", str(ord(letters) - ord("a") + 1))] if len(letters) == 1 else []
    return [*readings, ("roman", str(_read_roman(letters)))] if set(letters) <= set(_ROMAN) else readings


def _read_roman(letters: str) -> int:
    values = [_ROMAN[letter] for letter in letters]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
