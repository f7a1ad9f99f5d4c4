"""References as a person makes them in words: "the second one", "the last invoice", "that supplier", "invoice 4711"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from printed.dates import parse_dates
from printed.folding import compact_text, fold, split_names
from printed.language import Language
from printed.languages import LANGUAGES, join_pattern, join_words, list_words
from printed.stopwords import STOPWORDS
from printed.type_words import TABLES

MAX_LETTERS = 300
MIN_DIGITS, MIN_SIGNS = 3, 4
_TOKEN = re.compile(r"[#№]?(\w[\w/.-]*\w|\w)")
_FILE_SUFFIX = re.compile(r"\.[^\W\d_]\w{1,4}$")
_WORD = re.compile(r"[^\W_]+")
_NUMBER_FIELD = "number"


@dataclass(frozen=True)
class ReferenceWords:
    """`kind` is document, schema, prompt or tag; `type` one of documents, `field` one of their values.

    `rest` are words that tell one from its like. `is_pointing`: nothing says which, but for what was spoken of before.
    """

    position: int = 0
    is_latest: bool = False
    is_earliest: bool = False
    is_pointing: bool = False
    kind: str = ""
    type: str = ""
    noun: str = ""
    field: str = ""
    rest: tuple[str, ...] = ()

    @property
    def says_which(self) -> bool:
        return bool(self.position or self.is_latest or self.is_earliest or self.is_pointing)


def parse_reference(text: str) -> ReferenceWords:
    """Nothing for what is denied, and for all of a kind: neither is one object."""
    text = " ".join(text[:MAX_LETTERS].split())
    written = {fold(word): word for word in _WORD.findall(text.casefold())}
    position, left = _take_position(fold(text))
    latest, left = _take(_get_pattern("latest"), left)
    earliest, left = _take(_get_pattern("earliest"), left)
    pointer, left = _take(_get_pattern("pointers"), left)
    kind, left = _take_kind(left)
    nouns = Nouns("", "", "", tuple(_WORD.findall(left))) if kind else _find_nouns(_WORD.findall(left))
    if not _get_refusing_words().isdisjoint(nouns.rest):
        return ReferenceWords()
    telling = [word for word in nouns.rest if word not in _get_stopwords() and len(word) > 1]
    rest = telling if kind else [word for word in telling if word not in _get_document_words()]
    says_document = bool(nouns.type or nouns.field or len(rest) < len(telling))
    return ReferenceWords(
        position,
        bool(latest),
        bool(earliest),
        bool(pointer),
        kind or ("document" if says_document else ""),
        nouns.type,
        nouns.noun,
        nouns.field,
        tuple(written.get(word, word) for word in rest),
    )


def find_number(text: str) -> str:
    """The number that the text names: of an invoice, an order, a customer. Empty for any other text.

    Neither a date nor the name of a file is one, nor is a number among words of which something else is told.
    """
    tokens = [match[1] for match in _TOKEN.finditer(text[:MAX_LETTERS])]
    numbers = [token for token in tokens if any(map(str.isdecimal, token))]
    if len(numbers) != 1 or not _is_number(numbers[0]):
        return ""
    words = {fold(token).rstrip(".") for token in tokens if token != numbers[0]}
    return "" if words - _get_label_words() - _get_stopwords() else numbers[0]


def find_field(path: str) -> str:
    """The field of documents that a value's path means: `seller.name` is the vendor. Empty where it means none."""
    names = path.split(".")
    for part in (" ".join(names[-2:]), names[-1]):
        words = " ".join(split_names(part))
        name = words.replace(" ", "_")
        if field := name if name in _get_field_names() else _get_fields().get(words):
            return field
    return ""


@cache
def list_field_names(field: str) -> tuple[str, ...]:
    """The surest labels of a field in all languages; none for an empty name."""
    return tuple(dict.fromkeys(label for name, label, is_vague in _iterate_labels() if name == field and not is_vague))


@cache
def list_type_words(type_name: str) -> tuple[str, ...]:
    """Names of a type: the English one, and its first title in each language."""
    titles = (table.titles.get(type_name, "").split(",")[0].strip() for table in TABLES)
    return tuple(dict.fromkeys(filter(None, (type_name, *titles))))


@dataclass(frozen=True)
class Nouns:
    """`noun` is how the text calls the type or the field."""

    type: str
    field: str
    noun: str
    rest: tuple[str, ...]


def _find_nouns(words: Sequence[str]) -> Nouns:
    """The longest words that name a type or a field; where both are as long, it is the type."""
    for length in range(min(len(words), 4), 0, -1):
        parts = [
            (" ".join(words[at : at + length]), (*words[:at], *words[at + length :]))
            for at in range(len(words) - length + 1)
        ]
        for phrase, rest in parts:
            if name := _look_up(_get_types(), phrase):
                return Nouns(name, "", phrase, rest)
        for phrase, rest in parts:
            if name := _look_up(_get_fields(), phrase):
                return Nouns("", name, phrase, rest)
    return Nouns("", "", "", tuple(words))


