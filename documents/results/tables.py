"""Documents as lines of tables: one table with the head repeated, or one of documents and one of each list."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TypeAlias

from accounts.models import Organization
from documents.find.field_kinds import describe_fields
from documents.models import Document
from documents.results.layout import BESIDE, ResultColumn, ResultLayout
from documents.results.loading import ResultDocument
from documents.results.proof_cells import KINDS, NO_PROOF, PARTS, Links, prove_value
from documents.results.rows import ListRow, PlacedValue, RowTree
from documents.values import Stored
from documents.values.stored import strip_row_ids
from kit.json_types import Json

Cell: TypeAlias = str | int | float | bool | datetime | None
ROW = "Row"
_METADATA = "metadata."


@dataclass(frozen=True)
class ResultTable:
    """`numbers` are those of its columns among all that were chosen. `of_list` is empty for the first table."""

    title: str
    of_list: str
    numbers: Sequence[int]
    tree: RowTree
    has_row: bool


@dataclass(frozen=True)
class Tabulator:
    """Lines of the `tables`; all lines of one have the same cells."""

    organization: Organization
    layout: ResultLayout
    columns: Sequence[ResultColumn]

    @cached_property
    def links(self) -> Links:
        return Links(self.organization)

    @cached_property
    def lists(self) -> list[str]:
        return list(dict.fromkeys(column.table for column in self.columns if column.table))

    @cached_property
    def tables(self) -> list[ResultTable]:
        """The first is that of documents."""
        if not self.layout.has_sheets:
            return [self._make_table("", range(len(self.columns)), has_row=bool(self.lists))]
        parts = [
            [number for number, column in enumerate(self.columns) if column.table == name] for name in ("", *self.lists)
        ]
        first, *others = parts
        listed = zip(self.lists, others, strict=True)
        return [self._make_table("", first), *(self._make_table(name, part, has_row=True) for name, part in listed)]

    def _make_table(self, name: str, numbers: Sequence[int], *, has_row: bool = False) -> ResultTable:
        chosen = set(numbers)
        tree = RowTree.plant(
            [each if at in chosen else ResultColumn("@id", "") for at, each in enumerate(self.columns)]
        )
        return ResultTable(name or "Documents", name, numbers, tree, has_row)

    def list_heads(self, table: ResultTable) -> list[str]:
        heads = ["@id", "@name"] if table.of_list else []
        titled = [_name_head(name, self.layout) for name in heads]
        row = [ROW if self.layout.headers == "title" else ROW.lower()] if table.has_row else []
        return [*titled, *row, *(head for number in table.numbers for head in self._name_column(self.columns[number]))]

    def _name_column(self, column: ResultColumn) -> list[str]:
        name = _name_head(column.name, self.layout, column.title)
        sign = ": " if self.layout.headers == "title" else "@"
        own = [f"{name}{sign}{part}" for part in PARTS]
        if self.layout.headers == "path":
            own = [each.replace(" ", "_") for each in own]
        return [name, *own] if self._is_proven(column) else [name]

    def list_kinds(self, table: ResultTable) -> list[str]:
        kinds = ["text"] * (2 * bool(table.of_list)) + ["number"] * table.has_row
        for number in table.numbers:
            column = self.columns[number]
            kinds.append(self._kinds.get(column.name, column.kind))
            kinds += [KINDS.get(part, "text") for part in PARTS] if self._is_proven(column) else []
        return kinds

    @cached_property
    def _kinds(self) -> dict[str, str]:
        """Texts that mostly are amounts or days count as such, as in the list of documents."""
        texts = [column.name for column in self.columns if column.is_field and column.kind == "text"]
        return {path: kind.column for path, kind in describe_fields(self.organization, texts).items()}

    def _is_proven(self, column: ResultColumn) -> bool:
        return self.layout.proof and column.is_field and not column.name.startswith(_METADATA)

    def iterate_lines(self, table: ResultTable, document: ResultDocument) -> Iterator[list[Cell]]:
        rows = table.tree.read_rows(document.roots)
        beside = {number: self._read_beside(document, self.columns[number].name) for number in table.numbers}
        for row in rows:
            if not table.of_list or row.cells:
                yield self._make_line(table, document, row, beside)

    def _make_line(
        self, table: ResultTable, document: ResultDocument, row: ListRow, beside: dict[int, Cell]
    ) -> list[Cell]:
        line: list[Cell] = [document.document.pk, document.document.name] if table.of_list else []
        if table.has_row:
            line.append(int(row.number) if row.number.isdecimal() else row.number)
        for number in table.numbers:
            column, placed = self.columns[number], row.cells.get(number)
            line.append(format_cell(placed.value) if placed else beside[number])
            if self._is_proven(column):
                line += self._prove(document, column, placed)
        return line

    def _prove(self, document: ResultDocument, column: ResultColumn, placed: PlacedValue | None) -> Sequence[Cell]:
        """The place of a field that the result does not name may say why."""
        if not document.proofs or (placed is None and column.table):
            return NO_PROOF
        placed = placed or PlacedValue(0, column.name, None)
        return prove_value(document.proofs[placed.run], placed, self.links)

    def _read_beside(self, document: ResultDocument, name: str) -> Cell:
        if name.startswith(_METADATA):
            return str(document.document.metadata.get(name.removeprefix(_METADATA), ""))
        return read_beside(document, name, self.links) if name.startswith("@") else None


def _name_head(name: str, layout: ResultLayout, title: str = "") -> str:
    """By paths a column beside the values is such as document_id, which is no formula and mostly no field."""
    if layout.headers == "path":
        return name.replace("@", "document_", 1) if name.startswith("@") else name
    return title or BESIDE.get(name, name)


def read_beside(document: ResultDocument, name: str, links: Links) -> Cell:
    row, runs = document.document, document.runs
    prompts = [run.prompt_revision for run in runs if run.prompt_revision]
    match name:
        case "@state":
            return describe_state(document)
        case "@tag":
            return "; ".join(tag.name for tag in row.tags.all())
        case "@prompt":
            return "; ".join(f"{each.prompt.name}, version {each.number}" for each in prompts)
        case "@model":
            return "; ".join(dict.fromkeys(run.model for run in runs))
        case "@checks":
            return sum(run.failed_check_count for run in runs)
        case "@verified_by":
            return "; ".join(dict.fromkeys(document.verified_by))
        case "@verified":
            return row.review == Document.Review.VERIFIED
        case "@link":
            return links.link_document(row.pk)
        case "@uploaded":
            return row.created_at
    texts = {
        "@id": row.pk,
        "@name": row.name,
        "@type": row.document_type.name if row.document_type else "",
        "@kind": row.extension,
        "@uploaded_by": row.uploaded_by_name,
    }
    return texts.get(name)


def describe_state(document: ResultDocument) -> str:
    """Whether its values are verified, or those of a proposal; without values how far the document is."""
    row, proposals = document.document, document.proposals
    states = [revision.get_status_display() for revision in proposals]
    if not document.runs:
        states.append(row.get_state_display())
    elif len(proposals) < len(document.runs):
        states.append("Verified" if row.review == Document.Review.VERIFIED else "To verify")
    return "; ".join(dict.fromkeys(states))


def format_cell(value: Stored) -> Cell:
    """Entries of a list of single values are parted by semicolons; what is nested where no list was chosen is JSON."""
    if isinstance(value, list):
        entries = [row["value"] for row in value]
        if not any(isinstance(entry, dict | list) for entry in entries):
            return "; ".join(_format_entry(entry) for entry in entries)
    return json.dumps(strip_row_ids(value), ensure_ascii=False) if isinstance(value, dict | list) else value


def _format_entry(entry: Json) -> str:
    return entry if isinstance(entry, str) else "" if entry is None else json.dumps(entry, ensure_ascii=False)
