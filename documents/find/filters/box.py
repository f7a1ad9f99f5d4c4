"""What is typed into the one box: words, and terms such as `tag:legal` or `total > 1000` among them."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Collection, Mapping

from django.db.models import Q

from accounts.actor import Actor
from documents.find.narrowing import begins_with, narrow_by_value, narrow_to
from documents.index.words.expressions import Expression
from documents.index.words.matching import list_pages
from documents.index.words.typed_words import make_expression, open_end, parse_words
from documents.models import CurrentValue, Document, Tag
from kit.rows.models import fold_case

MAX_LETTERS = 500
MAX_TAGS = 100
_PERIOD = re.compile(r"\d{4}(-\d\d)?")
_QUOTED = r'"[^"]*"'
_WORD = rf"(?:{_QUOTED}|[^\s\"]+)"
_PART = re.compile(
    rf"""(?P<term>(?P<name>[a-z]+):(?P<term_value>{_WORD}))
      | (?P<comparison>[\w.-]+\s*(?:!=|>=|<=|=|>|<|~)\s*{_WORD})
      | (?P<empty>[\w.-]+\s+is\s+(?:not\s+)?empty\b)
      | (?P<word>-?{_WORD}|")""",
    re.VERBOSE,
)


def split_box(text: str, names: Collection[str]) -> tuple[str, list[tuple[str, str]]]:
    """(words, [(name of a term, its value)]). What no term is called by stays among the words, quotation marks too."""
    words, terms = [], []
    for part in _PART.finditer(text[:MAX_LETTERS]):
        if part["term"] and part["name"] in _SHORT_TERMS:
            terms += _SHORT_TERMS[part["name"]](part["term_value"].strip('"'))
        elif part["term"] and part["name"] in names:
            terms.append((part["name"], part["term_value"].strip('"')))
        elif comparison := part["comparison"] or part["empty"]:
            terms.append(("value", comparison))
        else:
            words.append(part[0])
    return " ".join(words), terms


def _split_period(value: str) -> list[tuple[str, str]]:
    """`2026`, `2026-05`, `2026-05-31`, or two of them parted by `..`, either of which may be left out."""
    first, is_range, last = value.partition("..")
    end = _find_last_day(last if is_range else first)
    # A month that no year has stays as it was typed, for the sentence that refuses it.
    is_period = _find_last_day(first) != first
    begin = f"{first}{'-01-01'[3 * first.count('-') :]}" if is_period else first
    return [(name, day) for name, day in (("since", begin), ("until", end)) if day]


def _find_last_day(period: str) -> str:
    if not _PERIOD.fullmatch(period):
        return period
    year, _, month = period.partition("-")
    number = int(month or 12)
    return f"{year}-{number:02}-{monthrange(int(year), number)[1]}" if int(year) and 1 <= number <= 12 else period


# What a person types for what the address says in another way.
_SHORT_TERMS: Mapping[str, Callable[[str], list[tuple[str, str]]]] = {
    "date": _split_period,
    "field": lambda value: [("value", value)],
}


def match_words(actor: Actor, words: str) -> Q:
    """Every word in the name; or the words in the name of a tag, or at the start of a value or of metadata."""
    words = words.replace('"', " ").strip()
    condition = Q()
    for word in fold_case(words).split():
        condition &= Q(name_folded__contains=word)
    tags = Tag.objects.for_org(actor.organization).filter(name_folded__contains=fold_case(words))
    tag_ids = list(tags.values_list("pk", flat=True)[:MAX_TAGS])
    if tag_ids:
        ties = Document.tags.through.objects.filter(tag_id__in=tag_ids)
        condition |= Q(pk__in=ties.values("document_id"))
    return condition | narrow_by_value(actor.organization, CurrentValue.objects.filter(begins_with(words)))


def match_box(actor: Actor, text: str) -> Q:
    """The same, or every word on one page, the last one as a beginning. What has a minus must not stand beside them."""
    if not text.strip('"* -'):
        return Q()
    typed = parse_words(text)
    named = match_words(actor, join_wanted(text))
    for word in typed:
        if word.is_excluded:
            named &= ~Q(name_folded__contains=fold_case(word.text))
    keys = list_pages(actor.organization, make_box_expression(text)).values_list("document_id", flat=True)
    return named | narrow_to(keys, Q(pk__in=keys))


def join_wanted(text: str) -> str:
    """The words without those that must not stand there."""
    return " ".join(word.text for word in parse_words(text) if not word.is_excluded) or text


def make_box_expression(text: str) -> Expression:
    """Every word on one page, the last one as a beginning."""
    typed = parse_words(text)
    if typed and text.endswith(typed[-1].text):
        typed[-1] = open_end(typed[-1])
    return make_expression(typed)
