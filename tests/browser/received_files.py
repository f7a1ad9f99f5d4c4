"""What people receive: a mail with attachments, a workbook, a photo, a ZIP, and a scan in letters that are not known."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping

from PIL import Image, ImageDraw
from playwright.sync_api import Page

from reader.layout.fonts import load_font
from tests.browser.conftest import DROP
from tests.documents.mails import make_archive, make_mail
from tests.documents.office_files import xlsx

RUSSIAN = ("Счёт-фактура № 118 от 12 марта", "Поставщик: ООО Северный ветер", "Итого к оплате: двенадцать рублей")
ROWS: list[list[object]] = [
    ["Vendor", "Ostrava Tools s.r.o."],
    ["Invoice number", "INV-2026-7"],
    ["SKU", "Description", "Quantity", "Amount"],
    ["X4514", "Copper pipe 15 mm", 15, 377.85],
    ["B6390", "Packing tape", None, 2340.5],
    ["Total", None, None, 2718.35],
]
FILES = {
    "orders.eml": make_mail(
        ("order.txt", b"Order 4711 of three pumps"),
        ("prices.csv", b"SKU;Price\nP-1;12.50\nP-2;8.20"),
        ("terms.html", b"<html><p>Payment within 30 days</p></html>"),
    ),
    "costs.xlsx": xlsx(ROWS),
    "month.zip": make_archive(("may.txt", b"Sum of May 12.50"), ("june.txt", b"Sum of June 8.20")),
}


def draw_lines(lines: tuple[str, ...], form: str) -> bytes:
    picture, data = Image.new("RGB", (700, 60 + 70 * len(lines)), "white"), io.BytesIO()
    for at, line in enumerate(lines):
        ImageDraw.Draw(picture).text((20, 30 + 70 * at), line, 0, load_font("regular", 34))
    picture.save(data, form)
    return data.getvalue()


def drop_files(page: Page, files: Mapping[str, bytes]) -> None:
    page.evaluate(DROP, [[[name, "", base64.b64encode(data).decode()] for name, data in files.items()]])
