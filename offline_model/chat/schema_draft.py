"""Designs a schema of the key, repeatable fields of documents like this one, under canonical names."""

import json
import re
from dataclasses import dataclass, replace

from kit.json_types import JsonObject
from offline_model.fields.kinds import OTHER, DocumentKind
from offline_model.fields.labels import is_label
from offline_model.fields.layout import Layout, LayoutLine
from offline_model.fields.parties import find_vendor
from offline_model.fields.search import find_fields, find_kind
from offline_model.fields.tables import Table, find_tables, get_columns
from offline_model.fields.unlabelled import find_title
from offline_model.fields.values import parse_date, parse_integer, parse_number
from offline_model.fields.vocabulary import BY_NAME, COLUMN_BY_NAME, lookup_field
from offline_model.text import split_words, to_snake_case
from printed.folding import fold_letters

OWN_PAIRS = {"Document": 15, "Receipt": 0}
USUAL_OWN_PAIRS = 5
PAIR = re.compile(r"([^:|]{2,32}?)\s*:\s*(.*)")


@dataclass(frozen=True)
class Draft:
    """A schema to be proposed. `properties` keep the order of the document."""

    name: str
    properties: JsonObject
    required: tuple[str, ...] = ()

    @property
    def response_format(self) -> JsonObject:
        schema = {
            "type": "object",
            "properties": self.properties,
            "required": [name for name in self.required if name in self.properties],
            "additionalProperties": False,
        }
        return {"type": "json_schema", "json_schema": {"name": to_snake_case(self.name), "schema": schema}}

    @property
    def as_json(self) -> str:
        return json.dumps(self.response_format, ensure_ascii=False)

    def has_fields_of(self, checked: JsonObject) -> bool:
        """Compare with the arguments of `validate_schema`, which takes the schema as a text."""
        try:
            schema = json.loads(str(checked.get("schema")))
        except ValueError:
            return False
        return bool(parse_draft(self.name, schema).properties == self.properties)

    def with_name(self, name: str) -> "Draft":
        return replace(self, name=name)


def parse_draft(name: str, response_format: JsonObject) -> Draft:
    """The draft behind an earlier proposal or an existing schema."""
    schema = (response_format.get("json_schema") or {}).get("schema") or {}
    return Draft(name, dict(schema.get("properties") or {}), tuple(schema.get("required") or ()))


def make_next_name(name: str) -> str:
    match = re.fullmatch(r"(.*\S) (\d+)", name)
    return f"{match.group(1)} {int(match.group(2)) + 1}" if match else f"{name} 2"


def draft_schema(layout: Layout) -> Draft:
    kind = find_kind(layout)
    fields = find_fields(layout)
    names = [name for name in kind.fields if name in fields or name in kind.core]
    properties = {name: make_known_property(name) for name in names}
    for label in find_own_labels(layout)[: OWN_PAIRS.get(kind.name, USUAL_OWN_PAIRS)]:
        properties.setdefault(to_snake_case(label), make_own_property(label, _find_value_beside(layout, label)))
    properties.update(_draft_tables(layout, kind))
    return Draft(find_title(layout) or kind.name if kind is OTHER else kind.name, properties)


def make_known_property(name: str) -> JsonObject:
    field = BY_NAME[name]
    kind = {"number": "number", "percent": "number", "integer": "integer"}.get(field.kind, "string")
    dated = {"format": "date"} if field.kind == "date" else {}
    return {"type": kind, **dated, "description": field.description}


def make_own_property(label: str, sample: str) -> JsonObject:
    """A property for a label of the document's own, typed by the value beside it."""
    described = label[:1].upper() + label[1:]
    if parse_date(sample):
        return {"type": "string", "format": "date", "description": f"{described}, YYYY-MM-DD."}
    if isinstance(parse_number(sample), float):
        return {"type": "number", "description": f"{described} as a number."}
    return {"type": "string", "description": f"{described} as printed."}


def find_own_labels(layout: Layout) -> list[str]:
    """Labels with a value that no known field covers, in reading order."""
    in_tables = {line for table in find_tables(layout) for line in (table.header, *table.rows)}
    labels = [label for line in layout.lines if line not in in_tables for label, _ in _split_pairs(line)]
    named = find_vendor(layout)
    heading = fold_letters(named.raw) if named else ""
    fresh = [
        label
        for label in labels
        if not is_label(label) and not _is_covered(label) and fold_letters(label) not in heading
    ]
    return list({to_snake_case(label): label for label in fresh if to_snake_case(label)}.values())


def _is_covered(label: str) -> bool:
    return lookup_field(label) is not None or bool(
        re.search(r"\b(total|iban|invoice|tel|fax|page)\b", fold_letters(label))
    )


def _split_pairs(line: LayoutLine) -> list[tuple[str, str]]:
    pairs = [(m.group(1).strip(), m.group(2)) for cell in line.cells if (m := PAIR.fullmatch(cell)) and m.group(2)]
    if len(line.cells) == 2 and line.cells[0].rstrip(" :") and not pairs:
        pairs = [(line.cells[0].rstrip(" :"), line.cells[1])]
    return [(label, value) for label, value in pairs if _is_label_like(label) and split_words(value)]


def _is_label_like(label: str) -> bool:
    return len(split_words(label)) <= 4 and not re.search(r"\d", label) and sum(c.isalpha() for c in label) >= 3


def _find_value_beside(layout: Layout, label: str) -> str:
    pairs = (pair for line in layout.lines for pair in _split_pairs(line))
    return next((value for own, value in pairs if own == label), "")


def _draft_tables(layout: Layout, kind: DocumentKind) -> JsonObject:
    """The largest table that has a known column, or the largest of all, as `line_items` or `rows`."""
    tables = sorted(find_tables(layout), key=lambda t: (_count_known_columns(t) < 2, -len(t.rows)))
    if not tables:
        return {}
    table = tables[0]
    name = "line_items" if _count_known_columns(table) >= 2 else "rows"
    item = {
        "type": "object",
        "properties": {column: _draft_column(table, n) for n, column in enumerate(table.columns)},
        "required": [],
        "additionalProperties": False,
    }
    return {name: {"type": "array", "description": f"The rows of the table in the {kind.name.lower()}.", "items": item}}


def _count_known_columns(table: Table) -> int:
    return sum(column in COLUMN_BY_NAME for column in table.columns)


def _draft_column(table: Table, n: int) -> JsonObject:
    known = COLUMN_BY_NAME.get(table.columns[n])
    if known:
        return {"type": "number" if known.kind == "number" else "string", "description": known.description}
    cells = table.column(n)
    described = f"Column “{get_columns(table.header)[n]}”."
    if all(parse_integer(cell) is not None for cell in cells):
        return {"type": "integer", "description": described}
    numeric = all(parse_number(cell) is not None for cell in cells)
    return {"type": "number" if numeric else "string", "description": described}
