from __future__ import annotations

from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.models.organization import Organization, Role
from kit.rows.models import Row


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> Self:
        return self.filter(expires_at__gt=timezone.now(), organization__closed_at=None)


class Invitation(Row):
    """For an address with or without an account: whoever signs in with it may join. It ends when it is answered."""

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(db_index=True)
    role = models.CharField(max_length=10, choices=Role.choices)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    expires_at = models.DateTimeField()

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "email"], name="one_invitation_each")]

    def __str__(self) -> str:
        return f"{self.email} to {self.organization} ({self.role})"
