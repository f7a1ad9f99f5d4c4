"""Sums of usage by day, written with the spending, and mails about the budget."""

from __future__ import annotations

from datetime import date, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Organization, OutgoingMail, Role
from accounts.services.mail import outbox
from documents.models import Reservation, UsageDay
from llm.client import Cost
from llm.money import budgets, spending, usage_days
from llm.money.spending import BudgetAccount
from tests.documents.spending_quotes import estimate

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture
def account(organization: Organization) -> BudgetAccount:
    return BudgetAccount(organization, "extraction", "e1")


def test_days_add_up_what_calls_cost(organization: Organization, actor: Actor) -> None:
    """A late answer takes the estimate out of the day that it was booked in."""
    account = BudgetAccount(organization, "agent", "t1", actor.user, tool="ask_documents", prompt_revid="p1")
    lost = account.reserve(estimate(900), seconds=60)
    account.reserve(estimate(900), seconds=60).book_cost(Cost("openai/x", 90, 10, 250, False, 60, 5), duration_ms=1)
    day = UsageDay.objects.get()
    assert (day.person, day.tool, day.prompt_revid, day.day) == (
        actor.user.pk,
        "ask_documents",
        "p1",
        timezone.now().date(),
    )
    assert [getattr(day, name) for name in usage_days.SUMS] == [1, 0, 90, 60, 5, 10, 250]
    Reservation.objects.filter(pk=lost.reservation.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    spending.book_expired()
    assert UsageDay.objects.get().cost_micros == 1150
    lost.book_cost(Cost("openai/x", 1, 1, 100), duration_ms=1)
    assert (UsageDay.objects.get().calls, UsageDay.objects.get().cost_micros) == (2, 350)
    assert not list(usage_days.reconcile(organization, mends=False))


def test_what_days_say_wrongly_is_said_and_put_right(organization: Organization, account: BudgetAccount) -> None:
    account.reserve(estimate(900), seconds=60).book_cost(Cost("openai/x", 90, 10, 250), duration_ms=1)
    UsageDay.objects.update(cost_micros=240)
    UsageDay.objects.create(organization=organization, day=date(2026, 1, 1), purpose="agent", model="m", calls=1)
    with pytest.raises(CommandError, match="2 differences found"):
        call_command("reconcile_usage", "--dry-run", stdout=(said := StringIO()))
    assert "1 calls and 240 millionths of a dollar counted, 1 calls and 250" in said.getvalue()
    call_command("reconcile_usage", stdout=StringIO())
    assert UsageDay.objects.get().cost_micros == 250
    assert not list(usage_days.reconcile(organization, mends=False))


def test_people_who_are_gone_are_no_difference(organization: Organization, member: Any) -> None:
    account = BudgetAccount(organization, "agent", "t1", (gone := member(Role.BUILDER)).user)
    account.reserve(estimate(900), seconds=60).book_cost(Cost("openai/x", 90, 10, 250), duration_ms=1)
    gone.user.delete()
    assert not list(usage_days.reconcile(organization, mends=False))
    UsageDay.objects.update(cost_micros=240)
    assert len(list(usage_days.reconcile(organization, mends=True))) == 1
    assert (UsageDay.objects.get().person, UsageDay.objects.get().cost_micros) == ("", 250)


def test_admins_get_a_mail_once_at_each_share_of_the_budget(actor: Actor, settings: Any, member: Any) -> None:
    """Each limit has its own: what is left below a new one is told of again."""
    settings.EMAIL_URL, settings.MONTHLY_BUDGET_USD = "smtp://127.0.0.1:9", 0.001
    account, colleague = BudgetAccount(actor.organization, "agent", "t1"), member(Role.ADMIN)
    member(Role.BUILDER)

    def spend(micros: int) -> list[tuple[str, int]]:
        account.reserve(estimate(micros), seconds=60).book_cost(Cost("openai/x", 1, 1, micros), duration_ms=1)
        return sorted((mail.email, mail.facts["percent"]) for mail in OutgoingMail.objects.all())

    admins = sorted((actor.user.email, colleague.user.email))
    assert spend(799) == []
    told = [(email, 80) for email in admins]
    assert spend(1) == told and spend(100) == told
    told = sorted([*told, *((email, 100) for email in admins)])
    assert spend(100) == told
    budgets.set_limit(actor, limit_usd=0.002)
    assert spend(10) == told
    assert len(spend(600)) == 6
    assert OutgoingMail.objects.filter(facts__limit="$0.002").count() == 2


def test_a_full_outbox_tells_all_admins_later_and_none_twice(actor: Actor, settings: Any, member: Any) -> None:
    settings.EMAIL_URL, settings.MONTHLY_BUDGET_USD = "smtp://127.0.0.1:9", 0.001
    account, about = BudgetAccount(actor.organization, "agent", "t1"), OutgoingMail.Kind.BUDGET_SPENT
    member(Role.ADMIN)
    waiting = [OutgoingMail(kind=about, email="x@example.com") for _ in range(outbox.MAX_WAITING - 1)]
    OutgoingMail.objects.bulk_create(waiting)
    told = OutgoingMail.objects.exclude(email="x@example.com")
    account.reserve(estimate(900), seconds=60).book_cost(Cost("openai/x", 1, 1, 900), duration_ms=1)
    assert not told.exists()
    OutgoingMail.objects.filter(email="x@example.com").delete()
    account.reserve(estimate(10), seconds=60).book_cost(Cost("openai/x", 1, 1, 10), duration_ms=1)
    assert told.count() == 2
