"""Whether a request to the outside holds nothing but words that a person wrote: such a request needs no card.

Words are compared, not meanings. What else could carry something out is compared or bounded too: numbers, the signs
between words, upper case and accents, letters that nobody sees, and how much one request holds.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from agent.toolkit.signatures import Arguments
from kit.json_types import Json, JsonSchema
from printed.folding import fold

MAX_CHARACTERS, MAX_WORDS, MAX_VALUES, MAX_LEVELS = 400, 40, 20, 6
# Other accents than the person's, and words of one letter or digit, could spell something else; so could signs.
MAX_RESPELLED = MAX_SINGLE = 3
MAX_OTHER_SIGNS = 8
# As in 05 or 12.00. A row of zeros in front or behind could count something.
MAX_PADDING = 2
MAX_SHOWN, MAX_SHOWN_CHARACTERS = 3, 30
FOREIGN = "It would send what no message of the person holds: {words}."
TOO_LONG = f"It would send more than {MAX_WORDS} words or {MAX_CHARACTERS} characters."
UNSEEN = "signs that nobody sees"
_NUMBER = r"\d+(?:[.,'’]\d+)*"
_WORD = re.compile(rf"(?<![^\W_]){_NUMBER}(?![^\W_])|[^\W_]+")
_GROUPED = re.compile(r"\d{1,3}(?:[.,'’]\d{3})+|\d+")
_ODD_SPACE = re.compile(r"\s\s|[^\S \n]")
_PLAIN_SIGNS = frozenset(".,:;?!\"'()-/&+%=@")
_UNSEEN_CATEGORIES = ("Cc", "Cf", "Cn", "Co", "Cs")
# Scripts without spaces: a run of letters is a sentence there, and a part of it a word.
_RUN = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]{2,}")


class OwnWords:
    """The words, numbers and signs of a person's messages."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.spellings: dict[str, set[str]] = defaultdict(set)
        self.counts: Counter[str] = Counter()
        self.numbers: set[Decimal] = set()
        self.signs: set[str] = set()
        for text in texts:
            self._add(unicodedata.normalize("NFC", text))

    def _add(self, text: str) -> None:
        for word in _WORD.findall(text):
            self.numbers.update(*read_numbers(word))
            self.spellings[fold(word)].add(word)
            self.counts[fold(word)] += 1
        self.signs |= {signs.strip() for signs in _WORD.split(text)}

    def explain_foreign(self, arguments: Arguments, schema: JsonSchema) -> str:
        """Why this request is not the person's own, as a sentence; empty where it is.

        Names of arguments and values that the schema lists are the tool's, as its admin has seen them.
        """
        comparison = _Comparison(self)
        try:
            comparison.compare(arguments, [schema], is_named=True)
        except _TooLong:
            return TOO_LONG
        return FOREIGN.format(words=", ".join(comparison.foreign)) if comparison.foreign else ""

    def holds_run(self, word: str) -> bool:
        return bool(_RUN.fullmatch(word)) and any(word in run for run in self.spellings)


class _TooLong(Exception):
    """More than may leave without a person."""


