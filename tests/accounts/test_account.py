"""One's own account: the password with the old one, what ends with it, and one's tokens."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.actor import Actor
from accounts.models import AccessToken, AuditEntry, User
from accounts.services import tokens, users
from accounts.services.sign_in import throttle
from accounts.services.users import NO_PASSWORD_BY_TOKEN
from kit.errors import Denied
from tests.conftest import ApiClient

OLD, NEW = "a sentence is fine here", "another sentence here"
FORM = {"old_password": OLD, "new_password": NEW}


@pytest.fixture
def person(db: None) -> User:
    return users.create(None, email="mara@acme.example", password=OLD)


def browser_of(user: User, kind: type[Client] = Client) -> Client:
    client = kind()
    client.force_login(user)
    return client


def may_enter(client: Client) -> bool:
    return bool(client.get("/account").status_code == 200)


def test_a_new_password_keeps_this_session_and_ends_the_others(person: User) -> None:
    here, there = browser_of(person), browser_of(person)
    page = here.post("/account/password", FORM, follow=True)
    assert "Your password is changed. You are signed out everywhere else." in page.text
    assert (may_enter(here), may_enter(there)) == (True, False)
    person.refresh_from_db()
    assert person.check_password(NEW)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"old_password": "not this one"}, "The old password is wrong. Nothing was changed."),
        ({"old_password": ""}, "The old password is wrong."),
        ({"new_password": "short"}, "at least 12 characters"),
        ({"new_password": "mara@acme.example"}, "too similar to the email"),
        ({"new_password": "password password"}, "easy to guess"),
        ({"new_password": ""}, "This field is required"),
    ],
)
def test_it_wants_the_old_password_and_a_good_new_one(person: User, wrong: dict[str, str], sentence: str) -> None:
    here, there = browser_of(person), browser_of(person)
    page = here.post("/account/password", FORM | wrong)
    assert (page.status_code, sentence in page.text) == (422, True)
    person.refresh_from_db()
    assert (person.check_password(OLD), may_enter(there)) == (True, True)


@pytest.mark.parametrize(("ticked", "left"), [({}, 2), ({"end_tokens": "on"}, 0)])
def test_ending_tokens_is_offered(person: User, ticked: dict[str, str], left: int) -> None:
    maker, _ = tokens.create(person, name="k")
    tokens.create(person, name="made", made_by=maker)
    page = browser_of(person).post("/account/password", FORM | ticked, follow=True)
    assert ("Your access tokens have ended too." in page.text) == (left == 0)
    assert AccessToken.objects.count() == left


def test_it_lists_ones_tokens_of_every_reach_and_ends_them(actor: Actor, stranger: Actor) -> None:
    tokens.create(actor.user, name="Scanner", organization=actor.organization, upload_only=True)
    mine, _ = tokens.create(actor.user, name="Everywhere", role_ceiling="viewer")
    theirs, _ = tokens.create(stranger.user, name="Of a stranger")
    client = browser_of(actor.user)
    text = client.get("/account").text
    for words in ("Scanner", "uploads only", "Acme", "Everywhere", "up to viewer", "All your organizations"):
        assert words in text
    assert "Of a stranger" not in text
    assert client.post(f"/account/tokens/{theirs.pk}/revoke").status_code == 404
    assert "is revoked" in client.post(f"/account/tokens/{mine.pk}/revoke", follow=True).text
    assert set(AccessToken.objects.values_list("name", flat=True)) == {"Scanner", "Of a stranger"}


def test_the_menu_leads_to_it(actor: Actor) -> None:
    client = browser_of(actor.user)
    assert 'href="/account"' in client.get(f"/orgs/{actor.organization.pk}/settings").text


def test_the_settings_page_makes_tokens_with_limits(actor: Actor) -> None:
    client, where = browser_of(actor.user), f"/orgs/{actor.organization.pk}/settings/tokens/new"
    for rights, limits in (("", ("", False)), ("reviewer", ("reviewer", False)), ("upload", ("", True))):
        page = client.post(where, {"name": "k", "lifetime_days": "30", "rights": rights})
        token = tokens.find(page.context["secret"])
        assert (token.role_ceiling, token.upload_only) == limits
    assert client.post(where, {"name": "k", "lifetime_days": "30", "rights": "king"}).status_code == 422


class TestOverTheApi:
    """`PUT /v0/account/users/{id}`."""

    def test_no_token_sets_a_password(self, person: User, api: Callable[[str], ApiClient]) -> None:
        client = api(tokens.create(person, name="k")[1])
        answer = client.put(f"/v0/account/users/{person.pk}", {"password": NEW, "old_password": OLD, "name": "Eve"})
        assert (answer.status_code, answer.json()["detail"]) == (403, NO_PASSWORD_BY_TOKEN)
        person.refresh_from_db()
        assert (person.check_password(OLD), person.name) == (True, "")

    def test_not_even_that_of_a_system_admin_for_who_has_signed_in(self, person: User, api, actor: Actor) -> None:
        User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
        client = api(tokens.create(actor.user, name="k")[1])
        browser_of(person)
        answer = client.put(f"/v0/account/users/{person.pk}", {"password": NEW})
        assert (answer.status_code, answer.json()["detail"]) == (403, NO_PASSWORD_BY_TOKEN)
        assert client.put(f"/v0/account/users/{actor.user.pk}", {"password": NEW}).status_code == 403
        person.refresh_from_db()
        assert person.check_password(OLD)

    def test_a_system_admins_token_gives_a_first_password_to_who_never_signed_in(
        self, person: User, api, actor: Actor, settings
    ) -> None:
        User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
        client, path = api(tokens.create(actor.user, name="k")[1]), f"/v0/account/users/{person.pk}"
        assert client.put(path, {"password": "testpassword123"}).status_code == 200
        person.refresh_from_db()
        assert person.check_password("testpassword123")
        assert AuditEntry.objects.get(action="changed").detail["fields"] == ["password"]
        settings.FIRST_PASSWORD_SCORE = 3
        refused = client.put(path, {"password": "testpassword1234"})
        assert refused.status_code == 400 and "it scores 2; 3 is needed" in refused.text
        settings.FIRST_PASSWORD_SCORE = 0
        assert client.put(path, {"password": "short"}).status_code == 400
        tokens.create(person, name="own")
        assert client.put(path, {"password": NEW}).status_code == 403

    def test_who_signs_in_meanwhile_keeps_the_password(self, person: User, actor: Actor) -> None:
        User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
        actor.user.refresh_from_db()
        hashed = users.hash_first_password_of(actor.user, user=person, new=NEW)
        browser_of(person)
        with pytest.raises(Denied):
            users.change(actor.user, user=person, password_hash=hashed, by_token=True)

    def test_no_token_ends_every_other(self, person: User, api, actor: Actor) -> None:
        tokens.create(person, name="other")
        User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
        for user in (person, actor.user):
            client = api(tokens.create(user, name="k")[1])
            answer = client.put(f"/v0/account/users/{person.pk}", {"end_tokens": True, "name": "Eve"})
            assert (answer.status_code, "Sign in to end another" in answer.json()["detail"]) == (403, True)
        assert (AccessToken.objects.count(), User.objects.get(pk=person.pk).name) == (3, "")

    def test_a_session_gives_the_old_one(self, person: User) -> None:
        here, there = browser_of(person, ApiClient), browser_of(person)
        own = f"/v0/account/users/{person.pk}"
        tokens.create(person, name="k")
        for wrong in ({}, {"old_password": "not this one"}, {"old_password": None}):
            answer = here.put(own, {"password": NEW, **wrong})
            assert (answer.status_code, answer.json()["detail"]) == (400, users.WRONG_PASSWORD)
        assert here.put(own, {"password": NEW, "old_password": OLD, "end_tokens": True}).status_code == 200
        assert (may_enter(here), may_enter(there), AccessToken.objects.exists()) == (True, False, False)

    def test_a_system_admin_in_a_session_sets_that_of_another(self, person: User, actor: Actor) -> None:
        User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
        root, there = browser_of(actor.user, ApiClient), browser_of(person)
        assert root.put(f"/v0/account/users/{person.pk}", {"password": NEW}).status_code == 200
        assert (may_enter(root), may_enter(there)) == (True, False)


def test_the_right_password_is_the_end_of_ones_own_guesses(person: User, empty_cache: None) -> None:
    browser = browser_of(person)

    def guess(times: int) -> set[bool]:
        wrong = FORM | {"old_password": "a guess"}
        return {users.WRONG_PASSWORD in browser.post("/account/password", wrong).text for _ in range(times)}

    free = throttle.ONE_ACCOUNT_FROM_ONE_ADDRESS.free
    assert guess(free) == {True}
    assert browser.post("/account/password", FORM).status_code == 302
    assert guess(free + 1) == {True}


def test_who_has_a_session_only_does_not_guess_the_password(person: User, empty_cache: None) -> None:
    browser = Client()
    browser.force_login(person)
    answers = [""]
    while len(answers) < 40 and "Too many attempts" not in answers[-1]:
        answers.append(browser.post("/account/password", FORM | {"old_password": "a guess"}).text)
    assert "The old password is wrong" in answers[6]
    assert len(answers) < 40
