"""Many who sign in at once: passwords are slow to check, and the others go on."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any, ClassVar

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test import Client

from accounts.models import User
from accounts.services import users
from accounts.services.sign_in import hashing, throttle
from tests.documents.test_fair_places import wait_until

pytestmark = pytest.mark.servers

PASSWORD = "a sentence is fine here"


class CrowdedHasher(MD5PasswordHasher):
    """Counts who hashes at once. Others may begin while one does."""

    inside: ClassVar[list[str]] = []
    most: ClassVar[list[int]] = [0]

    def encode(self, password: str, salt: str) -> str:
        self.inside.append(password)
        self.most[0] = max(self.most[0], len(self.inside))
        time.sleep(0.005)
        self.inside.remove(password)
        return super().encode(password, salt)


@pytest.mark.django_db(transaction=True)
def test_a_crowd_that_signs_in_leaves_the_others_a_core(settings: Any, empty_cache: None) -> None:
    settings.PASSWORD_HASHERS = ["tests.accounts.test_crowds.CrowdedHasher"]
    users.create(None, email="mara@acme.example", password=PASSWORD)

    def sign_in(number: int) -> int:
        sent = {"email": f"{number}@acme.example", "password": f"wrong {number}"}
        try:
            return Client().post("/sign-in", sent).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(sign_in, range(8))) == {403}
    assert CrowdedHasher.most == [max(1, (os.cpu_count() or 1) // 2)]


@pytest.mark.django_db(transaction=True)
def test_who_waits_for_a_password_to_be_checked_keeps_no_database_connection() -> None:
    assert User.objects.count() == 0 and connection.connection is not None
    with hashing.take_place("10.0.0.1"):
        assert connection.connection is None


def test_a_crowd_of_one_address_does_not_stand_before_who_comes_from_another() -> None:
    order: list[str] = []

    def check(group: str) -> None:
        with hashing.take_place(group):
            order.append(group)

    with ThreadPoolExecutor(4) as pool, ExitStack() as crowd:
        for _ in range(max(1, (os.cpu_count() or 1) // 2)):
            crowd.enter_context(hashing.take_place("10.0.0.1"))
        for number, group in enumerate(["10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2"], start=1):
            pool.submit(check, group)
            wait_until(lambda number=number: len(hashing._places.waiting) == number)  # type: ignore[misc]
        crowd.close()
    assert order[0] == "10.0.0.2"


def test_who_is_turned_away_by_a_crowd_has_made_no_wrong_attempt(empty_cache: None) -> None:
    for _ in range(3 * throttle.ONE_ACCOUNT_FROM_ONE_ADDRESS.free):
        throttle.begin_attempt("sign-in", address="10.0.0.1", account="mara@acme.example").withdraw()
    throttle.begin_attempt("sign-in", address="10.0.0.1", account="mara@acme.example")