def _look_up(names: Mapping[str, str], phrase: str) -> str:
    """One or several of it."""
    forms = (phrase, phrase.removesuffix("s"), phrase.removesuffix("en"), phrase.removesuffix("es"))
    return next((names[form] for form in forms if form in names), "")


def _take(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    match = pattern.search(text)
    return (match[0], f"{text[: match.start()]} {text[match.end() :]}") if match else ("", text)


def _take_position(text: str) -> tuple[int, str]:
    positions = _get_positions()
    word, left = _take(_get_position_pattern(), text)
    if word in positions:
        return positions[word], left
    match = re.match(r"\d+", word)
    return (int(match[0]), left) if match else (0, text)


def _take_kind(text: str) -> tuple[str, str]:
    kinds = _get_kinds()
    word, left = _take(_compile(kinds), text)
    return kinds.get(word, ""), left


def _is_number(token: str) -> bool:
    digits = sum(map(str.isdecimal, token))
    is_long = digits >= MIN_DIGITS and len(compact_text(token)) >= MIN_SIGNS
    return is_long and not _FILE_SUFFIX.search(token) and not parse_dates(token)


@cache
def _get_pattern(name: str) -> re.Pattern[str]:
    def pick(language: Language) -> str:
        words: str = getattr(language, name)
        return words

    return _compile(list_words(pick))


def _compile(words: Sequence[str] | Mapping[str, str]) -> re.Pattern[str]:
    longest_first = sorted({fold(word) for word in words}, key=lambda word: (-len(word), word))
    return re.compile(join_pattern(longest_first))


@cache
def _get_positions() -> dict[str, int]:
    picks: tuple[Callable[[Language], str], ...] = (
        lambda language: language.quarter_numbers,
        lambda language: language.positions,
    )
    joined = (pair for pick in picks for pair in join_words(pick).items())
    return {fold(word): int(number) for number, words in joined for word in words}


@cache
def _get_position_pattern() -> re.Pattern[str]:
    suffixes = "|".join(map(re.escape, list_words(lambda language: language.ordinals)))
    return re.compile(
        rf"{_compile(list(_get_positions())).pattern}|(?<![\w/.-])\d{{1,2}}(?:{fold(suffixes)}|\.)(?![\w])"
    )


@cache
def _get_kinds() -> dict[str, str]:
    joined = join_words(lambda language: language.definitions)
    return {fold(word): kind for kind, words in joined.items() for word in words}


@cache
def _get_types() -> dict[str, str]:
    """Titles; and, for languages without a table of them, the vaguer labels of numbers: "factuur" is an invoice."""
    titles = {
        fold(phrase.strip()): name
        for table in TABLES
        for name, phrases in table.titles.items()
        for phrase in phrases.split(",")
        if "*" not in phrase and len(phrase.strip()) > 2
    }
    known = set(titles.values())
    for field, label, is_vague in _iterate_labels():
        name = field.removesuffix(_NUMBER_FIELD).rstrip("_").replace("_", " ")
        if is_vague and field.endswith(_NUMBER_FIELD) and name in known:
            titles.setdefault(label, name)
    return titles


@cache
def _get_fields() -> dict[str, str]:
    """Labels, the surest of English first."""
    fields: dict[str, str] = {}
    for field, label, is_vague in _iterate_labels():
        if not (is_vague and field.endswith(_NUMBER_FIELD)):
            fields.setdefault(label, field)
    return fields


def _iterate_labels() -> Iterator[tuple[str, str, bool]]:
    """The field, its label, and whether that is one of the vaguer."""
    for language in LANGUAGES:
        for field, labels in language.fields.items():
            for level, part in enumerate(labels.split(";")):
                yield from ((field, fold(label.strip()), level > 0) for label in part.split(","))


@cache
def _get_field_names() -> frozenset[str]:
    return frozenset(name for language in LANGUAGES for name in language.fields)


@cache
def _get_document_words() -> frozenset[str]:
    pages = list_words(lambda language: language.pages)
    return frozenset(map(fold, list_words(lambda language: language.documents))) - set(map(fold, pages))


@cache
def _get_refusing_words() -> frozenset[str]:
    words = [*list_words(lambda language: language.negations), *list_words(lambda language: language.universals)]
    return frozenset(map(fold, words))


@cache
def _get_stopwords() -> frozenset[str]:
    return frozenset(map(fold, STOPWORDS))


@cache
def _get_label_words() -> frozenset[str]:
    """Words that may stand beside a number and only say to what it belongs."""
    of_numbers = (label for field, label, _ in _iterate_labels() if field.endswith(_NUMBER_FIELD))
    words = {word.rstrip(".") for label in of_numbers for word in label.split()}
    numbered = map(fold, list_words(lambda language: language.numbered))
    titles = (word for phrase in _get_types() for word in phrase.split())
    return frozenset({*words, *numbered, *titles, *_get_document_words()})
