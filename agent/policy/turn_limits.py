"""The limit of money of one turn, and who can raise it where."""

from __future__ import annotations

from django.db.models import QuerySet

from agent.models import Turn
from documents.models import Usage
from kit.rows.fixed_select import FixedSelect
from llm.money import budgets, spending

OVERLONG = " The server of {model} wrote more than it was asked for: it ignores max_tokens."


def turn_limit(turn: Turn) -> spending.Limit:
    """For all calls of the turn together."""
    if turn.origin == Turn.Origin.HEADLESS:
        return spending.Limit(
            turn.limit_micros,
            f"the limit of {budgets.format_dollars(turn.limit_micros)} for an automatic setup",
            "The operator can raise it with HEADLESS_BUDGET_USD.",
        )
    return spending.Limit(
        turn.limit_micros,
        f"the limit for this turn of {budgets.format_dollars(turn.limit_micros)}",
        f"Going on adds to it once; an admin of {turn.thread.organization.name} can raise it under Settings, Agent.",
    )


def price_note(turn: Turn) -> str:
    """Added to what is said of a turn's money when some of it was counted at a price that nobody knows."""
    unknown = Usage.objects.filter(subject_id=turn.pk, price_known=False).values_list("model", flat=True).first()
    return spending.describe_unknown_price(unknown, known=False) if unknown else ""


@FixedSelect
def _select_overlong(turn: str) -> QuerySet[Usage]:
    return Usage.objects.filter(subject_id=turn).overlong().order_by("pk")[:1]


def overlong_note(turn: Turn) -> str:
    """Added when a server wrote more than its answer was to have, which is paid for beyond what was reserved."""
    answer = _select_overlong.first(turn.pk)
    return OVERLONG.format(model=answer.model) if answer else ""
