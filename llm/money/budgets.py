"""Budgets: what an organization may spend in a month, and amounts of money as people read them."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Organization, Role
from accounts.services import audit
from kit import events
from kit.errors import Invalid
from kit.rows.fixed_select import FixedSelect
from kit.rows.fixed_update import update_row
from llm.models import Budget, Reservation

MICROS = 1_000_000
# Admins get a mail at these, in percent of the month's budget.
SHARES = (80, 100)


def get_budget(organization: Organization) -> Budget:
    """This month's, made on first use with MONTHLY_BUDGET_USD. For display only: the numbers move under a lock."""
    new = {"month": get_month(), "limit_micros": round(settings.MONTHLY_BUDGET_USD * MICROS)}
    budget, _ = Budget.objects.get_or_create(organization=organization, defaults=new)
    return _roll_over(budget)


@transaction.atomic
def set_limit(actor: Actor, *, limit_usd: float) -> Budget:
    """Raises or lowers the month's limit; work that waited for money is found by the scheduler."""
    actor.require(Role.ADMIN)
    if not 0 <= limit_usd <= 1_000_000:
        raise Invalid("The monthly budget must be between $0 and $1,000,000.")
    get_budget(actor.organization)
    budget = lock_budget(actor.organization)
    before, budget.limit_micros = budget.limit_micros, round(limit_usd * MICROS)
    budget.told_percent = min(budget.told_percent, find_passed_share(budget.spent_micros, budget.limit_micros))
    budget.save()
    audit.record(actor, "budget set", budget, before_micros=before, after_micros=budget.limit_micros)
    events.publish(events.organization_group(actor.organization.pk), "budget.changed")
    return budget


def get_month() -> str:
    return format_month(timezone.now())


def format_month(moment: datetime) -> str:
    return f"{moment:%Y-%m}"


def format_dollars(micros: int | None) -> str:
    """Millionths of a dollar with as many decimals as say something: $4.18, $0.012, $0.0004, at least $0.0001."""
    amount = (micros or 0) / MICROS
    if amount == 0 or amount >= 0.1:
        return f"${amount:,.2f}"
    return f"${amount:.3f}" if amount >= 0.001 else f"${max(amount, 0.0001):.4f}"


@FixedSelect
def _select_budget(organization: str) -> QuerySet[Budget]:
    rows = Budget.objects.select_for_update(of=("self",)).select_related("organization")
    return rows.filter(organization=organization)


def lock_budget(organization: Organization) -> Budget:
    """The budget under its row lock (SQLite: the IMMEDIATE transaction), with the organization as it is now."""
    budget = _select_budget.first(organization.pk)
    if budget is None:
        get_budget(organization)
        return lock_budget(organization)
    return _roll_over(budget)


def save_sums(budget: Budget) -> None:
    """Save the sums, under its lock."""
    sums = {name: getattr(budget, name) for name in ("month", "spent_micros", "reserved_micros", "told_percent")}
    update_row(Budget, sums, where={"pk": budget.pk})


def _roll_over(budget: Budget) -> Budget:
    """A new month begins with nothing spent, and with what calls under way may cost."""
    if budget.month < get_month():
        budget.month, budget.spent_micros, budget.told_percent = get_month(), 0, 0
        budget.reserved_micros = sum_reserved(Reservation.objects.filter(organization=budget.organization_id))
    return budget


def find_passed_share(spent_micros: int, limit_micros: int) -> int:
    """The highest of the SHARES in percent that is spent; 0 for none, and where nothing may be spent."""
    passed = [share for share in SHARES if limit_micros and spent_micros * 100 >= limit_micros * share]
    return max(passed, default=0)


def sum_reserved(reservations: QuerySet[Reservation]) -> int:
    """Sum what the reservations may cost that are neither settled nor released."""
    return reservations.filter(status=Reservation.Status.OPEN).aggregate(sum=Sum("estimate_micros"))["sum"] or 0
