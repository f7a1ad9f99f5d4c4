"""Readers are shared between organizations by computing time: who has had the least is next.

Start-time fair queuing (Goyal, Vin and Cheng, 1996). All slices lie on one line of milliseconds: the next one of an
organization begins where its last one ended. Who waits again after a while begins where the others are by then, so that
nothing is saved up while there was nothing to read.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField, Case, F, Max, QuerySet, Value, When
from django.db.models.functions import Cast

from documents.models import Reading, ReadingShare


def annotate_share(rows: QuerySet[Reading], organization: str) -> QuerySet[Any, Any]:
    """Annotates `share`: where the next slice of each row's organization, which is at this path, begins."""
    now = _get_position()
    ahead = ReadingShare.objects.filter(next_at_ms__gt=now).values_list("organization", "next_at_ms")
    known = [When(**{organization: key}, then=Value(at)) for key, at in ahead]
    share = Cast(Case(*known, default=Value(now)), BigIntegerField())
    ordered: QuerySet[Any, Any] = rows.annotate(share=share)
    return ordered


@transaction.atomic
def begin_slice(organization_id: str) -> None:
    """Whoever waits for the first time, or again, is set where the others are."""
    share, _ = ReadingShare.objects.select_for_update().get_or_create(organization_id=organization_id)
    share.began_at_ms = share.next_at_ms = max(share.next_at_ms, _get_position())
    share.save()


def charge(organization_id: str, milliseconds: int) -> None:
    ReadingShare.objects.filter(organization=organization_id).update(next_at_ms=F("next_at_ms") + milliseconds)


def _get_position() -> int:
    """Where the slice began that was begun last."""
    return ReadingShare.objects.aggregate(at=Max("began_at_ms"))["at"] or 0
