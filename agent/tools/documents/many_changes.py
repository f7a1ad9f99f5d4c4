"""Naming, tagging and describing several documents by one call: a job with one card that lists them."""

from __future__ import annotations

from agent.toolkit.effects import Preconditions
from agent.toolkit.preconditions import hash_value
from agent.toolkit.previews import ArgumentRow, ChangeRow, Preview, change_row, quote_names
from agent.toolkit.registry import Result, ToolContext
from agent.toolkit.signatures import Arguments
from agent.tools import lookup
from agent.tools.documents import selection
from agent.tools.documents.name_patterns import build_names
from agent.tools.documents.tag_effects import estimate_effect
from documents.models import Document, Tag
from documents.types.catalogue import find_type
from kit.errors import Invalid
from kit.json_types import JsonObject

FOR_ONE = ("document_id", "document_name", "tag_ids", "metadata")
FOR_MANY = ("add_tags", "remove_tags", "merge_metadata", "name_pattern", "document_type")
ONLY_THESE = "Changes nothing but these documents."
NEEDS = f"For several documents give {', '.join(FOR_MANY[:-1])} or {FOR_MANY[-1]}, and none of {', '.join(FOR_ONE)}."


def resolve(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the ids of all documents and tags. Raises Invalid."""
    if any(name in arguments for name in FOR_ONE) or not any(arguments.get(name) for name in FOR_MANY):
        raise Invalid(NEEDS)
    if "document_type" in arguments and any(arguments.get(name) for name in FOR_MANY if name != "document_type"):
        raise Invalid("The type of several documents is set by a call of its own: give document_type alone.")
    resolved = selection.pin_documents(context, arguments)
    for name in ("add_tags", "remove_tags"):
        if name in arguments:
            resolved[name] = [tag.pk for tag in lookup.find_tags(context, arguments[name])]
    if type_name := arguments.get("document_type"):
        resolved["document_type"] = find_type(context.actor.organization, type_name).name
    return resolved


def read_preconditions(context: ToolContext, arguments: Arguments) -> Preconditions:
    """New names rest on values: they are approved as they were shown."""
    names = _build_names(context, arguments)
    shown = {"names of documents": hash_value(names)} if names else {}
    return {**selection.rest_on_documents(context, arguments), **shown}


def preview(context: ToolContext, arguments: Arguments) -> Preview:
    rows = selection.fetch_rows(context, arguments)
    names, count = _build_names(context, arguments), selection.count_documents(rows)
    added, removed = (lookup.find_tags(context, arguments.get(name, [])) for name in ("add_tags", "remove_tags"))
    return {
        "title": f"Change {count}",
        "done": f"Began to change {count}",
        "ended": f"Changed {count}",
        "rows": [*_list_common(added, removed, arguments), *([] if names else selection.list_rows(rows))],
        "changes": _list_names(rows, names),
        "effect": f"{estimate_effect(context, arguments['documents'], added, ONLY_THESE)} {selection.STARTED}",
        "warnings": [],
    }


def _list_common(added: list[Tag], removed: list[Tag], arguments: Arguments) -> list[ArgumentRow]:
    """What is the same for each of them."""
    tags: list[ArgumentRow] = [
        {"name": words, "value": quote_names(tag.name for tag in of_each)}
        for words, of_each in (("Tags set", added), ("Tags taken off", removed))
        if of_each
    ]
    pairs = arguments.get("merge_metadata", {}).items()
    metadata: list[ArgumentRow] = [{"name": name, "value": text or "taken away"} for name, text in pairs]
    chosen = arguments.get("document_type")
    types: list[ArgumentRow] = [{"name": "Type", "value": str(chosen)}] if chosen else []
    return [*tags, *metadata, *types]


def _list_names(rows: list[Document], names: dict[str, str]) -> list[ChangeRow]:
    return [change_row("Name", row.name, names[row.pk]) for row in rows if row.pk in names]


def _build_names(context: ToolContext, arguments: Arguments) -> dict[str, str]:
    pattern = arguments.get("name_pattern")
    return build_names(selection.fetch_rows(context, arguments), pattern) if pattern else {}


def start(context: ToolContext, arguments: Arguments) -> Result:
    if chosen := arguments.get("document_type"):
        return selection.start_job(context, "type", arguments["documents"], {"document_type": chosen})
    parts: JsonObject = {
        "names": _build_names(context, arguments),
        "add_tag_ids": arguments.get("add_tags"),
        "remove_tag_ids": arguments.get("remove_tags"),
        "metadata": arguments.get("merge_metadata"),
    }
    given = {name: value for name, value in parts.items() if value}
    return selection.start_job(context, "change", arguments["documents"], given)
