from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Organization
from documents.models import Budget, Reservation, Usage
from kit.errors import Conflict, Denied, OutOfBudget
from llm.client import Cost, Quote
from llm.money import budgets, spending
from llm.money.answer_room import estimate_tokens
from llm.money.spending import BudgetAccount, Limit
from tests.documents.spending_quotes import estimate, make_quote

pytestmark = pytest.mark.servers


@pytest.fixture
def account(organization: Organization) -> BudgetAccount:
    return BudgetAccount(organization, "extraction", "e1")


def make_limited(organization: Organization, micros: int, **more: Any) -> BudgetAccount:
    limit = Limit(micros, "the limit for this turn", "An admin can raise it.")
    return BudgetAccount(organization, "agent", "t1", limit=limit, **more)


def test_it_makes_the_budget_on_first_use_from_the_setting(organization: Organization, settings: Any) -> None:
    settings.MONTHLY_BUDGET_USD = 12.5
    assert budgets.get_budget(organization).limit_micros == 12_500_000
    assert budgets.get_budget(organization).pk == Budget.objects.get().pk


def test_it_holds_the_estimate_and_books_what_was_used(account: BudgetAccount) -> None:
    reservation = account.reserve(estimate(900), seconds=60)
    assert Budget.objects.get().reserved_micros == 900
    reservation.book_cost(Cost("openai/x", 90, 10, 250), duration_ms=1200)
    budget, usage = Budget.objects.get(), Usage.objects.get()
    assert (budget.reserved_micros, budget.spent_micros) == (0, 250)
    assert (usage.cost_micros, usage.duration_ms, usage.subject_id) == (250, 1200, "e1")


def test_it_gives_the_money_back_when_nothing_was_sent(account: BudgetAccount) -> None:
    reservation = account.reserve(estimate(900), seconds=60)
    reservation.release()
    reservation.release()
    assert (Budget.objects.get().reserved_micros, Budget.objects.get().spent_micros) == (0, 0)
    with pytest.raises(Conflict):
        reservation.book_cost(Cost("openai/x", 1, 1, 1), duration_ms=1)


def test_it_says_what_it_would_cost_what_is_left_and_who_can_lift_it(account: BudgetAccount, settings: Any) -> None:
    settings.MONTHLY_BUDGET_USD = 2
    account.reserve(estimate(1_500_000), seconds=60)
    with pytest.raises(OutOfBudget) as raised:
        account.reserve(estimate(600_000), seconds=60)
    assert raised.value.sentence == (
        "This call may cost $0.60, and $0.50 is left of this month's budget of $2.00. "
        "An admin of Acme can raise it under Settings, Budget."
    )


def test_a_turn_has_a_limit_of_its_own(organization: Organization) -> None:
    with pytest.raises(OutOfBudget, match="limit for this turn") as raised:
        make_limited(organization, 100).reserve(estimate(101), seconds=60)
    assert raised.value.code == "turn"


def test_all_calls_of_a_turn_share_its_limit(organization: Organization) -> None:
    account = make_limited(organization, 1000)
    account.reserve(estimate(900), seconds=60).book_cost(Cost("openai/x", 1, 1, 700), duration_ms=1)
    with pytest.raises(OutOfBudget, match="limit for this turn"):
        account.reserve(estimate(301), seconds=60)
    account.reserve(estimate(300), seconds=60)


def test_a_call_that_is_under_way_counts_in_its_turns_limit(organization: Organization) -> None:
    """Another of the same turn may run at this moment, or may have died with its worker."""
    make_limited(organization, 1000).reserve(estimate(900), seconds=60)
    with pytest.raises(OutOfBudget, match="limit for this turn"):
        make_limited(organization, 1000).reserve(estimate(101), seconds=60)
    BudgetAccount(organization, "agent", "another").reserve(estimate(101), seconds=60)
    make_limited(organization, 1000).reserve(estimate(100), seconds=60)


def test_what_a_dead_call_cost_counts_in_its_turn(organization: Organization, actor: Actor) -> None:
    make_limited(organization, 1000, user=actor.user).reserve(estimate(900, price_known=False), seconds=60)
    Reservation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    spending.book_expired()
    usage = Usage.objects.get()
    assert (usage.subject_id, usage.user, usage.price_known) == ("t1", actor.user, False)
    with pytest.raises(OutOfBudget, match="limit for this turn"):
        make_limited(organization, 1000).reserve(estimate(101), seconds=60)


