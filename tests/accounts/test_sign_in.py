from __future__ import annotations

import re
from ipaddress import ip_network

import pytest
from django.core.cache import cache
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import User
from accounts.services import users
from accounts.services.sign_in import devices, throttle
from accounts.views.auth_views import WRONG
from kit.errors import TooMany

PASSWORD = "a sentence is fine here"


@pytest.fixture
def person(db: None, empty_cache: None) -> User:
    return users.create(None, email="mara@acme.example", password=PASSWORD)


def attempt(client: Client, email: str = "mara@acme.example", password: str = PASSWORD, **more: str):
    return client.post("/sign-in", {"email": email, "password": password, **more})


def test_it_signs_in_by_e_mail_in_any_case_and_out_again(client: Client, person: User) -> None:
    assert attempt(client, " Mara@ACME.example").url == "/"
    assert client.session["_auth_user_id"] == person.pk
    opened = client.get("/sign-out")
    assert (opened.status_code, opened["Allow"]) == (405, "POST")
    assert "it only takes what a form sends" in opened.text
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
    html = known.content.decode().replace("mara@", "nobody@")
    assert _without_token(html) == _without_token(unknown.content.decode())


def _without_token(page: str) -> str:
    return re.sub(r"[A-Za-z0-9]{64}", "", page)


def guess(client: Client, times: int, email: str = "mara@acme.example") -> list[int]:
    """The answers to so many wrong passwords; the waits between are let pass."""
    answers = []
    for _ in range(times):
        open_gates()
        answers.append(attempt(client, email, "wrong").status_code)
    return answers


def open_gates() -> None:
    """As time does: the counts stay, the waits are over."""
    stored = cache._cache.get_client(None, write=True)  # type: ignore[attr-defined]
    for gate in stored.scan_iter("*:gate"):
        stored.delete(gate)


def test_right_passwords_of_many_through_one_proxy_all_pass(person: User) -> None:
    for number in range(150):
        throttle.begin_attempt("sign-in", address="10.0.0.1", account=f"{number}@acme.example").succeed()
    for _ in range(100):
        throttle.begin_attempt("sign-in", address="10.0.0.1", account=person.email).succeed()
    here = {"REMOTE_ADDR": "10.0.0.1"}
    assert attempt(Client(**here), "nobody@acme.example", "wrong").status_code == 403
    assert {attempt(Client(**here)).status_code for _ in range(8)} == {302}


@pytest.mark.parametrize("email", ["mara@acme.example", "nobody@acme.example"])
def test_it_slows_down_guessing_for_one_account_known_or_not(client: Client, person: User, email: str) -> None:
    free = throttle.ONE_ACCOUNT_FROM_ONE_ADDRESS.free
    assert [attempt(client, email, "wrong").status_code for _ in range(free + 1)] == [403] * (free + 1)
    guess(client, 4, email)
    for seconds in (16, 32, 64, 128, 256, 300):
        answer = attempt(client, email, "wrong")
        wait = int(answer.headers["Retry-After"])
        assert answer.status_code == 429 and seconds / 2 < wait <= seconds
        assert "Try again in " in answer.text
        guess(client, 1, email)
    guess(client, 12, email)
    assert int(attempt(client, email, "wrong").headers["Retry-After"]) <= 300
    assert "Try again in 5 minutes" in attempt(client, email, "wrong").text


def test_another_spelling_of_an_address_is_the_same_account(person: User) -> None:
    spellings = (person.email, "MARA@acme.example", " Mara@Acme.example ")
    for number in range(14):
        open_gates()
        throttle.begin_attempt("sign-in", address="10.0.0.1", account=spellings[number % 3])
    with pytest.raises(TooMany):
        throttle.begin_attempt("sign-in", address="10.0.0.1", account=person.email)


def test_who_is_told_to_wait_is_not_counted_and_not_checked(client: Client, person: User) -> None:
    guess(client, 13)
    assert {attempt(client, password="wrong").status_code for _ in range(20)} == {429}
    assert int(attempt(client).headers["Retry-After"]) <= 128
    open_gates()
    assert attempt(client).status_code == 302


def test_a_right_password_opens_what_the_mistakes_before_it_had_closed(person: User) -> None:
    for number in range(throttle.ONE_ACCOUNT.free + 3):
        open_gates()
        throttle.begin_attempt("sign-in", address=f"10.1.1.{number}", account=person.email)
    open_gates()
    for address in ("10.2.2.1", "10.2.2.2"):
        throttle.begin_attempt("sign-in", address=address, account=person.email).succeed()


def test_a_right_password_is_the_end_of_ones_own_mistakes(person: User) -> None:
    for _ in range(2):
        attempts = [
            throttle.begin_attempt("sign-in", address="10.3.3.3", account=person.email)
            for _ in range(throttle.ONE_ACCOUNT_FROM_ONE_ADDRESS.free)
        ]
        attempts[-1].succeed()


