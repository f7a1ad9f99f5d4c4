"""Whether a new document begins on a page, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from documents.intake.borders.page_signs import PageSigns, PageToRead, read_signs
from documents.reading.similarity import measure_similarity
from printed.folding import compact_text

LIKE, UNLIKE, STRANGE = 0.4, 0.16, 0.05
"""So like the one before a page mostly is in one document; so unlike are most first pages; so unlike hardly another."""
FULL = 0.75
"""A page that ends above this share of its height has room for more, so its document is mostly over."""
SAME_SHAPE = 0.03
MAX_QUOTE = 60


@dataclass(frozen=True)
class Border:
    """The page on which a document seems to begin."""

    page: int
    reasons: tuple[str, ...]


def propose_borders(pages: Iterable[PageToRead]) -> Iterator[Border]:
    """Yield borders that are worth to offer; a person decides. The pages come in order."""
    document: list[PageSigns] = []
    for page in map(read_signs, pages):
        reasons = tuple(_list_reasons(document, page)) if document else ()
        if reasons:
            yield Border(page.number, reasons)
            document = []
        if not page.is_blank:
            document.append(page)


def _list_reasons(document: Sequence[PageSigns], page: PageSigns) -> Iterator[str]:
    """Empty where the page goes on with the document, or too little speaks against it."""
    before = document[-1]
    counted = _compare_counts(before, page)
    if not counted and (page.is_blank or _goes_on(document, page)):
        return
    alike = measure_similarity(before.sketch, page.sketch)
    number, head = _compare_numbers(document, page), _compare_letterheads(document, page)
    signs = [sign for sign in (head, *_list_signs(before, page)) if sign]
    if counted or number or (head and alike < LIKE) or alike < _choose_limit(page, len(signs)):
        yield from filter(None, (counted, number, *signs))
        if alike < UNLIKE:
            yield f"Its words are unlike those of the page before: {round(100 * alike)} % alike."


def _choose_limit(page: PageSigns, sign_count: int) -> float:
    """Choose how like the page before it may be and still begin a document."""
    if not sign_count or (page.is_short and not page.begins):
        return STRANGE
    return UNLIKE if sign_count == 1 else (UNLIKE + LIKE) / 2


def _list_signs(before: PageSigns, page: PageSigns) -> Iterator[str]:
    if page.title:
        yield f"It begins with “{page.title[:MAX_QUOTE]}”."
    if before.lowest < FULL:
        yield "The page before ends early."
    if abs(before.shape - page.shape) > SAME_SHAPE * page.shape:
        yield "It has another shape."
    if before.is_scanned != page.is_scanned:
        yield (
            "It is a scan, and the page before is none." if page.is_scanned else "It is no scan, as the page before is."
        )


def _compare_counts(before: PageSigns, page: PageSigns) -> str:
    if page.count and page.count.number == 1:
        return f"It counts itself as page 1 of {page.count.last}."
    if before.count and before.count.number == before.count.last:
        return f"The page before counts itself as the last of {before.count.last}."
    return ""


def _goes_on(document: Sequence[PageSigns], page: PageSigns) -> bool:
    """It counts on, carries a sum on, or has a number of the document."""
    if page.is_carried or (page.count and page.count.number > 1):
        return True
    numbers = {(key, compact) for each in document for key, (compact, _) in each.numbers.items()}
    return any((key, compact) in numbers for key, (compact, _) in page.numbers.items())


def _compare_numbers(document: Sequence[PageSigns], page: PageSigns) -> str:
    for each in document:
        for key, (compact, printed) in page.numbers.items():
            if key in each.numbers and each.numbers[key][0] != compact:
                return f"Its number is “{printed[:MAX_QUOTE]}”, before it “{each.numbers[key][1][:MAX_QUOTE]}”."
    return ""


def _compare_letterheads(document: Sequence[PageSigns], page: PageSigns) -> str:
    first = next((each.letterhead for each in document if each.letterhead), "")
    if not page.letterhead or compact_text(page.letterhead) == compact_text(first):
        return ""
    return f"Its letterhead is “{page.letterhead[:MAX_QUOTE]}”" + (
        f", before it “{first[:MAX_QUOTE]}”." if first else "."
    )
