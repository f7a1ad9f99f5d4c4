from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from agent.models import AgentSettings
from agent.toolkit.registry import registry
from tests.page_client import PageClient

SignedIn = Callable[[Client, Actor], Client]
ALL = [tool.name for tool in registry]
LIMITS = {"subject": "limits", "max_rounds": "4", "turn_limit_usd": "0.25"}
GIVEN = [
    {"subject": "model", "default_model": ""},
    {"subject": "mode", "default_mode": "auto"},
    LIMITS,
    {"subject": "tools", "tools": [name for name in ALL if name != "create_schema"]},
    {"subject": "instructions", "organization_instructions": "Write in Danish."},
]


@pytest.fixture
def address(actor: Actor) -> str:
    return reverse("agent-settings", args=[actor.organization.pk])


def test_an_admin_changes_them_and_finds_them_again(
    client: Client, actor: Actor, signed_in: SignedIn, address: str
) -> None:
    page = signed_in(client, actor)
    for card in GIVEN:  # each keeps what the others saved
        assert page.post(address, card).headers["Location"] == address
    row = AgentSettings.objects.get()
    assert (row.default_mode, row.max_rounds, row.turn_limit_micros) == ("auto", 4, 250_000)
    assert (row.disabled_tools, row.organization_instructions) == (["create_schema"], "Write in Danish.")
    html = page.get(address).text
    assert 'value="0.25"' in html and "Write in Danish." in html
    assert 'value="create_schema">' in html and 'value="create_prompt" checked' in html


def test_emptied_fields_are_the_installations_again(
    client: Client, actor: Actor, signed_in: SignedIn, address: str
) -> None:
    page = signed_in(client, actor)
    page.post(address, LIMITS)
    page.post(address, LIMITS | {"max_rounds": "", "turn_limit_usd": ""})
    row = AgentSettings.objects.get()
    assert (row.max_rounds, row.turn_limit_micros) == (None, None)
    assert 'placeholder="$1.00"' in page.get(address).text


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"max_rounds": "0"}, "Rounds is 0; it must be 1 to 100"),
        ({"turn_limit_usd": "-1"}, "Cost in dollars must be more than $0"),
        ({"subject": "mode", "default_mode": "fast"}, "Select a valid choice"),
        ({"subject": "model", "default_model": "nope"}, "Select a valid choice"),
        ({"subject": "instructions", "organization_instructions": "x" * 8001}, "8000 is the most"),
    ],
)
def test_it_says_what_is_wrong_and_keeps_what_was_typed(
    client: Client, actor: Actor, signed_in: SignedIn, address: str, wrong: dict[str, str], sentence: str
) -> None:
    page, sent = signed_in(client, actor), LIMITS | {"tool_seconds": "77"} | wrong
    answer = page.post(address, sent)
    assert answer.status_code == 422
    assert sentence in answer.text and ('value="77"' in answer.text or "subject" in wrong)
    assert not AgentSettings.objects.exclude(max_rounds=None, default_mode="ask").exists()
    card = page.post(address, sent, headers={"HX-Request": "true"})
    assert card.status_code == 200 and sentence in card.text and "<html" not in card.text and "Saved." not in card.text


def test_a_card_is_saved_by_itself(client: Client, actor: Actor, signed_in: SignedIn, address: str) -> None:
    page = signed_in(client, actor)
    card = page.post(address, LIMITS, headers={"HX-Request": "true"}).text
    assert "Saved. It applies from the next turn." in card and 'value="0.25"' in card and "Default model" not in card
    assert page.post(address, {"subject": "all", "max_rounds": "9"}).status_code == 400
    assert AgentSettings.objects.get().max_rounds == 4


def test_others_read_them_only(
    client: Client, actor: Actor, member: Callable[[Role], Actor], stranger: Actor, signed_in: SignedIn, address: str
) -> None:
    builder = signed_in(client, member(Role.BUILDER))
    assert "Only admins can change this." in builder.get(address).text
    assert builder.post(address, LIMITS).status_code == 403
    assert signed_in(PageClient(), stranger).get(address).status_code == 404
    assert not AgentSettings.objects.exists()


@pytest.mark.parametrize("page", ["agent-settings", "rules"])
def test_its_pages_lead_back_to_the_settings(client: Client, actor: Actor, signed_in: SignedIn, page: str) -> None:
    answer = signed_in(client, actor).get(reverse(page, args=[actor.organization.pk]))
    settings = reverse("settings", args=[actor.organization.pk])
    assert f'<a href="{settings}">Organization</a>' in answer.text


def test_a_new_rule_says_which_threads_it_was_tried_on(client: Client, actor: Actor, signed_in: SignedIn) -> None:
    page = signed_in(client, actor).get(reverse("rules", args=[actor.organization.pk])).text
    assert "Counted over threads that you can read. Nothing is saved yet." in page
    assert "No card like this was shown in the last 90 days." in page
