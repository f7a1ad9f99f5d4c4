"""Columns of a file of results, their order and form, as a person chooses them before it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches

from django.db.models import QuerySet

from accounts.access import fetch
from accounts.actor import Actor
from documents.find.known_fields import KnownField, list_fields_of_schemas, list_metadata_fields, read_fields
from documents.models import CurrentValue, Extraction, Schema
from kit.errors import Invalid
from kit.json_types import JsonObject

FORMATS = ("csv", "xlsx", "json", "jsonl")
HEADERS = ("title", "path")
LISTS = ("rows", "sheets")
VALUES = ("all", "accepted", "verified")
OBJECTS = ("json", "jsonl")
MAX_COLUMNS = 200
PROSE = "text"
# Columns beside the values of a document.
BESIDE: Mapping[str, str] = {
    "@id": "Document id",
    "@name": "Document",
    "@link": "Link",
    "@state": "State",
    "@tag": "Tags",
    "@uploaded": "Uploaded",
    "@uploaded_by": "Uploaded by",
    "@type": "Type",
    "@kind": "Format",
    "@verified": "Verified",
    "@verified_by": "Verified by",
    "@checks": "Failed checks",
    "@prompt": "Prompt",
    "@model": "Model",
}
FIRST, LAST = ("@id", "@name"), ("@state", "@link")


@dataclass(frozen=True)
class ResultLayout:
    """`schema_id` is empty for values of any schema; `proof` brings what each value rests on.

    `lists` says whether an entry of a list is a row with the head repeated, or a row in a sheet of its own. `values`:
    all of them, only those of accepted prompts, or only verified ones.
    """

    format: str = "xlsx"
    columns: tuple[str, ...] = ()
    headers: str = "title"
    lists: str = "rows"
    proof: bool = False
    values: str = "all"
    schema_id: str = ""

    @property
    def has_sheets(self) -> bool:
        return self.lists == "sheets"

    @property
    def has_objects(self) -> bool:
        """JSON has lists as they are, and all values where no columns are chosen."""
        return self.format in OBJECTS

    def as_json(self) -> JsonObject:
        return {**asdict(self), "columns": list(self.columns)}


@dataclass(frozen=True)
class ResultColumn:
    """`table` is the list whose entries have the value; empty for one of the document. `kind` as of a known field."""

    name: str
    title: str
    kind: str = "text"
    table: str = ""

    @property
    def is_field(self) -> bool:
        return not self.name.startswith("@")


@dataclass(frozen=True)
class ColumnChoices:
    """Columns that a file may have, and those that it has unless others are chosen."""

    known: Mapping[str, ResultColumn] = field(default_factory=dict)
    default: Sequence[str] = ()


def parse_layout(actor: Actor, sent: JsonObject, *, default_format: str = "xlsx") -> ResultLayout:
    """Read a layout from what was sent. Raises Invalid for a column that nobody has, and NotFound for a schema."""
    layout = ResultLayout(
        format=_choose(sent, "format", FORMATS, default_format),
        columns=tuple(dict.fromkeys(_read_columns(sent.get("columns")))),
        headers=_choose(sent, "headers", HEADERS, "title"),
        lists=_choose(sent, "lists", LISTS, "rows"),
        proof=bool(sent.get("proof")),
        values=_choose(sent, "values", VALUES, "all"),
        schema_id=str(sent.get("schema_id") or ""),
    )
    if len(layout.columns) > MAX_COLUMNS:
        raise Invalid(f"There are {len(layout.columns)} columns; {MAX_COLUMNS} are the most. Choose fewer.")
    if layout.schema_id:
        fetch_schema(actor, layout.schema_id)
    known = list_choices(actor, layout.schema_id).known if layout.columns else {}
    names = [column for name in layout.columns for column in _expand(actor, name, known)]
    return replace(layout, columns=tuple(dict.fromkeys(names)))


def fetch_schema(actor: Actor, schema_id: str) -> Schema:
    return fetch(actor, Schema.objects.select_related("latest"), schema_id, noun="Schema")


def list_choices(actor: Actor, schema_id: str = "") -> ColumnChoices:
    """List those of one schema, or of all of the organization."""
    if schema_id:
        schema = fetch_schema(actor, schema_id)
        fields = read_fields(schema) if schema.latest else []
    else:
        fields = [*list_fields_of_schemas(actor.organization), KnownField(PROSE, "Text", "text", [])]
    metadata = list_metadata_fields(actor.organization)
    columns = [ResultColumn(name, title, _KINDS.get(name, "text")) for name, title in BESIDE.items()]
    columns += [ResultColumn(each.path, each.title, each.kind, each.table) for each in (*fields, *metadata)]
    known = {column.name: column for column in reversed(columns)}
    ordered = {column.name: known[column.name] for column in columns}
    return ColumnChoices(ordered, [*FIRST, *(each.path for each in fields if not each.table), *LAST])


def plan_columns(
    actor: Actor, layout: ResultLayout, runs: QuerySet[Extraction, Extraction] | None = None
) -> list[ResultColumn]:
    """The columns that were chosen, else those of schemas that some of the `runs` are of. Read when a file begins."""
    choices = list_choices(actor, layout.schema_id)
    if layout.columns:
        return [choices.known.get(name) or ResultColumn(name, name) for name in layout.columns]
    names = choices.default
    if not layout.schema_id and runs is not None:
        own = _list_own_names(actor, runs)
        names = [name for name in names if name in (*FIRST, *LAST, *own)]
    return [choices.known[name] for name in names]


def _list_own_names(actor: Actor, runs: QuerySet[Extraction, Extraction]) -> set[str]:
    ids = set(runs.order_by().values_list("schema_revision__schema", flat=True).distinct())
    schemas = Schema.objects.for_org(actor.organization).filter(pk__in=ids - {None}).select_related("latest")
    names = {each.path for schema in schemas for each in read_fields(schema)}
    return names | {PROSE} if None in ids else names


def add_lists(actor: Actor, layout: ResultLayout) -> ResultLayout:
    """Name all columns of the schemas, those of lists too, for a table with lists that names none."""
    if layout.columns or layout.has_objects:
        return layout
    choices = list_choices(actor, layout.schema_id)
    fields = [name for name, column in choices.known.items() if column.is_field and not name.startswith("metadata.")]
    return replace(layout, columns=(*FIRST, *fields, *LAST))


def _choose(sent: JsonObject, name: str, allowed: Sequence[str], default: str) -> str:
    value = sent.get(name) or default
    if value not in allowed:
        raise Invalid(f"{name} is one of {', '.join(allowed)}.")
    return str(value)


def _read_columns(sent: object) -> list[str]:
    if isinstance(sent, str):
        sent = [name for name in sent.split(",") if name]
    if sent is None:
        return []
    if not isinstance(sent, list) or not all(isinstance(name, str) for name in sent):
        raise Invalid("columns is a list of names, such as @name and total.")
    return [name.replace("\0", "").strip() for name in sent]


def _expand(actor: Actor, name: str, known: Mapping[str, ResultColumn]) -> list[str]:
    """The column itself, or those of a list or group. A field that no schema has any more may still have values."""
    if name in known:
        return [name]
    if inside := [each for each in known if each.startswith(f"{name}.") and name != "metadata"]:
        return inside
    stored = CurrentValue.objects.for_org(actor.organization).filter(path=name[: CurrentValue.MAX_PATH])
    if name.startswith("@") or len(name) > CurrentValue.MAX_PATH or not stored.exists():
        near = get_close_matches(name, known, 3) or list(known)[:8]
        raise Invalid(f"There is no column “{name[:60]}”. The nearest are {', '.join(near)}.")
    return [name]


_KINDS = {"@uploaded": "moment", "@checks": "number", "@verified": "flag"}
