"""An extraction as typed values for templates: schema, current value, provenance, edits and verifications together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from documents import values
from documents.checks.judging import iterate_failures
from documents.checks.proposing import is_lacking_checks
from documents.definitions.prompts import DEFAULT_NAME
from documents.extractions.edits.changing import get_schema
from documents.extractions.extraction_view.check_messages import CheckMessages
from documents.extractions.extraction_view.field_marks import fetch_marks
from documents.extractions.extraction_view.shapes import (
    ColumnView,
    ConflictView,
    Counts,
    ExtractionView,
    FieldView,
    Item,
    RowView,
    TableView,
    list_leaves,
)
from documents.extractions.extraction_view.value_text import format_value
from documents.models import Extraction, FieldEdit, Verification
from documents.values import Schema, Stored, StoredRow, Where
from documents.values.fields import get_kind, get_properties
from documents.values.provenance import UNANSWERED
from documents.values.references import resolve_plain
from documents.values.titles import make_title
from kit.json_types import Json

Path = tuple[str, ...]


def build_view(extraction: Extraction) -> ExtractionView:
    """Three queries besides the row itself; `schema_revision` and `prompt_revision__prompt` are read."""
    view = _ViewBuilder(extraction)
    items = tuple(view.items(extraction.current or {}, view.schema, "", (), ()))
    mark = view.verified.get("")
    is_overtaken = mark is not None and extraction.overtakes(mark)
    document = None if is_overtaken else mark
    revision = extraction.prompt_revision
    return ExtractionView(
        id=extraction.pk,
        number=extraction.number,
        version=extraction.version,
        status=extraction.status,
        reason=extraction.reason,
        title=revision.prompt.name if revision else DEFAULT_NAME,
        model=extraction.model,
        cost_micros=extraction.cost_micros,
        finished_at=extraction.finished_at,
        items=items,
        counts=_count_values(items),
        conflicts=tuple(view.conflicts()),
        page_count=extraction.page_count,
        pages_missing=tuple(extraction.pages_missing),
        failed_check_count=extraction.failed_check_count,
        pages_lacking_rows=_list_pages_lacking_rows(extraction),
        failed_checks=view.checks.list_failed(""),
        uncomputed_checks=view.checks.list_uncomputed(""),
        verified_by=_get_user_name(document),
        verified_at=document.created_at if document else None,
        unchecked_schema=_find_unchecked_schema(extraction),
        overtaken=_get_user_name(mark) if is_overtaken else "",
        wire=values.strip_row_ids(extraction.current),
        is_proposed=revision is not None and revision.status == revision.Status.PROPOSED,
        is_prose=extraction.is_prose,
        last_edit=view.edits.last_number,
    )


def build_field_view(extraction: Extraction, where: Where) -> FieldView | None:
    """The same for one value, for a partial after an edit; None when it is not there."""
    return next((leaf for leaf in build_view(extraction).leaves if leaf.where == where), None)


def _find_unchecked_schema(extraction: Extraction) -> str:
    revision = extraction.schema_revision
    lacks = revision is not None and is_lacking_checks(revision.json_schema, revision.value_checks)
    return str(revision.schema_id) if revision and lacks else ""


def _count_values(items: Sequence[Item]) -> Counts:
    leaves = list_leaves(items)
    filled = [leaf for leaf in leaves if leaf.raw not in (None, "", [])]
    unanswered = [leaf for leaf in leaves if leaf.state in UNANSWERED]
    uncertain = sum(leaf.is_uncertain for leaf in [*filled, *unanswered])
    uncertain += sum(item.is_unanswered for item in items if isinstance(item, TableView))
    return Counts(len(filled), uncertain, sum(leaf.is_verified for leaf in filled))


class _ViewBuilder:
    def __init__(self, extraction: Extraction) -> None:
        self.extraction = extraction
        self.schema = get_schema(extraction)
        self.marks = fetch_marks([extraction])[extraction.pk]
        self.edits, self.verified = self.marks.edits, self.marks.verified
        self.checks = CheckMessages(extraction.check_results)

    def items(self, stored: Stored, schema: Schema, where: Where, path: Path, groups: Path) -> Iterator[Item]:
        """Fields and tables of an object; inner objects are flattened under their title as `group`."""
        properties = get_properties(schema, self.schema)
        members = stored if isinstance(stored, dict) else {}
        for name in [*properties, *(name for name in members if name not in properties)]:
            inner = resolve_plain(properties.get(name) or {}, self.schema)
            here, value = f"{where}.{name}".removeprefix("."), members.get(name)
            kind = get_kind(inner) if inner else _guess_kind(value)
            if kind == "object":
                title = make_title(name, inner)
                yield from self.items(value, inner, here, (*path, name), (*groups, title))
            elif kind == "array":
                yield self._table(value, inner, here, (*path, name), groups)
            else:
                yield self._field(value, inner, here, (*path, name), " · ".join(groups))

    def _field(self, value: Stored, schema: Schema, where: Where, path: Path, group: str, title: str = "") -> FieldView:
        touching = self.edits.find_touching(where)
        edit = touching[-1] if touching else None
        place = self.marks.find_place(where)
        mark = self.verified.get(where)
        kind = get_kind(schema) if schema else _guess_kind(value)
        state = self.marks.find_state(where, value, touching)
        return FieldView(
            where=where,
            wire_path=".".join(path),
            name=path[-1],
            title=title or make_title(path[-1], schema),
            group=group,
            description=str(schema.get("description") or ""),
            shown=format_value(values.strip_row_ids(value), kind),
            raw=values.strip_row_ids(value),
            type=kind,
            format=str(schema.get("format") or ""),
            choices=_list_choices(schema),
            state=state,
            note=place.get("note", ""),
            quote=place.get("words", ""),
            page=place.get("page"),
            boxes=tuple((box[0], box[1], box[2], box[3]) for box in place.get("boxes", ())),
            addresses=tuple(place.get("addresses", ())),
            edited_by=_get_user_name(edit),
            edited_at=edit.created_at if edit else None,
            edit_origin=edit.origin if edit else "",
            edit_allowed_by=edit.allowed_by if edit else "",
            verified_by=_get_user_name(mark),
            verified_at=mark.created_at if mark else None,
            version=edit.number if edit else 0,
            history_count=len(touching),
            candidates=tuple(place.get("candidates", ())),
            places=tuple(place.get("places", ())),
            look_first=place.get("look_first", False) and mark is None,
            failed_checks=self.checks.list_failed(where),
            uncomputed_checks=self.checks.list_uncomputed(where),
        )

    def _table(self, stored: Stored, schema: Schema, where: Where, path: Path, groups: Path) -> TableView:
        rows = stored if isinstance(stored, list) else []
        item = resolve_plain(schema.get("items") or {}, self.schema)
        place = self.marks.find_place(where)
        columns = list(self._columns(item, ())) or _guess_columns(rows)
        shown = [
            self._row(row, columns, f"{where}[{row['row_id']}]", (*path, str(position)), position)
            for position, row in enumerate(rows)
        ]
        return TableView(
            where=where,
            wire_path=".".join(path),
            name=path[-1],
            title=make_title(path[-1], schema),
            group=" · ".join(groups),
            description=str(schema.get("description") or ""),
            columns=tuple(column for column, _ in columns),
            rows=tuple(shown),
            failed_checks=self.checks.list_failed(where),
            uncomputed_checks=self.checks.list_uncomputed(where),
            state=self.marks.find_state(where, stored, self.edits.find_touching(where)),
            note=place.get("note", ""),
            candidates=tuple(place.get("candidates", ())),
        )

    def _columns(self, item: Schema, outer: Path) -> Iterator[tuple[ColumnView, Schema]]:
        for name, inner in get_properties(item, self.schema).items():
            inner = resolve_plain(inner, self.schema)
            if get_kind(inner) == "object":
                yield from self._columns(inner, (*outer, name))
                continue
            title = make_title(name, inner)
            path = ".".join((*outer, name))
            yield ColumnView(path, title, get_kind(inner), str(inner.get("description") or "")), inner
        if not outer and item and get_kind(item) != "object":
            yield ColumnView("", make_title("value", item), get_kind(item), str(item.get("description") or "")), item

    def _row(
        self, row: StoredRow, columns: list[tuple[ColumnView, Schema]], where: Where, path: Path, position: int
    ) -> RowView:
        cells = []
        for column, schema in columns:
            names = tuple(column.path.split(".")) if column.path else ()
            here = ".".join([where, *names])
            inner = _get_inner(row["value"], names)
            cells.append(self._field(inner, schema, here, (*path, *names), "", column.title))
        return RowView(row["row_id"], where, position, tuple(cells))

    def conflicts(self) -> Iterator[ConflictView]:
        for conflict in self.extraction.conflicts:
            name = str(conflict.get("where", "")).rpartition(".")[2]
            yield ConflictView(
                make_title(name.partition("[")[0], {}),
                str(conflict.get("reason", "")),
                format_value(conflict.get("value"), ""),
            )


def _list_pages_lacking_rows(extraction: Extraction) -> tuple[int, ...]:
    """Without those that were not seen at all."""
    failures = iterate_failures(extraction.check_results)
    pages = {page for result in failures for page in result.get("pages", ())}
    return tuple(sorted(pages.difference(extraction.pages_missing)))


def _guess_kind(value: Stored) -> str:
    if isinstance(value, bool):
        return "boolean"
    kinds = {dict: "object", list: "array", int: "integer", float: "number"}
    return kinds.get(type(value), "string")


def _guess_columns(rows: list[Json]) -> list[tuple[ColumnView, Schema]]:
    names = dict.fromkeys(name for row in rows if isinstance(row["value"], dict) for name in row["value"])
    columns = [(ColumnView(name, make_title(name, {}), "string", ""), Schema()) for name in names]
    return columns or [(ColumnView("", "Value", "string", ""), Schema())]


def _get_inner(value: Stored, names: Path) -> Stored:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _list_choices(schema: Schema) -> tuple[str, ...]:
    return tuple(str(choice) for choice in schema.get("enum") or () if choice is not None)


def _get_user_name(row: FieldEdit | Verification | None) -> str:
    return row.user.shown_name if row and row.user else ""
