"""Who lifts the limit of a month, and many answers at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from accounts.actor import Actor
from accounts.models import AuditEntry, Organization, Role
from documents.models import Budget, Reservation, UsageDay
from kit.errors import Denied, OutOfBudget
from llm.client import Cost
from llm.money import budgets
from llm.money.spending import BudgetAccount
from tests.documents.spending_quotes import estimate, make_quote

pytestmark = pytest.mark.servers


def test_only_an_admin_lifts_the_limit(actor: Actor, member: Any) -> None:
    with pytest.raises(Denied):
        budgets.set_limit(member(Role.BUILDER), limit_usd=100)
    assert budgets.set_limit(actor, limit_usd=100).limit_micros == 100_000_000
    assert AuditEntry.objects.filter(action="budget set").get().detail["after_micros"] == 100_000_000


@pytest.mark.django_db(transaction=True)
def test_fifty_calls_at_once_never_hold_more_than_the_limit(settings: Any) -> None:
    settings.MONTHLY_BUDGET_USD = 0.01
    organization = Organization.objects.create(name="Acme")

    def attempt(number: int) -> bool:
        try:
            BudgetAccount(organization, "agent", str(number)).reserve(estimate(1000), seconds=60)
            return True
        except OutOfBudget:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(50) as pool:
        won = sum(pool.map(attempt, range(50)))
    assert won == 10
    assert (Budget.objects.get().reserved_micros, Reservation.objects.count()) == (10_000, 10)


@pytest.mark.django_db(transaction=True)
def test_fifty_answers_at_once_are_cut_to_one_limit(settings: Any) -> None:
    settings.MONTHLY_BUDGET_USD = 0.0205
    organization = Organization.objects.create(name="Acme")

    def attempt(number: int) -> int:
        try:
            return BudgetAccount(organization, "agent", str(number)).reserve(make_quote(), seconds=60).max_tokens
        except OutOfBudget:
            return 0
        finally:
            connection.close()

    with ThreadPoolExecutor(50) as pool:
        tokens = sorted(pool.map(attempt, range(50)), reverse=True)
    assert tokens[:6] == [4000, 4000, 4000, 4000, 0, 0]
    assert Budget.objects.get().reserved_micros == 20_000


@pytest.mark.django_db(transaction=True)
def test_calls_booked_at_once_are_all_in_the_sums_of_the_day() -> None:
    organization = Organization.objects.create(name="Acme")
    account = BudgetAccount(organization, "agent", "t1")

    def book(reservation: Any) -> None:
        try:
            reservation.book_cost(Cost("openai/x", 2, 1, 7), duration_ms=1)
        finally:
            connection.close()

    reserved = [account.reserve(estimate(10), seconds=60) for _ in range(30)]
    with ThreadPoolExecutor(15) as pool:
        list(pool.map(book, reserved))
    day = UsageDay.objects.get()
    assert (day.calls, day.prompt_tokens, day.cost_micros) == (30, 60, 210)
