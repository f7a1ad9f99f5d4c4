"""Narrow a list of documents by rows of an index, so that neither grows with the index."""

from __future__ import annotations

from django.db import connection
from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from accounts.models import Organization
from documents.models import CurrentValue
from kit.rows.models import fold_case

# As many documents are named one by one. Where more match, a walk along the list's own order soon has a page of them.
FEW = 1000


def narrow_by_value(organization: Organization, rows: QuerySet[CurrentValue, CurrentValue]) -> Q:
    """The documents of these values."""
    of_organization = rows.filter(organization=organization)
    # Without the organization, which the document has: SQLite would take the index that begins with it.
    return narrow_to(
        of_organization.values_list("document_id", flat=True), Q(Exists(rows.filter(document=OuterRef("pk"))))
    )


def narrow_to(keys: QuerySet[Model, str], many: Q) -> Q:
    """The documents of these keys, named one by one where they are FEW, else as `many` says it."""
    first_keys = list(keys.order_by()[: FEW + 1])
    return Q(pk__in=set(first_keys)) if len(first_keys) <= FEW else many


def begins_with(text: str) -> Q:
    """Values that begin with the text, found by an index."""
    folded = fold_case(text)[: CurrentValue.MAX_TEXT]
    if connection.vendor == "sqlite":  # Its LIKE is for either case, and no index has that order.
        return Q(text__gte=folded, text__lt=f"{folded}\U0010ffff")
    return Q(text__startswith=folded)
