"""Dates and numbers in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from kit import formats


@pytest.fixture(autouse=True)
def plain() -> Iterator[None]:
    yield
    formats.activate(formats.PLAIN)


@pytest.mark.parametrize(
    ("locale", "day", "short", "number"),
    [
        ("", "3 Mar 2024", "3 Mar", "1,234.5"),
        ("en-GB", "3 Mar 2024", "3 Mar", "1,234.5"),
        ("en-US", "Mar 3, 2024", "Mar 3", "1,234.5"),
        ("de-DE", "3. März 2024", "3. März", "1.234,5"),
        ("ja-JP", "2024年3月3日", "3月3日", "1,234.5"),
    ],
)
def test_a_day_and_a_number_are_written_as_the_locale_does(locale: str, day: str, short: str, number: str) -> None:
    formats.activate(locale)
    written = (formats.format_day(date(2024, 3, 3)), formats.format_day(date(2024, 3, 3), has_year=False))
    assert (*written, formats.format_number(1234.5, decimals=1)) == (day, short, number)


@pytest.mark.parametrize(
    ("own", "accepted", "locale"),
    [
        ("fr-FR", "de-DE", "fr-FR"),
        ("", "de-DE,de;q=0.9,en;q=0.8", "de-de"),
        ("", "en;q=0.5,pt-BR;q=0.9", "pt-br"),
        ("", "en", ""),
        ("", "xx-YY, nl-BE;q=0.1", "nl-be"),
        ("", "*", ""),
        ("", "de-" * 2000, ""),
        ("", "", ""),
    ],
)
def test_ones_own_choice_goes_before_the_browsers(own: str, accepted: str, locale: str) -> None:
    assert formats.choose_locale(own, accepted) == locale


def test_every_choice_is_known_and_shows_a_sample() -> None:
    choices = dict(formats.list_choices())
    assert choices["de-CH"] == "Deutsch (Schweiz): 3. März 2024, 1’234.5"
    assert len(choices) == len(formats.CHOICES)
