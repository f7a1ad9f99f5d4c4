"""Which passwords are refused, wherever one is set."""

from __future__ import annotations

import re

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import User
from accounts.services import first_run, tokens, users
from kit.errors import Invalid
from tests.conftest import ApiClient
from tests.page_client import PageClient

NUMERIC, REPEATED, TOO_FEW = "472910385517", "aaaaaaaaaaaa", "abcabcabcabcabc"
OF_ADDRESS, OF_NAME = "mara.wolkenstein@delmar", "KonstanzeOberhuber1"
GUESSED, EASY = "12345-67890-1", "easy to guess"
GOOD = "a sentence is fine here"
SENTENCES = {
    NUMERIC: "entirely numeric",
    REPEATED: "repeats the same few characters",
    TOO_FEW: "at least 5 different ones",
    OF_ADDRESS: "too similar to the email",
    OF_NAME: "too similar to the name",
    "x" * 500 + GOOD * 30: "1000 is the most",
    "short": "at least 12 characters",
    "1q2w3e4r5t6y": "too common",
    GUESSED: EASY,
    "docrouter1234": EASY,
    "password password": EASY,
    "P-a-s-s-w-o-r-d-1-2": EASY,
    "DocRouter2026!": EASY,
    "Oberhuber wolkenstein": EASY,
    "qwert-asdfg-1": EASY,
}


@pytest.mark.parametrize("password", SENTENCES)
def test_it_refuses_a_weak_password_with_the_reason(db: None, password: str) -> None:
    with pytest.raises(Invalid, match=SENTENCES[password]):
        users.create(None, email="mara.wolkenstein@delmar.example", name="Konstanze Oberhuber", password=password)
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "password",
    [
        GOOD,
        (GOOD * 44)[:1000],
        "Grün-Regen-Öl",
        "correct horse battery",
        "Kx9#mQ2vLp!7z",
        "der Hund frisst Fisch",
        "привет мир как дела",
    ],
)
def test_it_takes_a_long_one_of_any_kind(db: None, password: str) -> None:
    assert users.create(None, email="m@delmar.example", password=password).check_password(password)


def test_the_first_visitor_begins_with_the_organization(db: None, empty_cache: None) -> None:
    [focused] = re.findall(r"<input [^>]*autofocus", PageClient(SERVER_NAME="localhost").get("/first-run").text)
    assert 'name="organization"' in focused


@pytest.mark.parametrize("password", [NUMERIC, REPEATED, OF_ADDRESS, GUESSED])
def test_the_first_visitor_gets_no_weak_one(db: None, empty_cache: None, password: str) -> None:
    form = {"organization": "D", "email": "mara.wolkenstein@delmar.example", "password": password}
    page = PageClient(SERVER_NAME="localhost").post("/first-run", form)
    assert (page.status_code, SENTENCES[password] in page.text, User.objects.count()) == (400, True, 0)
    [focused] = re.findall(r"<input [^>]*autofocus", page.text)
    assert 'name="password"' in focused


@pytest.mark.parametrize("password", [NUMERIC, REPEATED, OF_ADDRESS, GUESSED])
def test_the_environment_gives_no_weak_one(db: None, settings, password: str) -> None:
    settings.ADMIN_EMAIL, settings.ADMIN_PASSWORD = "mara.wolkenstein@delmar.example", password
    with pytest.raises(ImproperlyConfigured, match=f"ADMIN_PASSWORD: .*{SENTENCES[password]}"):
        first_run.prepare()


@pytest.mark.parametrize("password", [NUMERIC, REPEATED, OF_ADDRESS, OF_NAME, GUESSED])
def test_the_command_line_gives_no_weak_one(db: None, monkeypatch: pytest.MonkeyPatch, password: str) -> None:
    monkeypatch.setenv("USER_PASSWORD", password)
    with pytest.raises(CommandError, match=SENTENCES[password]):
        call_command("create_user", "--email", "mara.wolkenstein@delmar.example", "--name", "Konstanze Oberhuber")


@pytest.mark.parametrize("password", [NUMERIC, REPEATED, OF_ADDRESS, OF_NAME, GUESSED])
def test_the_administration_gives_no_weak_one(client: PageClient, db: None, password: str) -> None:
    client.force_login(users.create(None, email="root@acme.example", password=None, is_superuser=True))
    form = {
        "email": "mara.wolkenstein@delmar.example",
        "name": "Konstanze Oberhuber",
        "usable_password": "true",
        "password1": password,
        "password2": password,
    }
    assert SENTENCES[password] in client.post(reverse("admin:accounts_user_add"), form).text
    assert User.objects.count() == 1
    mara = users.create(None, email=form["email"], name=form["name"], password=GOOD)
    page = client.post(reverse("admin:auth_user_password_change", args=[mara.pk]), form)
    mara.refresh_from_db()
    assert (SENTENCES[password] in page.text, mara.check_password(GOOD)) == (True, True)


@pytest.mark.parametrize("password", [NUMERIC, REPEATED, OF_ADDRESS, OF_NAME, "password password"])
def test_the_api_makes_nobody_with_a_weak_one(actor: Actor, api, password: str) -> None:
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    root: ApiClient = api(tokens.create(actor.user, name="k")[1])
    sent = {"email": "mara.wolkenstein@delmar.example", "name": "Konstanze Oberhuber", "password": password}
    answer = root.post("/v0/account/users", sent)
    assert (answer.status_code, SENTENCES[password] in answer.json()["detail"]) == (400, True)
