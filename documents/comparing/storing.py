"""Comparisons that were computed before: one row for two readings, as long as the organization has room for it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from documents.comparing.packing import pack, unpack
from documents.comparing.results import Comparison
from documents.models import Reading, StoredComparison

# Raise it where the same two texts come to another comparison, or are packed otherwise.
VERSION = 1
# A larger one is computed at each visit; of an organization's, the oldest go first.
MAX_ONE_BYTES, MAX_BYTES, MAX_ROWS = 4 * 1024 * 1024, 64 * 1024 * 1024, 500


def load(one: Reading, other: Reading) -> Comparison | None:
    row = StoredComparison.objects.filter(one=one, other=other, version=VERSION).only("content").first()
    return unpack(bytes(row.content)) if row else None


def store(one: Reading, other: Reading, comparison: Comparison) -> None:
    """A reading that is not completed may get more pages, so nothing is stored of it."""
    content = pack(comparison)
    if len(content) > MAX_ONE_BYTES or {one.status, other.status} != {Reading.Status.COMPLETED}:
        return
    organization_id = one.document.organization_id
    values = {"version": VERSION, "content": content, "size": len(content), "created_at": timezone.now()}
    with transaction.atomic():
        StoredComparison.objects.update_or_create(
            one=one, other=other, defaults={"organization_id": organization_id, **values}
        )
        _make_room(organization_id)


def _make_room(organization_id: str) -> None:
    rows = StoredComparison.objects.filter(organization=organization_id).order_by("-created_at", "-pk")
    total, old = 0, []
    for at, (key, size) in enumerate(rows.values_list("pk", "size")):
        total += size
        if at >= MAX_ROWS or total > MAX_BYTES:
            old.append(key)
    if old:
        StoredComparison.objects.filter(pk__in=old).delete()
