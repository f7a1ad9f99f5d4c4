"""XML without entities of its own and without anything remote, within bounds of size and depth."""

from collections.abc import Iterator
from typing import NoReturn
from xml.parsers import expat

from reader.failures import OverLimit, Unreadable

MAX_DEPTH = 200
MAX_NODES = 600_000
MARKS = ("del", "moveFrom")


class Node:
    """An element; `children` are texts and elements in order. Names as written, with their prefixes."""

    __slots__ = ("attributes", "children", "name")

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self.name = name
        self.attributes = attributes
        self.children: list[Node | str] = []

    @property
    def kind(self) -> str:
        """The name without its prefix."""
        return self.name.rpartition(":")[2]

    def get(self, name: str, default: str = "") -> str:
        """An attribute by its name without prefix."""
        for key, value in self.attributes.items():
            if key == name or key.endswith(f":{name}"):
                return value
        return default

    @property
    def elements(self) -> Iterator["Node"]:
        return (child for child in self.children if isinstance(child, Node))

    @property
    def own_text(self) -> str:
        return "".join(child for child in self.children if isinstance(child, str))

    def find(self, *path: str) -> "Node | None":
        """The first element at the path of names without prefixes."""
        node: Node | None = self
        for kind in path:
            node = next((child for child in node.elements if child.kind == kind), None) if node else None
        return node

    def find_all(self, kind: str) -> Iterator["Node"]:
        """Find nodes below, at any depth, in order; not below one that was found."""
        for child in self.elements:
            if child.kind == kind:
                yield child
            else:
                yield from child.find_all(kind)


class NotWellFormed(Unreadable):
    pass


class EntitiesDeclared(Unreadable):
    pass


class TreeBuilder:
    """`skipped`: kinds of elements that are left out with all that is in them."""

    def __init__(self, skipped: frozenset[str]) -> None:
        self.skipped = skipped
        self.skipping = 0
        self.count = 0
        self.root = Node("", {})
        self.open = [self.root]

    def start(self, name: str, attributes: dict[str, str]) -> None:
        kind = name.rpartition(":")[2]
        if self.skipping or (kind in self.skipped and not self.is_mark(kind)):
            self.skipping += 1
            return
        self.count += 1
        if self.count > MAX_NODES:
            raise OverLimit(f"The file has more than {MAX_NODES:,} elements.")
        if len(self.open) > MAX_DEPTH:
            raise OverLimit(f"The file is nested more than {MAX_DEPTH} levels deep.")
        node = Node(name, attributes)
        self.open[-1].children.append(node)
        self.open.append(node)

    def is_mark(self, kind: str) -> bool:
        """Whether it only says of the end of a paragraph that it was struck out."""
        return kind in MARKS and self.open[-1].kind == "rPr"

    def end(self, name: str) -> None:
        if self.skipping:
            self.skipping -= 1
        else:
            self.open.pop()

    def add_text(self, text: str) -> None:
        if not self.skipping:
            self.open[-1].children.append(text)


def parse_xml(data: bytes, skipped: frozenset[str] = frozenset()) -> Node:
    """The root element. Raises NotWellFormed, EntitiesDeclared or OverLimit."""
    builder = TreeBuilder(skipped)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.add_text
    parser.EntityDeclHandler = refuse_entities
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        sentence = f"The file is damaged: its XML breaks off in line {error.lineno}."
        raise NotWellFormed(sentence) from error
    return next(builder.root.elements)


def refuse_entities(*_: object) -> NoReturn:
    raise EntitiesDeclared("The file declares entities of its own, which are not followed.")
