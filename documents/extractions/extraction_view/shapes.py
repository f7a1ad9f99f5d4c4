"""Show an extraction to templates. `state` is one of documents.values.State, or prose or edited; prose is the
free text of a run without a schema, which is not looked up on the pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from documents.extractions.windowing import format_spans
from documents.values import Box, Where
from documents.values.provenance import UNANSWERED, NearbyWords
from kit.json_types import Json

# Of cells that one value goes over, named in a line.
MAX_ADDRESSES = 3
UNCERTAIN = ("similar", "inferred", "not_located", *UNANSWERED)


@dataclass(frozen=True)
class FieldView:
    """One value. `boxes` are page fractions (left, top, right, bottom); `version` goes back with an edit."""

    where: Where
    wire_path: str
    name: str
    title: str
    group: str
    description: str
    shown: str
    raw: Json
    type: str
    format: str
    choices: tuple[str, ...]
    state: str
    note: str
    quote: str
    page: int | None
    boxes: tuple[Box, ...]
    addresses: tuple[str, ...]
    edited_by: str
    edited_at: datetime | None
    edit_origin: str
    edit_allowed_by: str
    verified_by: str
    verified_at: datetime | None
    version: int
    history_count: int
    candidates: tuple[NearbyWords, ...] = ()
    places: tuple[NearbyWords, ...] = ()
    look_first: bool = False
    failed_checks: tuple[str, ...] = ()
    uncomputed_checks: tuple[str, ...] = ()

    @property
    def is_verified(self) -> bool:
        return self.verified_at is not None

    @property
    def is_uncertain(self) -> bool:
        return (self.state in UNCERTAIN or bool(self.failed_checks)) and not self.is_verified

    @property
    def state_words(self) -> str:
        return f"{self.state.replace('_', ' ')}{', check fails' if self.failed_checks else ''}"

    @property
    def is_located(self) -> bool:
        return bool(self.boxes)

    @property
    def address(self) -> str:
        """Where it stands in a file that names its places, as far as there is room to say it."""
        named = ", ".join(self.addresses[:MAX_ADDRESSES])
        return f"{named} …" if len(self.addresses) > MAX_ADDRESSES else named


@dataclass(frozen=True)
class ColumnView:
    path: str
    title: str
    type: str
    description: str


@dataclass(frozen=True)
class RowView:
    row_id: str
    where: Where
    position: int
    cells: tuple[FieldView, ...]

    @property
    def failed_checks(self) -> tuple[str, ...]:
        return tuple(message for cell in self.cells for message in cell.failed_checks)


@dataclass(frozen=True)
class TableView:
    """An array: of groups of fields (a column each), or of single values (one column)."""

    where: Where
    wire_path: str
    name: str
    title: str
    group: str
    description: str
    columns: tuple[ColumnView, ...]
    rows: tuple[RowView, ...]
    failed_checks: tuple[str, ...] = ()
    uncomputed_checks: tuple[str, ...] = ()
    state: str = ""
    note: str = ""
    candidates: tuple[NearbyWords, ...] = ()
    """They say why one without rows has none."""

    @property
    def is_unanswered(self) -> bool:
        return not self.rows and self.state in UNANSWERED

    @property
    def is_table(self) -> bool:
        return True


Item: TypeAlias = FieldView | TableView


@dataclass(frozen=True)
class Counts:
    """Counts the values that are not empty; uncertain are also fields that nobody knows to be."""

    all: int
    uncertain: int
    verified: int


@dataclass(frozen=True)
class ConflictView:
    """A value of an earlier edit, or of the model, that was not applied, and why."""

    title: str
    reason: str
    shown: str


@dataclass(frozen=True)
class ExtractionView:
    """`items` are fields and tables in the schema's order; `pages_missing` were not seen by the model.

    `failed_checks` and `uncomputed_checks` are those that no field owns, here as everywhere in words.
    `is_proposed`: the prompt that found them is only proposed yet. `last_edit` is the number of the newest edit.
    `unchecked_schema` is the id of its schema, where that has no checks although its fields suggest some.
    `overtaken` names who verified it before other checks judged it, of which one fails.
    """

    id: str
    number: int
    version: int
    status: str
    reason: str
    title: str
    model: str
    cost_micros: int
    finished_at: datetime | None
    items: tuple[Item, ...]
    counts: Counts
    conflicts: tuple[ConflictView, ...]
    page_count: int
    pages_missing: tuple[int, ...]
    verified_by: str
    verified_at: datetime | None
    overtaken: str = ""
    unchecked_schema: str = ""
    failed_check_count: int = 0
    pages_lacking_rows: tuple[int, ...] = ()
    failed_checks: tuple[str, ...] = ()
    uncomputed_checks: tuple[str, ...] = ()
    wire: Json = field(default_factory=dict)
    is_proposed: bool = False
    is_prose: bool = False
    last_edit: int = 0

    @property
    def missing_spans(self) -> str:
        """`2, 4 to 6`."""
        return format_spans(self.pages_missing)

    @property
    def lacking_spans(self) -> str:
        return format_spans(self.pages_lacking_rows)

    @property
    def fields(self) -> list[FieldView]:
        return [item for item in self.items if isinstance(item, FieldView)]

    @property
    def tables(self) -> list[TableView]:
        return [item for item in self.items if isinstance(item, TableView)]

    @property
    def loose_failures(self) -> list[str]:
        """What failed checks say that no single value owns: they are looked at by themselves."""
        return [*self.failed_checks, *(message for table in self.tables for message in table.failed_checks)]

    @property
    def has_more_failures(self) -> bool:
        """Whether failed checks wait for a look that no count tells: of no single value, or of an empty one."""
        return bool(self.loose_failures) or any(leaf.failed_checks and not leaf.is_verified for leaf in self.leaves)

    def list_failed_checks(self) -> list[str]:
        """What all failed checks say, in the order in which the values stand."""
        return [*self.loose_failures, *(message for leaf in self.leaves for message in leaf.failed_checks)]

    @property
    def leaves(self) -> list[FieldView]:
        """Every value, table cells too, in reading order."""
        return list_leaves(self.items)


def list_leaves(items: Iterable[Item]) -> list[FieldView]:
    leaves: list[FieldView] = []
    for item in items:
        leaves += [item] if isinstance(item, FieldView) else [cell for row in item.rows for cell in row.cells]
    return leaves
