"""Which runs a bulk action has begun itself."""

from __future__ import annotations

from django.db.models import QuerySet

from documents.models import BulkAction, Extraction


def list_own_runs(action: BulkAction) -> QuerySet[Extraction, Extraction]:
    """Those that the action began: where the same waited already, that was taken for its run."""
    own = Extraction.objects.filter(requested_by=action.requested_by_id, created_at__gte=action.created_at)
    return own.filter(bulk_items__action=action)