class _Comparison:
    """One request beside a person's words."""

    def __init__(self, own: OwnWords) -> None:
        self.own = own
        self.foreign: list[str] = []
        self.values = self.characters = self.words = self.respelled = self.single = self.other_signs = 0

    def compare(self, value: Json, schemas: Sequence[Json], *, is_named: bool, level: int = 0) -> None:
        """`is_named`: the schema names its place. A row of yes and no without names could spell anything."""
        if level > MAX_LEVELS:
            raise _TooLong
        variants = [each for schema in schemas for each in _iterate_variants(schema, MAX_LEVELS)]
        if any(_is_listed(value, schema) for schema in variants):
            self._count(str(value))
        elif isinstance(value, dict):
            for name, inner in value.items():
                known = [schema["properties"][name] for schema in variants if name in schema.get("properties", {})]
                if not known:
                    self._compare_text(name)
                schemas = known or [schema.get("additionalProperties") for schema in variants]
                self.compare(inner, schemas, is_named=bool(known), level=level + 1)
        elif isinstance(value, list):
            for inner in value:
                self.compare(inner, [schema.get("items") for schema in variants], is_named=False, level=level + 1)
        elif isinstance(value, str):
            self._compare_text(value)
        else:
            self._count(str(value))
            is_flag = value is None or isinstance(value, bool)
            self._refuse_unless(is_named if is_flag else self._is_own_number(value), str(value))

    def _compare_text(self, text: str) -> None:
        words = _WORD.findall(text)
        self._count(text, words=len(words))
        unseen = any(unicodedata.category(sign) in _UNSEEN_CATEGORIES for sign in text if sign != "\n")
        if unseen or not unicodedata.is_normalized("NFC", text):
            self._refuse_unless(False, UNSEEN)
            return
        for signs in _WORD.split(text):
            self._refuse_unless(self._are_own_signs(signs), signs.strip() or "odd spaces")
        times = Counter(map(fold, words))
        for word in words:
            is_repeated = times[fold(word)] > max(self.own.counts[fold(word)], 1)
            self._refuse_unless(self._is_own(word) and not is_repeated, word)

    def _are_own_signs(self, signs: str) -> bool:
        shown = "".join(signs.split())
        is_own = not shown or signs.strip() in self.own.signs
        self.other_signs += not is_own
        is_plain = len(shown) <= 2 and _PLAIN_SIGNS.issuperset(shown) and self.other_signs <= MAX_OTHER_SIGNS
        return not _ODD_SPACE.search(signs) and (is_plain or is_own)

    def _is_own_number(self, value: float) -> bool:
        self.single += len(str(value)) == 1
        return abs(Decimal(str(value))) in self.own.numbers and self.single <= MAX_SINGLE

    def _is_own(self, word: str) -> bool:
        self.single += len(word) == 1
        if self.single > MAX_SINGLE:
            return False
        spellings = self.own.spellings.get(fold(word), set())
        if word in spellings or self.own.holds_run(word):
            return True
        if readings := read_numbers(word):
            return word.isascii() and any(self._are_own_numbers(word, numbers) for numbers in readings)
        is_plain = word in (word.lower(), word.upper(), word.capitalize()) and unicodedata.is_normalized("NFKC", word)
        if word.casefold() not in {fold(word), *(each.casefold() for each in spellings)}:
            self.respelled += 1
        return bool(spellings) and is_plain and self.respelled <= MAX_RESPELLED

    def _are_own_numbers(self, word: str, numbers: frozenset[Decimal]) -> bool:
        """All of them: one of the person's in front opens no door to others behind it."""
        plain = sum(len(format(number.normalize(), "f").replace(".", "")) for number in numbers)
        return numbers <= self.own.numbers and sum(map(str.isdigit, word)) - plain <= MAX_PADDING

    def _count(self, text: str, *, words: int = 1) -> None:
        self.values, self.characters, self.words = self.values + 1, self.characters + len(text), self.words + words
        if self.values > MAX_VALUES or self.characters > MAX_CHARACTERS or self.words > MAX_WORDS:
            raise _TooLong

    def _refuse_unless(self, is_own: bool, shown: str) -> None:
        shown = f"“{shown[:MAX_SHOWN_CHARACTERS]}”"
        if not is_own and shown not in self.foreign and len(self.foreign) < MAX_SHOWN:
            self.foreign.append(shown)


def read_numbers(word: str) -> list[frozenset[Decimal]]:
    """What its digits may mean, each with the numbers that it holds: 1.000 is one or 1000, and 1.5.2024 three.

    Empty for a word.
    """
    if not re.fullmatch(_NUMBER, word):
        return []
    parts = re.split(r"[.,'’]", word)
    readings = [Decimal("".join(parts))] if _GROUPED.fullmatch(word) else []
    if len(parts) > 1 and (len(parts) == 2 or _GROUPED.fullmatch(",".join(parts[:-1]))):
        readings.append(Decimal(f"{''.join(parts[:-1])}.{parts[-1]}"))
    return [frozenset([number]) for number in readings] or [frozenset(map(Decimal, parts))]


def _iterate_variants(schema: Json, level: int) -> Iterator[JsonSchema]:
    if not isinstance(schema, dict) or not level:
        return
    yield schema
    for name in ("anyOf", "oneOf", "allOf"):
        for each in schema.get(name, ()):
            yield from _iterate_variants(each, level - 1)


def _is_listed(value: Json, schema: JsonSchema) -> bool:
    """Whether the schema lists this very value; False is not 0."""
    listed = [*schema.get("enum", ()), *(schema[name] for name in ("const", "default") if name in schema)]
    return any(type(each) is type(value) and each == value for each in listed)
