"""`document_filters` of a request body: the same narrowing as the list of documents."""

from __future__ import annotations

from django.db.models import QuerySet
from rest_framework import serializers

from accounts.actor import Actor
from accounts.api.wire.described import Text, Texts
from accounts.api.wire.fields import ExactSerializer, RequestBody, StrictTextField, split_list
from documents.catalog.metadata import filter_by_metadata
from documents.find.filters import require_filter
from documents.find.lists import DOCUMENTS, filter_by_tags
from documents.models import Document
from kit.json_types import JsonObject
from kit.rows.grid import narrow

FILTERS = [
    Text("q", "As in the list's box: words, and terms such as `tag:legal`, `is:waiting` or `total > 1000`."),
    Texts(
        "value",
        "A field, a sign (`= != > >= < <= ~`, `is empty`) and a value. May be repeated, as all of these.",
    ),
    Text("tag", "Name or id."),
    Text("state", "`under-way`, `read`, `extracted`, `proposed`, `failed`, or a state of a document."),
    Text("is", "`waiting` for you, `verified`, `failing-checks` or `untagged`."),
    Text("type", "What it is: key, name or id of a type, such as `invoice`."),
    Text("kind", "An extension, `image`, `text`, or a media type."),
    Text("schema", "Name or id of a schema it was extracted with."),
    Text("prompt", "Name or id of a prompt it was extracted with."),
    Text("person", "Who uploaded it; `me` for yourself."),
    Text("since", "First day of upload, such as 2026-01-31."),
    Text("until", "Last day of upload."),
    Text("order_by", "`name`, `state`, `verified`, `uploaded`, `person`, `kind`, `value` of a filter; `-` turns it."),
]
TAGS = Text("tag_ids", "Comma-separated; every one of them must be there.")
UNKNOWN_TAGS = "Invalid tag IDs: ['65f1a2b3c4d5e6f708192aff']"


class DocumentFilters(RequestBody):
    """All of them must hold. `q` is what the list's box takes: words, and terms such as `total > 1000`.

    `tag_ids` and `metadata_search` are comma-separated, or lists.
    """

    q = StrictTextField(required=False, allow_null=True, allow_blank=True)
    name_search = StrictTextField(required=False, allow_null=True, allow_blank=True)
    tag_ids = serializers.JSONField(required=False, allow_null=True)
    metadata_search = serializers.JSONField(required=False, allow_null=True)
    filters = serializers.JSONField(required=False, allow_null=True)


class BulkFilters(ExactSerializer, DocumentFilters):
    """All of them must hold. `q` is what the list's box takes: words, and terms such as `total > 1000`."""

    # A grid leaves out what it does not know, and what is misspelt must not select all documents.
    filters = None  # type: ignore[assignment]


def apply_filters(rows: QuerySet[Document], actor: Actor, sent: JsonObject) -> QuerySet[Document]:
    """`sent` as validated by DocumentFilters. Raises Invalid."""
    rows = require_filter(actor, {"q": [sent.get("q") or ""]}).apply(rows)
    rows = filter_by_tags(rows, split_list(_join_list(sent.get("tag_ids"))))
    rows = filter_by_metadata(rows, actor.organization, _join_list(sent.get("metadata_search")))
    return narrow(rows, DOCUMENTS, name_search=sent.get("name_search") or "", filters=sent.get("filters"))


def _join_list(sent: object) -> str:
    if isinstance(sent, list):
        return ",".join(map(str, sent))
    return str(sent or "")
