"""The numbers that Word sets before paragraphs, counted as it counts them (ECMA-376 part 1, 17.9)."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from reader.markup.safe_xml import Node
from reader.office.word.counting import write_count

LEVELS = 9
BULLET = "\u2022"
PLACE = re.compile(r"%([1-9])")
# Styles that are based on each other; a file may let them go round.
MAX_BASES = 20
MAX_LABEL = 100
OFF = ("0", "false", "off")


@dataclass(frozen=True)
class ListLevel:
    """text: with a `%1` for the number of each level. restart: 0 where it counts on, none behind any level above."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    restart: int | None = None
    is_legal: bool = False
    style: str = ""
    gap: str = " "


@dataclass(frozen=True)
class NumberedList:
    """`group`: lists of one group count together. starts: of levels that begin anew with this list."""

    group: str
    levels: Mapping[int, ListLevel]
    starts: Mapping[int, int] = field(default_factory=dict)


class ListPlace(NamedTuple):
    """number: of the list, none where a style leaves it open. level: none where the list says it by the style."""

    number: str | None
    level: int | None


class ListStyles:
    """Lists into which styles put their paragraphs, with the styles that they are based on."""

    def __init__(self, root: Node | None) -> None:
        styles = [*root.find_all("style")] if root else []
        self.places = {style.get("styleId"): read_place(style.find("pPr", "numPr")) for style in styles}
        self.bases = {style.get("styleId"): base.get("val") for style in styles if (base := style.find("basedOn"))}
        self.known: dict[str, tuple[ListPlace, str]] = {}
        defaults = (style for style in styles if style.get("type") == "paragraph" and style.get("default") == "1")
        self.default = next((style.get("styleId") for style in defaults), "")

    def find(self, style: str) -> tuple[ListPlace, str]:
        """The place, and the style that names the list."""
        if style not in self.known:
            self.known[style] = self.search(style)
        return self.known[style]

    def search(self, style: str) -> tuple[ListPlace, str]:
        number, level, named = None, None, style
        for _ in range(MAX_BASES):
            place = self.places.get(style)
            if place:
                level = place.level if level is None else level
                if place.number is not None:
                    number, named = place.number, style
                    break
            style = self.bases.get(style, "")
        return ListPlace(number, level), named


def read_place(properties: Node | None) -> ListPlace | None:
    if properties is None:
        return None
    number, level = properties.find("numId"), properties.find("ilvl")
    return ListPlace(number.get("val") if number else None, read_level(level.get("val")) if level else None)


def read_level(text: str) -> int:
    return min(int(text), LEVELS - 1) if text.isdecimal() and len(text) < 3 else 0


class Numbering:
    """Counts through one part of a file, paragraph by paragraph in order. `load_lists`: asked for the first number."""

    def __init__(self, load_lists: Callable[[], Mapping[str, NumberedList]], styles: ListStyles) -> None:
        self.load_lists, self.styles = load_lists, styles
        self.counts: dict[str, list[int | None]] = {}
        self.begun: set[str] = set()

    def find_label(self, paragraph: Node, text: str) -> tuple[str, int] | None:
        """Return the number with the space behind it, and its level; none for a paragraph of no list."""
        properties = paragraph.find("pPr")
        own = read_place(properties.find("numPr")) if properties else None
        named = properties.find("pStyle") if properties else None
        by_style, style = self.styles.find(named.get("val") if named else self.styles.default)
        number = own.number if own and own.number is not None else by_style.number
        if number is None or number == "0":
            return None
        numbered_list = self.load_lists().get(number)
        if numbered_list is None:
            return (f"{BULLET} ", 0) if own and own.number else None
        if not text and is_unseen(paragraph):
            return None
        level = own.level if own and own.level is not None else by_style.level
        if level is None:
            level = next((at for at, each in numbered_list.levels.items() if each.style == style), 0)
        return self.count(number, numbered_list, level), level

    def count(self, number: str, numbered_list: NumberedList, level: int) -> str:
        counts = self.counts.setdefault(numbered_list.group, [None] * LEVELS)
        if number not in self.begun:
            self.begun.add(number)
            for at in numbered_list.starts:
                counts[at] = None
        look = numbered_list.levels.get(level, ListLevel())
        before = counts[level]
        counts[level] = before + 1 if before is not None else numbered_list.starts.get(level, look.start)
        for deeper in range(level + 1, LEVELS):
            restart = numbered_list.levels.get(deeper, ListLevel()).restart
            if restart is None or level < restart:
                counts[deeper] = None
        return write_label(look, numbered_list, counts)


