"""What a document says comes out of Markdown as it went in: CommonMark reads it back."""

from __future__ import annotations

import html
import random
import re

import pytest
from markdown_it import MarkdownIt

from documents.reading.exports.markdown import escape_line, escape_marks

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
SIGNS = "\\`*_{}[]()<>#+-.!|~=&;:'\"/@$  "
PIECES = ["1", "23", "1234567890", "a", "~~~", "---", "***", "```", "&amp;", "&#35;", "<b>", "http://x.y", "![x](y)"]


def make_lines(count: int) -> list[str]:
    chance = random.Random(7)
    return ["".join(chance.choices([*PIECES, *SIGNS], k=chance.randint(1, 6))) for _ in range(count)]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1. Paper", r"1\. Paper"),
        ("12) Ink", r"12\) Ink"),
        ("1.", r"1\."),
        ("1.50 EUR", "1.50 EUR"),
        ("~~~", r"\~\~\~"),
        ("---", r"\---"),
        ("- Paper", r"\- Paper"),
        ("-5.00", "-5.00"),
        ("# 7", r"\# 7"),
        ("#7", "#7"),
        ("> 3", r"\> 3"),
        ("R&D &amp; more", r"R&D \&amp; more"),
        ("    far in", "far in"),
    ],
)
def test_only_what_would_be_markup_gets_a_backslash(text: str, written: str) -> None:
    assert escape_line(text) == written


def test_lines_read_back_as_they_were() -> None:
    lines = [" ".join(line.split()) for line in ("- - -", "1)", "[a]: http://x.y", *make_lines(150))]
    assert [html.unescape(READER.render(escape_line(line))) for line in lines] == [
        f"<p>{line}</p>\n" if line else "" for line in lines
    ]


def test_cells_read_back_as_they_were() -> None:
    cells = [" ".join(line.split()) for line in make_lines(100)]
    shown = READER.render("\n".join(["| head |", "| --- |", *(f"| {escape_marks(cell)} |" for cell in cells)]))
    assert [html.unescape(cell) for cell in re.findall("<td>(.*)</td>", shown)] == cells
