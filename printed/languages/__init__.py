"""One table a language. A new language is one file here: what is read of documents follows from its table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pkgutil import iter_modules
from re import escape

from printed.language import Language

_tables = (import_module(f"{__name__}.{module.name}").LANGUAGE for module in iter_modules(__path__))
LANGUAGES: tuple[Language, ...] = tuple(sorted(_tables, key=lambda language: (language.code != "en", language.code)))
"""English first: its labels win where two languages have one alike."""


def list_words(pick: Callable[[Language], str]) -> list[str]:
    """The words of all languages, each once and the longest first, as a pattern has to try them."""
    words = {word.replace("_", " ") for language in LANGUAGES for word in pick(language).split()}
    return sorted(words, key=lambda word: (-len(word), word))


def list_phrases(pick: Callable[[Language], str]) -> list[str]:
    """List what stands between commas, in the order of the languages; what stands behind a semicolon comes last."""
    levels: dict[int, list[str]] = {}
    for language in LANGUAGES:
        for level, part in enumerate(pick(language).split(";")):
            levels.setdefault(level, []).extend(part.split(","))
    phrases = (phrase.strip() for level in sorted(levels) for phrase in levels[level])
    return list(dict.fromkeys(filter(None, phrases)))


def join_words(pick: Callable[[Language], str]) -> dict[str, list[str]]:
    """By the first word between two commas the words of all languages behind it."""
    words: dict[str, set[str]] = {}
    for key, *others in (phrase.split() for language in LANGUAGES for phrase in pick(language).split(",") if phrase):
        words.setdefault(key, set()).update(word.replace("_", " ") for word in others)
    return {key: sorted(each, key=lambda word: (-len(word), word)) for key, each in words.items()}


def write_pattern(pick: Callable[[Language], str]) -> str:
    """A regular expression for one of the words of all languages; see `join_pattern`."""
    return join_pattern(list_words(pick))


def join_pattern(words: Iterable[str]) -> str:
    """A regular expression for one of the words, whole but for the letters that a `*` stands for."""
    return rf"(?:{'|'.join(map(_write_word, words))})"


def _write_word(word: str) -> str:
    before, after = r"(?<!\w)" if word[0].isalpha() else "", r"(?!\w)" if word[-1].isalpha() else ""
    return before + escape(word).replace(r"\*", r"\w*") + after
