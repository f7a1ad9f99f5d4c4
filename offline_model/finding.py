"""One way to find a field in a layout: by label where there is one, else by where such things stand."""

import re

from offline_model.heading import UNLABELLED
from offline_model.labels import FoundValue, find
from offline_model.layout import Layout
from offline_model.text import fold, label_pattern, readable
from offline_model.vocabulary import FIELDS, KINDS, OTHER, Field, Kind, lookup_field

TILL = re.compile(r"\b(receipt|cashier|change|kassenbon|quittung)\b")
ISSUER = {"vendor", "company", "address"}


def find_field(layout: Layout, field: Field) -> FoundValue | None:
    unlabelled = UNLABELLED.get(field.name)
    if unlabelled and field.name in ISSUER | {"currency"}:
        return find(layout, field) if _is_labelled_outright(layout, field) else unlabelled(layout)
    return find(layout, field) or (unlabelled(layout) if unlabelled else None)


def _is_labelled_outright(layout: Layout, field: Field) -> bool:
    """Whether a line opens with the label and a colon or holds it as a cell: headings seldom do."""
    pattern = label_pattern(field.labels)
    cells = (fold(cell) for line in layout.lines for cell in line.cells)
    return any((m := pattern.match(cell)) and cell[m.end() :].lstrip()[:1] in {"", ":"} for cell in cells)


def kind_of(layout: Layout) -> Kind:
    """The kind whose signs the text shows; signs of one word count once each."""
    for kind in KINDS:
        signs_seen = sum(bool(re.search(rf"\b{fold(sign)}", layout.folded)) for sign in kind.signs)
        if signs_seen >= kind.needed and (kind.name != "Receipt" or TILL.search(layout.folded)):
            return kind
    return OTHER


def field_named(name: str, kind: str, *also: str) -> Field:
    """The known field behind a property's name or title, else one made of its own words."""
    for spoken in (name, *also):
        known = lookup_field(readable(spoken)) if spoken else None
        if known:
            return known
    labels = tuple(dict.fromkeys(label for label in (readable(name), *also) if label and len(label) < 40))
    return Field(name, kind, "", labels)


def find_fields(layout: Layout) -> dict[str, FoundValue]:
    """Every known field that the document shows."""
    pairs = ((field.name, find_field(layout, field)) for field in FIELDS)
    return {name: value for name, value in pairs if value}
