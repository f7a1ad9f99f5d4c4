from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.models.organization import Organization
from docrouter.kit.models import Row


class AccessToken(Row):
    """A key for the API. Only its SHA-256 is kept; without an organization it acts as its user everywhere."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="access_tokens")
    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, related_name="access_tokens", null=True, blank=True
    )
    name = models.CharField(max_length=200)
    start = models.CharField("first ten characters", max_length=10, editable=False)
    digest = models.CharField("SHA-256", max_length=64, unique=True, editable=False)
    lifetime_days = models.PositiveIntegerField(default=0, help_text="0 means that it never expires.")
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)

    def __str__(self) -> str:
        return f"{self.name} ({self.start}…)"
