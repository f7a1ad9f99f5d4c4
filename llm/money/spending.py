"""Money: reserved before each model call, settled after it, never more than any limit.

`spent_micros` and `reserved_micros` change only under the budget's row lock, in transactions of a few milliseconds. A
reservation belongs to the month it was made in; what it cost is booked in the month it is settled in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import Organization, User
from kit.errors import Conflict, Denied, OutOfBudget
from kit.rows.fixed_update import update_row
from kit.rows.row_guard import RowGuard
from kit.rows.state import move
from llm.client.providers import get_provider_name, is_local
from llm.client.types import Cost, Quote
from llm.models import Budget, Reservation, Usage
from llm.money import budget_notices, free_slots, usage_days
from llm.money.answer_room import USEFUL_TOKENS, estimate_tokens
from llm.money.budgets import (
    format_dollars,
    format_month,
    get_month,
    lock_budget,
    save_sums,
)
from llm.money.subject_costs import sum_committed

SPARE_SECONDS = 120
MAX_PER_SWEEP = 200
LOCAL_ONLY = "{organization} uses local models only, and {model} is not one. Choose another, or ask an admin."
Status = Reservation.Status
_expired_reservations = RowGuard("reservation whose owner died")


@dataclass(frozen=True)
class CallReservation:
    """The reservation of one call; settled or released once, by whoever comes first."""

    reservation: Reservation

    @property
    def max_tokens(self) -> int:
        return self.reservation.max_tokens

    def book_cost(self, cost: Cost, *, duration_ms: int) -> None:
        book_cost(self.reservation, cost=cost, duration_ms=duration_ms)

    def release(self) -> None:
        release(self.reservation)


@dataclass(frozen=True)
class Limit:
    """The most that all calls for one subject, such as a turn, may cost together.

    `name` follows "is left of", and `remedy` is the sentence that says who can raise it where.
    """

    micros: int
    name: str
    remedy: str


@dataclass(frozen=True)
class BudgetAccount:
    """The account of a model call and its purpose. `subject_id` is the turn or extraction, `limit` the subject's.

    `tool` is the agent's tool that asks the model, `prompt_revid` the prompt's revision; each is empty where none does.
    """

    organization: Organization
    purpose: str
    subject_id: str
    user: User | None = None
    limit: Limit | None = None
    tool: str = ""
    prompt_revid: str = ""

    def reserve(self, quote: Quote, *, seconds: float) -> CallReservation:
        return CallReservation(reserve(self, quote=quote, seconds=seconds))


def reserve(account: BudgetAccount, *, quote: Quote, seconds: float) -> Reservation:
    """Reserves the most that the call can cost. Commits before it returns: the reservation outlives this process.

    The length of the answer is cut to what the tightest limit leaves. OutOfBudget when that would be too short to be
    of use. Every model call passes here, so this is also where an organization's limit to local models applies
    (Denied), and where a provider gets no more calls at once than it may have: ModelFailed, with the code "busy".
    """
    organization = account.organization
    learned = estimate_tokens(organization, account.purpose, quote.model)
    tokens_wanted = quote.wanted_output or max(learned, quote.room)
    with transaction.atomic():
        budget = lock_budget(organization)
        _require_local_if_set(budget.organization, quote.model)
        tokens = _limit_tokens(account, budget, quote, min(tokens_wanted, quote.max_output))
        provider = get_provider_name(quote.model)
        free_slots.require_free_slot(provider)
        micros = quote.micros(tokens)
        budget.reserved_micros += micros
        save_sums(budget)
        return Reservation.objects.create(
            organization=organization,
            purpose=account.purpose,
            subject_id=account.subject_id,
            user=account.user,
            tool=account.tool,
            prompt_revid=account.prompt_revid,
            model=quote.model,
            month=budget.month,
            provider=provider,
            estimate_micros=micros,
            max_tokens=tokens,
            price_known=quote.price_known,
            expires_at=timezone.now() + timedelta(seconds=seconds + SPARE_SECONDS),
        )


def _limit_tokens(account: BudgetAccount, budget: Budget, quote: Quote, tokens: int) -> int:
    """`tokens`, cut to what the month and the subject's own limit leave."""
    month = Limit(
        budget.left_micros,
        f"this month's budget of {format_dollars(budget.limit_micros)}",
        f"An admin of {account.organization.name} can raise it under Settings, Budget.",
    )
    minimum = quote.min_output or min(tokens, USEFUL_TOKENS)
    own = [] if account.limit is None else [("turn", replace(account.limit, micros=_sum_left(account, account.limit)))]
    for code, limit in [*own, ("organization", month)]:
        affordable = quote.output_for(limit.micros)
        if affordable < minimum:
            cost, left = format_dollars(quote.micros(minimum)), format_dollars(limit.micros)
            raise OutOfBudget(
                f"This call may cost {cost}, and {left} is left of "
                f"{limit.name}. {limit.remedy}{describe_unknown_price(quote.model, known=quote.price_known)}",
                code=code,
            )
        tokens = min(tokens, affordable)
    return tokens


def _sum_left(account: BudgetAccount, limit: Limit) -> int:
    """By the rows, under the budget's lock: several calls of one turn may be under way, some of which are dead."""
    return max(0, limit.micros - sum_committed(account.organization, account.subject_id))


