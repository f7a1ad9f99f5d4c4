from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.utils import timezone

from accounts.models.invitation import Invitation
from accounts.models.organization import Organization
from kit.leases import Lease
from kit.rows.models import Row
from kit.rows.state import table


class OutgoingMail(Row):
    """A mail that waits to be sent, or was sent lately. Its text is made when it is sent, so no link is stored."""

    class Kind(models.TextChoices):
        PASSWORD_RESET = "password_reset", "link to a new password"
        INVITATION = "invitation"
        PROGRAM_ENDED = "program_ended", "a connected program was ended"
        ADDRESS_CHECK = "address_check", "link that proves the address"
        BUDGET_SPENT = "budget_spent", "most or all of the month's budget is spent"

    class Status(models.TextChoices):
        WAITING = "waiting"
        SENDING = "sending"
        SENT = "sent"
        FAILED = "failed"
        DROPPED = "dropped", "not sent: nobody has this address, or what it is about is over"

    TRANSITIONS = table(waiting="sending", sending="waiting sent failed dropped")

    kind = models.CharField(max_length=16, choices=Kind.choices)
    email = models.EmailField("to", db_index=True)
    invitation = models.ForeignKey(Invitation, on_delete=models.CASCADE, null=True, blank=True, related_name="mails")
    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, null=True, blank=True, related_name="mails", db_index=False
    )
    facts = models.JSONField("figures that its text says", default=dict, blank=True)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    due_at = models.DateTimeField("is sent at this time or later", default=timezone.now)
    attempt = models.PositiveIntegerField("how often it was tried", default=0, editable=False)
    reason = models.CharField("why it was not sent", max_length=300, blank=True, editable=False)
    sent_at = models.DateTimeField(null=True, blank=True, editable=False)
    fence = models.PositiveIntegerField(default=0, editable=False)
    lease_until = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        indexes = [models.Index(fields=["status", "due_at"], name="mail_due")]
        verbose_name = "outgoing mail"

    def __str__(self) -> str:
        return f"{self.kind} to {self.email}"


MAIL_LEASE = Lease(OutgoingMail, OutgoingMail.Status.WAITING, OutgoingMail.Status.SENDING, timedelta(minutes=2))
