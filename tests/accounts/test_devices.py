"""Devices that have signed in before: for how long one is known, and for how many people."""

from __future__ import annotations

import time

import pytest
from django.core import signing
from django.test import Client

from accounts.models import User
from accounts.services import users
from accounts.services.sign_in import devices
from tests.accounts.test_sign_in import PASSWORD, attempt

SALT = "accounts.device"


@pytest.fixture
def person(db: None, empty_cache: None) -> User:
    return users.create(None, email="mara@acme.example", password=PASSWORD)


class PastSigner(signing.TimestampSigner):
    """Signs as of the day before browsers throw such a cookie away."""

    def timestamp(self) -> str:
        return signing.b62_encode(int(time.time()) - devices.LIFETIME_SECONDS - 60)


def test_a_device_that_was_away_for_too_long_is_a_new_one(client: Client, person: User) -> None:
    attempt(client)
    cookie = client.cookies[devices.COOKIE]
    assert cookie["max-age"] == devices.LIFETIME_SECONDS
    device = signing.loads(cookie.value, salt=SALT)
    old = PastSigner(salt=SALT).sign_object(device)
    assert devices.find_device(cookie.value, person.email) == device["id"]
    assert devices.find_device(old, person.email) == ""
    renewed = devices.remember_device(old, person)
    assert devices.find_device(renewed, person.email) not in ("", device["id"])


def sign_in_others(cookie: str, number: int) -> str:
    for index in range(number):
        cookie = devices.remember_device(cookie, User(email=f"{index}@acme.example", password="x"))
    return cookie


def test_of_many_people_a_device_knows_those_who_signed_in_last(person: User) -> None:
    others = devices.MAX_ACCOUNTS - 1
    cookie = sign_in_others(devices.remember_device("", person), others)
    again = devices.remember_device(cookie, person)
    assert devices.find_device(again, person.email) == devices.find_device(cookie, person.email) != ""
    assert devices.find_device(sign_in_others(again, others), person.email)
    assert not devices.find_device(sign_in_others(again, others + 1), person.email)
