"""Cells of the columns of a list's rows, loaded by as many statements whatever number of rows there is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from documents.extractions.extraction_view.field_marks import FieldMarks, fetch_marks
from documents.find.columns import VERIFIED_BY
from documents.find.fields.columns import NAME
from documents.find.fields.records import Value
from documents.index.values.indexing import METADATA, read_places
from documents.models import CurrentValue, Document, Extraction, Verification
from documents.values import Stored, Where
from documents.views.columns.cell import SHOWN_STATES, Cell, ValueCell
from documents.views.columns.table import ON_PHONE, ListedColumn
from documents.views.columns.value_words import write_value
from documents.views.find.search_rows import HitLine
from documents.views.rows import DocumentRow
from documents.views.value_counts import list_failing_places


@dataclass(frozen=True)
class ListedRow(DocumentRow):
    """`cells` are those behind the name, which has more in it than a cell and is the row's own.

    `hit` is the place of the words that the list is narrowed by.
    """

    cells: Sequence[Cell] = ()
    hit: HitLine | None = None


_NONE = ValueCell()
_Cells = Mapping[tuple[str, str], ValueCell]


def add_cells(rows: Sequence[DocumentRow], columns: Sequence[ListedColumn]) -> list[ListedRow]:
    documents = [row.document for row in rows]
    values = load_values(documents, [column for column in columns if column.field])
    verifiers = _load_verifiers(documents) if any(each.name == VERIFIED_BY for each in columns) else {}
    return [ListedRow(**vars(row), cells=_make_cells(row, columns, values, verifiers)) for row in rows]


def _make_cells(
    row: DocumentRow, columns: Sequence[ListedColumn], values: _Cells, verifiers: Mapping[str, str]
) -> list[Cell]:
    on_phone = {column.name for column in [each for each in columns if each.field][:ON_PHONE]}
    words = verifiers.get(row.document.pk, "") if row.state.tone == "done" else ""
    return [
        Cell(column, values.get((row.document.pk, column.name), _NONE), is_on_phone=column.name in on_phone)
        if column.field
        else Cell(column, words=words)
        for column in columns
        if column.name != NAME
    ]


def load_values(documents: Sequence[Document], columns: Sequence[ListedColumn]) -> _Cells:
    """By document and field, as the newest run of a prompt and its edits say it, or as metadata has it."""
    if not documents or not columns:
        return {}
    indexed = _load_indexed(documents, columns)
    firsts = {place: _choose_first(values, place[1], columns) for place, values in indexed.items()}
    runs = _Runs(list(firsts.values()))
    metadata = {document.pk: document.metadata for document in documents}
    kinds = {column.name: column for column in columns}
    return {
        (key, path): runs.make_cell(first, kinds[path], metadata[key], len(indexed[key, path]) - 1)
        for (key, path), first in firsts.items()
    }


def _load_indexed(documents: Sequence[Document], columns: Sequence[ListedColumn]) -> dict[tuple[str, str], list[Value]]:
    indexed: defaultdict[tuple[str, str], list[Value]] = defaultdict(list)
    rows = CurrentValue.objects.filter(
        document__in=[document.pk for document in documents], path__in=[column.name for column in columns]
    )
    for row in rows.filter(text__gt="").order_by("pk").values_list("pk", *Value._fields[1:]):
        value = Value(*row)
        indexed[value.document_id, value.path].append(value)
    return indexed


def _choose_first(values: Sequence[Value], path: str, columns: Sequence[ListedColumn]) -> Value:
    """The one by which the list is sorted."""
    kind = next(column.field.column for column in columns if column.name == path and column.field)
    return next((value for value in values if getattr(value, kind) is not None), values[0])


class _Runs:
    """The runs in which some values stand, and what people did with them."""

    def __init__(self, values: Sequence[Value]) -> None:
        self._paths = {value.path for value in values}
        prompts = {value.prompt_id for value in values if value.prompt_id}
        runs = list(_list_runs({value.document_id for value in values if value.prompt_id}, prompts))
        self._by_owner = {(run.document_id, run.prompt_revision.prompt_id): run for run in runs if run.prompt_revision}
        self._marks = fetch_marks(runs) if runs else {}
        self._places = {run.pk: read_places(run.current, self._paths) for run in runs}
        self._failing = {run.pk: list_failing_places(run) for run in runs}

    def make_cell(self, value: Value, column: ListedColumn, metadata: Mapping[str, str], more: int) -> ValueCell:
        if value.prompt_id is None:
            written = metadata.get(value.path.removeprefix(f"{METADATA}."), value.text)
            return ValueCell(write_value(written, value, column), more)
        run = self._by_owner.get((value.document_id, value.prompt_id))
        place = self._places[run.pk].get((value.path, value.row)) if run else None
        if run is None or place is None:
            # It was changed between two statements; the next look shows it.
            return ValueCell(write_value(value.text, value, column), more)
        where, written = place
        cell = ValueCell(write_value(written, value, column), more, fails=where in self._failing[run.pk])
        return _judge(self._marks[run.pk], where, written, cell)


def _judge(marks: FieldMarks, where: Where, written: Stored, cell: ValueCell) -> ValueCell:
    state = marks.find_state(where, written, marks.edits.find_touching(where))
    is_whole = "" in marks.verified and not marks.extraction.overtakes(marks.verified[""])
    if is_whole or where in marks.verified:
        return cell._replace(state="edited" if state == "edited" else "", fails=False)
    return cell._replace(state=state if state in SHOWN_STATES else "")


def _list_runs(document_ids: Iterable[str], prompt_ids: Iterable[str]) -> Iterable[Extraction]:
    newest = Extraction.objects.filter_newest_of_prompts().filter(document__in=list(document_ids))
    rows = newest.filter(prompt_revision__prompt__in=list(prompt_ids)).select_related("prompt_revision")
    return rows.defer("raw", "conflicts", "coverage", "printed_sums", "prompt_revision__content")


def _load_verifiers(documents: Sequence[Document]) -> dict[str, str]:
    """By document who verified its newest run as a whole."""
    marks = Verification.objects.filter(extraction__document__in=documents, where="", cleared_at=None)
    names = marks.order_by("extraction__number").values_list("extraction__document", "user__name", "user__email")
    return {document_id: name or email or "" for document_id, name, email in names}
