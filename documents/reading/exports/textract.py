"""Blocks as Amazon Textract gives them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TypedDict

from documents.models import Page, Reading
from documents.reading import pages
from documents.reading.gaps import list_page_gaps
from documents.reading.nesting.addresses import find_address
from reader.words import Word, group_lines, make_block_id

Box = dict[str, float]


class TextractBlock(TypedDict, total=False):
    """https://docs.aws.amazon.com/textract/latest/dg/API_Block.html; Confidence is 0 to 100.

    `Gap` and `Address` are ours: what of the page could not be read, and where in its file the text stands.
    """

    BlockType: str
    Id: str
    Page: int
    Text: str
    Confidence: float
    Geometry: dict[str, object]
    Relationships: list[dict[str, object]]
    Gap: str
    Address: str


def export_textract(reading: Reading) -> bytes:
    """A JSON array: each page with its lines and each line with its words.

    Ids are `page`, `page.line` and `page.line.word`. Written page by page: as objects a long document fills the memory.
    """
    written = (
        json.dumps(list(_iterate_page_blocks(page)), ensure_ascii=False, separators=(",", ":"))[1:-1].encode()
        for page in reading.pages.order_by("number").iterator()
    )
    return b"[" + b",".join(written) + b"]"


def _iterate_page_blocks(page: Page) -> Iterator[TextractBlock]:
    lines = group_lines(word for word in pages.unpack_words(page) if not word.hidden)
    whole = TextractBlock(BlockType="PAGE", Id=str(page.number), Page=page.number, Geometry=_make_geometry(0, 0, 1, 1))
    if lines:
        whole["Relationships"] = _make_children(f"{page.number}.{number}" for number, _ in lines)
    if gaps := list_page_gaps(page):
        whole["Gap"] = " ".join(gap.sentence for gap in gaps)
    yield whole
    for number, row in lines:
        yield from _iterate_line_blocks(page.number, number, row)


def _iterate_line_blocks(page: int, number: int, row: list[Word]) -> Iterator[TextractBlock]:
    words = [
        TextractBlock(
            BlockType="WORD",
            Id=make_block_id(page, number, at),
            Page=page,
            Text=word.text,
            Confidence=float(word.confidence),
            Geometry=_make_geometry(word.x0, word.y0, word.x1, word.y1),
        )
        for at, word in enumerate(row, start=1)
    ]
    line = TextractBlock(
        BlockType="LINE",
        Id=f"{page}.{number}",
        Page=page,
        Text=" ".join(word.text for word in row),
        Confidence=sum(word.confidence for word in row) / len(row),
        Geometry=_make_geometry(row[0].x0, min(w.y0 for w in row), max(w.x1 for w in row), max(w.y1 for w in row)),
        Relationships=_make_children(word["Id"] for word in words),
    )
    if address := find_address(row):
        line["Address"] = address
    yield line
    for word, block in zip(row, words, strict=True):
        if word.address and word.address != address:
            block["Address"] = word.address
    yield from words


def _make_children(ids: Iterator[str]) -> list[dict[str, object]]:
    return [{"Type": "CHILD", "Ids": list(ids)}]


def _make_geometry(left: float, top: float, right: float, bottom: float) -> dict[str, object]:
    """Fractions of the page."""
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    box: Box = {"Left": left, "Top": top, "Width": round(right - left, 5), "Height": round(bottom - top, 5)}
    return {"BoundingBox": box, "Polygon": [{"X": x, "Y": y} for x, y in corners]}
