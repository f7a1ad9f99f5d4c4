"""The values to locate, each with its label and the row that it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from documents.locate.labels import Label, make_label
from documents.values.addresses import RowStep, Where, iterate_leaves, split_steps
from documents.values.references import resolve_plain
from documents.values.stored import Schema, Stored
from kit.json_types import Json


class LineSpan(NamedTuple):
    """From one line to another, each as (page, line)."""

    first: tuple[int, int]
    last: tuple[int, int]


LineHints: TypeAlias = Mapping[str, tuple[LineSpan, ...]]
"""By the first name of an address."""


@dataclass(frozen=True)
class Leaf:
    """`array` and `row_id` name the innermost row around the value; `field` is its path inside that row.

    `hint`: the lines that a model says it stands on, which may be wrong.
    """

    where: Where
    value: Json
    label: Label
    array: Where = ""
    row_id: str = ""
    field: str = ""
    hint: tuple[LineSpan, ...] = ()

    def is_hinted(self, page: int, line: int, *, within: int = 0) -> bool:
        """On a line that the hint names, or so many lines above or below."""
        return any(span.first <= (page, line + within) and (page, line - within) <= span.last for span in self.hint)


def list_leaves(stored: Stored, schema: Schema, hints: LineHints) -> list[Leaf]:
    labels: dict[tuple[str, ...], Label] = {}
    leaves = []
    for where, value in iterate_leaves(stored):
        steps = split_steps(where)
        names = tuple(step for step in steps if not isinstance(step, RowStep))
        if names not in labels:
            labels[names] = _make_label(names, schema)
        innermost = max((at for at, step in enumerate(steps) if isinstance(step, RowStep)), default=-1)
        row = steps[innermost]
        row_id = row.row_id if innermost >= 0 and isinstance(row, RowStep) else ""
        array = ".".join(step for step in steps[:innermost] if not isinstance(step, RowStep)) if row_id else ""
        field = ".".join(str(step) for step in steps[innermost + 1 :]) if row_id else ""
        leaves.append(Leaf(where, value, labels[names], array, row_id, field, hints.get(names[0], ()) if names else ()))
    return leaves


def _make_label(names: tuple[str, ...], schema: Schema) -> Label:
    here: Schema = resolve_plain(schema, schema)
    for name in names:
        while isinstance(here.get("items"), dict):
            here = resolve_plain(here["items"], schema)
        here = resolve_plain((here.get("properties") or {}).get(name) or {}, schema)
    return make_label(names, str(here.get("title") or ""), str(here.get("description") or ""))
