"""The audit row that every change leaves. Call it inside the transaction of the change."""

from __future__ import annotations

from django.db.models import Model

from accounts.actor import Actor
from accounts.models import AuditEntry


def record(actor: Actor, action: str, target: Model, **detail: object) -> AuditEntry:
    """`action` is a past-tense verb such as "created"; `detail` is small plain JSON without document text."""
    return AuditEntry.objects.create(
        organization=actor.organization,
        user=actor.user,
        origin=actor.origin,
        action=action,
        target_kind=str(target._meta.verbose_name),
        target_id=str(target.pk),
        detail=detail,
    )
