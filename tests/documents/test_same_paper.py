"""The same paper in other bytes: it looks like another document and says the same numbers."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents.index import same_paper
from documents.models import Document, PaperMark
from tests.documents.reading_rows import document_with

PAPER = [
    "Kestrel Paper Ltd",
    "Invoice number | INV-2026-118",
    "Invoice date | 2026-03-04",
    "Copier paper white | 10 | 45.00",
    "Envelopes with window | 20 | 112.00",
    "Total due | 157.00",
]
NEXT = [line.replace("118", "119").replace("03-04", "04-02").replace("45.00", "31.50") for line in PAPER[:-1]]
ALIKE = [*NEXT, "Total due | 143.50"]
# As OCR reads it from a poor copy.
AGAIN = [*PAPER[:4], "Envelopes with wind0w | 20 | 112.00", "Total due | 157.00"]


def upload(actor: Actor, lines: list[str], name: str = "a.pdf") -> Document:
    document = document_with(actor.organization, lines, name=name)
    same_paper.note_same_paper(document, document.readings.get())
    return document


@pytest.mark.django_db
def test_a_paper_is_known_again_and_its_next_one_is_another(actor: Actor, stranger: Actor) -> None:
    first, following = upload(actor, PAPER), upload(actor, ALIKE)
    again, elsewhere = upload(actor, AGAIN, "scan.pdf"), upload(stranger, PAPER)
    assert [each.same_paper for each in (first, following, again, elsewhere)] == [None, None, first, None]
    assert again.known_paper == first
    Document.objects.filter(pk=first.pk).update(trashed_at=first.created_at)
    assert Document.objects.get(pk=again.pk).known_paper is None


@pytest.mark.django_db
def test_few_numbers_prove_nothing_and_common_ones_are_not_looked_up(actor: Actor) -> None:
    assert [upload(actor, ["Letter of thanks", "from 2026"]).same_paper for _ in range(2)] == [None, None]
    first = upload(actor, PAPER)
    mark = PaperMark.objects.filter(document=first).first()
    assert mark
    common = [PaperMark(organization=actor.organization, document=first, mark=mark.mark)] * same_paper.TOO_COMMON
    PaperMark.objects.bulk_create(
        PaperMark(organization=each.organization, document=first, mark=each.mark) for each in common
    )
    assert upload(actor, AGAIN).same_paper == first, "the other numbers find it"
