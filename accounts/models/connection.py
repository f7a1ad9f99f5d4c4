from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models

from accounts.models.token import AccessToken
from kit.rows.models import Row


class Connection(Row):
    """A person's permission for a program (OAuth): an access token whose own secret nobody knows, in one organization.

    The program holds keys to it that last an hour and a refresh token for further ones. When the access token is
    revoked, this row goes with it, and no key opens anything.
    """

    class EndedFor(models.TextChoices):
        CODE_REPLAYED = "code_replayed", "the code of its consent came twice"
        TOKEN_REUSED = "token_reused", "a refresh token of it was used again"

    token = models.OneToOneField(AccessToken, on_delete=models.CASCADE, related_name="connection")
    client = models.ForeignKey(
        "oauth2_provider.Application", on_delete=models.CASCADE, related_name="connections", swappable=False
    )
    code_digest = models.CharField("SHA-256 of the code of its consent", max_length=64, unique=True, editable=False)
    refresh_token = models.OneToOneField(
        "oauth2_provider.RefreshToken",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="connection",
        swappable=False,
    )

    family_digest = models.CharField(
        "SHA-256 of the family of its refresh tokens", max_length=64, blank=True, db_index=True, editable=False
    )
    ended_for = models.CharField(
        "why it was ended", max_length=16, choices=EndedFor.choices, blank=True, editable=False
    )

    @property
    def last_moment(self) -> datetime:
        """However much it is used, its person is asked again after this."""
        return self.created_at + timedelta(days=settings.OAUTH_MAX_DAYS)

    def __str__(self) -> str:
        return str(self.token)


class ConnectionKey(Row):
    """A key that opens a connection for an hour."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="keys")
    access_token = models.OneToOneField(
        "oauth2_provider.AccessToken", on_delete=models.CASCADE, related_name="connection_key", swappable=False
    )

    def __str__(self) -> str:
        return f"key of {self.connection}"
