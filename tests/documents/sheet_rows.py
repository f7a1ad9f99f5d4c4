"""Files that know their cells, as the reader leaves them: each row of a sheet is a line of its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from accounts.models import Organization
from documents.models import Document, Page, Reading
from reader.words import CellPlace, Word, pack

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def store_sheets(
    organization: Organization,
    name: str,
    sheets: Mapping[str, Sequence[Sequence[str]]],
    *,
    merged: Mapping[tuple[int, int], tuple[int, int]] | None = None,
) -> Document:
    """A page for each sheet. `merged`: by row and column from 1 over how many rows and columns a cell goes."""
    document = Document.objects.create(organization=organization, name=name, sha256="0", size=1, file="x")
    reading = Reading.objects.create(
        document=document, number=1, status="completed", page_count=len(sheets), pages_read=len(sheets)
    )
    for number, (sheet, rows) in enumerate(sheets.items(), 1):
        words = [
            word
            for at, row in enumerate(rows, 1)
            for column, text in enumerate(row, 1)
            for word in _make_words(
                sheet, CellPlace(number, at, column, *(merged or {}).get((at, column), (1, 1))), text
            )
        ]
        Page.objects.create(
            reading=reading, number=number, width=600, height=800, engine="test", words=pack(words), text=""
        )
    return document


def _make_words(sheet: str, place: CellPlace, text: str) -> list[Word]:
    address = f"{sheet}!" * bool(sheet) + f"{LETTERS[place.column - 1]}{place.row}"
    left, top = 0.1 * place.column, 0.0001 * place.row
    return [
        Word(
            part, left + 0.01 * at, top, left + 0.01 * at + 0.009, top + 0.00005, place.row, 0, 100, address, str(place)
        )
        for at, part in enumerate(text.split())
    ]