def write_label(look: ListLevel, numbered_list: NumberedList, counts: list[int | None]) -> str:
    if look.form == "bullet":
        return f"{BULLET} "

    def write(place: re.Match[str]) -> str:
        at = int(place[1]) - 1
        level = numbered_list.levels.get(at, ListLevel())
        count = counts[at]
        return write_count(level.start if count is None else count, "decimal" if look.is_legal else level.form)

    label = PLACE.sub(write, look.text)
    return label + look.gap if label.strip() else ""


def is_unseen(paragraph: Node) -> bool:
    """Whether it was struck out or hidden as a whole."""
    mark = paragraph.find("pPr", "rPr")
    signs = (mark.find(kind) for kind in ("del", "moveFrom", "vanish")) if mark else ()
    return any(sign is not None and sign.get("val") not in OFF for sign in signs)


def read_lists(root: Node | None, styles: ListStyles) -> dict[str, NumberedList]:
    """By the numbers that paragraphs give."""
    if root is None:
        return {}
    groups = {node.get("abstractNumId"): node for node in root.find_all("abstractNum")}
    named = {node.get("numId"): read_value(node, "abstractNumId") for node in root.find_all("num")}
    levels = {key: dict(list_levels(find_group(key, groups, named, styles))) for key in groups}
    lists = {}
    for node in root.find_all("num"):
        group = read_value(node, "abstractNumId")
        lists[node.get("numId")] = override(NumberedList(group, levels.get(group, {})), node)
    return lists


def find_group(key: str, groups: Mapping[str, Node], named: Mapping[str, str], styles: ListStyles) -> Node:
    """A group may leave its levels to the list of a style."""
    node = groups[key]
    link = node.find("numStyleLink")
    number = styles.find(link.get("val"))[0].number if link else None
    return groups.get(named.get(number or "", ""), node)


def override(numbered_list: NumberedList, node: Node) -> NumberedList:
    levels, starts = dict(numbered_list.levels), {}
    for change in node.find_all("lvlOverride"):
        at = read_level(change.get("ilvl"))
        if own := change.find("lvl"):
            levels[at] = read_list_level(own)
        if change.find("startOverride"):
            starts[at] = read_start(read_value(change, "startOverride"))
    return replace(numbered_list, levels=levels, starts=starts)


def list_levels(node: Node) -> Iterator[tuple[int, ListLevel]]:
    for level in node.elements:
        if level.kind == "lvl":
            yield read_level(level.get("ilvl")), read_list_level(level)


def read_list_level(node: Node) -> ListLevel:
    legal, restart = node.find("isLgl"), node.find("lvlRestart")
    form = next((read_value(each, "numFmt") for each in (node, *node.find_all("Choice")) if each.find("numFmt")), "")
    return ListLevel(
        start=read_start(read_value(node, "start") or "1"),
        form=form or "decimal",
        text=read_value(node, "lvlText")[:MAX_LABEL],
        restart=read_level(restart.get("val")) if restart else None,
        is_legal=legal is not None and legal.get("val") not in OFF,
        style=read_value(node, "pStyle"),
        gap="" if read_value(node, "suff") == "nothing" else " ",
    )


def read_value(node: Node, kind: str) -> str:
    child = node.find(kind)
    return child.get("val") if child else ""


def read_start(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else 1
