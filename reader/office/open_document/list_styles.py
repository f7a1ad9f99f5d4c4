"""Lists of OpenDocument by their styles: how each level is counted and written (ODF 1.3 part 3, 16.30 and 16.34)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from reader.markup.safe_xml import Node
from reader.office.word.counting import write_count

LEVELS = 10
BULLET = "\u2022"
MAX_LABEL = 100
# Styles that are based on each other; a file may let them go round.
MAX_BASES = 20
LEVEL_KINDS = {"list-level-style-number", "list-level-style-bullet", "list-level-style-image", "outline-level-style"}
PLACE = re.compile(r"%(\d{1,2})%")
# A format may be a row of examples, such as `①, ②, ③, ...`.
FORMS = {"A": "upperLetter", "a": "lowerLetter", "I": "upperRoman", "i": "lowerRoman", "01": "decimalZero"}
FORMS |= {"1st": "ordinal", "First": "ordinalText", "One": "cardinalText", "一": "chineseCounting"}
FORMS |= {"①": "decimalEnclosedCircle", "А": "russianUpper", "а": "russianLower"}


@dataclass(frozen=True)
class ListLevel:
    """form: empty for a level that is counted and not shown. text: with `%1%` for the number of each level."""

    is_bullet: bool = False
    start: int = 1
    form: str = ""
    text: str = ""
    gap: str = " "
    letters_repeat: bool = False

    def write(self, number: int) -> str:
        form = FORMS.get(self.form.partition(",")[0].strip(), "decimal")
        if form.endswith("erLetter") and number > 0 and not self.letters_repeat:
            letters = write_letters(number)
            return letters.upper() if form == "upperLetter" else letters
        return write_count(number, form) if self.form else ""


@dataclass(frozen=True)
class ListStyle:
    """is_consecutive: all levels count as one."""

    levels: Mapping[int, ListLevel] = field(default_factory=dict)
    is_consecutive: bool = False

    def write_label(self, at: int, counts: Sequence[int | None]) -> str:
        level = self.levels.get(at)
        if level is None or level.is_bullet:
            return f"{BULLET} "

        def write(place: re.Match[str]) -> str:
            other = int(place[1]) - 1
            count = counts[other] if 0 <= other < LEVELS else None
            return self.levels.get(other, ListLevel()).write(count) if count is not None else ""

        label = PLACE.sub(write, level.text) if level.form else ""
        return label + level.gap if label.strip() else ""


def write_letters(number: int) -> str:
    """Behind z comes aa, then ab."""
    text = ""
    while number:
        number, at = divmod(number - 1, 26)
        text = chr(ord("a") + at) + text
    return text


class ListStyles:
    """outline: the style of headings, which a file has but once."""

    def __init__(self, *roots: Node | None) -> None:
        self.lists: dict[str, ListStyle] = {}
        self.own_lists: dict[str, str] = {}
        self.bases: dict[str, str] = {}
        self.outline = ListStyle()
        self.outline_name = "Outline"
        # Styles of the text go before those of the page margins, which may bear their names.
        for root in filter(None, reversed(roots)):
            for node in list_styles(root):
                self.take(node)
        self.lists[self.outline_name] = self.outline

    def take(self, node: Node) -> None:
        if node.kind == "list-style":
            self.lists[node.get("name")] = read_list_style(node)
        elif node.kind == "outline-style":
            self.outline, self.outline_name = read_list_style(node), node.get("name") or self.outline_name
        elif node.kind == "style" and node.get("family") == "paragraph":
            name = node.get("name")
            self.bases[name] = node.get("parent-style-name")
            if any(key.endswith("list-style-name") for key in node.attributes):
                self.own_lists[name] = node.get("list-style-name")

    def find_list_of_paragraph(self, style: str) -> str | None:
        """Return the name of the list; empty where the style turns numbers off, None where it says nothing."""
        for _ in range(MAX_BASES):
            if style in self.own_lists or not style:
                break
            style = self.bases.get(style, "")
        return self.own_lists.get(style)


def list_styles(root: Node) -> Iterator[Node]:
    """Every style of a part, from the common ones to those of single paragraphs."""
    for kind in ("styles", "automatic-styles"):
        for node in root.elements:
            if node.kind == kind:
                yield from node.elements


def read_list_style(node: Node) -> ListStyle:
    levels: dict[int, ListLevel] = {}
    for child in node.elements:
        at = read_count(child.get("level")) - 1
        if child.kind in LEVEL_KINDS and at < LEVELS:
            levels[at] = read_level(child, at, levels)
    return ListStyle(levels, node.get("consecutive-numbering") == "true")


def read_level(node: Node, at: int, above: Mapping[int, ListLevel]) -> ListLevel:
    alignment = node.find("list-level-properties", "list-level-label-alignment")
    form = node.get("num-format")
    return ListLevel(
        is_bullet=node.kind.endswith(("bullet", "image")),
        start=read_count(node.get("start-value"), lowest=0),
        form=form[:MAX_LABEL],
        text=(node.get("num-list-format") or "".join(list_pieces(node, at, above)))[:MAX_LABEL],
        gap="" if alignment and alignment.get("label-followed-by") == "nothing" else " ",
        letters_repeat=node.get("num-letter-sync") == "true",
    )


def list_pieces(node: Node, at: int, above: Mapping[int, ListLevel]) -> Iterator[str]:
    """A level without a format leaves out its dot too."""
    count = min(read_count(node.get("display-levels")), at + 1)
    shown = [other for other in range(at + 1 - count, at) if other in above and above[other].form]
    yield node.get("num-prefix")[: MAX_LABEL // 4]
    yield ".".join(f"%{other + 1}%" for other in (*shown, at))
    yield node.get("num-suffix")[: MAX_LABEL // 4]


def read_count(text: str, *, lowest: int = 1) -> int:
    return max(int(text), lowest) if text.isdecimal() and len(text) < 7 else 1
