"""Fills a JSON Schema from a layout. What is not found stays null or away; nothing is made up."""

import re

from offline_model.fields.labels import FoundValue
from offline_model.fields.layout import Layout
from offline_model.fields.rows import extract_rows
from offline_model.fields.search import find_clause, find_field, make_field
from offline_model.fields.summary import summarize
from offline_model.fields.values import parse_date, parse_number
from offline_model.fields.vocabulary import Field
from offline_model.schemas import (
    Json,
    Schema,
    get_empty_value,
    get_type,
    list_properties,
    list_required,
    may_be_null,
    resolve,
)
from offline_model.text import split_words, to_readable
from printed.folding import fold_letters
from printed.languages import join_words

SUMMARY_NAMES = frozenset(join_words(lambda language: language.label_words)["summary"])
MAX_DEPTH = 5
PRINTED_NUMBER = re.compile(r"[-(]?\d(?:[\d.,'  ]*\d)?\)?")


def extract(layout: Layout, schema: Schema, root: Schema | None = None, about: tuple[str, ...] = ()) -> Json:
    """The values of an object schema; `about` are the names of the objects that it stands in."""
    root, result = root or schema, {}
    for name, property_schema in list_properties(resolve(schema, root)).items():
        part = resolve(property_schema, root)
        value = _find_value(layout, name, part, root, about)
        if value is None and not may_be_null(part):
            value = get_empty_value(part) if name in list_required(schema) else None
        if value is not None or may_be_null(part):
            result[name] = value
    return result


def _find_value(layout: Layout, name: str, part: Schema, root: Schema, about: tuple[str, ...]) -> object:
    kind = get_type(part)
    if kind == "object":
        return (extract(layout, part, root, (*about, name)) if len(about) < MAX_DEPTH else None) or None
    if kind == "array":
        return extract_rows(layout, resolve(item, root)) if isinstance(item := part.get("items"), dict) else None
    if name in SUMMARY_NAMES and kind == "string":
        return summarize(layout)
    hit = find_property(layout, name, part, " ".join(about[-1:]))
    return _fit_found(hit, part) if hit else None


def find_property(layout: Layout, name: str, part: Schema, about: str = "") -> FoundValue | None:
    return find_field(layout, name_property(name, part, about))


def name_property(name: str, part: Schema, about: str = "") -> Field:
    title, clause = str(part.get("title") or ""), find_clause(str(part.get("description") or ""))
    return make_field(name, find_property_kind(name, part), title, clause, about=about)


def find_property_kind(name: str, part: Schema) -> str:
    kind = get_type(part)
    if kind in {"number", "integer", "boolean"}:
        return {"boolean": "truth"}.get(kind, kind)
    return "date" if _wants_iso(part) or "date" in split_words(to_readable(name)) else "text"


def _wants_iso(part: Schema) -> bool:
    return part.get("format") == "date" or "yyyy-mm-dd" in fold_letters(str(part.get("description") or ""))


def _fit_found(hit: FoundValue, part: Schema) -> object:
    """The value in the schema's type, or None when it cannot be."""
    choices = part.get("enum")
    if isinstance(choices, list):
        value_words = split_words(str(hit.value)) or [""]
        return next((c for c in choices if c is not None and split_words(str(c)) == value_words), None)
    return fit_value(hit.value, hit.raw, part)


def fit_value(value: object, raw: str, part: Schema) -> object:
    kind = get_type(part)
    if kind in {"number", "integer"}:
        number = value if isinstance(value, (int, float)) else parse_number(str(value))
        whole = kind == "integer" and number is not None and number == int(number)
        return int(number) if whole and number is not None else number if kind == "number" else None
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    if kind != "string":
        return None
    if _wants_iso(part):
        return value if parse_date(str(value)) == value else parse_date(str(value))
    if isinstance(value, int | float) and (printed := PRINTED_NUMBER.findall(raw)):
        return printed[-1]
    return raw.strip() if parse_date(str(value)) == value else str(value)
