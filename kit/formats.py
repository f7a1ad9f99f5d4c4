"""Dates and numbers as the reader's language writes them. The words around them are English.

A request sets its reader's locale, as `timezone.activate` sets a zone; elsewhere, and for who named none, it is plain
English: 3 Mar 2024 and 1,234.5. Times of day have 24 hours everywhere. Values of documents stay as they were read.
"""

from __future__ import annotations

from contextvars import ContextVar
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.dates import format_skeleton
from babel.numbers import format_decimal
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation.trans_real import parse_accept_lang_header

PLAIN = ""
# People can choose one of these. A browser's own language may be any that the table knows.
CHOICES = (
    *("cs-CZ", "da-DK", "de-AT", "de-CH", "de-DE", "en-AU", "en-CA", "en-GB", "en-IN", "en-US", "es-ES", "es-MX"),
    *("fi-FI", "fr-CA", "fr-CH", "fr-FR", "hu-HU", "it-CH", "it-IT", "ja-JP", "ko-KR", "nb-NO", "nl-BE", "nl-NL"),
    *("pl-PL", "pt-BR", "pt-PT", "ro-RO", "sk-SK", "sv-SE", "tr-TR", "uk-UA", "zh-CN", "zh-TW"),
)
_SAMPLE = date(2024, 3, 3)
_active: ContextVar[str] = ContextVar("format_locale", default=PLAIN)


def activate(locale: str) -> None:
    """Until the next call, for this request or thread."""
    _active.set(locale)


def choose_locale(own: str, accepted: str) -> str:
    """Take the reader's choice, else the first language with a country that the browser names and the table knows.

    A language alone, such as `en`, is not enough: the dates of its countries differ.
    """
    if own:
        return own
    tags = parse_accept_lang_header(accepted)  # reads no more than 500 characters
    return next((tag for tag, _ in tags if "-" in tag and _find(tag)), PLAIN)


def format_day(day: date, *, has_year: bool = True) -> str:
    """3 Mar 2024, or 3 Mar."""
    locale = _find(_active.get())
    if locale is None:
        return date_format(day, "j M Y" if has_year else "j M")
    plain = day.date() if isinstance(day, datetime) else day
    return _write_day(plain, "yMMMd" if has_year else "MMMd", locale)


def format_local_day(when: datetime | None) -> str:
    """The day of a moment, empty for none."""
    return format_day(timezone.localtime(when)) if when else ""


def format_number(number: float | Decimal, *, decimals: int = 0) -> str:
    """1,234 or 1,234.5."""
    locale = _find(_active.get())
    if locale is None:
        return f"{number:,.{decimals}f}"
    pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
    return format_decimal(number, format=pattern, locale=locale)


def count_noun(number: int, noun: str) -> str:
    """1 page, 3 pages."""
    return f"{format_number(number)} {noun}{'s' * (number != 1)}"


def format_amount(number: Decimal) -> str:
    """A whole number has no decimals, others two or as many as they need."""
    exponent = int(number.normalize().as_tuple().exponent)
    return format_number(number, decimals=max(2, -exponent) if exponent < 0 else 0)


def format_bounded(number: int, *, maximum: int) -> str:
    """1,234, or 1,000+ for whatever is over a maximum of 1,000."""
    return f"{format_number(maximum)}+" if number > maximum else format_number(number)


def list_choices() -> list[tuple[str, str]]:
    """Each with its name in its own language, and a sample."""
    return [(tag, _describe(tag)) for tag in CHOICES]


@lru_cache(maxsize=len(CHOICES))
def _describe(tag: str) -> str:
    locale = _find(tag)
    assert locale is not None  # noqa: S101 - a test proves that each is known
    number = format_decimal(Decimal("1234.5"), format="#,##0.0", locale=locale)
    return f"{locale.get_display_name()}: {_write_day(_SAMPLE, 'yMMMd', locale)}, {number}"


@lru_cache(maxsize=1000)
def _write_day(day: date, skeleton: str, locale: Locale) -> str:
    return format_skeleton(skeleton, day, locale=locale)


@lru_cache(maxsize=200)
def _find(tag: str) -> Locale | None:
    try:
        return Locale.parse(tag, sep="-") if tag else None
    except (UnknownLocaleError, ValueError):
        return None
