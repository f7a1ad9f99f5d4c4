"""The order in which documents that a search found are shown."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from django.db.models import QuerySet

from documents.models import Document


class SearchOrder(StrEnum):
    BEST = "best"
    NEWEST = "newest"
    NAME = "name"


_NEWEST_FIRST = ("-created_at", "-pk")
_COLUMNS = {
    SearchOrder.BEST: _NEWEST_FIRST,
    SearchOrder.NEWEST: _NEWEST_FIRST,
    SearchOrder.NAME: ("name_folded", *_NEWEST_FIRST),
}


def sort_found(documents: QuerySet[Document], keys: Sequence[str], order: SearchOrder) -> list[str]:
    """`keys` come with the best first, and are as many as a search looks at."""
    if order is SearchOrder.BEST:
        return list(keys)
    return list(dict.fromkeys(sort_documents(documents.filter(pk__in=keys), order).values_list("pk", flat=True)))


def sort_documents(documents: QuerySet[Document], order: SearchOrder) -> QuerySet[Document]:
    """Where no words were looked for, the newest are the best."""
    return documents.order_by(*_COLUMNS[order])
