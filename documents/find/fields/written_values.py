"""Values as they were extracted: the table by which documents are found has them folded and cut."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from documents.find.fields.records import Record, Value
from documents.index.values.indexing import METADATA, read_lines, read_written
from documents.models import Document, Extraction

Written = str | int | float


class WrittenValues:
    """Of the documents of some values, by one statement. `records`: those of values of metadata."""

    def __init__(self, values: Collection[Value], records: Iterable[Record] = ()) -> None:
        self._documents = {record.document.pk: record.document for record in records}
        paths = {value.path for value in values}
        self._by_place: dict[tuple[str, str | None, str, str], Written] = {}
        self._blocks: dict[tuple[str, str | None, str, str], str] = {}
        for run in _list_runs({value.document_id for value in values if value.prompt_id}):
            prompt_id = run.prompt_revision.prompt_id if run.prompt_revision else None
            for (path, row), written in read_written(run.current, paths).items():
                self._by_place[run.document_id, prompt_id, path, row] = written
            for (path, row), line in read_lines(run.provenance, paths).items():
                self._blocks[run.document_id, prompt_id, path, row] = f"{run.reading_id}.{line}"

    def get(self, value: Value) -> Written:
        if value.prompt_id is None:
            return _get_metadata(self._documents[value.document_id], value)
        return self._by_place.get((value.document_id, value.prompt_id, value.path, value.row), value.text)

    def find_block(self, value: Value) -> str:
        """The id of the line in which it stands; empty where it was located nowhere."""
        return self._blocks.get((value.document_id, value.prompt_id, value.path, value.row), "")


def _list_runs(document_ids: Iterable[str]) -> Iterable[Extraction]:
    newest = Extraction.objects.filter_newest_of_prompts().filter(prompt_revision__isnull=False)
    rows = newest.filter(document__in=list(document_ids)).select_related("prompt_revision")
    return rows.only("document", "current", "provenance", "reading", "prompt_revision__prompt")


def _get_metadata(document: Document, value: Value) -> Written:
    written = document.metadata.get(value.path.removeprefix(f"{METADATA}."), value.text)
    return written if isinstance(written, str | int | float) else value.text
