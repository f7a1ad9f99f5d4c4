"""Downloading many documents: there is nothing to do but to settle which, and the file is made while it is sent."""

from __future__ import annotations

from django.db.models import Sum

from accounts.actor import Actor
from accounts.models import Role
from documents.bulk.kinds.base import BulkKind, Change
from documents.models import BulkAction, BulkItem
from kit.errors import Invalid, TooLarge
from kit.json_types import JsonObject

FORMATS = {"originals": ("zip",), "results": ("json", "csv")}
NEEDS = "A download needs content: originals (format zip) or results (format json or csv)."
MAX_BYTES = 4 * 1024**3


class Download(BulkKind):
    kind, role, is_immediate, max_documents = BulkAction.Kind.DOWNLOAD, Role.VIEWER, True, 10_000
    title = progress_title = "Download {name}"

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        content = sent.get("content", "originals")
        formats = FORMATS.get(content) if isinstance(content, str) else None
        if formats is None or sent.get("format", formats[0]) not in formats or set(sent) - {"content", "format"}:
            raise Invalid(NEEDS)
        return {"content": content, "format": sent.get("format", formats[0]), "name": content}

    def check_selection(self, action: BulkAction) -> None:
        super().check_selection(action)
        if action.arguments["content"] != "originals":
            return
        size = action.items.aggregate(size=Sum("document__size"))["size"] or 0
        if size > MAX_BYTES:
            maximum = MAX_BYTES // 1024**3
            raise TooLarge(f"The files have {size / 1024**3:,.1f} GB; {maximum} GB are the most of one download.")

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        return Change()
