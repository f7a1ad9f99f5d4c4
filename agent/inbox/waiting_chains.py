"""Of a call chain the inbox has one row: its first step that waits, which stands for all that do."""

from __future__ import annotations

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from agent.models import ToolCall


def is_first_waiting() -> Q:
    """Of calls that wait: those of no chain, and the first of each."""
    return Q(chain=None) | Q(~Exists(_select_waiting().filter(chain_step__lt=OuterRef("chain_step"))))


def count_waiting() -> Subquery:
    """How many steps of the call's chain wait; none for a call of no chain."""
    return Subquery(_select_waiting().values("chain").annotate(number=Count("pk")).values("number"))


def _select_waiting() -> QuerySet[ToolCall]:
    same = {name: OuterRef(name) for name in ("turn", "round", "chain")}
    return ToolCall.objects.filter(**same, status=ToolCall.Status.PENDING).order_by()
