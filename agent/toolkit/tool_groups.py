"""Tools by the group that a person knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

NAMES = {
    "document": "Document",
    "extraction": "Extraction",
    "schemas": "Schemas",
    "prompts": "Prompts",
    "tags": "Tags",
}


def group_tools(named: Iterable[tuple[str, T]]) -> list[tuple[str, list[T]]]:
    """Tools that come with their group: the groups of NAMES in their order, then others as they come."""
    gathered: dict[str, list[T]] = {group: [] for group in NAMES}
    for group, tool in named:
        gathered.setdefault(group, []).append(tool)
    return [(NAMES.get(group, group.capitalize()), tools) for group, tools in gathered.items() if tools]
