"""The settings page through its real URLs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import AccessToken, AuditEntry, Member, Role, User
from accounts.services import tokens
from agent.models import Thread
from tests.page_client import PageClient

SignedIn = Callable[[Client, Actor], Client]
MakeMember = Callable[[Role], Actor]


def at(name: str, actor: Actor, *ids: str) -> str:
    return reverse(name, args=[actor.organization.pk, *ids])


def membership(actor: Actor) -> Member:
    return Member.objects.get(organization=actor.organization, user=actor.user)


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


@pytest.mark.parametrize(
    ("form", "page_name", "sent"),
    [
        ("settings-change", "settings", {"name": "Acme"}),
        ("member-invite", "members", {"email": "new@acme.example", "role": "viewer"}),
        ("budget-change", "budget", {"limit_usd": "3"}),
        ("search-settings-change", "search-settings", {"model": ""}),
        ("document-type-add", "document-types", {"name": "Customs paper"}),
        ("document-type-model", "document-types", {"model": ""}),
        ("scope-save", "scope", {"sentence": "Invoices."}),
        ("agent-stop", "agent-settings", {}),
        ("models-local", "agent-settings", {}),
    ],
)
def test_every_form_comes_back_to_its_own_page(
    page: Client, actor: Actor, form: str, page_name: str, sent: dict[str, str]
) -> None:
    assert page.post(at(form, actor), sent)["Location"] == at(page_name, actor)
    assert 'aria-current="page"' in page.get(at(page_name, actor)).text.partition('class="subnav"')[2]


def test_several_are_invited_at_once_and_one_keeps_back_no_other(page: Client, actor: Actor) -> None:
    def invite(text: str) -> Any:
        return page.post(at("member-invite", actor), {"email": text, "role": "viewer"}, follow=True)

    wrong = invite("ana@acme.example, ben at acme")
    assert wrong.status_code == 422 and "ben, at, acme is no email address. Nobody was invited." in wrong.text
    assert not actor.organization.invitations.exists() and "ana@acme.example, ben at acme" in wrong.text
    many = invite(f"ana@acme.example; Ruiz, Ben <ben@acme.example>\nANA@acme.example {actor.user.email}")
    assert "Ruiz is no email address" in many.text
    many = invite(f"ana@acme.example; Ben <ben@acme.example>\nANA@acme.example {actor.user.email}")
    assert "2 people are invited." in many.text and f"{actor.user.email} is a member of Acme already." in many.text
    emails = actor.organization.invitations.order_by("email").values_list("email", "role")
    assert list(emails) == [("ana@acme.example", "viewer"), ("ben@acme.example", "viewer")]
    assert "at most 100 at once" in invite(",".join(f"p{number}@acme.example" for number in range(101))).text


def test_many_members_are_searched_and_a_role_changes_in_its_row(
    page: Client, actor: Actor, member: MakeMember
) -> None:
    assert "member-search" not in page.get(at("members", actor)).text
    people = [User(email=f"p{number}@acme.example", name=f"Person {number}") for number in range(20)]
    Member.objects.bulk_create(
        Member(organization=actor.organization, user=user, role="viewer") for user in User.objects.bulk_create(people)
    )
    found = page.get(at("members", actor), {"q": "person 17"}).text
    assert "member-search" in found and "p17@acme.example" in found and "p16@acme.example" not in found
    other = Member.objects.get(user__email="p3@acme.example")
    row = page.post(at("member-change", actor, other.pk), {"role": "builder"}, headers={"hx-request": "true"})
    assert row.text.lstrip().startswith("<tr>") and "Changed" in row.text and "Builder" in row.text
    own = page.post(
        at("member-change", actor, membership(actor).pk), {"role": "viewer"}, headers={"hx-request": "true"}
    )
    assert "needs an admin" in own.text and "Changed" not in own.text


def test_removal_says_what_ends_and_who_may_take_over(page: Client, actor: Actor, member: MakeMember) -> None:
    leaver, viewer = member(Role.REVIEWER), member(Role.VIEWER)
    tokens.create(leaver.user, name="here", organization=actor.organization)
    for private in (True, False, False):
        Thread.objects.create(organization=actor.organization, owner=leaver.user, private=private)
    text = re.sub(r"\s+", " ", page.get(at("member-remove", actor, membership(leaver).pk)).text)
    assert "1 access token, 0 rules, and work in 1 private thread" in text
    assert "open cards (2), go to" in text
    assert actor.user.pk in text and leaver.user.pk not in text and viewer.user.pk not in text


def test_a_refused_role_says_so_where_the_members_are(page: Client, actor: Actor) -> None:
    refused = page.post(at("member-change", actor, membership(actor).pk), {"role": "viewer"})
    assert refused.status_code == 422
    assert "needs an admin" in refused.text.partition('class="settings"')[2] and 'id="members"' in refused.text


def test_it_shows_a_tokens_secret_once(page: Client, actor: Actor) -> None:
    answer = page.post(at("token-new", actor), {"name": "Export", "lifetime_days": "30"})
    secret = answer.context["secret"]
    assert secret in answer.text
    assert "no-store" in answer["Cache-Control"]
    token = tokens.find(secret)
    assert (token.name, token.organization, token.lifetime_days) == ("Export", actor.organization, 30)
    again = page.get(at("tokens", actor)).text
    assert "Export" in again
    assert secret not in again


def test_it_says_what_is_wrong_with_a_token_and_makes_none(page: Client, actor: Actor) -> None:
    assert page.post(at("token-new", actor), {"name": "", "lifetime_days": "30"}).status_code == 422
    answer = page.post(at("token-new", actor), {"name": "Export", "lifetime_days": "7000"})
    assert answer.status_code == 422
    assert 'value="Export"' in answer.text
    assert not AccessToken.objects.exists()


def test_members_see_and_revoke_their_own_tokens_and_an_admin_all(
    page: Client, actor: Actor, member: MakeMember, signed_in: SignedIn
) -> None:
    viewer = member(Role.VIEWER)
    mine, _ = tokens.create(actor.user, name="Of the admin", organization=actor.organization)
    theirs, _ = tokens.create(viewer.user, name="Of the viewer", organization=actor.organization)
    theirs_elsewhere, _ = tokens.create(viewer.user, name="Of their account")
    other = signed_in(PageClient(), viewer)
    assert "Of the admin" not in other.get(at("tokens", actor)).text
    assert other.post(at("token-revoke", actor, mine.pk)).status_code == 404
    text = page.get(at("tokens", actor)).text
    assert "Of the viewer" in text
    assert "Of their account" not in text
    assert page.post(at("token-revoke", actor, theirs_elsewhere.pk)).status_code == 404
    page.post(at("token-revoke", actor, theirs.pk))
    assert set(AccessToken.objects.all()) == {mine, theirs_elsewhere}


def test_an_admin_changes_a_role_but_not_that_of_the_last_admin(page: Client, actor: Actor, member: MakeMember) -> None:
    reviewer = membership(member(Role.REVIEWER))
    page.post(at("member-change", actor, reviewer.pk), {"role": "builder"})
    reviewer.refresh_from_db()
    assert reviewer.role == Role.BUILDER
    refused = page.post(at("member-change", actor, membership(actor).pk), {"role": "viewer"})
    assert refused.status_code == 422
    assert "Acme needs an admin" in refused.text


def test_others_are_removed_by_admins_only_and_everyone_may_leave(
    page: Client, actor: Actor, member: MakeMember, signed_in: SignedIn
) -> None:
    builder, viewer = member(Role.BUILDER), member(Role.VIEWER)
    other = signed_in(PageClient(), builder)
    assert other.post(at("member-remove", actor, membership(viewer).pk)).status_code == 403
    assert other.post(at("member-remove", actor, membership(builder).pk))["Location"] == "/"
    page.post(at("member-remove", actor, membership(viewer).pk))
    assert actor.organization.memberships.count() == 1


def test_an_admin_turns_the_default_prompt_off_and_on(page: Client, actor: Actor) -> None:
    page.post(at("settings-change", actor), {"name": "Acme"})
    actor.organization.refresh_from_db()
    assert not actor.organization.default_prompt_enabled
    page.post(at("settings-change", actor), {"name": "Acme Ltd", "default_prompt_enabled": "on"})
    actor.organization.refresh_from_db()
    assert (actor.organization.default_prompt_enabled, actor.organization.name) == (True, "Acme Ltd")


def test_an_admin_makes_automatic_setup_the_default_and_it_is_recorded(page: Client, actor: Actor) -> None:
    box = 'name="auto_setup_default" checked'
    assert box not in page.get(at("settings", actor)).text
    page.post(at("settings-change", actor), {"name": "Acme", "auto_setup_default": "on"})
    actor.organization.refresh_from_db()
    assert actor.organization.auto_setup_default and box in page.get(at("settings", actor)).text
    changed = AuditEntry.objects.filter(action="changed", organization=actor.organization).latest("created_at")
    assert "auto_setup_default" in changed.detail["fields"]


def test_a_viewer_sees_the_members_and_cannot_change_them(
    client: Client, actor: Actor, member: MakeMember, signed_in: SignedIn
) -> None:
    viewer = signed_in(client, member(Role.VIEWER))
    text = viewer.get(at("members", actor)).text
    assert "admin@acme.example" in text
    assert at("member-invite", actor) not in text
    assert at("member-change", actor, membership(actor).pk) not in text
    assert '<fieldset class="plain" disabled>' in viewer.get(at("settings", actor)).text


def test_an_admin_stops_the_agent_and_keeps_text_on_this_machine(page: Client, actor: Actor) -> None:
    for name, field, words in (
        ("agent-stop", "agent_stopped", "The agent is stopped</p>"),
        ("models-local", "local_models_only", "Document text goes to no model outside"),
    ):
        for value, press in ((True, {"on": "on"}), (True, {"on": "on"}), (False, {})):
            text = page.post(at(name, actor), press, follow=True).text
            actor.organization.refresh_from_db()
            assert (getattr(actor.organization, field), words in text) == (value, value)
    entries = AuditEntry.objects.filter(target_kind="organization").order_by("created_at")
    assert list(entries.values_list("action", flat=True))[1:] == [
        "agent stopped",
        "agent let go on",
        "local models only",
        "every model allowed",
    ]


def test_it_shows_what_is_spent_and_an_admin_changes_the_budget(page: Client, actor: Actor) -> None:
    assert "$0.00</strong> of" in page.get(at("budget", actor)).text
    assert "$12.50 now" in page.post(at("budget-change", actor), {"limit_usd": "12.50"}, follow=True).text
    refused = page.post(at("budget-change", actor), {"limit_usd": "a lot"}, follow=True).text
    assert "such as 25 or 12.50" in refused
    assert "of $12.50 spent this month" in refused
    assert "between $0 and" in page.post(at("budget-change", actor), {"limit_usd": "-1"}, follow=True).text


def test_a_token_for_all_organizations_is_seen_and_revoked_by_its_owner_alone(
    page: Client, actor: Actor, member: MakeMember, signed_in: SignedIn
) -> None:
    answer = page.post(at("token-new", actor), {"name": "Everywhere", "lifetime_days": "30", "reach": "account"})
    assert answer.context["secret"].startswith("acc_")
    token = tokens.find(answer.context["secret"])
    assert token.organization is None
    other = signed_in(PageClient(), member(Role.ADMIN))
    assert "Everywhere" not in other.get(at("tokens", actor)).text
    assert other.post(at("token-revoke", actor, token.pk)).status_code == 404
    assert "All your organizations" in page.get(at("tokens", actor)).text
    page.post(at("token-revoke", actor, token.pk))
    assert not AccessToken.objects.exists()


def test_who_has_no_account_is_invited_without_a_way_into_the_administration(page: Client, actor: Actor) -> None:
    type(actor.user).objects.update(is_superuser=True, is_staff=True)
    members = page.get(at("members", actor)).text.partition('class="settings"')[2].partition("</main>")[0]
    assert "/admin/" not in members and "Whoever opens it can create an account or join" in members


@pytest.mark.parametrize(("cookie", "root"), [("dark", 'data-theme="dark"'), ('"><script>', '<html lang="en">')])
def test_a_page_begins_in_the_theme_that_this_browser_chose(page: Client, actor: Actor, cookie: str, root: str) -> None:
    page.cookies["theme"] = cookie
    text = page.get(at("settings", actor)).text
    scheme = cookie if cookie == "dark" else "light dark"
    assert root in text[:200] and f'<meta name="color-scheme" content="{scheme}">' in text
