from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.models.organization import Organization, Role
from kit.rows.models import Row


class AccessToken(Row):
    """A key for the API. Only its SHA-256 is kept; without an organization it acts as its user everywhere.

    A limited one, with a role ceiling or for uploads only, makes no tokens and changes nothing of its user's account.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="access_tokens")
    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, related_name="access_tokens", null=True, blank=True
    )
    name = models.CharField(max_length=200)
    start = models.CharField("first ten characters", max_length=10, editable=False)
    digest = models.CharField("SHA-256", max_length=64, unique=True, editable=False)
    lifetime_days = models.PositiveIntegerField(default=0, help_text="0 means that it never expires.")
    expires_at = models.DateTimeField(null=True, blank=True)
    role_ceiling = models.CharField(
        "acts with this role at most; empty: with its user's", max_length=10, choices=Role.choices, blank=True
    )
    upload_only = models.BooleanField("uploads documents and does nothing else", default=False)
    # It ends when its maker is revoked, so that whoever copied a token has nothing left of it.
    made_by = models.ForeignKey(
        "self",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="created_tokens",
        verbose_name="token that made it",
    )
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_used_from = models.CharField("address of its last use", max_length=45, blank=True, editable=False)

    @property
    def is_limited(self) -> bool:
        return self.upload_only or bool(self.role_ceiling)

    def limit(self, role: Role) -> Role:
        """The role in which a request with this token acts, for a user who has `role`."""
        ceiling = Role.REVIEWER if self.upload_only else Role(self.role_ceiling or role)
        return ceiling if role.covers(ceiling) else role

    def __str__(self) -> str:
        return f"{self.name} ({self.start}…)"
