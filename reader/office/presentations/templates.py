"""Layouts and masters of slides: where placeholders stand, and what they show on every slide by themselves."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from reader.markup.safe_xml import Node
from reader.office.package import Package

SKIPPED = frozenset(("Fallback", "timing", "extLst", "prstGeom", "custGeom", "pic", "graphicFrame", "txStyles"))
KINDS = ("slideLayout", "slideMaster")
NO = ("0", "false")


class Template(NamedTuple):
    root: Node
    relations: Mapping[str, tuple[str, str]]


class Templates:
    """Each is parsed once for all slides."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.parsed: dict[str, Template | None] = {}

    def list_for(self, relations: Mapping[str, tuple[str, str]]) -> Iterator[Template]:
        """relations: of the slide. Its layout, then the master of that."""
        for kind in KINDS:
            part = next((name for own, name in relations.values() if own == kind), "")
            template = self.find(part)
            if template is None:
                return
            yield template
            relations = template.relations

    def find(self, part: str) -> Template | None:
        if part not in self.parsed:
            root = self.package.parse_if_there(part, SKIPPED)
            self.parsed[part] = Template(root, self.package.list_relations(part)) if root else None
        return self.parsed[part]

    def list_shown(self, slide: Node, relations: Mapping[str, tuple[str, str]]) -> Iterator[Node]:
        """The trees of shapes whose own words stand on the slide, the rearmost first."""
        trees, shows = [], slide
        for template in self.list_for(relations):
            if shows.get("showMasterSp") in NO:
                break
            trees.append(template.root.find("cSld", "spTree"))
            shows = template.root
        yield from (tree for tree in reversed(trees) if tree is not None)
