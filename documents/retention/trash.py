"""The trash: what lies in it, and the way out of it for good, which is asked for here and done by the scheduler."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from documents.models import Document
from kit import events
from kit.errors import Conflict
from kit.rows.row_guard import RowGuard

AT_ONCE = 100
MAX_EMPTIED = 10_000
DELETED = "deleted for good"
_expired = RowGuard("document whose days in the trash are over")


def list_trash(actor: Actor) -> QuerySet[Document, Document]:
    """What can be restored, what was moved there last first."""
    trashed = Document.objects.filter(organization=actor.organization).in_trash()
    return trashed.order_by("-trashed_at", "-pk")


@transaction.atomic
def delete_for_good(actor: Actor, *, document: Document) -> None:
    """Asks for it: from now on nothing brings the document back. Raises Denied, or Conflict outside the trash."""
    actor.require(Role.ADMIN)
    if not _request_together(actor, [document]):
        raise Conflict("This document is not in the trash, or is being deleted for good already.")


def empty_trash(actor: Actor) -> int:
    """Asks for the deletion of all that lies there, at most MAX_EMPTIED documents; answers how many."""
    actor.require(Role.ADMIN)
    count = 0
    while count < MAX_EMPTIED and (documents := list(list_trash(actor)[:AT_ONCE])):
        count += _request_together(actor, documents)
    return count


def expire() -> int:
    """Asks for the deletion of what has been in the trash for TRASH_DAYS. For the scheduler."""
    if not settings.TRASH_DAYS:
        return 0
    due = Document.objects.in_trash().filter(trashed_at__lt=_get_limit())
    return _expired.run_each(due.order_by("trashed_at"), _expire, maximum=AT_ONCE)


@transaction.atomic
def _request_together(actor: Actor, documents: list[Document]) -> int:
    count = 0
    for document in documents:
        # One that somebody restores at this moment stays.
        if Document.objects.in_trash().filter(pk=document.pk).update(**_make_request()):
            audit.record(actor, DELETED, document, size=document.size)
            count += 1
    events.publish(events.organization_group(actor.organization.pk), "documents.changed")
    return count


@transaction.atomic
def _expire(document_id: str) -> None:
    document = Document.objects.select_related("organization").get(pk=document_id)
    # One that was restored, and perhaps trashed again since then, has its days before it.
    if not Document.objects.in_trash().filter(pk=document_id, trashed_at__lt=_get_limit()).update(**_make_request()):
        return
    days = settings.TRASH_DAYS
    audit.record_outside(None, DELETED, document, organization=document.organization, size=document.size, days=days)


def _get_limit() -> datetime:
    return timezone.now() - timedelta(days=settings.TRASH_DAYS)


def _make_request() -> dict[str, object]:
    return {"purge_requested_at": timezone.now(), "version": F("version") + 1}
