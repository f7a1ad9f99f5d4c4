"""List the labels that a field may have: its name and title, what its description quotes, and translations into the
languages of the page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from documents.locate.absence.empty_fields import EmptyField
from documents.locate.absence.printed_labels import read_names
from documents.locate.labels import GENERIC, make_tokens
from documents.values.titles import make_title
from printed.folding import fold, split_names
from printed.language import Language, Table
from printed.languages import LANGUAGES

MAX_PHRASES = 12
LONGEST_DESCRIPTION = 4
_QUOTED = re.compile(r"[\"“„«'‘]([^\"“”„«»'‘’]{2,40})[\"”“»'’]")


def list_phrases(field: EmptyField, languages: Sequence[Language]) -> list[str]:
    """Labels to look for, the field's own first, each once."""
    phrases: dict[str, str] = {}
    for phrase in [*list_own_phrases(field), *_translate(field, languages)]:
        phrases.setdefault(fold(phrase), phrase[:1].upper() + phrase[1:])
    return list(phrases.values())[:MAX_PHRASES]


def list_own_phrases(field: EmptyField) -> list[str]:
    """List what the schema calls it."""
    return [field.title, make_title(field.names[-1], {}), *_read_description(field.description)]


def _read_description(description: str) -> list[str]:
    """List the labels that it quotes; all of it where it is no longer than a label."""
    quoted = _QUOTED.findall(description)
    is_label = 0 < len(description.split()) <= LONGEST_DESCRIPTION
    return quoted or ([description.strip(" .")] if is_label else [])


def _translate(field: EmptyField, languages: Iterable[Language]) -> Iterator[str]:
    key = _find_key(field)
    for language in languages if key else ():
        yield from _split_sure(_get_table(language, is_column=bool(field.row)).get(key, ""))


def _find_key(field: EmptyField) -> str:
    """The field of the tables of languages that is meant; empty where none is."""
    labels, keys = _list_labels(is_column=bool(field.row)), _list_keys(is_column=bool(field.row))
    for name in _list_names(field):
        if key := keys.get(frozenset(make_tokens(split_names(name)))) or labels.get(read_names(name)):
            return key
    return ""


def _list_names(field: EmptyField) -> Iterator[str]:
    """The surest first. “Name” in “customer” means the customer."""
    yield from (field.title, field.names[-1])
    if len(field.names) > 1:
        yield f"{field.names[-2]} {field.names[-1]}"
        if frozenset(split_names(field.names[-1])) <= GENERIC:
            yield field.names[-2]
    yield from _read_description(field.description)


def _get_table(language: Language, *, is_column: bool) -> Table:
    return language.columns if is_column else language.fields


def _split_sure(phrases: str) -> list[str]:
    return [phrase.strip() for phrase in phrases.partition(";")[0].split(",") if phrase.strip()]


@cache
def _list_keys(*, is_column: bool) -> dict[frozenset[str], str]:
    """By the words of its own name."""
    keys = {key for language in LANGUAGES for key in _get_table(language, is_column=is_column)}
    return {frozenset(make_tokens(split_names(key))): key for key in sorted(keys)}


@cache
def _list_labels(*, is_column: bool) -> dict[tuple[str, ...], str]:
    """By those of its labels that no other field has."""
    keys: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for language in LANGUAGES:
        for key, phrases in _get_table(language, is_column=is_column).items():
            for phrase in _split_sure(phrases):
                keys[read_names(phrase)].add(key)
    return {names: next(iter(each)) for names, each in keys.items() if names and len(each) == 1}
