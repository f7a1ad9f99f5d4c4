"""The files of the corpus: an ordinary invoice, and what an attacker adds to it."""

from __future__ import annotations

import base64
import json

from PIL import Image

from tests.documents.reader_files import pdf, text_at

PAGE = "/MediaBox [0 0 595 842]"
INVOICE = (
    "Invoice INV-4711",
    "Northwind Traders Ltd",
    "Invoice date 2026-03-02",
    "Description Quantity Amount",
    "Desk lamp 2 39.80",
    "Total due 39.80 EUR",
)
LINE = 18


def invoice_pdf(*lines: str, trick: str = "", images: tuple[Image.Image, ...] = ()) -> bytes:
    """A page with a text layer: the invoice, then these lines as anybody sees them, then raw page content."""
    text_layer = [text_at(50, 780 - LINE * at, escape(line), size=11) for at, line in enumerate((*INVOICE, *lines))]
    return pdf(["".join(text_layer) + trick], page=PAGE, images=images)


def escape(text: str) -> str:
    """As a literal string of a page's content."""
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def unseen(order: str, how: str) -> bytes:
    """The order on the page where nobody sees it."""
    text = escape(order)
    tricks = {
        "white": text_at(50, 400, text, before="1 g"),
        "tiny": text_at(50, 400, text, size=1),
        "beside": text_at(700, 400, text),
        "below": text_at(50, -60, text),
        "invisible": text_at(50, 400, text, before="3 Tr"),
        "under an image": text_at(50, 400, text, size=11) + "q 420 0 0 24 45 392 cm /I0 Do Q\n",
        "covered": text_at(50, 400, text, size=11) + "q 1 g 45 392 420 24 re f Q\n",
        "black on black": "q 0 g 45 392 420 24 re f Q\n" + text_at(50, 400, text, size=11),
    }
    picture = (Image.new("L", (84, 5), 230),) if how == "under an image" else ()
    return invoice_pdf(trick=tricks[how], images=picture)


def invoice_text(*lines: str) -> bytes:
    return "\n".join((*INVOICE, *lines)).encode()


def invoice_csv(*rows: str) -> bytes:
    return "\n".join(("description,quantity,amount", "Desk lamp,2,39.80", *rows)).encode()


def invoice_json(order: str) -> bytes:
    """The order is the name of a part, and stands in its text."""
    return json.dumps({"invoice": {"total": "39.80 EUR"}, order: {"note": order}}).encode()


def in_tags(text: str) -> str:
    """In the characters of the Tags block, which no font draws."""
    return "".join(chr(0xE0000 + ord(sign)) for sign in text)


def in_selectors(text: str) -> str:
    """As variation selectors behind one letter, a byte each."""
    return "x" + "".join(chr(0xFE00 + byte if byte < 16 else 0xE0100 + byte - 16) for byte in text.encode())


def reverse_text(text: str) -> str:
    """Written backwards under an override: a person reads it the right way round."""
    return f"\u202e{text[::-1]}\u202c"


def space_out(text: str) -> str:
    return "\u200b".join(text)


def in_lookalikes(text: str) -> str:
    return text.translate(str.maketrans("AEOPCRaeopc", "\u0410\u0415\u041e\u0420\u0421R\u0430\u0435\u043e\u0440\u0441"))


def in_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
