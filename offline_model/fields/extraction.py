"""Fills a JSON Schema from a layout. What is not found stays null or away; nothing is made up."""

from offline_model.fields.labels import FoundValue
from offline_model.fields.layout import Layout, LayoutLine
from offline_model.fields.search import find_field, make_field
from offline_model.fields.summary import summarize
from offline_model.fields.tables import Table, find_tables, get_columns
from offline_model.fields.values import parse_date, parse_number, parse_value
from offline_model.fields.vocabulary import lookup_column
from offline_model.text import split_words, to_readable
from printed.folding import fold_letters
from printed.languages import join_words

Schema = dict[str, object]
Json = dict[str, object]
SUMMARY_NAMES = frozenset(join_words(lambda language: language.label_words)["summary"])


def extract(layout: Layout, schema: Schema) -> Json:
    """The values of an object schema."""
    result: Json = {}
    for name, part in _list_properties(schema).items():
        value = _find_value(layout, name, part)
        if value is None and not _may_be_null(part):
            value = _get_empty_value(part) if name in _list_required(schema) else None
        if value is not None or _may_be_null(part):
            result[name] = value
    return result


def _get_empty_value(part: Schema) -> object:
    # A required text with nothing to put in is left empty: the one answer that is valid and claims nothing.
    empty: dict[str, object] = {"string": "", "array": [], "object": {}}
    return None if part.get("enum") else empty.get(get_type(part))


def _list_properties(schema: Schema) -> dict[str, Schema]:
    """Without the lines that are asked beside the values: it names none."""
    properties = schema.get("properties")
    named = properties.items() if isinstance(properties, dict) else ()
    return {name: part for name, part in named if isinstance(part, dict) and name != "_lines"}


def _list_required(schema: Schema) -> list[str]:
    names = schema.get("required")
    return [str(name) for name in names] if isinstance(names, list) else []


def get_type(part: Schema) -> str:
    """The type apart from null; looks into anyOf as generated schemas write optional fields."""
    kind, choices = part.get("type"), part.get("anyOf")
    if isinstance(kind, list):
        return next((str(t) for t in kind if t != "null"), "null")
    if kind is None and isinstance(choices, list):
        return next((t for t in map(get_type, choices) if t != "null"), "string")
    return str(kind or ("object" if "properties" in part else "string"))


def _may_be_null(part: Schema) -> bool:
    kind, choices = part.get("type"), part.get("anyOf")
    if isinstance(choices, list):
        return any(isinstance(choice, dict) and choice.get("type") == "null" for choice in choices)
    return kind == "null" or (isinstance(kind, list) and "null" in kind)


def _find_value(layout: Layout, name: str, part: Schema) -> object:
    kind = get_type(part)
    if kind == "object":
        return extract(layout, part) or None
    if kind == "array":
        return _extract_items(layout, name, part)
    if name in SUMMARY_NAMES and kind == "string":
        return summarize(layout)
    hit = find_property(layout, name, part)
    return _fit_found(hit, part) if hit else None


def find_property(layout: Layout, name: str, part: Schema) -> FoundValue | None:
    field = make_field(name, find_property_kind(name, part), str(part.get("title") or ""))
    return find_field(layout, field)


def find_property_kind(name: str, part: Schema) -> str:
    kind = get_type(part)
    if kind in {"number", "integer", "boolean"}:
        return {"boolean": "truth"}.get(kind, kind)
    return "date" if _wants_iso(part) or "date" in split_words(to_readable(name)) else "text"


def _wants_iso(part: Schema) -> bool:
    return part.get("format") == "date" or "yyyy-mm-dd" in fold_letters(str(part.get("description") or ""))


def _fit_found(hit: FoundValue, part: Schema) -> object:
    """The value in the schema's type, or None when it cannot be."""
    if isinstance(part.get("enum"), list):
        value_words = split_words(str(hit.value)) or [""]
        return next((c for c in part["enum"] if c is not None and split_words(str(c)) == value_words), None)  # type: ignore[attr-defined]
    return fit_value(hit.value, hit.raw, part)


def fit_value(value: object, raw: str, part: Schema) -> object:
    kind = get_type(part)
    if kind in {"number", "integer"}:
        number = value if isinstance(value, (int, float)) else parse_number(str(value))
        return (
            int(number)
            if kind == "integer" and number is not None and number == int(number)
            else (number if kind == "number" else None)
        )
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    if _wants_iso(part):
        return parse_date(str(value))
    return raw.strip() if parse_date(str(value)) == value else str(value)


def _extract_items(layout: Layout, name: str, part: Schema) -> list[object] | None:
    item = part.get("items")
    if not isinstance(item, dict) or get_type(item) != "object":
        return None
    names = list(_list_properties(item))
    table = choose_table(layout, names)
    if not table:
        return None
    columns = {column: at for column in names if (at := _find_column(table, column)) is not None}
    return [_extract_row(row, columns, item, layout.decimal_comma) for row in table.rows]


def choose_table(layout: Layout, names: list[str]) -> Table | None:
    def count_shared(table: Table) -> int:
        return sum(_find_column(table, column) is not None for column in names)

    tables = [table for table in find_tables(layout) if count_shared(table) * 2 >= len(names)]
    return max(tables, key=lambda t: (count_shared(t), len(t.rows)), default=None)


def _find_column(table: Table, name: str) -> int | None:
    known = lookup_column(to_readable(name))
    names = [name, known.name if known else name]
    return next((at for at, column in enumerate(table.columns) if column in names), None)


def _extract_row(row: LayoutLine, columns: dict[str, int], item: Schema, comma: bool) -> Json:
    values: Json = {}
    for name, part in _list_properties(item).items():
        value = _extract_cell(get_columns(row)[columns[name]], part, comma) if name in columns else None
        if value is None and not _may_be_null(part) and name in _list_required(item):
            value = _get_empty_value(part)
        if value is not None or _may_be_null(part):
            values[name] = value
    return values


def _extract_cell(cell: str, part: Schema, comma: bool) -> object:
    kind = get_type(part)
    value = parse_value(kind if kind in {"number", "integer"} else "text", cell, comma)
    return fit_value(value, cell, part) if value is not None else None
