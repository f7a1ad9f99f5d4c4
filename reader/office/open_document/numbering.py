"""The numbers that a text of OpenDocument sets before paragraphs, counted as LibreOffice counts them.

They are not stored: a pass over the tree writes each into its paragraph, as a `number` in front.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from reader.markup.safe_xml import Node
from reader.office.open_document.list_styles import BULLET, LEVELS, ListLevel, ListStyle, ListStyles, read_count

NUMBER = "text:number"
OUTLINE = "outline"
PARAGRAPHS = ("p", "h")


@dataclass
class OpenList:
    """Counts of the levels of one list, which may go on further below."""

    counts: list[int | None] = field(default_factory=lambda: [None] * LEVELS)

    def count(self, style: ListStyle, level: int, start: int | None) -> None:
        """start: what a paragraph says of itself."""
        at = 0 if style.is_consecutive else level
        for above in range(at):
            # A list that begins further in counts as if one stood above.
            if self.counts[above] is None:
                self.counts[above] = style.levels.get(above, ListLevel()).start
        before = self.counts[at]
        follows = before + 1 if before is not None else style.levels.get(at, ListLevel()).start
        self.counts[at] = follows if start is None else start
        self.counts[at + 1 :] = [None] * (LEVELS - at - 1)
        if style.is_consecutive:
            self.counts[level] = self.counts[0]


@dataclass(frozen=True)
class ListPlace:
    """level: counted from 0. style: none where no list names one."""

    open_list: OpenList
    level: int
    style: str


class Numbering:
    """Counts through one file, paragraph by paragraph in order."""

    def __init__(self, styles: ListStyles) -> None:
        self.styles = styles
        self.outline = OpenList()
        self.by_id: dict[str, OpenList] = {}
        self.by_style: dict[str, OpenList] = {}

    def number_paragraphs(self, parent: Node, place: ListPlace | None = None) -> None:
        for node in parent.elements:
            match node.kind:
                case "list":
                    self.number_list(node, place)
                case "numbered-paragraph":
                    self.number_alone(node)
                case "h":
                    self.number_heading(node)
                    self.number_boxes(node)
                case "p":
                    self.number_boxes(node)
                case _:
                    self.number_paragraphs(node)

    def number_boxes(self, paragraph: Node) -> None:
        """Boxes and notes in a paragraph have lists of their own."""
        for child in paragraph.elements:
            self.number_paragraphs(child)

    def number_list(self, node: Node, outer: ListPlace | None) -> None:
        style = node.get("style-name") or (outer.style if outer else "")
        open_list = outer.open_list if outer else self.open_list(node, style)
        place = ListPlace(open_list, min(outer.level + 1, LEVELS - 1) if outer else 0, style)
        for item in node.elements:
            self.number_item(item, place)

    def open_list(self, node: Node, style: str) -> OpenList:
        if style == self.styles.outline_name:
            return self.outline
        opened = self.by_id.get(node.get("continue-list"))
        if opened is None and node.get("continue-numbering") == "true":
            opened = self.by_style.get(style)
        opened = opened or OpenList()
        self.by_style[style] = opened
        if name := node.get("id"):
            self.by_id[name] = opened
        return opened

    def number_item(self, item: Node, place: ListPlace) -> None:
        """Only its first paragraph bears the number, and that of a `list-header` none."""
        is_open = item.kind == "list-item"
        for node in item.elements:
            if node.kind in PARAGRAPHS:
                if is_open:
                    self.number(node, place, item.get("start-value"))
                is_open = False
                self.number_boxes(node)
            elif node.kind == "list":
                self.number_list(node, place)
            elif node.kind != "number":
                self.number_paragraphs(node)

    def number(self, paragraph: Node, place: ListPlace, start: str = "") -> None:
        name = place.style or self.styles.find_list_of_paragraph(paragraph.get("style-name")) or ""
        style = self.styles.lists.get(name)
        if style is None:
            write_number(paragraph, f"{BULLET} ")
            return
        place.open_list.count(style, place.level, read_count(start, lowest=0) if start else None)
        write_number(paragraph, style.write_label(place.level, place.open_list.counts))

    def number_alone(self, node: Node) -> None:
        level = min(read_count(node.get("level")), LEVELS) - 1
        opened = self.by_id.setdefault(node.get("list-id") or f"style {node.get('style-name')}", OpenList())
        for paragraph in node.elements:
            if paragraph.kind in PARAGRAPHS:
                self.number(paragraph, ListPlace(opened, level, node.get("style-name")), node.get("start-value"))

    def number_heading(self, node: Node) -> None:
        named = self.styles.find_list_of_paragraph(node.get("style-name"))
        is_off = named == "" or (named is not None and named != self.styles.outline_name)
        level = min(read_count(node.get("outline-level")), LEVELS) - 1
        if is_off or node.get("is-list-header") == "true" or level not in self.styles.outline.levels:
            return
        restart = node.get("start-value") or "1" if node.get("restart-numbering") == "true" else ""
        self.number(node, ListPlace(self.outline, level, self.styles.outline_name), restart)


def write_number(paragraph: Node, label: str) -> None:
    """In the place of the one that a program has left there. An empty paragraph has no bullet."""
    if label.startswith(BULLET) and not has_words(paragraph):
        return
    number = Node(NUMBER, {})
    number.children = [label]
    paragraph.children = [number, *(child for child in paragraph.children if not is_number(child))]


def is_number(child: Node | str) -> bool:
    return isinstance(child, Node) and child.kind == "number"


def has_words(node: Node) -> bool:
    return any(child.strip() if isinstance(child, str) else has_words(child) for child in node.children)


def number_paragraphs(root: Node, styles: Node | None) -> None:
    """In the text, and in the margins of its pages, which count by themselves."""
    known = ListStyles(root, styles)
    for part in list_counted(root, styles):
        Numbering(known).number_paragraphs(part)


def list_counted(root: Node, styles: Node | None) -> Iterator[Node]:
    body = root.find("body", "text")
    if body:
        yield body
        masters = styles.find("master-styles") if styles else None
        for kind in ("header", "footer"):
            yield from masters.find_all(kind) if masters else ()
