"""Which pages gave values: a mark for each page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
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
    gap: str = ""
    """What is missing of it, in a word or two."""

    @property
    def kind(self) -> str:
        """full, doubt, none or unread."""
        if not self.was_read or self.gap:
            return "unread"
        return "doubt" if self.uncertain else "full" if self.values else "none"

    @property
    def words(self) -> str:
        if not self.was_read:
            return self.gap or "not read"
        return f"{self.gap}, {self._values_in_words}" if self.gap else self._values_in_words

    @property
    def _values_in_words(self) -> str:
        if not self.values:
            return "no value"
        values = "1 value" if self.values == 1 else f"{self.values} values"
        return f"{values}, {self.uncertain} uncertain" if self.uncertain else values


def list_page_marks(
    leaves: Iterable[FieldView], page_count: int, pages_seen: Collection[int], gaps: Mapping[int, str]
) -> tuple[PageMark, ...]:
    """None for a single page, and for more than MAX_MARKS. gaps: what is missing of a page, by its number."""
    if not 1 < page_count <= MAX_MARKS:
        return ()
    located = [leaf for leaf in leaves if leaf.page]
    values = Counter(leaf.page for leaf in located)
    uncertain = Counter(leaf.page for leaf in located if leaf.is_uncertain)
    seen = set(pages_seen)
    return tuple(
        PageMark(page, values[page], uncertain[page], page in seen, gaps.get(page, ""))
        for page in range(1, page_count + 1)
    )
