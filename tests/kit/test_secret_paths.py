"""What opens something for whoever has it is not in the log."""

from __future__ import annotations

import io
import logging
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import invitations
from accounts.services.mail import links
from kit.http.secret_paths import SecretPathFilter, hide_secret

USER_ID, TOKEN = "0123456789abcdef01234567", "dignqq-31a1889334644e658ab0de320ca33567"
PATHS = [
    reverse("join", args=[TOKEN]),
    reverse("address-check", args=[TOKEN]),
    reverse("password-reset", args=[USER_ID, TOKEN]),
    reverse("v0-invitation", args=[TOKEN]),
    reverse("v0-join", args=[TOKEN]),
    reverse("v0-address", args=[TOKEN]),
    reverse("v0-password", args=[USER_ID, TOKEN]),
]


@pytest.mark.parametrize("path", PATHS)
def test_each_such_address_loses_its_secret(path: str) -> None:
    assert TOKEN not in hide_secret(f"Not Found: {path}")
    assert hide_secret(path).partition("…")[0] == path.partition(TOKEN)[0]


@pytest.mark.parametrize("path", ["/orgs/a/documents/b", "/v0/account/email/invitations", "/address", "100 %"])
def test_others_stay_as_they_are(path: str) -> None:
    assert hide_secret(path) == path


def test_a_refused_request_is_logged_without_it(actor: Actor, client: Client) -> None:
    """As the settings have it: a weak password leaves the link in force, and its address is logged with the 422."""
    assert "secrets" in settings.LOGGING["handlers"]["console"]["filters"]
    token = links.make_invitation_token(
        invitations.invite(actor, email="nia@a.example", role=Role.VIEWER), by_mail=True
    )
    log, handler = io.StringIO(), logging.getLogger("django.request")
    stream: Any = logging.StreamHandler(log)
    stream.addFilter(SecretPathFilter())
    handler.addHandler(stream)
    try:
        assert client.post(f"/join/{token}", {"password": "short"}).status_code == 422
    finally:
        handler.removeHandler(stream)
    assert "Unprocessable" in log.getvalue() and "/join/…" in log.getvalue() and token not in log.getvalue()
