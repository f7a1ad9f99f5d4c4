"""Kinds of tools: what a call changes, how it takes effect, and what it is for."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from accounts.models import Role

T = TypeVar("T")


class Access(StrEnum):
    READ = "read"
    COSTLY_READ = "costly_read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"
    COSTLY = "costly"
    EXTERNAL = "external"


READS = (Access.READ, Access.COSTLY_READ)
VALUE_CHANGES = ("run_extraction", "update_document", "update_extraction_field")
"""Questions over values wait for these in the same answer: else they would be answered by those of before."""
PAID = (Access.COSTLY, Access.COSTLY_READ)


class Effect(StrEnum):
    LOCAL = "local"
    PREPARED = "prepared"
    EXTERNAL = "external"


class Category(StrEnum):
    RESOLUTION = "resolution"
    SEARCH = "search"
    DOCUMENT = "document"
    EXTRACTION = "extraction"
    DEFINITION = "definition"
    OUTSIDE = "outside"
    MEMORY = "memory"
    HELP = "help"


TITLES = {
    Category.RESOLUTION: "References",
    Category.SEARCH: "Search",
    Category.DOCUMENT: "Documents",
    Category.EXTRACTION: "Extractions",
    Category.DEFINITION: "Schemas, prompts and tags",
    Category.OUTSIDE: "Outside servers",
    Category.MEMORY: "Conversation",
    Category.HELP: "Help",
}
ABOUT_DOCUMENTS = frozenset({Category.RESOLUTION, Category.SEARCH, Category.DOCUMENT, Category.EXTRACTION})
"""Their answers hold words of documents, if only names; reviewers may have these documents changed."""


def minimum_role(category: Category, access: str) -> Role:
    """Reviewers change documents and extractions; what others share, and deletion, is for builders."""
    if access in ("read", "costly_read"):
        return Role.VIEWER
    return Role.REVIEWER if category in ABOUT_DOCUMENTS and access != "destructive" else Role.BUILDER


def group_tools(named: Iterable[tuple[Category, T]]) -> list[tuple[str, list[T]]]:
    """Gives the title of each category that has tools, and these in the order in which they come."""
    gathered: dict[Category, list[T]] = {category: [] for category in Category}
    for category, tool in named:
        gathered[category].append(tool)
    return [(TITLES[category], tools) for category, tools in gathered.items() if tools]
