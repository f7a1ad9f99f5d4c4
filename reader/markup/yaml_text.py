"""YAML as it is written, with a JSON pointer for each line that holds a value. Aliases are not followed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import yaml

from reader.gaps import Gap
from reader.layout.blocks import Block, PlainLine
from reader.markup.json_text import MAX_DEPTH, escape, make_depth_error
from reader.markup.plain_lines import read_text
from reader.pages import Limits


@dataclass(slots=True)
class Level:
    """A mapping or a sequence that the events are in. `key`: of a mapping, the one whose value comes next."""

    pointer: str
    is_mapping: bool
    count: int = 0
    key: str | None = None

    def take_value(self) -> str:
        """The pointer of the value that begins here."""
        if self.is_mapping:
            pointer, self.key = f"{self.pointer}/{escape(self.key or '')}", None
            return pointer
        self.count += 1
        return f"{self.pointer}/{self.count - 1}"


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    decoded = read_text(file, limits)
    yield from decoded.list_gaps()
    text = decoded.text
    try:
        addresses = find_addresses(text)
    except yaml.YAMLError:
        addresses = {}
    yield from (PlainLine(line, addresses.get(number, "")) for number, line in enumerate(text.splitlines()))


def find_addresses(text: str) -> dict[int, str]:
    """By line from 0: the pointer of the value that begins there, goes on there, or is named. Raises yaml.YAMLError."""
    addresses: dict[int, str] = {}
    levels: list[Level] = []
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.CollectionEndEvent):
            levels.pop()
        elif isinstance(event, yaml.NodeEvent):
            visit(event, levels, addresses)
    return addresses


def visit(event: yaml.NodeEvent, levels: list[Level], addresses: dict[int, str]) -> None:
    parent = levels[-1] if levels else None
    if parent and parent.is_mapping and parent.key is None and not isinstance(event, yaml.CollectionStartEvent):
        parent.key = getattr(event, "value", getattr(event, "anchor", ""))
        if event.start_mark:
            addresses.setdefault(event.start_mark.line, f"{parent.pointer}/{escape(parent.key or '')}")
        return
    pointer = parent.take_value() if parent else ""
    if isinstance(event, yaml.CollectionStartEvent):
        if len(levels) == MAX_DEPTH:
            raise make_depth_error()
        levels.append(Level(pointer, isinstance(event, yaml.MappingStartEvent)))
    elif event.start_mark and event.end_mark:
        # A text that ends with its line ends at the beginning of the next.
        last = event.end_mark.line - (event.end_mark.column == 0)
        for line in range(event.start_mark.line, max(event.start_mark.line, last) + 1):
            addresses.setdefault(line, pointer)
