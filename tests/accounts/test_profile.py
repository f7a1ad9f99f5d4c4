"""One's own profile: name, theme, and the language of dates and numbers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from accounts.actor import Actor
from accounts.models import AuditEntry, Invitation, Role, User
from accounts.services import invitations
from kit import formats

PROFILE = {"name": "Ada Lovelace", "theme": "dark", "format_locale": "de-DE"}


@pytest.fixture
def page(client: Client, actor: Actor) -> Client:
    client.force_login(actor.user)
    return client


@pytest.fixture
def settings_path(actor: Actor) -> str:
    """Of a page that shows a day: until when an invitation holds."""
    invitations.invite(actor, email="nia@acme.example", role=Role.VIEWER)
    Invitation.objects.update(expires_at=datetime(2030, 3, 3, tzinfo=UTC))
    return f"/orgs/{actor.organization.pk}/settings/members"


def test_it_is_saved_and_holds_on_every_page(page: Client, actor: Actor, settings_path: str) -> None:
    assert "Your profile is saved." in page.post("/account/profile", PROFILE, follow=True).text
    user = User.objects.get(pk=actor.user.pk)
    assert (user.name, user.theme, user.format_locale) == tuple(PROFILE.values())
    text = page.get(settings_path, headers={"accept-language": "en-US"}).text
    assert '<html lang="en" data-theme="dark">' in text and "3. März 2030" in text and "Ada Lovelace" in text
    assert AuditEntry.objects.get(action="changed").detail["fields"] == ["format_locale", "name", "theme"]


def test_without_a_choice_the_browsers_language_holds_and_for_that_answer_alone(
    page: Client, settings_path: str
) -> None:
    assert "Mar 3, 2030" in page.get(settings_path, headers={"accept-language": "en-US,en;q=0.9"}).text
    assert "3 Mar 2030" in page.get(settings_path).text
    assert "3. März 2030" in page.get(settings_path, headers={"accept-language": "de-DE"}).text
    assert formats.format_number(1234.5, decimals=1) == "1,234.5"


@pytest.mark.parametrize("wrong", [{"theme": "pink"}, {"format_locale": "xx"}, {"name": "n" * 201}])
def test_what_cannot_be_is_refused_and_keeps_what_was_typed(page: Client, actor: Actor, wrong: dict[str, str]) -> None:
    refused = page.post("/account/profile", PROFILE | wrong)
    assert refused.status_code == 422 and f'value="{(PROFILE | wrong)["name"]}"' in refused.text
    assert User.objects.get(pk=actor.user.pk).theme == ""


def test_the_button_keeps_the_theme_for_every_browser(page: Client, actor: Actor) -> None:
    assert page.post("/account/theme", {"theme": "dark"}).status_code == 204
    assert page.post("/account/theme", {"theme": "pink"}).status_code == 422
    elsewhere = Client()
    elsewhere.force_login(actor.user)
    elsewhere.cookies["theme"] = "light"
    text = elsewhere.get("/account").content.decode()
    assert 'data-theme="dark"' in text and '<meta name="account-theme" content="dark">' in text


def test_as_the_system_is_goes_before_what_the_browser_remembers(page: Client) -> None:
    page.cookies["theme"] = "dark"
    assert 'value="dark" selected' in page.get("/account").text
    page.post("/account/profile", PROFILE | {"theme": "system"})
    text = page.get("/account").text
    assert "data-theme=" not in text[:200] and '<meta name="account-theme" content="system">' in text


def test_it_is_changed_over_the_api(api: Callable[..., Any], actor: Actor, signed_in: Callable[..., Any]) -> None:
    client, path = signed_in(api(""), actor), f"/v0/account/users/{actor.user.pk}"
    changed = client.put(path, PROFILE).json()
    assert {name: changed[name] for name in PROFILE} == PROFILE
    assert client.put(path, {"format_locale": ""}).json()["format_locale"] == ""
    assert client.put(path, {"theme": "pink"}).status_code == 422
    listed = client.get(f"/v0/account/users?user_id={actor.user.pk}").json()["users"][0]
    assert "theme" not in listed