def describe_unknown_price(model: str, *, known: bool) -> str:
    """A sentence to add to one about money, with a space before it; empty when the price is known."""
    if known:
        return ""
    ceiling = format_dollars(settings.UNKNOWN_PRICE_MICROS_PER_MTOK)
    return (
        f" The price of {model} is unknown and counted as {ceiling} per million tokens; the operator can set it under "
        "Settings, Prices of models, or by MODEL_PRICES."
    )


def _require_local_if_set(organization: Organization, model: str) -> None:
    if organization.local_models_only and not is_local(model):
        raise Denied(LOCAL_ONLY.format(organization=organization.name, model=model), code="local_only")


def book_cost(reservation: Reservation, *, cost: Cost, duration_ms: int) -> None:
    """Books what the call cost, in the place of the estimate if the reservation had expired meanwhile."""
    measured = {
        "prompt_tokens": cost.prompt_tokens,
        "completion_tokens": cost.completion_tokens,
        "cached_tokens": cost.cached_tokens,
        "cache_written_tokens": cost.cache_written_tokens,
        "duration_ms": duration_ms,
    }
    try:
        _book_in_time(reservation, cost.micros, measured)
    except _Late:
        _book_late(reservation, cost.micros, measured)


class _Late(Exception):
    """The reservation has expired, or a month has ended, since the call began: what was booked rolls back."""


@transaction.atomic
def _book_in_time(reservation: Reservation, cost_micros: int, measured: Mapping[str, int]) -> None:
    """Most calls: the budget is locked, and both its sums written, by one statement."""
    sums = {"spent_micros__add": cost_micros, "reserved_micros__add": -reservation.estimate_micros}
    now = {"organization": reservation.organization_id, "month": get_month()}
    where = {**now, "reserved_micros__gte": reservation.estimate_micros}
    state = update_row(Budget, sums, where=where, read=("pk", *budget_notices.READ))
    if state is None:
        raise _Late
    try:
        move(reservation, Status.SETTLED, transitions=Reservation.TRANSITIONS)
    except Conflict:
        raise _Late from None
    _record_usage(reservation, cost_micros, measured)
    budget_notices.tell_admins(reservation.organization, *state)


@transaction.atomic
def _book_late(reservation: Reservation, cost_micros: int, measured: Mapping[str, int]) -> None:
    budget = lock_budget(reservation.organization)
    try:
        move(reservation, Status.SETTLED, transitions=Reservation.TRANSITIONS)
        _unreserve(budget, reservation)
    except Conflict:
        booked = Usage.objects.filter(reservation=reservation, reservation__status=Status.ESTIMATED).first()
        if booked is None:
            raise
        if format_month(booked.created_at) == budget.month:
            budget.spent_micros = max(0, budget.spent_micros - booked.cost_micros)
        usage_days.subtract(booked)
        booked.delete()
    _book(budget, reservation, cost_micros, measured)


@transaction.atomic
def release(reservation: Reservation) -> None:
    """Nothing was sent, so nothing is owed."""
    budget = lock_budget(reservation.organization)
    try:
        move(reservation, Status.RELEASED, transitions=Reservation.TRANSITIONS)
    except Conflict:
        return
    _unreserve(budget, reservation)
    save_sums(budget)


def book_expired() -> int:
    """Books reservations whose owner died, at the estimate: the call may well have been billed. For the scheduler."""
    expired = Reservation.objects.filter(status=Status.OPEN, expires_at__lt=timezone.now())
    return _expired_reservations.run_each(expired.order_by("expires_at"), _book_estimate, maximum=MAX_PER_SWEEP)


@transaction.atomic
def _book_estimate(reservation_id: str) -> None:
    reservation = Reservation.objects.select_related("organization").get(pk=reservation_id)
    budget = lock_budget(reservation.organization)
    try:
        move(reservation, Status.ESTIMATED, transitions=Reservation.TRANSITIONS)
    except Conflict:
        return
    _unreserve(budget, reservation)
    _book(budget, reservation, reservation.estimate_micros, {})


def _book(budget: Budget, reservation: Reservation, cost_micros: int, measured: Mapping[str, int]) -> None:
    budget.spent_micros += cost_micros
    save_sums(budget)
    _record_usage(reservation, cost_micros, measured)
    state = (getattr(budget, name) for name in budget_notices.READ)
    budget_notices.tell_admins(reservation.organization, budget.pk, *state)


def _record_usage(reservation: Reservation, cost_micros: int, measured: Mapping[str, int]) -> None:
    usage = Usage.objects.create(
        organization=reservation.organization,
        user=reservation.user,
        reservation=reservation,
        purpose=reservation.purpose,
        subject_id=reservation.subject_id,
        model=reservation.model,
        tool=reservation.tool,
        prompt_revid=reservation.prompt_revid,
        cost_micros=cost_micros,
        price_known=reservation.price_known,
        **measured,
    )
    usage_days.add(usage)


def _unreserve(budget: Budget, reservation: Reservation) -> None:
    budget.reserved_micros = max(0, budget.reserved_micros - reservation.estimate_micros)
