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
GIVEN = {
    "default_model": "",
    "default_mode": "auto",
    "max_rounds": "4",
    "turn_limit_usd": "0.25",
    "tools": [name for name in ALL if name != "create_schema"],
    "organization_instructions": "Write in Danish.",
}


@pytest.fixture
def address(actor: Actor) -> str:
    return reverse("agent-settings", args=[actor.organization.pk])


def test_an_admin_changes_them_and_finds_them_again(
    client: Client, actor: Actor, signed_in: SignedIn, address: str
) -> None:
    page = signed_in(client, actor)
    assert page.post(address, GIVEN).headers["Location"] == address
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
    page.post(address, GIVEN)
    page.post(address, {**GIVEN, "max_rounds": "", "turn_limit_usd": ""})
    row = AgentSettings.objects.get()
    assert (row.max_rounds, row.turn_limit_micros) == (None, None)
    assert 'placeholder="$1.00"' in page.get(address).text


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"max_rounds": "0"}, "max_rounds is 0; it must be 1 to 100"),
        ({"turn_limit_usd": "-1"}, "must be more than $0"),
        ({"default_mode": "fast"}, "Select a valid choice"),
        ({"default_model": "nope"}, "Select a valid choice"),
        ({"organization_instructions": "x" * 8001}, "8000 is the most"),
    ],
)
def test_it_says_what_is_wrong_and_keeps_what_was_typed(
    client: Client, actor: Actor, signed_in: SignedIn, address: str, wrong: dict[str, str], sentence: str
) -> None:
    answer = signed_in(client, actor).post(address, GIVEN | {"organization_instructions": "Typed."} | wrong)
    assert answer.status_code == 422
    assert sentence in answer.text and ("Typed." in answer.text or "organization_instructions" in wrong)
    assert not AgentSettings.objects.exclude(default_mode="ask").exists()


def test_others_read_them_only(
    client: Client, actor: Actor, member: Callable[[Role], Actor], stranger: Actor, signed_in: SignedIn, address: str
) -> None:
    builder = signed_in(client, member(Role.BUILDER))
    assert "Only admins can change this." in builder.get(address).text
    assert builder.post(address, GIVEN).status_code == 403
    assert signed_in(PageClient(), stranger).get(address).status_code == 404
    assert not AgentSettings.objects.exists()


@pytest.mark.parametrize("page", ["agent-settings", "rules"])
def test_its_pages_lead_back_to_the_settings(client: Client, actor: Actor, signed_in: SignedIn, page: str) -> None:
    answer = signed_in(client, actor).get(reverse(page, args=[actor.organization.pk]))
    settings = reverse("settings", args=[actor.organization.pk])
    assert f'<a href="{settings}">Organization</a>' in answer.text


def test_a_new_rule_says_which_threads_it_was_tried_on(client: Client, actor: Actor, signed_in: SignedIn) -> None:
    page = signed_in(client, actor).get(reverse("rules", args=[actor.organization.pk])).content.decode()
    assert "In the threads that you can read, it would have changed nothing in the last 90 days." in " ".join(
        page.split()
    )
