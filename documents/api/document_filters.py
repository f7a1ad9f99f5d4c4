"""`document_filters` of a request body: the same narrowing as the list of documents."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from accounts.api.fields import StrictTextField, split_list
from accounts.models import Organization
from documents.catalog.lists import DOCUMENTS, filter_by_tags
from documents.catalog.metadata import filter_by_metadata
from documents.models import Document
from kit.grid import narrow


class DocumentFilters(serializers.Serializer[Any]):
    """All of them must hold. `tag_ids` and `metadata_search` are comma-separated, or lists."""

    name_search = StrictTextField(required=False, allow_null=True, allow_blank=True)
    tag_ids = serializers.JSONField(required=False, allow_null=True)
    metadata_search = serializers.JSONField(required=False, allow_null=True)
    filters = serializers.JSONField(required=False, allow_null=True)


def apply_filters(rows: QuerySet[Document], organization: Organization, sent: dict[str, Any]) -> QuerySet[Document]:
    """`sent` as validated by DocumentFilters. Raises Invalid."""
    rows = filter_by_tags(rows, split_list(_join_list(sent.get("tag_ids"))))
    rows = filter_by_metadata(rows, organization, _join_list(sent.get("metadata_search")))
    return narrow(rows, DOCUMENTS, name_search=sent.get("name_search") or "", filters=sent.get("filters"))


def _join_list(sent: Any) -> str:
    if isinstance(sent, list):
        return ",".join(map(str, sent))
    return str(sent or "")
