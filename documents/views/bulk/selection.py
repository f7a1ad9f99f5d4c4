"""Which documents the list has selected: those that are ticked, or all that match the filter in force."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import QueryDict

from accounts.views.pages import PageRequest
from documents import bulk
from documents.find.filters import require_filter
from documents.models import Document
from kit.errors import TooLarge
from kit.ids import is_id

# What says it, in every form of a bulk action.
FIELDS = ("ids", "all", "query", "place")


def read_selection(request: PageRequest, kind: str) -> QuerySet[Document, Document]:
    """`ids` parted by spaces, or with `all` what the `query` of the list's address leaves. Raises Invalid, TooLarge."""
    rows = bulk.get_kind(kind).list_candidates(request.actor)
    if request.POST.get("all"):
        return require_filter(request.actor, QueryDict(request.POST.get("query", ""))).apply(rows)
    ids = [document_id for document_id in request.POST.get("ids", "").split() if is_id(document_id)]
    if len(ids) > bulk.MAX_NAMED:
        raise TooLarge(
            f"{len(ids):,} documents are ticked; {bulk.MAX_NAMED:,} are the most. Select all that match instead."
        )
    return rows.filter(pk__in=ids)
