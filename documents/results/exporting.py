"""A file of results, made in parts: the same whether it is sent while it is made, or written by a worker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.utils import timezone

from accounts.models import Organization
from documents.models import Document
from documents.results.layout import MAX_COLUMNS, ResultColumn, ResultLayout
from documents.results.loading import ResultDocument, ResultLoader, explain_missing
from documents.results.omissions import IN_PART, LEFT_OUT, Omission
from documents.results.tables import Tabulator
from documents.results.writing.base import ResultWriter, Summary
from documents.results.writing.csv_tables import CsvArchive, CsvTable
from documents.results.writing.json_objects import JsonFile, JsonLinesFile
from documents.results.writing.workbook import WorkbookFile

MEDIA_TYPES: Mapping[str, str] = {
    "csv": "text/csv; charset=utf-8",
    "zip": "application/zip",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
}
_WRITERS: Mapping[str, type[ResultWriter]] = {
    "csv": CsvTable,
    "zip": CsvArchive,
    "xlsx": WorkbookFile,
    "json": JsonFile,
    "jsonl": JsonLinesFile,
}

MAX_NAMED = 20
BEYOND = f"Columns beyond the first {MAX_COLUMNS} are not here: {{count}} ({{names}}). Choose those that you need."


def find_suffix(layout: ResultLayout) -> str:
    """A CSV has one table: with a sheet for each list it is a ZIP of several."""
    return "zip" if layout.format == "csv" and layout.has_sheets else layout.format


def name_file(layout: ResultLayout) -> str:
    return f"results-{timezone.localdate():%Y-%m-%d}.{find_suffix(layout)}"


@dataclass
class ResultExport:
    """`seen` documents so far, with those that were left out; `summary` is complete at the end of the blocks.

    `note_work` is called while a long part is under way, so that a lease can be renewed; `note_left_out` with the name
    of each document that is left out.
    """

    organization: Organization
    layout: ResultLayout
    columns: Sequence[ResultColumn]
    note_work: Callable[[], None] = lambda: None
    note_left_out: Callable[[str], object] = lambda name: None
    seen: int = 0
    left_out: dict[str, list[str]] = field(default_factory=dict)
    summary: Summary = field(default_factory=Summary)

    def __post_init__(self) -> None:
        """JSON has all values where no columns are chosen."""
        beyond = self.columns[MAX_COLUMNS:]
        if beyond and (self.layout.columns or not self.layout.has_objects):
            self.columns = self.columns[:MAX_COLUMNS]
            names = ", ".join(column.title for column in beyond[:MAX_NAMED]) + ", …" * (len(beyond) > MAX_NAMED)
            self.summary.omissions.add(Omission(IN_PART, "", "", BEYOND.format(count=len(beyond), names=names)))

    @cached_property
    def loader(self) -> ResultLoader:
        names = {column.name for column in self.columns}
        return ResultLoader(
            self.layout,
            with_proofs=self.layout.proof or self.layout.has_objects,
            with_tags="@tag" in names,
            with_verifiers="@verified_by" in names,
        )

    @property
    def has_fields(self) -> bool:
        return not self.layout.columns or any(
            column.is_field and not column.name.startswith("metadata.") for column in self.columns
        )

    def iterate_blocks(self, documents: Iterable[Sequence[Document]]) -> Iterator[bytes]:
        """An empty block after each part of which there is nothing to send yet."""
        tabulator = Tabulator(self.organization, self.layout, self.columns)
        writer = _WRITERS[find_suffix(self.layout)](tabulator, self.note_work)
        try:
            yield writer.begin()
            for part in documents:
                for document in self.loader.load(part):
                    self._add(writer, document)
                yield writer.take()
            yield from writer.finish(self.summary)
        finally:
            writer.close()
            self.summary.omissions.close()

    def describe_all(self, documents: Sequence[Document]) -> Iterator[ResultDocument]:
        """Give documents with values; the others are noted."""
        for document in self.loader.load(documents):
            if self._note(document):
                self._note_parts(document)
                yield document

    def _add(self, writer: ResultWriter, document: ResultDocument) -> None:
        if self._note(document):
            self.summary.rows += writer.add(document)
            self._note_parts(document)

    def _note(self, document: ResultDocument) -> bool:
        """Whether it has something to write."""
        self.seen += 1
        row = document.document
        has_row = bool(document.runs) or (self.layout.values == "all" and not self.has_fields)
        if reason := explain_missing(row, self.layout, has_row=has_row):
            self.left_out.setdefault(reason, []).append(row.pk)
            self.note_left_out(row.name)
            self.summary.omissions.add(Omission(LEFT_OUT, row.pk, row.name, reason))
            return False
        self.summary.documents += 1
        self.summary.proposed += bool(document.proposals)
        return True

    def _note_parts(self, document: ResultDocument) -> None:
        """Note what a row cannot say; in JSON all runs are there."""
        row = document.document
        unseen = next((run for run in document.runs if run.pages_missing), None)
        notes = [] if self.layout.has_objects else [*document.others]
        if unseen is not None:
            missing = ", ".join(map(str, unseen.pages_missing[:20]))
            notes.append(f"Pages that the model did not see: {missing}{', …' * (len(unseen.pages_missing) > 20)}.")
        for note in notes:
            self.summary.omissions.add(Omission(IN_PART, row.pk, row.name, note))
