"""Ten look-alikes at once on PostgreSQL, which locks otherwise than SQLite."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from tests.agent.test_headless_groups import offline, play

__all__ = ["offline"]
pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def test_ten_invoices_and_a_receipt_at_once_and_two_more_the_next_day(actor: Actor) -> None:
    play(actor, invoices=10, later=2)
