"""HTML: a page without scripts, styles or links."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from documents.models import Reading
from documents.reading.tables.reading_tables import iterate_pages
from documents.reading.tables.spans import PlacedCell, place_rows
from documents.reading.tables.structure import CELL_GAP, Block, TextLine


def export_html(reading: Reading, *, title: str) -> str:
    """All text is escaped."""
    body = "\n".join(
        f"<section><h2>Page {number}</h2>\n{''.join(map(format_block, blocks))}</section>"
        for number, blocks in iterate_pages(reading)
    )
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    return f"<!doctype html>\n<html><head>{head}</head><body>\n{body}\n</body></html>\n"


def format_block(block: Block) -> str:
    if isinstance(block, TextLine):
        return f"<p>{escape(block.join_cells(CELL_GAP))}</p>\n"
    heads = format_rows(place_rows(block.names, block.width), "th")
    head = f"<thead>\n{heads}</thead>\n" if heads else ""
    return f"<table>\n{head}<tbody>\n{format_rows(place_rows(block.body, block.width), 'td')}</tbody>\n</table>\n"


def format_rows(rows: Sequence[Sequence[PlacedCell]], element: str) -> str:
    return "".join(f"<tr>{''.join(format_cell(cell, element) for cell in row)}</tr>\n" for row in rows)


def format_cell(cell: PlacedCell, element: str) -> str:
    spans = (("rowspan", cell.row_span), ("colspan", cell.col_span))
    written = "".join(f' {name}="{count}"' for name, count in spans if count > 1)
    return f"<{element}{written}>{escape(cell.text)}</{element}>"
