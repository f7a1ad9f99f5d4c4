"""Forms that only Adobe Reader draws (XFA): the data in them, in place of the page that asks to wait for it.

XFA 3.3, chapter 4 (data); ISO 32000-1, 12.7.8.
"""

import ctypes
from collections.abc import Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from reader.failures import OverLimit, Unreadable
from reader.gaps import Gap
from reader.layout.blocks import Block
from reader.markup.safe_xml import Node, parse_xml
from reader.markup.xml_text import list_element

DRAWN_ELSEWHERE = "This form is drawn by Adobe Reader only"
ONLY_DATA = f"{DRAWN_ELSEWHERE}: the data in it is read, not its own words. Print it there to a PDF to have both."
NOTHING = f"{DRAWN_ELSEWHERE}, and nothing of it is read. Print it there to a PDF, and upload that."
WAITING = ("please wait", "adobe reader", "adobe.com")
MAX_BYTES = 10_000_000
DATA_PACKET = "datasets"


def is_drawn_elsewhere(document: pdfium.PdfDocument) -> bool:
    """It says so itself, or is a lone page without a field that asks to wait."""
    kind = document.get_formtype()
    if kind != raw.FORMTYPE_XFA_FOREGROUND or len(document) != 1:
        return bool(kind == raw.FORMTYPE_XFA_FULL)
    page = document[0]
    if raw.FPDFPage_GetAnnotCount(page):
        return False
    text = page.get_textpage().get_text_bounded().lower()
    return any(words in text for words in WAITING)


def list_blocks(document: pdfium.PdfDocument) -> Iterator[Block | Gap]:
    yield Gap("form", ONLY_DATA)
    for node in list_data(document):
        yield from list_element(node, f"/{node.name}", 0)


def list_data(document: pdfium.PdfDocument) -> list[Node]:
    """The elements of the form's data; none where it is empty or broken."""
    try:
        root = parse_xml(read_packets(document))
    except Unreadable:
        return []
    nodes = [node for data in ([root] if root.kind == "data" else root.find_all("data")) for node in data.elements]
    return [node for node in nodes if drop_pictures(node)]


def drop_pictures(node: Node) -> bool:
    """Pictures stand there as letters. Says whether any text is left."""
    node.children = [child for child in node.children if isinstance(child, str) or not is_picture(child)]
    # All of them, so that pictures go from each.
    return bool(sum([drop_pictures(child) for child in node.elements]) or node.own_text.strip())


def is_picture(node: Node) -> bool:
    return node.get("contentType").startswith("image/")


def read_packets(document: pdfium.PdfDocument) -> bytes:
    """The packet of the data, or the whole where it is in one piece."""
    count = raw.FPDF_GetXFAPacketCount(document)
    numbers = [number for number in range(count) if read_name(document, number) == DATA_PACKET]
    return b"".join(read_packet(document, number) for number in numbers[:1] or range(count))


def read_name(document: pdfium.PdfDocument, number: int) -> str:
    buffer = ctypes.create_string_buffer(len(DATA_PACKET) + 1)
    raw.FPDF_GetXFAPacketName(document, number, buffer, len(buffer))
    return buffer.value.decode("latin-1")


def read_packet(document: pdfium.PdfDocument, number: int) -> bytes:
    length = ctypes.c_ulong()
    if not raw.FPDF_GetXFAPacketContent(document, number, None, 0, length):
        return b""
    if length.value > MAX_BYTES:
        raise OverLimit(f"The data of the form has more than {MAX_BYTES / 1e6:.0f} MB.")
    buffer = ctypes.create_string_buffer(length.value)
    raw.FPDF_GetXFAPacketContent(document, number, buffer, length.value, length)
    return buffer.raw
