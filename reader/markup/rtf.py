"""RTF through striprtf: its text, its tables, whose cells it ends with a bar each, and what stands around and apart."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import BinaryIO

from striprtf.striprtf import font_table_group, remove_pict_groups, rtf_to_text

from reader.failures import OverLimit
from reader.layout.blocks import Block, Cell, Paragraph, Table
from reader.markup.plain_lines import read_bytes
from reader.markup.symbols import replace_symbols
from reader.pages import Limits

CELL_END = "|"
HEADERS, BOXES, NOTES, FOOTERS = "headers", "boxes", "notes", "footers"
# Groups that striprtf leaves out, by the word that begins them.
APART = dict.fromkeys(("header", "headerl", "headerr", "headerf"), HEADERS)
APART |= dict.fromkeys(("footer", "footerl", "footerr", "footerf"), FOOTERS)
APART |= {"shptxt": BOXES, "dptxbxtext": BOXES, "footnote": NOTES}
# A box in a note in a header; each level is gone through once more.
MAX_DEPTH = 3
MAX_GROUPS = 20_000
TOKEN = re.compile(r"\\(?:([a-z]+)|.)|[{}]", re.S)
CODE_PAGE = re.compile(r"\\ansicpg\d{1,5}")


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block]:
    # An RTF file is ASCII; what is not is meant in the code page that it names.
    text: str = remove_pict_groups(read_bytes(file).decode("latin-1"))
    apart = find_groups(text)
    yield from list_once(read_groups(text, apart[HEADERS]))
    yield from list_blocks(text)
    for kind in (BOXES, NOTES):
        yield from read_groups(text, apart[kind])
    yield from list_once(read_groups(text, apart[FOOTERS]))


def find_groups(text: str) -> dict[str, list[str]]:
    """Find the groups that stand apart from the body, by kind."""
    groups: dict[str, list[str]] = {kind: [] for kind in (HEADERS, BOXES, NOTES, FOOTERS)}
    # Each open group's beginning of text and kind.
    open_groups: list[tuple[int, str]] = []
    depth = count = 0
    for token in TOKEN.finditer(text):
        if token.group() == "{":
            open_groups.append((0, ""))
        elif token.group() == "}" and open_groups:
            start, kind = open_groups.pop()
            if kind:
                depth -= 1
                groups[kind].append(text[start : token.start()])
        elif token[1] in APART and open_groups and not open_groups[-1][1] and depth < MAX_DEPTH:
            open_groups[-1] = (token.end(), APART[token[1]])
            depth += 1
            count += 1
            if count > MAX_GROUPS:
                raise OverLimit(f"The file has more than {MAX_GROUPS:,} headers, footers, boxes and notes.")
    return groups


def read_groups(text: str, groups: Sequence[str]) -> Iterator[Block]:
    """Together, with the letters that the file declares."""
    if groups:
        code_page = CODE_PAGE.search(text)
        head = f"{{\\rtf1\\ansi{code_page.group() if code_page else ''}{font_table_group(text)}"
        yield from list_blocks(head + "".join(f"{{{group}}}\\par " for group in groups) + "}")


def list_once(blocks: Iterator[Block]) -> Iterator[Block]:
    """Headers of first, odd and even pages often say the same."""
    seen: set[str] = set()
    for block in blocks:
        if str(block) not in seen:
            seen.add(str(block))
            yield block


def list_blocks(rtf: str) -> Iterator[Block]:
    text = replace_symbols(rtf_to_text(rtf, encoding="cp1252", errors="replace"))
    lines = (line.rstrip() for line in text.split("\n"))
    for is_row, run in groupby(lines, key=lambda line: line.endswith(CELL_END)):
        if is_row:
            yield Table([[Cell(cell.strip()) for cell in line.split(CELL_END)[:-1]] for line in run])
        else:
            yield from (Paragraph(line) for line in run if line.strip())
