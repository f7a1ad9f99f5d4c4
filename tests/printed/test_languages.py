"""Every table of words can be used: its lists are whole, and its keys are those that are looked up."""

from __future__ import annotations

import re

import pytest

from offline_model.fields.kinds import KINDS
from offline_model.fields.vocabulary import COLUMN_BY_NAME, FIELDS
from printed.language import Language
from printed.languages import LANGUAGES, join_pattern, join_words, list_phrases, list_words
from printed.units import TIMES

EACH = pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
ENGLISH = LANGUAGES[0]


def list_keys(table: str) -> set[str]:
    return {phrase.split()[0] for phrase in table.split(",") if phrase}


@EACH
def test_its_months_and_weekdays_are_whole(language: Language) -> None:
    assert len(language.months.split(",")) == 12
    assert len(language.weekdays.split(",")) == 7 or not language.code


@EACH
def test_its_tables_name_what_english_names(language: Language) -> None:
    assert set(language.kinds) <= {kind.name for kind in KINDS}
    assert set(language.fields) | set(language.passed_labels) <= {field.name for field in FIELDS}
    assert set(language.columns) <= COLUMN_BY_NAME.keys()
    assert list_keys(language.units) <= list_keys(ENGLISH.units) and set(TIMES) <= list_keys(ENGLISH.units)
    assert list_keys(language.scales) <= list_keys(ENGLISH.scales)
    assert all(number.isdigit() for number in list_keys(language.numbers))


@EACH
def test_its_negations_stand_alike_behind_a_verb(language: Language) -> None:
    assert set(language.late_negations.split()) <= set(language.negations.split())


def test_words_are_tried_from_the_longest() -> None:
    words = list_words(lambda language: language.units.replace(",", " "))
    assert [len(word) for word in words] == sorted(map(len, words), reverse=True)
    assert "per cent" in join_words(lambda language: language.units)["%"]


def test_vaguer_labels_of_one_language_come_behind_the_sure_ones_of_all() -> None:
    labels = list_phrases(lambda language: language.fields.get("invoice_date", ""))
    assert labels.index("rechnungsdatum") < labels.index("date") < labels.index("fecha")


@pytest.mark.parametrize(
    ("text", "fits"),
    [("Steuern", True), ("Umsatzsteuer", True), ("Steuer 5", True), ("net", True), ("network", False), ("b/f", True)],
)
def test_a_star_stands_for_more_letters(text: str, fits: bool) -> None:
    assert bool(re.search(join_pattern(["*steuer*", "net", "b/f"]), text, re.IGNORECASE)) is fits
