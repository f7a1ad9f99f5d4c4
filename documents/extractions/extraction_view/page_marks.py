"""Which pages gave values: a mark for each page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from documents.extractions.extraction_view.shapes import FieldView

# More marks than these would take the room of the values.
MAX_MARKS = 60


@dataclass(frozen=True)
class PageMark:
    number: int
    values: int
    uncertain: int
    was_read: bool

    @property
    def kind(self) -> str:
        """full, doubt, none or unread."""
        if not self.was_read:
            return "unread"
        return "doubt" if self.uncertain else "full" if self.values else "none"

    @property
    def words(self) -> str:
        if not self.was_read:
            return "not read"
        if not self.values:
            return "no value"
        values = "1 value" if self.values == 1 else f"{self.values} values"
        return f"{values}, {self.uncertain} uncertain" if self.uncertain else values


def list_page_marks(leaves: Iterable[FieldView], page_count: int, pages_seen: Collection[int]) -> tuple[PageMark, ...]:
    """None for a single page, and for more than MAX_MARKS."""
    if not 1 < page_count <= MAX_MARKS:
        return ()
    located = [leaf for leaf in leaves if leaf.page]
    values = Counter(leaf.page for leaf in located)
    uncertain = Counter(leaf.page for leaf in located if leaf.is_uncertain)
    seen = set(pages_seen)
    return tuple(PageMark(page, values[page], uncertain[page], page in seen) for page in range(1, page_count + 1))