def test_a_right_password_forgets_no_guesses_of_others(person: User) -> None:
    for number in range(throttle.ONE_ACCOUNT.free):
        throttle.begin_attempt("sign-in", address=f"10.1.1.{number}", account=person.email)
    throttle.begin_attempt("sign-in", address="10.2.2.2", account=person.email).succeed()
    throttle.begin_attempt("sign-in", address="10.3.3.1", account=person.email)
    with pytest.raises(TooMany):
        throttle.begin_attempt("sign-in", address="10.3.3.2", account=person.email)


def test_failures_at_one_door_do_not_close_another(person: User) -> None:
    for _ in range(throttle.ONE_ACCOUNT_FROM_ONE_ADDRESS.free + 1):
        throttle.begin_attempt("unlock", account=person.pk)
    throttle.begin_attempt("password", account=person.pk)
    with pytest.raises(TooMany):
        throttle.begin_attempt("unlock", account=person.pk)


def test_guesses_from_one_address_do_not_keep_the_owner_at_another_waiting(client: Client, person: User) -> None:
    guess(client, 20)
    assert attempt(client).status_code == 429
    assert attempt(Client(REMOTE_ADDR="10.1.1.1")).status_code == 302


def test_a_device_that_has_signed_in_before_is_not_locked_out_by_others(client: Client, person: User) -> None:
    owner = Client()
    assert attempt(owner).status_code == 302
    owner.post("/sign-out")
    guess(client, 14)
    for number in range(36):
        open_gates()
        throttle.begin_attempt("sign-in", address=f"10.1.1.{number}", account=person.email)
    assert attempt(client).status_code == 429
    assert attempt(Client(REMOTE_ADDR="10.2.2.2")).status_code == 429
    assert attempt(owner, password="wrong").status_code == 403
    assert attempt(owner).status_code == 302
    assert guess(owner, 20)[-1] == 403 and attempt(owner).status_code == 429  # its own failures count


def test_a_device_is_known_for_its_account_and_password_alone(client: Client, person: User) -> None:
    other = users.create(None, email="ann@acme.example", password=PASSWORD)
    attempt(client, other.email)
    cookie = client.cookies[devices.COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/sign-in")
    assert "ann" not in cookie.value
    assert devices.find_device(cookie.value, " Ann@ACME.example")
    assert not devices.find_device(cookie.value, person.email)
    assert not devices.find_device(cookie.value + "x", other.email)
    both = devices.remember_device(cookie.value, person)
    assert devices.find_device(both, other.email) == devices.find_device(both, person.email)
    other.set_password("another sentence")
    other.save()
    assert not devices.find_device(both, other.email)
    assert devices.find_device(both, person.email)


def test_a_device_of_many_people_keeps_a_short_cookie(person: User) -> None:
    cookie = ""
    for number in range(30):
        cookie = devices.remember_device(cookie, User(email=f"{number}@acme.example", password="x"))
    assert len(cookie) < 1000


def test_it_slows_down_guessing_from_one_address_and_from_one_line_of_ipv6(person: User) -> None:
    for number in range(throttle.ONE_ADDRESS.free + 8):
        open_gates()
        throttle.begin_attempt("sign-in", address=f"2001:db8::{number:x}", account=f"{number}@acme.example")
    assert attempt(Client(REMOTE_ADDR="2001:db8::ffff")).status_code == 429
    assert attempt(Client(REMOTE_ADDR="2001:db8:0:1::1")).status_code == 302


def test_the_code_of_the_first_visitor_is_not_guessed_from_one_address(empty_cache: None, db: None) -> None:
    for _ in range(throttle.ONE_ADDRESS.free + 8):
        open_gates()
        throttle.begin_attempt("first-run", address="10.0.0.9")
    form = {"organization": "D", "email": "mara@acme.example", "password": PASSWORD, "code": "0000-0000-0000"}
    answers = [Client(REMOTE_ADDR=address).post("/first-run", form) for address in ("10.0.0.9", "10.0.0.8")]
    assert [answer.status_code for answer in answers] == [429, 403]


def test_it_counts_by_the_address_that_a_trusted_proxy_names(person: User, settings) -> None:
    settings.TRUSTED_PROXIES = (ip_network("10.0.0.0/8"),)
    guess(Client(REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="203.0.113.5"), 14)
    assert attempt(Client(REMOTE_ADDR="10.0.0.2", HTTP_X_FORWARDED_FOR="8.8.8.8, 203.0.113.5")).status_code == 429
    assert attempt(Client(REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="203.0.113.6")).status_code == 302


def test_nobody_else_chooses_an_address(person: User) -> None:
    for number in range(14):
        guess(Client(HTTP_X_FORWARDED_FOR=f"203.0.113.{number}"), 1)
    assert attempt(Client(HTTP_X_FORWARDED_FOR="203.0.113.77")).status_code == 429


def test_guesses_sent_at_once_are_counted_before_they_are_answered(person: User) -> None:
    """Each is a failure until it was right: else all of them would find that nobody has failed yet."""
    begun = [throttle.begin_attempt("sign-in", address="10.0.0.1", account=person.email) for _ in range(6)]
    with pytest.raises(TooMany):
        throttle.begin_attempt("sign-in", address="10.0.0.1", account=person.email)
    begun[-1].succeed()
    throttle.begin_attempt("sign-in", address="10.0.0.1", account=person.email)


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
