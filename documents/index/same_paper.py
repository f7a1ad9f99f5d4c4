"""Whether a document is the same paper as an earlier one in other bytes: saved anew, or scanned again.

Two invoices of one vendor look alike, and two receipts of one sum say the same total: so a paper has to look like the
other and to say the same numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2s

from django.db.models import F

from documents.models import Document, Page, PaperMark, Reading
from documents.reading.similarity import hash_shingles, measure_resemblance
from printed.folding import compact_text
from reader.words import Word, unpack

MARKS = 12
"""Numbers by which a paper is looked up; one that OCR misreads is only one of them."""
TOO_COMMON = 100
"""So many papers with a number, such as a vendor's own, tell nothing."""
MAX_COMPARED = 20
FEWEST_NUMBERS = 4
SHORTEST = 3
LOOKS, SAYS = 0.4, 0.7
"""On receipts and invoices, scanned again: see `python -m benchmarks.proof.same_paper`."""


def note_same_paper(document: Document, reading: Reading) -> None:
    """Keeps the marks of its first page, and the oldest document that is the same paper."""
    words = _read_first_page(reading)
    marks = _choose_marks(list_numbers(words))
    PaperMark.objects.filter(document=document).delete()
    same = next((other for other in _find_candidates(document, marks) if is_same_paper(words, _read(other))), None)
    PaperMark.objects.bulk_create(
        PaperMark(organization_id=document.organization_id, document=document, mark=mark) for mark in marks
    )
    if document.same_paper != same:
        Document.objects.filter(pk=document.pk).update(same_paper=same, version=F("version") + 1)
        document.refresh_from_db(fields=["same_paper", "version"])


def is_same_paper(words: Sequence[Word], others: Sequence[Word]) -> bool:
    numbers, other_numbers = list_numbers(words), list_numbers(others)
    if min(len(numbers), len(other_numbers)) < FEWEST_NUMBERS:
        return False
    says = len(numbers & other_numbers) / len(numbers | other_numbers)
    return says >= SAYS and measure_resemblance(hash_shingles(words), hash_shingles(others)) >= LOOKS


def list_numbers(words: Sequence[Word]) -> set[str]:
    """The visible words with a digit: amounts, dates, numbers of papers."""
    compact = (compact_text(word.text) for word in words if not word.hidden and any(map(str.isdigit, word.text)))
    return {text for text in compact if len(text) >= SHORTEST}


def _choose_marks(numbers: set[str]) -> list[int]:
    """The smallest hashes, so that two readings of one paper choose the same."""
    return sorted(int.from_bytes(blake2s(text.encode(), digest_size=6).digest()) for text in numbers)[:MARKS]


def _find_candidates(document: Document, marks: Sequence[int]) -> list[Document]:
    """The oldest first, of those that share the most numbers."""
    shared: Counter[str] = Counter()
    for mark in marks:
        rows = PaperMark.objects.filter(organization=document.organization_id, mark=mark)
        holders = list(rows.values_list("document_id", flat=True)[:TOO_COMMON])
        shared.update(holders if len(holders) < TOO_COMMON else ())
    likeliest = [key for key, _ in shared.most_common(MAX_COMPARED)]
    likest = Document.objects.filter(pk__in=likeliest, trashed_at=None, created_at__lte=document.created_at)
    return list(likest.exclude(pk__in=[document.pk, document.parent_id]).order_by("created_at", "pk"))


def _read(document: Document) -> list[Word]:
    completed = document.readings.filter(status=Reading.Status.COMPLETED).order_by("-number")
    newest = completed.first()
    return _read_first_page(newest) if newest else []


def _read_first_page(reading: Reading) -> list[Word]:
    page = Page.objects.filter(reading=reading).order_by("number").first()
    return unpack(bytes(page.words)) if page else []
