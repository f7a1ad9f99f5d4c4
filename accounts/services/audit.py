"""The audit row that every change leaves. Call it inside the transaction of the change."""

from __future__ import annotations

from django.db.models import Model

from accounts.actor import Actor
from accounts.models import AuditEntry, Organization, User


def record(actor: Actor, action: str, target: Model, **detail: object) -> AuditEntry:
    """`action` is a past-tense verb such as "created"; `detail` is small plain JSON without document text."""
    if actor.cause:
        detail["cause"] = actor.cause
    return _write(actor.user, actor.organization, actor.origin, action, target, detail, call_id=actor.call_id)


def record_outside(
    user: User | None, action: str, target: Model, *, organization: Organization | None = None, **detail: object
) -> AuditEntry:
    """For changes that no member makes from within an organization; without a user the system made them."""
    origin = AuditEntry.Origin.PERSON if user else AuditEntry.Origin.SYSTEM
    return _write(user, organization, origin, action, target, detail)


def _write(
    user: User | None,
    organization: Organization | None,
    origin: str,
    action: str,
    target: Model,
    detail: dict[str, object],
    *,
    call_id: str = "",
) -> AuditEntry:
    return AuditEntry.objects.create(
        organization=organization,
        user=user,
        origin=origin,
        action=action,
        target_kind=str(target._meta.verbose_name),
        target_id=str(target.pk),
        detail=detail,
        call_id=call_id,
    )
