"""`If-Match` under READ COMMITTED: what two clients have both seen one of them changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from tests.api.conditional_rows import ALL_KINDS, THREADS, make_targets, write_at_once
from tests.conftest import ApiClient

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_of_many_who_write_at_once_one_succeeds(api_as: Callable[[Actor], ApiClient], actor: Actor, kind: str) -> None:
    target = make_targets(actor)[kind]
    etag = api_as(actor).get(target.read)["ETag"]
    assert write_at_once(lambda: api_as(actor), target, etag) == [200, *[412] * (THREADS - 1)]