def test_a_subject_of_another_organization_is_not_counted(organization: Organization) -> None:
    other = Organization.objects.create(name="Other")
    BudgetAccount(other, "agent", "t1").reserve(estimate(900), seconds=60)
    make_limited(organization, 1000).reserve(estimate(1000), seconds=60)


def test_an_answer_is_cut_to_what_the_tightest_limit_leaves(organization: Organization, settings: Any) -> None:
    settings.MONTHLY_BUDGET_USD = 0.01
    account = make_limited(organization, 5000)
    reservation = account.reserve(make_quote(), seconds=60)
    assert (reservation.max_tokens, reservation.reservation.estimate_micros) == (4000, 5000)
    assert BudgetAccount(organization, "bare chat", "c").reserve(make_quote(), seconds=60).max_tokens == 4000
    assert Budget.objects.get().reserved_micros == Budget.objects.get().limit_micros


def test_a_turn_with_room_of_its_own_is_still_held_to_the_month(organization: Organization, settings: Any) -> None:
    settings.MONTHLY_BUDGET_USD = 0.004
    assert make_limited(organization, 1_000_000).reserve(make_quote(), seconds=60).max_tokens == 3000
    with pytest.raises(OutOfBudget) as raised:
        make_limited(organization, 1_000_000).reserve(make_quote(), seconds=60)
    assert raised.value.code == "organization"


@pytest.mark.parametrize(("left", "fits"), [(1255, False), (1256, True)])
def test_an_answer_too_short_to_be_of_use_is_not_asked_for(
    left: int, fits: bool, organization: Organization, settings: Any
) -> None:
    for account, monthly in (
        (make_limited(organization, left), 1),
        (BudgetAccount(organization, "agent", "t2"), left / 1e6),
    ):
        settings.MONTHLY_BUDGET_USD = monthly
        Reservation.objects.all().delete()
        Budget.objects.all().delete()
        if fits:
            assert account.reserve(make_quote(), seconds=60).max_tokens == 256
        else:
            with pytest.raises(OutOfBudget, match=r"This call may cost \$0.001, and \$0.001 is left"):
                account.reserve(make_quote(), seconds=60)


def test_a_short_answer_that_was_asked_for_needs_no_more_room(organization: Organization) -> None:
    assert make_limited(organization, 1005).reserve(make_quote(wanted_output=5), seconds=60).max_tokens == 5
    with pytest.raises(OutOfBudget):
        make_limited(organization, 1004).reserve(make_quote(wanted_output=5), seconds=60)


def test_it_says_that_the_price_is_unknown_and_where_to_set_it(organization: Organization) -> None:
    with pytest.raises(OutOfBudget) as raised:
        make_limited(organization, 1000).reserve(make_quote(price_known=False), seconds=60)
    assert raised.value.sentence.endswith(
        "An admin can raise it. The price of openai/x is unknown and counted as $30.00 per million tokens; the "
        "operator can set it under Settings, Prices of models, or by MODEL_PRICES."
    )


def book_answer(organization: Organization, tokens: int, *, purpose: str = "agent", model: str = "openai/x") -> None:
    account = BudgetAccount(organization, purpose, "past")
    account.reserve(Quote(model, 0), seconds=60).book_cost(Cost(model, 1, tokens, 0), duration_ms=1)


def test_it_learns_how_long_answers_of_a_purpose_and_model_are(organization: Organization, settings: Any) -> None:
    def room(purpose: str = "agent", model: str = "openai/x") -> int:
        return estimate_tokens(organization, purpose, model)

    assert (room(), room("extraction"), room("bare chat")) == (4000, 8000, 8000)
    for _ in range(18):
        book_answer(organization, 900)
    book_answer(organization, 0)
    book_answer(organization, 3000)
    assert room() == 4000  # nineteen that say something
    book_answer(organization, 1200)
    assert room() == 6000  # the 95th percentile of twenty is the longest
    for _ in range(20):
        book_answer(organization, 2500)
    assert room() == 5000
    assert (room("extraction"), room(model="openai/y")) == (8000, 4000)
    for _ in range(200):
        book_answer(organization, 10)
        book_answer(organization, 10, purpose="extraction")
    # An agent talks in few words until it writes a schema of many fields.
    assert (room(), room("extraction")) == (4000, 1000)
    form = Quote("openai/x", 0, max_output=8000, room=2400)
    needed = BudgetAccount(organization, "extraction", "x").reserve(form, seconds=60)
    assert needed.max_tokens == 2400  # forms of few fields teach nothing of one with many
    settings.MODEL_MAX_TOKENS = 500
    assert room() == 500


