"""JSON and JSON Lines: a line for each value, a table for each list of like objects; addresses are JSON pointers.

https://www.rfc-editor.org/rfc/rfc6901
"""

import json
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from reader.failures import OverLimit
from reader.gaps import Gap
from reader.layout.blocks import Block, Cell, PlainLine, Table
from reader.markup.plain_lines import list_lines, read_text
from reader.pages import Limits

MAX_DEPTH = 100
MAX_TABLE_COLUMNS = 20
INDENT = "  "


class Pairs(list[tuple[str, object]]):
    """An object: its keys in order, with those that stand twice."""


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    """Read what is no JSON after all as the text that it is."""
    decoded = read_text(file, limits)
    yield from decoded.list_gaps()
    yield from list_text(decoded.text)


def list_text(text: str) -> Iterator[Block]:
    try:
        value = parse(text)
    except ValueError:
        return list_lines(text)
    except RecursionError:
        raise make_depth_error() from None
    return list_value(value, "", "", 0)


def parse(text: str) -> object:
    """Numbers stay as they are written. Several values, one a line, are one list. Raises ValueError."""
    decoder = json.JSONDecoder(
        object_pairs_hook=Pairs, parse_float=str, parse_int=str, parse_constant=str, strict=False
    )
    try:
        return decoder.decode(text)
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        return [decoder.decode(line) for line in lines]


def make_depth_error() -> OverLimit:
    return OverLimit(f"The file is nested more than {MAX_DEPTH} levels deep.")


def list_value(value: object, label: str, pointer: str, depth: int) -> Iterator[Block]:
    if depth > MAX_DEPTH:
        raise make_depth_error()
    if not isinstance(value, list):
        # The further lines of a text stand below its name, so that none of them seems to be a name.
        text = format_scalar(value).replace("\n", f"\n{INDENT * (depth + 1)}")
        yield PlainLine(f"{INDENT * depth}{label} {text}".rstrip(), pointer)
        return
    if label:
        yield PlainLine(INDENT * depth + label, pointer)
    inner = depth + 1 if label else depth
    if table := make_table(list_objects(value), pointer, len(INDENT) * inner):
        yield table
        return
    for name, item, at in list_items(value):
        yield from list_value(item, name, f"{pointer}/{at}", inner)


def list_items(value: list[object]) -> Iterator[tuple[str, object, str]]:
    """Label, value and the part of the pointer."""
    if isinstance(value, Pairs):
        return ((f"{key}:", item, escape(key)) for key, item in value)
    return (("-", item, str(at)) for at, item in enumerate(value))


def list_objects(value: list[object]) -> list[Pairs]:
    """The items of a list if all are objects that hold single values, under each key one."""
    items = [item for item in value if isinstance(item, Pairs) and is_flat(item)]
    return items if len(items) == len(value) and not isinstance(value, Pairs) else []


def is_flat(item: Pairs) -> bool:
    return len(dict(item)) == len(item) and not any(isinstance(inner, list) for _, inner in item)


def make_table(items: list[Pairs], pointer: str, indent: int) -> Table | None:
    """None for what makes no table: a single object, or many kinds of them."""
    columns = list(dict.fromkeys(key for item in items for key, _ in item))
    if len(items) < 2 or len(columns) > MAX_TABLE_COLUMNS:
        return None
    head = [Cell(column, pointer, is_head=True) for column in columns]
    rows = (make_row(dict(item), columns, f"{pointer}/{at}") for at, item in enumerate(items))
    return Table([head, *rows], indent=indent)


def make_row(values: dict[str, object], columns: Sequence[str], pointer: str) -> list[Cell]:
    return [Cell(format_scalar(values[key]) if key in values else "", f"{pointer}/{escape(key)}") for key in columns]


def format_scalar(value: object) -> str:
    """Strings without their quotation marks, so that a word of the page is a word of the value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)


def escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
