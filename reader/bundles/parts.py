"""A file inside another one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from reader.failures import OverLimit
from reader.layout.blocks import Block, Cell, Heading, Paragraph, Table
from reader.pages import Limits


@dataclass(frozen=True)
class BundlePart:
    """`load` gives its bytes; raises Unreadable where it cannot be taken out. size: as far as it is known before."""

    name: str
    size: int
    load: Callable[[], bytes]


def list_attachments(parts: list[BundlePart]) -> Iterator[Block]:
    """The end of a mail's pages."""
    if parts:
        yield Heading("Attachments", 4)
    for part in parts:
        yield Paragraph(f"\u2022 {part.name} ({format_size(part.size)})")


def make_listing(parts: list[BundlePart]) -> Table:
    head = [Cell("Name", is_head=True), Cell("Size", is_head=True)]
    return Table([head, *([Cell(part.name), Cell(format_size(part.size))] for part in parts)])


def format_size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1_000_000 else f"{max(1, round(size / 1000)):,} kB"


def require_size(name: str, size: int, limits: Limits) -> None:
    if size > limits.max_bytes:
        raise OverLimit(f"{name} has {size / 1e6:.1f} MB; the limit is {limits.max_bytes / 1e6:.0f} MB.")
