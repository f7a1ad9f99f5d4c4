from __future__ import annotations

from django.db import models

from accounts.models.token import AccessToken
from kit.rows.models import Row


class Connection(Row):
    """What a person allowed a program (OAuth): an access token whose own secret nobody knows, in one organization.

    The program holds keys to it that last an hour and a refresh token for further ones. When the access token is
    revoked, this row goes with it, and no key opens anything.
    """

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
