"""Where in a bundle another document seems to begin, with the reasons."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.actor import Actor
from documents.intake.borders import note_waiting, propose_borders
from documents.intake.borders.page_signs import PageToRead
from documents.intake.splitting import PDF
from documents.models import Document
from reader.words import OCR
from tests.documents.parts.test_split_pages import SignedIn, at
from tests.documents.reading_rows import document_with
from tests.documents.words_builder import page

INVOICE = """
Kestrel Paper Ltd
INVOICE
Invoice number: A-1001
Invoice date: 04.03.2026
Description   Quantity   Amount
Copier paper white   10   45.00
Envelopes with window   20   12.00
"""
ITEMS = "\n".join(f"Copier paper white grade {row}   {row}   {row}.50" for row in range(1, 40))
LETTER = """
Dear Sir or Madam
we thank you for the visit of your colleagues last week
and look forward to hearing of the plans for our garden
as soon as the weather lets them begin with the work
"""


def put(*texts: str, shapes: tuple[float, ...] = (), scanned: frozenset[int] = frozenset()) -> list[PageToRead]:
    pages = []
    for number, text in enumerate(texts, 1):
        words = [word._replace(flags=OCR) if number in scanned else word for word in page(text)]
        pages.append(PageToRead(number, words, shapes[number - 1] if shapes else 0.7))
    return pages


def find(pages: list[PageToRead]) -> dict[int, tuple[str, ...]]:
    return {border.page: border.reasons for border in propose_borders(pages)}


@pytest.mark.parametrize(
    ("pages", "borders"),
    [
        (["Invoice\nPage 1 of 2", "Page 2 of 2", "Page 1 of 1", "Letter", "x"], [3, 4]),
        (["Seite 1 von 3", "Seite 2 von 3", "Seite 3/3", "Rechnung", "Seite 1/1"], [4, 5]),
        (["Page 1 of 2", "Page 1 of 2"], [2]),
        (["Page 1 of 2", f"{LETTER}\nPage 2 of 2"], []),
        (["Homepage 1 of 9 offers", "a page 10 of 9 offers"], []),
        ([INVOICE, ITEMS], []),
        ([INVOICE, "Carried forward 57.00\nThe garden is large"], []),
        ([INVOICE, LETTER], [2]),
        # The same number, so the same document, however else it looks.
        ([INVOICE, f"{LETTER}\nInvoice number: A-1001"], []),
        ([INVOICE, INVOICE.replace("A-1001", "A-1002")], [2]),
        ([INVOICE, ""], []),
    ],
)
def test_a_page_begins_a_document_where_its_signs_say_so(pages: list[str], borders: list[int]) -> None:
    assert list(find(put(*pages))) == borders


def test_each_border_has_its_reasons() -> None:
    other = INVOICE.replace("A-1001", "B-7").replace("Kestrel Paper", "Blue Finch")
    assert find(put(INVOICE, ITEMS, other)) == {
        3: (
            "Its number is “B-7”, before it “A-1001”.",
            "Its letterhead is “Blue Finch Ltd”, before it “Kestrel Paper Ltd”.",
            "It begins with “INVOICE”.",
        )
    }
    strange = find(put(INVOICE, LETTER, shapes=(0.7, 1.4), scanned=frozenset([2])))[2]
    assert strange == (
        "The page before ends early.",
        "It has another shape.",
        "It is a scan, and the page before is none.",
        "Its words are unlike those of the page before: 12 % alike.",
    )


@pytest.mark.django_db(transaction=True)
def test_borders_are_kept_once_and_offered_and_nothing_is_cut(
    client: Client, actor: Actor, signed_in: SignedIn
) -> None:
    lines = ["Kestrel Ltd", "Your number | A-1001", "Invoice number | A-1001", "Total | 45.00"]
    document = document_with(actor.organization, lines, [lines[0], "Invoice number | A-1002", "Total | 12.00"])
    Document.objects.filter(pk=document.pk).update(media_type=PDF)
    document.readings.update(pages_listed=2, pages_read=2)
    page = signed_in(client, actor)
    assert "It seems to hold" not in page.get(at("document", document)).text
    assert (note_waiting(), note_waiting()) == (1, 0)
    reason = "Its number is “A-1002”, before it “A-1001”."
    ((number, reasons),) = document.readings.get().borders
    assert (number, reasons[0]) == (2, reason)
    assert "It seems to hold 2 documents." in page.get(at("document", document)).text
    assert reason in page.get(at("document-split", document)).text
    assert not document.list_parts().exists()
