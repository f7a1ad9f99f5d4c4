"""Sentences about whatever was seen in a document and not read: on a page, in the file, in files inside it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.conf import settings
from django.db.models import Q

from documents.models import Document, Page, Reading
from reader.gaps import MAX_GAPS, NOTES
from reader.gaps import Gap as SeenGap

MAX_NAMED = 10
# Percent of a page's lines. On receipts that are read whole it is below ten.
ILLEGIBLE = 25
NEARLY_ALL, WHOLE = 75, 98
_GAPS = Q(illegible__gte=ILLEGIBLE) | ~Q(fault="")
# Receipts that are read whole are above 0.95, and blurred ones that lose words below.
BADLY_READ = _GAPS | Q(confidence__gt=0, confidence__lt=0.85)
_OUT_OF_TIME = "It was not read: the computing time for one document was over."


# Here the text of the pages is whole, or stands in documents of their own.
_READ_ALL_THE_SAME = ("attachment", "encoding", "format")
# A word or two for the mark of a page.
_WORDS = {
    "attachment": "file not taken",
    "computed": "computed here",
    "cover": "cover page",
    "embedded": "object not read",
    "empty": "no words",
    "encoding": "letters guessed",
    "encrypted": "encrypted",
    "form": "form not read",
    "format": "format not read",
    "formula": "not computed",
    "hidden": "hidden text",
}


@dataclass(frozen=True)
class Gap:
    """One thing that is missing; `page` is None for the file as a whole, `words` are for a mark."""

    kind: str
    page: int | None
    part: str
    words: str
    sentence: str

    @property
    def is_note(self) -> bool:
        """Nothing is missing."""
        return self.kind in NOTES


def add_gaps(reading: Reading, seen: Iterable[SeenGap]) -> list[list[object]]:
    """Join those that a reader has just seen to those of the row: each once, and no more than a file may have."""
    known = [tuple(gap) for gap in reading.gaps]
    return [list(gap) for gap in dict.fromkeys([*known, *map(tuple, seen)])][:MAX_GAPS]


def describe_gaps(reading: Reading, read: Iterable[int], texts_only: Sequence[int]) -> str:
    """For the whole document. `read`: the pages that have been; `texts_only`: those without their small pictures."""
    sentences = (
        describe_unread_pages(reading, read),
        describe_unread_pictures(texts_only),
        _describe_damaged_pages(_list_numbers(reading, ~Q(fault="")), reading.page_count or 0),
        _describe_illegible_pages(_list_numbers(reading, Q(illegible__gte=ILLEGIBLE))),
        _describe_seen(gap for gap in _list_seen(reading) if not gap.is_note),
    )
    return " ".join(filter(None, sentences))


def describe_notes(reading: Reading) -> str:
    """Sentences on what was done in reading although nothing is missing, such as values computed here."""
    return _describe_seen(gap for gap in _list_seen(reading) if gap.is_note)


def describe_in_words(document: Document, readings: Iterable[Reading]) -> str:
    """Two or three words for a list. readings: the newest first; one with other letters may have mended an earlier."""
    newest = next((reading for reading in readings if reading.status == Reading.Status.COMPLETED), None)
    if newest and newest.is_partial:
        guesses = [[gap.kind, gap.sentence] for gap in _list_seen(newest) if not gap.is_note]
        return "letters guessed" if guesses == [["encoding", newest.reason]] else "partly read"
    return "files in it not taken" if document.parts_reason else ""


def list_gaps(reading: Reading) -> list[Gap]:
    """Of a reading that has ended: those of the file, then those of its pages in order."""
    if reading.status != Reading.Status.COMPLETED:
        return []
    if not reading.is_partial:
        return _list_seen(reading)
    listed = set(reading.pages.values_list("number", flat=True))
    missing = set(range(1, (reading.page_count or 0) + 1)) - listed
    gaps = [Gap("unread", number, "", "not read", _OUT_OF_TIME) for number in missing]
    faulty = reading.pages.filter(_GAPS).only("reading", "number", "illegible", "fault")
    gaps += [gap for page in faulty for gap in _list_own_gaps(page)]
    return sorted([*gaps, *_list_seen(reading)], key=lambda gap: gap.page or 0)


def list_file_gaps(reading: Reading) -> list[Gap]:
    """List the gaps that belong to no single page."""
    return [gap for gap in _list_seen(reading) if gap.page is None]


def list_badly_read(reading: Reading) -> list[int]:
    """List the pages of which a picture may show more than their words: damaged, illegible, doubtful or without any."""
    wordless = [gap.page for gap in _list_seen(reading) if gap.kind == "empty"]
    poor = reading.pages.filter(BADLY_READ | Q(number__in=wordless))
    return list(poor.order_by("number").values_list("number", flat=True))


def list_unread(reading: Reading, asked: Collection[int]) -> list[str]:
    """Sentences on the parts of the pages where a value may stand that nobody knows of. `asked`: what a model saw."""
    lost = [gap for gap in list_gaps(reading) if gap.kind not in (*NOTES, *_READ_ALL_THE_SAME)]
    pages = sorted({gap.page for gap in lost if gap.page})
    sentences = [f"{name_pages(pages).capitalize()} could not be read whole."] if pages else []
    sentences += dict.fromkeys(gap.sentence for gap in lost if not gap.page)
    unseen = sorted(set(range(1, (reading.page_count or 0) + 1)).difference(asked, pages))
    return [*sentences, *([f"The model has not seen {name_pages(unseen)}."] if unseen else [])]


def list_files_left_out(document: Document) -> list[Gap]:
    """The files in it that became no documents."""
    return [Gap("attachment", None, "", _WORDS["attachment"], line) for line in document.parts_reason.splitlines()]


def list_page_gaps(page: Page) -> list[Gap]:
    """`page.reading` is read."""
    return [*_list_own_gaps(page), *(gap for gap in _list_seen(page.reading) if gap.page == page.number)]


def _list_own_gaps(page: Page) -> Iterator[Gap]:
    if page.fault:
        yield Gap("damaged", page.number, "", "damaged", page.fault)
    elif page.illegible >= ILLEGIBLE:
        words = "illegible" if page.illegible >= NEARLY_ALL else "partly illegible"
        why = "in letters that are not known here, or too faint"
        share = "This page" if page.illegible >= WHOLE else f"About {page.illegible} % of this page"
        yield Gap("illegible", page.number, "", words, f"{share} could not be read: it is {why}.")


def _list_seen(reading: Reading) -> list[Gap]:
    return [Gap(kind, page, part, _WORDS[kind], reason) for kind, reason, page, part in reading.gaps]


def _describe_seen(gaps: Iterable[Gap]) -> str:
    """Say each sentence of the reader once, with the pages that it is true of."""
    sentences = []
    ordered = sorted(gaps, key=lambda gap: (gap.sentence, gap.page or 0))
    for sentence, same in groupby(ordered, key=lambda gap: gap.sentence):
        numbers = [gap.page for gap in same if gap.page]
        sentences.append(f"{name_pages(numbers).capitalize()}: {sentence}" if numbers else sentence)
    left = len(sentences) - MAX_NAMED
    return " ".join([*sentences[:MAX_NAMED], *([f"{left} more like these."] if left > 0 else [])])


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
        "computing for one document were over. Their text is missing."
    )


def _describe_damaged_pages(numbers: Sequence[int], page_count: int) -> str:
    if not numbers:
        return ""
    others = "The other pages were read. " if len(numbers) < page_count else ""
    which = "Page {} is" if len(numbers) == 1 else "Pages {} are"
    return (
        f"{which.format(format_numbers(numbers))} damaged in the file, and could not be read whole. {others}"
        "Ask for the file again where it came from."
    )


def _describe_illegible_pages(numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    return (
        f"Much of {name_pages(numbers)} could not be read: it is in letters that are not known here, such as those of "
        "Russian, Greek, Arabic, Hebrew, Korean, Vietnamese, Yoruba or Igbo, or too faint. What is missing is in no "
        "text and no value."
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
