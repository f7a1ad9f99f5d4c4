"""Words of other languages stand in the tables of `printed/languages` and nowhere else in the product."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from simplemma.strategies.dictionaries import LOW_MEMORY_DICTIONARY_FACTORY as DICTIONARIES

from printed.folding import fold
from printed.language import Language
from printed.languages import LANGUAGES
from tests.repository.counts import ROOT, product_files, text_of

TABLES = ROOT / "printed" / "languages"
WORD_TABLES = {TABLES, ROOT / "printed" / "type_words", ROOT / "printed" / "matter_words"}
MIN_LETTERS = 5
WORD = re.compile(r"[^\W\d_]+")
# English texts have them too: the names of a French and an Italian number, pro forma, and intra.
ENGLISH_TOO = {"siret", "partita", "forma", "intra"}


def list_words(language: Language) -> set[str]:
    texts = (getattr(language, field.name) for field in fields(language))
    joined = " ".join(" ".join(text.values()) if isinstance(text, dict) else str(text) for text in texts)
    return {word for word in WORD.findall(fold(joined.replace("_", " "))) if len(word) >= MIN_LETTERS}


def list_foreign_words() -> set[str]:
    english = DICTIONARIES.get_dictionary("en")
    own = set().union(*(list_words(language) for language in LANGUAGES if language.code == "en"))
    foreign = set().union(*(list_words(language) for language in LANGUAGES if language.code != "en"))
    return {word for word in foreign - own if word not in english and word.capitalize() not in english}


def find_words(text: str, words: set[str]) -> set[str]:
    return words.intersection(WORD.findall(fold(text)))


def list_texts(path: Path) -> Iterator[str]:
    """Yields the texts of a module without its docstrings."""
    tree = ast.parse(text_of(path))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value


def test_other_languages_stand_in_their_tables_alone() -> None:
    foreign = list_foreign_words() - ENGLISH_TOO
    assert {"rechnung", "facture", "wtorek"} <= foreign
    found = {
        f"{path.relative_to(ROOT)}: {word}"
        for path in product_files()
        if path.parent not in WORD_TABLES and find_words(text_of(path), foreign)
        for text in list_texts(path)
        for word in find_words(text, foreign)
    }
    assert not found, f"Put words of a language into its table, printed/languages: {', '.join(sorted(found))}"


def test_one_table_at_most_is_of_no_language() -> None:
    assert len([language for language in LANGUAGES if not language.code]) <= 1
    assert len({language.code for language in LANGUAGES}) == len(LANGUAGES) == len([*TABLES.glob("*.py")]) - 1
