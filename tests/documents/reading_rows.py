"""Readings made by hand: lines of words on a grid."""

from __future__ import annotations

from accounts.models import Organization, User
from documents.models import Document, Page, Reading
from reader.words import HIDDEN, Word, number_rows, pack

CELL = 0.2


def document_with(
    organization: Organization,
    *pages: list[str],
    name: str = "invoice.pdf",
    user: User | None = None,
    line_height: float = 0.03,
) -> Document:
    """A document that has been read. Each page is a list of lines; cells of a line are parted by `|`."""
    document = Document.objects.create(
        organization=organization, name=name, sha256="0", size=1, file="x", uploaded_by=user
    )
    add_reading(document, *pages, line_height=line_height)
    return document


def add_reading(document: Document, *pages: list[str], hidden: str = "", line_height: float = 0.03) -> Reading:
    number = document.readings.count() + 1
    reading = Reading.objects.create(document=document, number=number, status="completed", page_count=len(pages))
    for at, lines in enumerate(pages, start=1):
        words = [word for y, line in enumerate(lines) for word in _words(line, 0.03 + line_height * y)]
        if hidden:
            words.append(Word(hidden, 0.1, 0.95, 0.4, 0.97, flags=HIDDEN))
        Page.objects.create(
            reading=reading, number=at, width=600, height=800, engine="test", words=pack(number_rows(words))
        )
    return reading


def _words(line: str, top: float) -> list[Word]:
    words = []
    for column, cell in enumerate(line.split("|")):
        left = 0.03 + CELL * column
        for text in cell.split():
            right = left + 0.008 * len(text)
            words.append(Word(text, left, top, right, top + 0.02))
            left = right + 0.008
    return words