def test_free_models_work_without_money(account: BudgetAccount, settings: Any) -> None:
    settings.MONTHLY_BUDGET_USD = 0
    account.reserve(estimate(0), seconds=60)


def test_it_settles_a_lost_hold_at_the_estimate_and_corrects_a_late_one(account: BudgetAccount) -> None:
    reservation = account.reserve(estimate(900), seconds=60)
    assert spending.book_expired() == 0
    Reservation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert spending.book_expired() == 1
    assert spending.book_expired() == 0
    assert (Budget.objects.get().reserved_micros, Budget.objects.get().spent_micros) == (0, 900)
    reservation.book_cost(Cost("openai/x", 90, 10, 250), duration_ms=1)
    assert (Budget.objects.get().spent_micros, Usage.objects.get().cost_micros) == (250, 250)


def test_a_lost_hold_of_last_month_takes_nothing_from_this_one(account: BudgetAccount) -> None:
    """The estimate was booked in a month that is over: this one's budget never had it."""
    lost = account.reserve(estimate(900), seconds=60)
    Reservation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    spending.book_expired()
    Budget.objects.update(month="2026-01")
    Usage.objects.update(created_at=timezone.now() - timedelta(days=31))
    account.reserve(estimate(400), seconds=60).book_cost(Cost("openai/x", 1, 1, 400), duration_ms=1)
    for _ in range(2):  # whoever settles it again changes nothing
        lost.book_cost(Cost("openai/x", 90, 10, 250), duration_ms=1)
        assert Budget.objects.get().spent_micros == 650
    assert sorted(Usage.objects.values_list("cost_micros", flat=True)) == [250, 400]


def test_local_models_only_lets_nothing_out(organization: Organization, account: BudgetAccount, settings: Any) -> None:
    organization.local_models_only = True
    organization.save()
    with pytest.raises(Denied, match="Acme uses local models only, and openai/x is not one"):
        account.reserve(estimate(900), seconds=60)
    account.reserve(Quote("offline/rules", 0), seconds=60)
    settings.MODEL_API_BASE = "http://127.0.0.1:9/v1"
    account.reserve(estimate(900), seconds=60)


def test_a_new_month_begins_with_nothing_spent(account: BudgetAccount) -> None:
    budgets.get_budget(account.organization)
    Budget.objects.update(month="2026-01", spent_micros=50_000_000)
    reservation = account.reserve(estimate(900), seconds=60)
    Budget.objects.update(month="2026-01")
    reservation.book_cost(Cost("openai/x", 1, 1, 300), duration_ms=1)
    budget = Budget.objects.get()
    assert (budget.month, budget.spent_micros, budget.reserved_micros) == (budgets.get_month(), 300, 0)


def test_a_new_month_keeps_what_calls_under_way_may_cost(account: BudgetAccount, settings: Any) -> None:
    settings.MONTHLY_BUDGET_USD = 0.001
    reservation = account.reserve(estimate(900), seconds=60)
    BudgetAccount(Organization.objects.create(name="Other"), "agent", "t").reserve(estimate(900), seconds=60)
    Budget.objects.update(month="2026-01", spent_micros=100, reserved_micros=0)
    budget = budgets.get_budget(account.organization)
    assert (budget.spent_micros, budget.reserved_micros, budget.left_micros) == (0, 900, 100)
    with pytest.raises(OutOfBudget):
        account.reserve(estimate(101), seconds=60)
    account.reserve(estimate(100), seconds=60)
    reservation.book_cost(Cost("openai/x", 1, 1, 300), duration_ms=1)
    budget = budgets.get_budget(account.organization)
    assert (budget.spent_micros, budget.reserved_micros) == (300, 100)


def test_what_is_left_is_never_negative(account: BudgetAccount, actor: Actor) -> None:
    account.reserve(estimate(900), seconds=60)
    budgets.set_limit(actor, limit_usd=0.0005)
    assert budgets.get_budget(account.organization).left_micros == 0
    Budget.objects.update(month="2026-01")
    assert budgets.get_budget(account.organization).left_micros == 0
