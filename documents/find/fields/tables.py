"""What a query of values answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TypeAlias

FieldCell: TypeAlias = Sequence[str | int | float | Decimal | date]
"""Nothing, one value, or several where a document has several."""

MAX_SOURCES = 12
"""Of a computed cell: of more no line is named."""


@dataclass(frozen=True)
class FieldRow:
    """Of one document (and `row`: of one row of its table), or of a group, which has no document.

    `blocks`: of the cells whose first value stands on a page, the id of its line there; of a computed one those of all
    values that it comes of.
    """

    cells: Mapping[str, FieldCell]
    document_id: str = ""
    document_name: str = ""
    row: str = ""
    blocks: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class FieldTable:
    """`searched` says the filters in words; `notes` what a reader of the figures has to know.

    `total_documents`: how many fulfil the filters. `has_more`: further rows follow.
    """

    columns: Sequence[str]
    rows: Sequence[FieldRow]
    total_documents: int
    searched: str
    has_more: bool = False
    notes: Sequence[str] = field(default_factory=list)


@dataclass(frozen=True)
class FieldSum:
    """Cells as `FieldRow` has them: a figure, or where there are several currencies one for each. `is_bare`: it is
    money by its name, and no value has a currency."""

    field: str
    total: FieldCell
    mean: FieldCell
    number: FieldCell
    notes: Sequence[str]
    is_bare: bool
