"""What a reading leaves out, in sentences: pages without words, and pages on which much could not be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Q

from documents.models import Page, Reading

MAX_NAMED = 10
# Percent of a page's lines. On receipts that are read whole it is below ten.
ILLEGIBLE = 25
NEARLY_ALL, WHOLE = 75, 98
_GAPS = Q(illegible__gte=ILLEGIBLE) | ~Q(fault="")
_OUT_OF_TIME = "It was not read: the computing time for one document was over."


@dataclass(frozen=True)
class PageGap:
    """What is missing of a page: a word or two for its mark, and the sentence."""

    number: int
    words: str
    sentence: str


def describe_gaps(reading: Reading, read: Iterable[int], texts_only: Sequence[int]) -> str:
    """For the whole document. `read`: the pages that have been; `texts_only`: those without their small pictures."""
    sentences = (
        describe_unread_pages(reading, read),
        describe_unread_pictures(texts_only),
        _describe_damaged_pages(_list_numbers(reading, ~Q(fault=""))),
        _describe_illegible_pages(_list_numbers(reading, Q(illegible__gte=ILLEGIBLE))),
    )
    return " ".join(filter(None, sentences))


def list_gaps(reading: Reading) -> list[PageGap]:
    """Of a reading that has ended, in the order of its pages."""
    if not reading.is_partial:
        return []
    listed = set(reading.pages.values_list("number", flat=True))
    missing = set(range(1, (reading.page_count or 0) + 1)) - listed
    gaps = [PageGap(number, "not read", _OUT_OF_TIME) for number in missing]
    faulty = reading.pages.filter(_GAPS).only("reading", "number", "illegible", "fault")
    return sorted([*gaps, *(gap for page in faulty if (gap := find_gap(page)))], key=lambda gap: gap.number)


def find_gap(page: Page) -> PageGap | None:
    if page.fault:
        return PageGap(page.number, "damaged", page.fault)
    if page.illegible < ILLEGIBLE:
        return None
    words = "illegible" if page.illegible >= NEARLY_ALL else "partly illegible"
    why = "in letters that are not known here, or too faint"
    share = "This page" if page.illegible >= WHOLE else f"About {page.illegible} % of this page"
    return PageGap(page.number, words, f"{share} could not be read: it is {why}.")


def describe_unread_pages(reading: Reading, read: Iterable[int]) -> str:
    """A sentence on the pages that were left out; empty when there are none."""
    left_out = sorted(set(range(1, (reading.page_count or 0) + 1)).difference(read))
    if not left_out:
        return ""
    which = "Page {} was" if len(left_out) == 1 else "Pages {} were"
    return (
        f"{which.format(format_numbers(left_out))} not read: reading may take {settings.READING_LIMIT_SECONDS:,} "
        f"seconds of computing for one document, and the others took {reading.computing_ms // 1000:,}. Upload the rest "
        "as a document of its own."
    )


def describe_unread_pictures(numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    return (
        f"Small pictures on {name_pages(numbers)} were not read: the {settings.READING_LIMIT_SECONDS:,} seconds of "
        "computing for one document were over. What stands in them is in no text."
    )


def _describe_damaged_pages(numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    which = "Page {} is" if len(numbers) == 1 else "Pages {} are"
    return (
        f"{which.format(format_numbers(numbers))} damaged in the file, and could not be read whole. The other pages "
        "were read. Ask for the file again where it came from."
    )


def _describe_illegible_pages(numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    return (
        f"Much of {name_pages(numbers)} could not be read: it is in letters that are not known here, such as Russian, "
        "Greek, Arabic, Hebrew or Korean ones, or too faint. What is missing is in no text and no value."
    )


def _list_numbers(reading: Reading, condition: Q) -> list[int]:
    numbers: Any = reading.pages.filter(condition).order_by("number").values_list("number", flat=True)
    return list(numbers)


def name_pages(numbers: Sequence[int]) -> str:
    """`page 2`, `pages 2, 5 and 7 to 9`: as `format_numbers`."""
    return f"page {numbers[0]}" if len(numbers) == 1 else f"pages {format_numbers(numbers)}"


def format_numbers(numbers: Sequence[int]) -> str:
    """`2, 5 and 7 to 9`, of rising numbers; of many pieces only the first are named."""
    pieces = list(_group_neighbours(numbers))
    words = [str(piece[0]) if len(piece) == 1 else f"{piece[0]} to {piece[-1]}" for piece in pieces[:MAX_NAMED]]
    if others := sum(map(len, pieces[MAX_NAMED:])):
        words.append(f"{others} more")
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _group_neighbours(numbers: Sequence[int]) -> Iterator[list[int]]:
    piece: list[int] = []
    for number in numbers:
        if piece and number != piece[-1] + 1:
            yield piece
            piece = []
        piece.append(number)
    if piece:
        yield piece
