"""What browsers may keep, on whatever address: HSTS, Cache-Control, Vary and framing."""

from __future__ import annotations

import runpy
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.actor import Actor
from documents.models import Page, Reading
from tests.rows import one_of_each

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
SignedIn = Callable[[Client, Actor], Client]


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


@pytest.mark.parametrize("name", ["documents", "inbox", "settings", "audit"])
def test_no_page_is_kept_by_a_browser(name: str, page: Client, actor: Actor) -> None:
    answer = page.get(reverse(name, args=[actor.organization.pk]))
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert {"Cookie", "HX-Request"} <= set(answer.headers["Vary"].split(", "))
    assert answer.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("path", ["/v0/account/organizations", "/v0/orgs/{o}/documents", "/v0/nothing"])
def test_no_answer_of_the_api_is_kept_or_mixed_up_between_callers(
    path: str, actor: Actor, api_as: Callable[[Actor], APIClient]
) -> None:
    answer = api_as(actor).get(path.format(o=actor.organization.pk))
    assert answer["Cache-Control"] == "private, no-store"
    assert {"Cookie", "Authorization", "X-Api-Key"} <= set(answer["Vary"].split(", "))


def test_a_page_picture_is_kept_by_the_session_that_saw_it(page: Client, actor: Actor) -> None:
    reading = one_of_each(actor)[Reading]
    Page.objects.filter(reading=reading).update(number=1)
    picture = settings.DATA_DIR / "cache" / "pages" / str(reading.pk) / "1-1200.webp"
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.write_bytes(b"a picture")
    address = reverse("page-image", args=[actor.organization.pk, reading.document_id, 1]) + f"?reading={reading.pk}"
    first = page.get(address)
    assert first.headers["Cache-Control"] == "private, max-age=3600, immutable"
    assert "Cookie" in first.headers["Vary"].split(", ")
    assert page.get(address.partition("?")[0]).headers["Cache-Control"] == "private, no-cache"
    again = page.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.headers["Cache-Control"]) == (304, "private, max-age=3600, immutable")
    assert page.get(address + "&w=640", headers={"If-None-Match": first.headers["ETag"]}).status_code != 304
    page.logout()
    assert page.get(address, headers={"If-None-Match": first.headers["ETag"]}).status_code == 302


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({"PUBLIC_URL": "https://docs.example.com"}, 30 * 24 * 3600),
        ({"PUBLIC_URL": "https://docs.example.com", "HSTS_SECONDS": "60"}, 60),
        ({"PUBLIC_URL": "http://docs.example.com"}, 0),
    ],
)
def test_an_https_address_is_kept_to_https(
    environment: dict[str, str], seconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    names = runpy.run_path(str(settings.BASE_DIR / "docrouter" / "settings.py"))
    assert names["SECURE_HSTS_SECONDS"] == seconds


def test_https_requests_alone_are_told_about_it(client: Client, settings) -> None:
    settings.SECURE_HSTS_SECONDS = 60
    assert client.get("/first-run", secure=True).headers["Strict-Transport-Security"] == "max-age=60"
    assert "Strict-Transport-Security" not in client.get("/first-run").headers
