"""HTML through Lexbor: headings, paragraphs, lists and tables. Nothing is fetched, run or styled."""

import base64
import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from reader.encodings import DecodedText, decode_text
from reader.failures import OverLimit, Unreadable
from reader.gaps import Gap
from reader.layout.blocks import Block, Cell, Heading, Note, Paragraph, Picture, PlainLine, Table
from reader.markup.hiding_rules import find_hidden
from reader.markup.plain_lines import read_bytes
from reader.pages import Limits

DECLARED_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([\w-]{1,40})""", re.I)
SKIPPED = frozenset(
    ("head", "script", "style", "template", "noscript", "iframe", "object", "embed", "svg", "math", "canvas", "video")
)
INLINE = frozenset(
    ("a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "em", "font", "i", "ins", "kbd", "label", "mark")
) | frozenset(("q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"))
HEADINGS = {f"h{level}": level for level in range(1, 7)}
HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])", re.I)
SHOWN_INPUTS = frozenset(("", "text", "number", "email", "tel", "date", "url", "search"))
NO_CELL_HOLDS = "table, h1, h2, h3, ul, ol"
MAX_SPAN = 1000
MAX_NODES = 600_000
# All together; the last one may go over it.
MAX_PICTURE_BYTES = 40_000_000
FindPicture = Callable[[str], bytes]
DATA_HEAD = re.compile(r"data:image/[\w.+-]{1,40};base64$", re.I)
# A browser's own bound; https://html.spec.whatwg.org/ leaves it to them.
MAX_DEPTH = 512


def find_no_picture(address: str) -> bytes:
    return b""


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    decoded = decode_html(read_bytes(file), limits.encoding)
    yield from decoded.list_gaps()
    yield from list_blocks(decoded.text)


def decode_html(data: bytes, chosen: str = "") -> DecodedText:
    """A byte order mark, then what the page says of itself, then as any text."""
    declared = DECLARED_CHARSET.search(data[:4096])
    return decode_text(data, chosen=chosen, declared=declared[1].decode() if declared else "")


def list_blocks(text: str, find_picture: FindPicture = find_no_picture) -> Iterator[Block | Gap]:
    """find_picture: the bytes of one that came along, by its address; nothing is fetched."""
    flow = Flow(find_picture)
    yield from flow.list_blocks(parse_page(text))
    if count := flow.hidden_words:
        words = "1 word is" if count == 1 else f"{count:,} words are"
        yield Gap("hidden", f"{words} hidden on the page, by its styles, and left out.")


def parse_page(text: str) -> LexborNode | None:
    try:
        return LexborHTMLParser(text).root
    except SelectolaxError as error:
        raise Unreadable("The HTML page cannot be read.", suspect=True) from error


class Flow:
    """Goes through the elements in order and gathers inline text until a block begins or ends."""

    def __init__(self, find_picture: FindPicture = find_no_picture, hidden: set[int] | None = None) -> None:
        self.find_picture = find_picture
        self.picture_room = MAX_PICTURE_BYTES
        self.parts: list[str] = []
        self.heading = 0
        self.preformatted = 0
        self.list_depth = 0
        self.count = 0
        self.plain_tables: dict[int, bool] = {}
        self.hidden = hidden
        self.hidden_words = 0

    def list_blocks(self, root: LexborNode | None) -> Iterator[Block]:
        if root is None:
            return
        if self.hidden is None:
            self.hidden = find_hidden(root)
        node, depth = root, 0
        while True:
            yield from self.enter(node)
            below = None if self.is_leaf(node) else node.child
            if below is not None:
                node, depth = below, depth + 1
                if depth > MAX_DEPTH:
                    raise OverLimit(f"The page is nested more than {MAX_DEPTH} levels deep.")
                continue
            while node.next is None or depth == 0:
                yield from self.leave(node)
                if depth == 0:
                    yield from self.flush()
                    return
                node, depth = node.parent or root, depth - 1
            yield from self.leave(node)
            node = node.next

    def is_leaf(self, node: LexborNode) -> bool:
        return (
            node.tag in SKIPPED or node.tag in ("select", "textarea") or self.hides(node) or self.is_plain_table(node)
        )

    def is_plain_table(self, node: LexborNode) -> bool:
        """A table of data, not one that only puts other tables in their places."""
        if node.tag != "table":
            return False
        if node.mem_id not in self.plain_tables:
            # The table itself is among what it contains.
            inner = (each.mem_id == node.mem_id for each in node.css(NO_CELL_HOLDS))
            self.plain_tables[node.mem_id] = all(inner)
        return self.plain_tables[node.mem_id]

    def enter(self, node: LexborNode) -> Iterator[Block]:
        self.count += 1
        if self.count > MAX_NODES:
            raise OverLimit(f"The page has more than {MAX_NODES:,} elements.")
        tag = node.tag or ""
        if tag == "-text":
            self.parts.append(node.text_content or "")
        elif tag in SKIPPED or tag.startswith(("-", "!")):
            return
        elif self.hides(node):
            self.count_hidden(node)
        elif self.is_plain_table(node):
            yield from self.flush()
            yield self.make_table(node)
            # Pictures of all its cells come behind it.
            yield from (block for picture in node.css("img") for block in self.list_picture(picture))
        elif tag in ("br", "input", "select", "textarea", "img"):
            yield from self.add_single(node, tag)
        elif tag not in INLINE:
            yield from self.flush()
            self.begin_block(tag)

    def hides(self, node: LexborNode) -> bool:
        return is_hidden(node) or (bool(self.hidden) and node.mem_id in (self.hidden or ()))

    def count_hidden(self, node: LexborNode) -> None:
        self.hidden_words += len((node.text(separator=" ") or "").split())

    def make_table(self, node: LexborNode) -> Table:
        rows = []
        for row in node.css("tr"):
            if self.hides(row):
                self.count_hidden(row)
            elif cells := list(self.list_cells(row)):
                rows.append(cells)
        return Table(rows)

    def list_cells(self, row: LexborNode) -> Iterator[Cell]:
        for cell in row.iter():
            if cell.tag in ("td", "th") and self.hides(cell):
                self.count_hidden(cell)
            elif cell.tag in ("td", "th"):
                yield self.make_cell(cell)

    def make_cell(self, node: LexborNode) -> Cell:
        flow = Flow(hidden=self.hidden)
        texts = [block.text for block in flow.list_blocks(node) if isinstance(block, Heading | Paragraph | PlainLine)]
        self.hidden_words += flow.hidden_words
        return Cell(
            "\n".join(texts),
            columns=read_span(node, "colspan"),
            rows=read_span(node, "rowspan"),
            is_head=node.tag == "th",
        )

    def add_single(self, node: LexborNode, tag: str) -> Iterator[Block]:
        if tag == "br":
            self.parts.append("\n" if self.preformatted else "\v")
        elif tag == "img":
            blocks = list(self.list_picture(node))
            yield from self.flush() if blocks else ()
            yield from blocks
        else:
            self.parts.append(f" {read_control(node, tag)} ")

    def list_picture(self, node: LexborNode) -> Iterator[Block]:
        alternative = (node.attributes.get("alt") or "").strip()
        address = node.attributes.get("src") or ""
        is_shown = self.picture_room > 0 and not self.hides(node)
        data = (decode_data_address(address) or self.find_picture(address)) if is_shown else b""
        self.picture_room -= len(data)
        if data:
            yield Picture(data, alternative)
        elif alternative:
            yield Note(f"[picture: {alternative[:200]}]")

    def begin_block(self, tag: str) -> None:
        self.heading = HEADINGS.get(tag, self.heading)
        self.preformatted += tag == "pre"
        self.list_depth += tag in ("ul", "ol")
        if tag == "li":
            self.parts.append("\u2022 ")

    def leave(self, node: LexborNode) -> Iterator[Block]:
        tag = node.tag or ""
        if tag in INLINE or tag.startswith("-") or self.is_leaf(node) or tag in ("br", "img", "input"):
            return
        yield from self.flush()
        self.heading = 0 if tag in HEADINGS else self.heading
        self.preformatted -= tag == "pre"
        self.list_depth -= tag in ("ul", "ol")

    def flush(self) -> Iterator[Block]:
        text, self.parts = "".join(self.parts), []
        if self.preformatted:
            yield from (PlainLine(line) for line in text.strip("\n").split("\n") if text.strip())
            return
        text = "\n".join(" ".join(part.split()) for part in text.split("\v")).strip()
        if not text or text == "\u2022":
            return
        yield Heading(text, self.heading) if self.heading else Paragraph(text, indent=max(0, self.list_depth - 1))


def decode_data_address(address: str) -> bytes:
    """Decode a `data:` address (RFC 2397), as pictures have it."""
    head, _, data = address.partition(",")
    if not DATA_HEAD.match(head):
        return b""
    try:
        return base64.b64decode(data)
    except ValueError:
        return b""


def is_hidden(node: LexborNode) -> bool:
    if (node.tag or "-").startswith("-"):
        return False
    attributes = node.attributes
    return "hidden" in attributes or bool(HIDDEN_STYLE.search(attributes.get("style") or ""))


def read_control(node: LexborNode, tag: str) -> str:
    """Read what a form field shows."""
    if tag == "select":
        chosen = node.css_first("option[selected]") or node.css_first("option")
        return chosen.text() if chosen else ""
    if tag == "textarea":
        return node.text() or ""
    kind = (node.attributes.get("type") or "").lower()
    if kind in ("checkbox", "radio"):
        return "[x]" if "checked" in node.attributes else "[ ]"
    return node.attributes.get("value") or "" if kind in SHOWN_INPUTS else ""


def read_span(node: LexborNode, name: str) -> int:
    digits = (node.attributes.get(name) or "").strip()
    return min(max(int(digits), 1), MAX_SPAN) if digits.isdecimal() and len(digits) < 6 else 1
