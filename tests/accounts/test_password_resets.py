"""A forgotten password, from the question on the sign-in page to the new one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import AccessToken, AuditEntry, OutgoingMail, User
from accounts.services import password_resets, tokens, users
from accounts.services.mail import links, outbox, sending
from kit.errors import Denied, NotFound
from tests.mail_server import MailServer

pytestmark = pytest.mark.servers

EMAIL, PASSWORD, NEW = "mara@acme.example", "a sentence is fine here", "seven geese walk to Cuxhaven"


@pytest.fixture
def mara(db: None, empty_cache: None) -> User:
    return users.create(None, email=EMAIL, password=PASSWORD, name="Mara")


def ask(client: Client, email: str = EMAIL, **more: Any) -> Any:
    return client.post("/forgotten-password", {"email": email}, **more)


def get_path(user: User) -> str:
    return links.make_reset_link(user).partition("localhost:8000")[2]


def test_a_link_by_mail_sets_a_new_password_once(client: Client, mara: User, mail_server: MailServer) -> None:
    elsewhere = Client()
    elsewhere.force_login(mara)
    assert "Forgotten your password?" in client.get("/sign-in").text
    assert "is on its way" in ask(client, " Mara@ACME.example").text
    assert not mail_server.mails  # the request waits for no server
    assert sending.send_next() and not sending.send_next()
    (mail,) = mail_server.mails
    assert (mail["To"], mail["Auto-Submitted"]) == (EMAIL, "auto-generated")
    path = mail_server.read_link()
    assert [client.get(path).status_code for _ in range(2)] == [200, 200]
    done = client.post(path, {"password": NEW}, follow=True)
    assert "Your password is set." in done.text
    assert elsewhere.get("/account").status_code == 302
    assert User.objects.get().check_password(NEW)
    for answer in (client.get(path), client.post(path, {"password": PASSWORD})):
        assert (answer.status_code, "it is too old" in answer.text) == (404, True)
    assert client.post("/sign-in", {"email": EMAIL, "password": NEW}).url == "/"
    assert AuditEntry.objects.get(action="reset password").user == mara


def test_an_address_without_an_account_looks_the_same(client: Client, mara: User, mail_server: MailServer) -> None:
    """The answer and the questions to the database; the job finds nobody and sends nothing."""
    answers, statements = [], []
    for email in (EMAIL, "nobody@acme.example"):
        with CaptureQueriesContext(connection) as queries:
            answers.append(re.sub(r"[A-Za-z0-9]{64}", "", ask(client, email).text.replace(email, "somebody")))
        statements.append([re.sub(r"'[^']*'|s\d+_x\d+", "?", query["sql"]) for query in queries])
    assert answers[0] == answers[1]
    assert statements[0] == statements[1]
    while sending.send_next():
        pass
    assert [mail["To"] for mail in mail_server.mails] == [EMAIL]
    assert set(OutgoingMail.objects.values_list("email", "status")) == {
        (EMAIL, "sent"),
        ("nobody@acme.example", "dropped"),
    }


def test_nobody_is_sent_another_within_five_minutes(client: Client, mara: User, mail_server: MailServer) -> None:
    for _ in range(3):
        assert "is on its way" in ask(client).text
    assert OutgoingMail.objects.count() == 1
    OutgoingMail.objects.update(created_at=timezone.now() - outbox.PAUSE)
    ask(client)
    assert OutgoingMail.objects.count() == 2


def test_asking_is_slowed_down(client: Client, mara: User, mail_server: MailServer) -> None:
    answers = [ask(client) for _ in range(8)]
    assert [answer.status_code for answer in answers[:5]] == [200] * 5
    assert answers[-1].status_code == 429 and int(answers[-1]["Retry-After"]) >= 1
    assert "Too many attempts." in answers[-1].text


def test_the_number_of_waiting_mails_is_bounded(
    client: Client, mara: User, mail_server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "MAX_WAITING", 1)
    ask(client)
    refused = ask(client, "other@acme.example")
    assert (refused.status_code, refused["Retry-After"]) == (503, "300")
    assert "Many mails wait to be sent." in refused.text


def test_without_a_server_it_says_who_helps(client: Client, mara: User, settings: Any) -> None:
    page = client.get("/forgotten-password").text
    assert "Ask the person who runs this installation" in page and 'name="email"' not in page
    User.objects.create_user("ada@acme.example", PASSWORD, name="Ada", is_superuser=True)
    User.objects.create_user("bob@acme.example", PASSWORD, name="Bob", is_superuser=True, is_active=False)
    page = client.get("/forgotten-password").text
    assert "Ask Ada for a link" in page and "@acme.example" not in page and "Mara" not in page
    settings.HELP_CONTACT = "the desk, 4711"
    assert "Ask the desk, 4711 for a link" in client.get("/forgotten-password").text
    assert "EMAIL_URL" in ask(client).text
    assert not OutgoingMail.objects.exists()


def test_a_link_ends_after_an_hour_and_with_the_next_sign_in(client: Client, mara: User, settings: Any) -> None:
    path = get_path(mara)
    client.post("/sign-in", {"email": EMAIL, "password": PASSWORD})
    assert client.get(path).status_code == 404
    path = get_path(User.objects.get())
    assert client.get(path).status_code == 200
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("change", [{"is_active": False}, {"email": "other@acme.example"}])
def test_a_link_ends_when_the_account_changes(client: Client, mara: User, change: dict[str, Any]) -> None:
    path = get_path(mara)
    User.objects.filter(pk=mara.pk).update(**change)
    assert client.post(path, {"password": NEW}).status_code == 404
    assert User.objects.get().check_password(PASSWORD)


def test_a_link_of_another_opens_nothing(client: Client, mara: User) -> None:
    other = users.create(None, email="other@acme.example", password=None)
    token = get_path(mara).rpartition("/")[2]
    for user_id in (other.pk, "f" * 24, "nothing"):
        assert client.get(f"/new-password/{user_id}/{token}").status_code == 404


def test_a_weak_password_is_refused_and_uses_nothing_up(client: Client, mara: User) -> None:
    path = get_path(mara)
    for weak, sentence in (("short", "too short"), ("", "required"), ("password1234", "common")):
        refused = client.post(path, {"password": weak})
        assert refused.status_code == 422 and sentence in refused.text
    assert client.post(path, {"password": NEW}).status_code == 302


def test_access_tokens_end_when_asked(client: Client, mara: User) -> None:
    tokens.create(mara, name="export")
    client.post(get_path(mara), {"password": NEW})
    assert AccessToken.objects.exists()
    client.post(get_path(User.objects.get()), {"password": PASSWORD, "end_tokens": "on"})
    assert not AccessToken.objects.exists()


def test_whoever_made_an_account_for_anothers_address_keeps_no_token(client: Client, mara: User) -> None:
    """Its owner comes by their mail, and knows nothing of what was made before."""
    User.objects.filter(pk=mara.pk).update(address_unproven=True)
    tokens.create(mara, name="kept")
    client.post(get_path(User.objects.get()), {"password": NEW})
    assert not AccessToken.objects.exists()


def test_who_never_had_a_password_gets_one(client: Client, db: None, empty_cache: None) -> None:
    user = users.create(None, email=EMAIL, password=None)
    assert client.post(get_path(user), {"password": NEW}).status_code == 302
    assert User.objects.get().check_password(NEW)


def test_of_two_who_use_a_link_at_once_one_is_told(mara: User) -> None:
    """The other one is through while the password of this one is hashed."""
    token, statements = get_path(mara).rpartition("/")[2], []

    def be_overtaken(go_on: Any, sql: str, *rest: Any) -> Any:
        statements.append(sql)
        if len(statements) == 2:
            User.objects.update(password=make_password("the other one was quicker"))
        return go_on(sql, *rest)

    with connection.execute_wrapper(be_overtaken), pytest.raises(NotFound):
        password_resets.set_password(mara.pk, token, new=NEW)
    assert User.objects.get().check_password("the other one was quicker")


def test_a_system_admin_hands_a_link_over(client: Client, mara: User, user: User) -> None:
    with pytest.raises(Denied):
        password_resets.make_link(user, user=mara)
    User.objects.filter(pk=user.pk).update(is_superuser=True, is_staff=True)
    client.force_login(User.objects.get(pk=user.pk))
    chosen = {"action": "make_reset_links", "_selected_action": [mara.pk]}
    shown = client.post("/admin/accounts/user/", chosen, follow=True).text
    path = re.search(r"http://localhost:\d+(/new-password/[^\s<]+)", shown)
    assert path and Client().post(path[1], {"password": NEW}).status_code == 302
    assert AuditEntry.objects.get(action="made a link to a new password").user_id == user.pk
