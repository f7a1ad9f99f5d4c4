"""Mails that are to be sent, as rows: a job sends them after the commit, so a slow server delays nobody."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from accounts.models import Invitation, Organization, OutgoingMail
from kit import jobs
from kit.errors import Busy, Invalid
from kit.jobs import Job

Status = OutgoingMail.Status
MAX_WAITING = 1000
# So soon nobody gets the same once more: the one before is on its way, or lies there.
PAUSE = timedelta(minutes=5)
NO_SERVER = "No mail can be sent from here: the operator has named no mail server (EMAIL_URL)."
OUTBOX_FULL = "Many mails wait to be sent. Try again in a few minutes."


def has_server() -> bool:
    return bool(settings.EMAIL_URL)


def require_server() -> None:
    """Raises Invalid."""
    if not has_server():
        raise Invalid(NO_SERVER, code="no_mail_server")


def queue_mail(
    kind: OutgoingMail.Kind,
    email: str,
    *,
    invitation: Invitation | None = None,
    organization: Organization | None = None,
    facts: Mapping[str, object] | None = None,
) -> OutgoingMail:
    """In the transaction of what it is about. Raises Busy when too many wait."""
    if OutgoingMail.objects.filter(status=Status.WAITING)[:MAX_WAITING].count() >= MAX_WAITING:
        raise Busy(OUTBOX_FULL, retry_after=PAUSE.total_seconds())
    about = {"invitation": invitation, "organization": organization, "facts": dict(facts or {})}
    mail = OutgoingMail.objects.create(kind=kind, email=email, **about)
    jobs.enqueue(Job.SEND_MAIL, mail.pk)
    return mail


def was_queued_lately(kind: OutgoingMail.Kind, email: str, *, invitation: Invitation | None = None) -> bool:
    """Whether the same is on its way or lies there. What could not be sent may be asked for again at once."""
    rows = OutgoingMail.objects.filter(kind=kind, email=email, invitation=invitation).exclude(status=Status.FAILED)
    return rows.filter(created_at__gt=timezone.now() - PAUSE).exists()
