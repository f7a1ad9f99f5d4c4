"""One cell of the documents list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from documents.extractions.extraction_view.shapes import UNCERTAIN
from documents.views.columns.table import ListedColumn

# Signs of a value that people have to know of; that one stands on the page needs none.
SHOWN_STATES = (*UNCERTAIN, "edited")


class ValueCell(NamedTuple):
    """The first value of a field. `more`: how many follow it. `state` is one of SHOWN_STATES or empty.

    What a person has verified is neither uncertain nor does a check of it fail.
    """

    text: str = ""
    more: int = 0
    state: str = ""
    fails: bool = False

    @property
    def state_words(self) -> str:
        return "Failed check" if self.fails else self.state.replace("_", " ").capitalize()


@dataclass(frozen=True)
class Cell:
    """`value` for a field, `words` for what has no more than words, else what its template makes of the row."""

    column: ListedColumn
    value: ValueCell | None = None
    words: str = ""
    is_on_phone: bool = False

    @property
    def css(self) -> str:
        look, value = self.column.look, self.value
        if value is None:
            return f"{look.css} {look.cell_css}".strip()
        parts = [look.css, "r num" if self.column.is_number else "", "blank" if not value.text else ""]
        return " ".join(filter(None, [*parts, "on-phone" if self.is_on_phone else ""]))

    @property
    def template(self) -> str:
        name = "value" if self.value is not None else self.column.name.removeprefix("@")
        return f"documents/columns/{name}.html"
