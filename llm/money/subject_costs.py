"""Costs of all model calls for one subject, such as a turn or an extraction."""

from __future__ import annotations

from typing import Any, cast

from django.db.models import QuerySet

from accounts.models import Organization
from kit.rows.fixed_select import FixedValues
from llm.models import Reservation, Usage


@FixedValues
def _select_costs(subject: str) -> QuerySet[Usage, tuple[int]]:
    return Usage.objects.filter(subject_id=subject).values_list("cost_micros")


def sum_spent(subject_id: str) -> int:
    """Sum the costs of all calls for a turn or extraction so far."""
    return sum(micros for (micros,) in _select_costs.list(subject_id))


@FixedValues
def _select_amounts(organization: str, subject: str) -> QuerySet[Reservation, tuple[int]]:
    """Select for each call of a subject what it has cost, or may cost while it is under way."""
    calls = Reservation.objects.filter(organization=organization, subject_id=subject, status=Reservation.Status.OPEN)
    spent = Usage.objects.filter(subject_id=subject).order_by().values_list("cost_micros")
    return calls.order_by().values_list("estimate_micros").union(cast(Any, spent), all=True)


def sum_committed(organization: Organization, subject_id: str) -> int:
    """Sum what its calls have cost, and what those under way may cost."""
    return sum(micros for (micros,) in _select_amounts.list(organization.pk, subject_id))
