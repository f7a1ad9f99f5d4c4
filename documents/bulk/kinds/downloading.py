"""Downloading many documents: their files, or their results, which a worker writes where there are many."""

from __future__ import annotations

from django.db.models import Sum

from accounts.actor import Actor
from accounts.models import Role
from documents.bulk.kinds.base import MAX_ITEMS, TOO_MANY, ActionOver, BulkKind, Change
from documents.models import BulkAction, BulkItem
from documents.results import FORMATS, parse_layout
from documents.results.layout import add_lists
from kit.errors import Invalid, TooLarge
from kit.json_types import JsonObject

ORIGINALS, RESULTS = "originals", "results"
NEEDS = f"A download needs content: originals (format zip) or results (format {', '.join(FORMATS)})."
NO_ITEMS = "The file of results is written as a whole."
MAX_BYTES = 4 * 1024**3
MAX_ORIGINALS = 10_000
# So many are sent while they are made.
MAX_SENT_AT_ONCE = 500
_OF_RESULTS = ("format", "columns", "headers", "lists", "proof", "values", "schema_id")


class Download(BulkKind):
    kind, role, is_whole = BulkAction.Kind.DOWNLOAD, Role.VIEWER, True
    title, progress_title = "Download {name}", "Writing {name}"

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        content = sent.get("content", ORIGINALS)
        if content == RESULTS and set(sent) <= {"content", *_OF_RESULTS} and sent.get("format", "json") in FORMATS:
            return _clean_results(actor, sent)
        if content != ORIGINALS or sent.get("format", "zip") != "zip" or set(sent) - {"content", "format"}:
            raise Invalid(NEEDS)
        return {"content": content, "format": "zip", "name": content}

    def is_immediate(self, action: BulkAction) -> bool:
        return action.arguments["content"] != RESULTS or action.total_count <= MAX_SENT_AT_ONCE

    def check_selection(self, action: BulkAction) -> None:
        if action.arguments["content"] == RESULTS:
            _check_count(action, MAX_ITEMS)
            return
        _check_count(action, MAX_ORIGINALS)
        size = action.items.aggregate(size=Sum("document__size"))["size"] or 0
        if size > MAX_BYTES:
            maximum = MAX_BYTES // 1024**3
            raise TooLarge(f"The files have {size / 1024**3:,.1f} GB; {maximum} GB are the most of one download.")

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        raise ActionOver(NO_ITEMS)


def _clean_results(actor: Actor, sent: JsonObject) -> JsonObject:
    layout = parse_layout(actor, sent, default_format="json")
    if sent.get("lists"):
        layout = add_lists(actor, layout)
    return {"content": RESULTS, "name": RESULTS, **layout.as_json()}


def _check_count(action: BulkAction, maximum: int) -> None:
    if action.total_count > maximum:
        raise TooLarge(TOO_MANY.format(maximum=maximum), code="too_many")
