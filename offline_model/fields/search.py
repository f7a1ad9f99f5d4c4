"""One way to find a field in a layout: by label where there is one, else by where such things stand."""

import re

from offline_model.fields.kinds import KINDS, OTHER, DocumentKind
from offline_model.fields.labels import FoundValue, find_value
from offline_model.fields.layout import Layout
from offline_model.fields.unlabelled import UNLABELLED
from offline_model.fields.vocabulary import FIELDS, Field, lookup_field
from offline_model.text import compile_labels, to_readable
from printed.folding import fold_letters
from printed.languages import write_pattern

TILL = re.compile(write_pattern(lambda language: language.till_words))
ISSUER = {"vendor", "company", "address"}


def find_field(layout: Layout, field: Field) -> FoundValue | None:
    unlabelled = UNLABELLED.get(field.name)
    if unlabelled and field.name in ISSUER | {"currency"}:
        return find_value(layout, field) if _is_labelled_outright(layout, field) else unlabelled(layout)
    return find_value(layout, field) or (unlabelled(layout) if unlabelled else None)


def _is_labelled_outright(layout: Layout, field: Field) -> bool:
    """Whether a line opens with the label and a colon or holds it as a cell: headings seldom do."""
    pattern = compile_labels(field.labels)
    cells = (fold_letters(cell) for line in layout.lines for cell in line.cells)
    return any((m := pattern.match(cell)) and cell[m.end() :].lstrip()[:1] in {"", ":"} for cell in cells)


def find_kind(layout: Layout) -> DocumentKind:
    """The kind whose signs the text shows; signs of one word count once each."""
    for kind in KINDS:
        signs_seen = sum(bool(re.search(rf"\b{fold_letters(sign)}", layout.folded)) for sign in kind.signs)
        if signs_seen >= kind.needed and (kind.name != "Receipt" or TILL.search(layout.folded)):
            return kind
    return OTHER


def make_field(name: str, kind: str, *also: str) -> Field:
    """The known field behind a property's name or title, else one made of its own words."""
    for spoken in (name, *also):
        known = lookup_field(to_readable(spoken)) if spoken else None
        if known:
            return known
    labels = tuple(dict.fromkeys(label for label in (to_readable(name), *also) if label and len(label) < 40))
    return Field(name, kind, "", labels)


def find_fields(layout: Layout) -> dict[str, FoundValue]:
    """Every known field that the document shows."""
    pairs = ((field.name, find_field(layout, field)) for field in FIELDS)
    return {name: value for name, value in pairs if value}
