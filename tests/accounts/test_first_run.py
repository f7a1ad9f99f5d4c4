from __future__ import annotations

import logging
import threading

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, FirstRun, Member, Organization, Role, User
from accounts.services import first_run
from accounts.services.sign_in import devices
from kit.errors import Conflict

pytestmark = pytest.mark.servers

PASSWORD = "a sentence is fine here"
FORM = {"organization": "Delmar", "email": "Mara@delmar.example", "password": PASSWORD}
LOOPBACK = {"SERVER_NAME": "localhost", "REMOTE_ADDR": "127.0.0.1"}


@pytest.fixture(autouse=True)
def _clean(db: None, empty_cache: None) -> None:
    pass


def test_it_makes_the_first_visitor_on_loopback_the_admin() -> None:
    client = Client(**LOOPBACK)
    assert client.get("/").url == "/first-run"
    page = client.get("/first-run")
    assert page.status_code == 200
    assert b"One-time code" not in page.content
    answer = client.post("/first-run", FORM)
    organization = Organization.objects.get()
    assert answer.url == f"/orgs/{organization.pk}/documents"
    user = User.objects.get()
    assert (user.email, user.is_superuser, organization.name) == ("mara@delmar.example", True, "Delmar")
    assert Member.objects.get().role == Role.ADMIN
    assert client.session["_auth_user_id"] == user.pk
    assert devices.find_device(client.cookies[devices.COOKIE].value, user.email)
    assert AuditEntry.objects.filter(action="created").count() == 2


@pytest.mark.parametrize(
    "visitor",
    [
        {"REMOTE_ADDR": "10.0.0.9"},
        {"HTTP_X_FORWARDED_FOR": "10.0.0.9"},
        {"HTTP_FORWARDED": "for=10.0.0.9"},
        {"SERVER_NAME": "docs.example.com"},
    ],
)
def test_it_asks_every_other_visitor_for_the_code_of_the_log(settings, visitor: dict[str, str]) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    client = Client(**LOOPBACK | visitor)
    code = first_run.create_code()
    assert b"One-time code" in client.get("/first-run").content
    refused = client.post("/first-run", FORM | {"code": "0000-0000-0000"})
    assert refused.status_code == 403
    assert first_run.WRONG_CODE in refused.content.decode()
    assert client.post("/first-run", FORM | {"code": ""}).status_code == 403
    assert client.post("/first-run", FORM | {"code": code.upper()}).status_code == 302


def test_it_asks_for_the_code_when_the_installation_has_a_public_address(settings) -> None:
    settings.PUBLIC_URL = "https://docs.example.com"
    assert Client(**LOOPBACK).post("/first-run", FORM).status_code == 403
    assert not User.objects.exists()


def test_it_is_closed_once_there_is_somebody(user: User) -> None:
    client = Client(**LOOPBACK)
    assert client.get("/first-run").url == "/sign-in"
    assert client.post("/first-run", FORM).url == "/sign-in"
    assert User.objects.count() == 1


def test_it_refuses_a_short_password_with_the_reason_and_stays_open() -> None:
    client = Client(**LOOPBACK)
    refused = client.post("/first-run", FORM | {"password": "short"})
    assert refused.status_code == 400
    assert "at least 12 characters" in refused.content.decode()
    assert client.post("/first-run", FORM).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_it_has_one_winner_when_two_visitors_come_at_once() -> None:
    outcomes: list[str] = []
    barrier = threading.Barrier(4)

    def visit(number: int) -> None:
        barrier.wait()
        try:
            first_run.claim(
                organization=f"Org {number}", email=f"v{number}@x.example", password=PASSWORD, code="", free=True
            )
            outcomes.append("won")
        except Conflict:
            outcomes.append("late")
        finally:
            connection.close()

    visitors = [threading.Thread(target=visit, args=(number,)) for number in range(4)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    assert sorted(outcomes) == ["late", "late", "late", "won"]
    assert User.objects.count() == Organization.objects.count() == 1


def test_it_makes_the_admin_that_the_environment_names(settings) -> None:
    settings.ADMIN_EMAIL, settings.ADMIN_PASSWORD = "Root@docs.example", PASSWORD
    first_run.prepare()
    first_run.prepare()
    user = User.objects.get()
    assert user.email == "root@docs.example"
    assert user.check_password(PASSWORD)
    assert Organization.objects.get().name == "docs.example"
    assert not first_run.is_open()


@pytest.mark.parametrize(
    ("email", "password", "names"),
    [
        ("a@b.example", "", "ADMIN_PASSWORD"),
        ("a@b.example", "short", "ADMIN_PASSWORD"),
        ("nobody", PASSWORD, "ADMIN_EMAIL"),
    ],
)
def test_it_stops_the_start_when_the_environment_cannot_be_used(settings, email, password, names) -> None:
    settings.ADMIN_EMAIL, settings.ADMIN_PASSWORD = email, password
    with pytest.raises(ImproperlyConfigured, match=names):
        first_run.prepare()
    assert not User.objects.exists()
    assert not FirstRun.objects.filter(claimed_at__isnull=False).exists()


def test_it_tells_address_and_code_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        first_run.prepare()
    assert "http://localhost:8000/first-run" in caplog.text
    code = caplog.text.strip().rpartition(" ")[2]
    first_run.claim(organization="A", email="a@b.example", password=PASSWORD, code=code, free=False)
    assert reverse("sign-in") == "/sign-in"
