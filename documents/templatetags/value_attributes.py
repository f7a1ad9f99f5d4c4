"""What a value's element carries for the scripts: where it is, what can be typed, where its words stand."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from documents.extractions.extraction_view import ExtractionView, FieldView, RowView, TableView
from documents.values import NearbyWords
from documents.values.provenance import WITHOUT_VALUE, State

register = template.Library()


@dataclass(frozen=True)
class ValueLine:
    verified: bool
    uncertain: bool


@register.simple_tag
def line_facts(row: RowView, view: ExtractionView) -> ValueLine:
    """A row is verified when every value in it is."""
    whole = view.verified_at is not None
    filled = [cell for cell in row.cells if cell.state not in WITHOUT_VALUE]
    done = whole or (bool(filled) and all(cell.is_verified for cell in filled))
    return ValueLine(verified=done, uncertain=not whole and any(cell.is_uncertain for cell in row.cells))


@register.simple_tag
def value_attributes(field: FieldView, view: ExtractionView) -> SafeString:
    attributes = {
        "data-where": field.where,
        "data-label": field.title,
        "data-type": field.type,
        "data-value": format_typed(field.raw),
        "data-version": str(field.version),
    }
    if field.choices:
        attributes["data-options"] = json.dumps(field.choices)
    elif field.type == "boolean":
        attributes["data-options"] = json.dumps(["true", "false"])
    if field.boxes and field.page:
        # The first box is the one that is scrolled to; each is drawn once.
        places = [(field.page, field.boxes), *((place["page"], place["boxes"]) for place in field.places)]
        boxes = dict.fromkeys((page, *box) for page, boxes in places for box in boxes)
        attributes["data-boxes"] = json.dumps([list(box) for box in boxes])
        attributes["data-tone"] = _choose_tone(field, view)
        if field.address:
            attributes["data-address"] = field.address
    return format_html_join(" ", '{}="{}"', attributes.items())


@register.simple_tag
def nearby_attributes(words: NearbyWords, field: FieldView | TableView) -> SafeString:
    """Write those of a button that shows words near a field without a value on their page."""
    boxes = json.dumps([[words["page"], *box] for box in words["boxes"]])
    attributes = {"data-near": boxes, "data-near-where": field.where, "data-near-label": field.title}
    return format_html_join(" ", '{}="{}"', attributes.items())


def format_typed(raw: object) -> str:
    """The value as it is typed into a field."""
    if raw is None:
        return ""
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        return json.dumps(raw, ensure_ascii=False)
    return str(raw)


def _choose_tone(field: FieldView, view: ExtractionView) -> str:
    if field.is_verified or view.verified_at:
        return "mark-done"
    if field.state == State.SIMILAR:
        return "mark-similar"
    return "mark-wait" if field.is_uncertain else ""
