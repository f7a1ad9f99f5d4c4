"""XML: a line for each element that holds text and for each attribute; addresses are XPaths."""

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from reader.encodings import decode_text
from reader.gaps import Gap
from reader.layout.blocks import Block, PlainLine
from reader.markup.plain_lines import list_lines, read_bytes
from reader.markup.safe_xml import EntitiesDeclared, Node, NotWellFormed, parse_xml
from reader.pages import Limits

INDENT = "  "


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    """Read what is broken, or declares entities, as the text that it is."""
    data = read_bytes(file)
    try:
        root = parse_xml(data)
    except (NotWellFormed, EntitiesDeclared):
        decoded = decode_text(data, chosen=limits.encoding)
        yield from decoded.list_gaps()
        yield from list_lines(decoded.text)
        return
    yield from list_element(root, f"/{root.name}", 0)


def list_element(node: Node, path: str, depth: int) -> Iterator[PlainLine]:
    text = " ".join(node.own_text.split()) if not any(node.elements) else ""
    yield PlainLine(f"{INDENT * depth}{node.name}: {text}".rstrip(), path)
    for name, value in node.attributes.items():
        if name != "xmlns" and not name.startswith("xmlns:"):
            yield PlainLine(f"{INDENT * (depth + 1)}@{name}: {value}", f"{path}/@{name}")
    if any(node.elements):
        yield from list_children(node, path, depth + 1)


def list_children(node: Node, path: str, depth: int) -> Iterator[PlainLine]:
    counts = Counter(child.name for child in node.elements)
    seen: Counter[str] = Counter()
    for child in node.children:
        if isinstance(child, str):
            if text := " ".join(child.split()):
                yield PlainLine(INDENT * depth + text, f"{path}/text()")
            continue
        seen[child.name] += 1
        at = f"[{seen[child.name]}]" if counts[child.name] > 1 else ""
        yield from list_element(child, f"{path}/{child.name}{at}", depth)
