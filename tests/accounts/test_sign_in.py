from __future__ import annotations

import re

import pytest
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import User
from accounts.services import throttle, users
from accounts.views.doors import WRONG

PASSWORD = "a sentence is fine here"


@pytest.fixture
def person(db: None, empty_cache: None) -> User:
    return users.create(None, email="mara@acme.example", password=PASSWORD)


def attempt(client: Client, email: str = "mara@acme.example", password: str = PASSWORD, **more: str):
    return client.post("/sign-in", {"email": email, "password": password, **more})


def test_it_signs_in_by_e_mail_in_any_case_and_out_again(client: Client, person: User) -> None:
    assert attempt(client, " Mara@ACME.example").url == "/"
    assert client.session["_auth_user_id"] == person.pk
    assert client.get("/sign-out").status_code == 405
    assert client.post("/sign-out").url == "/sign-in"
    assert "_auth_user_id" not in client.session


def test_it_comes_back_to_the_page_asked_for_but_never_to_another_site(client: Client, person: User) -> None:
    assert attempt(client, next="/orgs/x/documents").url == "/orgs/x/documents"
    for elsewhere in ("https://evil.example/", "//evil.example", "javascript:alert(1)"):
        assert attempt(client, next=elsewhere).url == "/"


def test_it_does_not_tell_who_has_an_account(client: Client, person: User) -> None:
    known, unknown = attempt(client, password="wrong"), attempt(client, "nobody@acme.example", "wrong")
    assert known.status_code == unknown.status_code == 403
    assert WRONG in known.content.decode()
    shown = known.content.decode().replace("mara@", "nobody@")
    assert _without_token(shown) == _without_token(unknown.content.decode())


def _without_token(page: str) -> str:
    return re.sub(r"[A-Za-z0-9]{64}", "", page)


def test_it_slows_down_guessing_for_one_account_known_or_not(client: Client, person: User) -> None:
    for email in ("mara@acme.example", "nobody@acme.example"):
        answers = [attempt(client, email, "wrong").status_code for _ in range(throttle.MOST_PER_ACCOUNT + 1)]
        assert answers == [403] * throttle.MOST_PER_ACCOUNT + [429]
    late = attempt(client)
    assert late.status_code == 429
    assert "Wait 15 minutes" in late.content.decode()


def test_it_slows_down_guessing_from_one_address(client: Client, person: User, monkeypatch) -> None:
    monkeypatch.setattr(throttle, "MOST_PER_ADDRESS", 3)
    answers = [attempt(client, f"{number}@acme.example", "wrong").status_code for number in range(4)]
    assert answers == [403, 403, 403, 429]
    assert attempt(Client(REMOTE_ADDR="10.1.1.1")).status_code == 302


def test_it_forgets_mistakes_after_the_right_password(client: Client, person: User) -> None:
    for _ in range(3):
        for _ in range(throttle.MOST_PER_ACCOUNT - 1):
            attempt(client, password="wrong")
        assert attempt(client).status_code == 302


def test_it_does_not_let_inactive_people_in(client: Client, person: User) -> None:
    User.objects.update(is_active=False)
    assert attempt(client).status_code == 403


def test_it_sends_visitors_of_a_page_to_the_sign_in_and_fragments_as_a_whole(client: Client, actor: Actor) -> None:
    path = reverse("documents", args=[actor.organization.pk])
    assert client.get(path).url == f"/sign-in?next={path}"
    headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{path}?q=1"}
    fragment = client.get(path, headers=headers)
    assert (fragment.status_code, fragment["HX-Redirect"]) == (
        204,
        f"/sign-in?next=%2Forgs%2F{actor.organization.pk}%2Fdocuments%3Fq%3D1",
    )


def test_it_shows_errors_as_a_page_and_aims_fragments_at_the_notice(
    client: Client, actor: Actor, stranger: Actor
) -> None:
    client.force_login(stranger.user)
    path = reverse("documents", args=[actor.organization.pk])
    page = client.get(path)
    assert page.status_code == 404
    assert "Organization not found" in page.content.decode()
    assert b"<html" in page.content
    fragment = client.get(path, headers={"HX-Request": "true"})
    assert (fragment.status_code, fragment["HX-Retarget"], fragment["HX-Reswap"]) == (404, "#notice", "innerHTML")
    assert b"<html" not in fragment.content


def test_it_counts_attempts_at_the_admins_door_as_well(client: Client, person: User) -> None:
    assert client.get("/admin/").url == "/admin/login/?next=/admin/"
    assert client.get("/admin/login/?next=/admin/accounts/").url == "/sign-in?next=/admin/accounts/"
    client.force_login(person)
    answer = client.get("/admin/", follow=True)
    assert answer.status_code == 403
    assert "for system admins" in answer.content.decode()


def test_it_leads_home_to_the_documents(client: Client, actor: Actor, person: User) -> None:
    assert client.get("/").url == "/sign-in"
    client.force_login(actor.user)
    assert client.get("/").url == f"/orgs/{actor.organization.pk}/documents"
    client.force_login(person)
    page = client.get("/")
    assert page.status_code == 200
    assert "You are in no organization yet" in page.content.decode()
    assert isinstance(page.wsgi_request, HttpRequest)
