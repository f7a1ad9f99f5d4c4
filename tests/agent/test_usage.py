"""Usage: the page, its files and programs say the same of a month; who sees whom."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Organization, OutgoingMail, Role
from accounts.services import organizations
from agent.calls import decisions, execution
from agent.models import Decision, ToolCall
from agent.usage import gate
from agent.usage.charts import MAX_STEPS, make_scale
from agent.usage.figures import Column, Figures, format_seconds
from agent.usage.pace import estimate_pace
from agent.usage.period import find_today, make_month, read_period
from agent.usage.report import PARTS, UsageReport
from agent.usage.timeline import trace_turn
from documents.models import Budget, FieldEdit, Verification
from kit.errors import Invalid
from llm.client import Cost
from llm.money import budgets
from llm.money.budgets import MICROS
from llm.money.spending import BudgetAccount
from tests.agent.decision_rows import Propose
from tests.conftest import ApiClient
from tests.documents.extraction_rows import make_prompt, run_prompt
from tests.documents.reading_rows import document_with
from tests.documents.spending_quotes import estimate
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db


def spend(actor: Actor, micros: int, *, purpose: str = "agent", subject: str = "t1", **more: Any) -> None:
    account = BudgetAccount(actor.organization, purpose, subject, actor.user, **more)
    cost = Cost("openai/x", 100, 10, micros, cached_tokens=60)
    account.reserve(estimate(micros), seconds=60).book_cost(cost, duration_ms=1500)


def report_of(actor: Actor) -> UsageReport:
    return UsageReport(actor, read_period({}))


@pytest.mark.parametrize(
    ("query", "first", "last", "title"),
    [
        ({"month": "2026-02"}, date(2026, 2, 1), date(2026, 2, 28), "February 2026"),
        ({"day": "2026-02-03"}, date(2026, 2, 3), date(2026, 2, 3), "3 Feb 2026"),
        ({"from": "2026-01-30", "to": "2026-02-03"}, date(2026, 1, 30), date(2026, 2, 3), "30 Jan to 3 Feb 2026"),
    ],
)
def test_a_period_is_a_month_a_day_or_from_to(query: dict[str, str], first: date, last: date, title: str) -> None:
    period = read_period(query)
    assert (period.first, period.last, period.title) == (first, last, title)
    earlier = period.find_earlier()
    assert earlier.last == first - timedelta(days=1) and earlier.find_later() == period


@pytest.mark.parametrize(
    "query",
    [
        {"month": "2026-13"},
        {"day": "yesterday"},
        {"from": "2026-02-03", "to": "2026-02-01"},
        {"from": "2020-01-01", "to": "2026-01-01"},
        {"month": "0001-01"},
    ],
)
def test_a_period_that_makes_no_sense_is_refused(query: dict[str, str]) -> None:
    with pytest.raises(Invalid):
        read_period(query)


def test_money_is_told_by_all_that_it_was_spent_for(actor: Actor) -> None:
    document = document_with(actor.organization, ["Total 4.18"])
    run = run_prompt(document, make_prompt(actor), {"total": "4.18"})
    spend(actor, 300, purpose="extraction", prompt_revid=run.prompt_revision_id)
    spend(actor, 200, purpose="research", tool="ask_documents")
    spend(actor, 0, purpose="embedding")
    figures = report_of(actor).figures
    rows = {key: [tuple(row) for row in each.rows] for key, each in figures.items()}
    assert rows["days"] == [(find_today(), 300, 0, 200, 0, 500)]
    assert rows["running"][0][1:3] == (500, 500)
    by_purpose = [("Extraction", 300), ("Research", 200), ("Embedding", 0)]
    assert [(row[0], row[1]) for row in rows["purposes"]] == by_purpose
    assert [(row[0], row[1]) for row in rows["tools"]] == [("ask_documents", 200)]
    assert [row[1] for row in rows["prompts"]] == [300] and str(rows["prompts"][0][0]).endswith("v1")
    assert rows["models"] == [("openai/x", 500, 3, 300, 180, 0, 30)]
    assert figures["models"].total == ("All", 500, 3, 300, 180, 0, 30)


def test_work_is_told_as_it_stands(actor: Actor) -> None:
    documents = [document_with(actor.organization, [f"Total {number}"], name=f"{number}.pdf") for number in range(3)]
    prompt = make_prompt(actor)
    runs = [run_prompt(document, prompt, {"total": "4"}) for document in documents[:2]]
    for run in runs:
        Verification.objects.create(extraction=run, user=actor.user)
        run.document.review = "verified"
        run.document.save()
    FieldEdit.objects.create(extraction=runs[0], number=1, where="total", new="5", origin="person", user=actor.user)
    FieldEdit.objects.create(extraction=runs[1], number=1, where="total", new="5", origin="agent_rule")
    report = report_of(actor)
    assert [tuple(row[1:]) for row in report.figures["documents"].rows] == [(3, 3, 1, 1, 1, 0, 50)]
    assert "50 % straight through" in report.work_sentence and report.until_verified.number == 2
    assert [(row[0], row[2]) for row in report.figures["corrections"].rows] == [("total", 1)]


def decide(actor: Actor, call: ToolCall, kind: Any = "approved", **more: Any) -> Decision:
    return decisions.decide(
        actor, call=call, kind=kind, version=1, shown_hash=call.shown_hash, idempotency_key=call.pk, **more
    )


def test_the_gate_counts_what_people_decided_apart_from_policy(actor: Actor, propose: Propose) -> None:
    calls = propose(*(("note", {"text": str(number)}) for number in range(5)))
    decide(actor, calls[0], seen_ms=4000)
    decide(actor, calls[1], "rejected")
    decide(actor, calls[2], arguments={"text": "other"})
    ToolCall.objects.filter(pk=calls[3].pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    decisions.expire(calls[3].pk)
    counted = report_of(actor).gate
    assert (counted.cards, counted.approved, counted.edited, counted.rejected) == (5, 1, 1, 1)
    assert counted.expired == 2  # an expired card ends its turn, and with it those that wait beside it
    assert (counted.seen.median, counted.seen.number, counted.times.number) == (4, 1, 3)
    Decision.objects.filter(call=calls[0]).update(mode="auto")
    counted = report_of(actor).gate
    assert (counted.approved, counted.allowed) == (0, 1)


def read_inbox(actor: Actor) -> str:
    client = Client()
    client.force_login(actor.user)
    return client.get(reverse("inbox", args=[actor.organization.pk])).text


def test_twenty_cards_hardly_looked_at_are_said_to_the_person(
    actor: Actor, member: Any, propose: Propose, django_assert_num_queries: Any
) -> None:
    calls = propose(*(("note", {"text": str(number)}) for number in range(gate.HASTY_CARDS)))
    for call in calls[:-1]:
        decide(actor, call, seen_ms=1999)
    assert not report_of(actor).list_hasty_runs()
    decide(actor, calls[-1], seen_ms=2000)
    (run,) = report_of(actor).list_hasty_runs()
    assert (run.user, run.number, run.thread_ids) == (actor.user, 20, [calls[0].thread_id])

    colleague = member(Role.ADMIN)
    assert not report_of(colleague).list_hasty_runs()
    organizations.change(colleague, people_in_usage=True)
    colleague.organization.refresh_from_db()
    with django_assert_num_queries(1):
        assert [run.user for run in report_of(colleague).list_hasty_runs()] == [actor.user]
    told = "You approved 20 cards in a row within two seconds each."
    assert told in read_inbox(actor) and told not in read_inbox(colleague)
    Decision.objects.filter(call=calls[3]).update(seen_ms=2001)
    assert not report_of(actor).list_hasty_runs()


@pytest.mark.parametrize("is_on", [False, True])
def test_people_see_themselves_and_admins_all_where_it_is_on(actor: Actor, member: Any, is_on: bool) -> None:
    colleague, admin = member(Role.BUILDER), actor
    spend(colleague, 200)
    spend(admin, 100)
    organizations.change(admin, people_in_usage=is_on)
    seen = {}
    for each in (admin, colleague):
        each.organization.refresh_from_db()
        seen[each.user.pk] = {row[0] for row in report_of(each).figures["people"].rows}
    assert seen[colleague.user.pk] == {colleague.user.shown_name}
    assert seen[admin.user.pk] == {admin.user.shown_name} | ({colleague.user.shown_name} if is_on else set())


def test_the_page_its_files_and_programs_say_the_same(
    actor: Actor, api_as: Callable[[Actor], ApiClient], propose: Propose
) -> None:
    spend(actor, 1_500_000, subject=propose(("note", {"text": "=1+1"}))[0].turn_id)
    Organization.objects.create(name="Other")
    client, base = PageClient(), f"/orgs/{actor.organization.pk}/usage"
    client.force_login(actor.user)
    page = client.get(base).text
    assert "$1.50" in page and 'role="img"' in page and "<caption" in page
    for key in PARTS:
        file = client.get(f"{base}/{key}.csv")
        assert file["Content-Type"].startswith("text/csv")
        answer = api_as(actor).get(f"/v0/orgs/{actor.organization.pk}/usage", {"part": key}).json()
        figures = answer["figures"][key]
        assert file.text.splitlines()[0].replace("_dollars", "_micros") == ",".join(
            column["name"] for column in figures["columns"]
        )
        assert len(file.text.splitlines()) - 1 == len(figures["rows"])
    assert "1.500000" in client.get(f"{base}/models.csv").text
    whole = api_as(actor).get(f"/v0/orgs/{actor.organization.pk}/usage").json()
    assert (whole["totals"]["cost_micros"], set(whole["figures"])) == (1_500_000, set(PARTS))
    refused = api_as(actor).get(f"/v0/orgs/{actor.organization.pk}/usage", {"day": "soon"})
    assert (refused.status_code, refused.json()["detail"][0]["loc"]) == (422, ["query", "day"])
    assert client.get(f"{base}/nothing.csv").status_code == 404 and client.get(f"{base}?day=soon").status_code == 400


def test_the_navigation_shows_the_budget_once_most_is_spent(actor: Actor) -> None:
    client = PageClient()
    client.force_login(actor.user)
    budgets.set_limit(actor, limit_usd=1)
    seen = []
    for spent in (799_999, 800_000):
        Budget.objects.update(spent_micros=spent)
        seen.append("nav-money" in client.get(f"/orgs/{actor.organization.pk}/tags").text)
    assert seen == [False, True]


@pytest.mark.parametrize(
    ("spent", "limit", "passed", "sentence"),
    [
        (11_000_000, 20_000_000, 15, "At this pace $20.00 is reached on 28 Nov."),
        (10_000_000, 0, 15, "At this pace the month comes to $20.00."),
        (20_000_000, 20_000_000, 15, "All of $20.00 is spent."),
    ],
)
def test_the_pace_says_when_the_budget_ends(spent: int, limit: int, passed: int, sentence: str) -> None:
    period = make_month(date(2026, 11, 1))
    pace = estimate_pace(period, Budget(spent_micros=spent, limit_micros=limit), date(2026, 11, passed))
    assert pace.sentence == sentence


def test_words_and_scales_of_figures() -> None:
    assert [format_seconds(number) for number in (9, 200, 7800, 180_000)] == [
        "9 s",
        "3 min 20 s",
        "2 h 10 min",
        "2 d 2 h",
    ]
    assert make_scale(30).words == ["30", "20", "10", "0"]
    assert make_scale(2_300_000, is_amount=True).words == ["$2.50", "$2.00", "$1.50", "$1.00", "$0.50", "$0.00"]
    assert make_scale(9_000_000, is_amount=True).words == ["$10", "$8", "$6", "$4", "$2", "$0"]
    table = Figures("k", "T", [Column("a", "A", "text"), Column("cost_micros", "B", "micros")], [("=1+1", 2_500_000)])
    assert table.write_csv().splitlines() == ["a,cost_dollars", "'=1+1,2.500000"]


def test_a_turn_says_why_it_cost_what_it_did(actor: Actor, propose: Propose) -> None:
    """Each call of a model, each tool and each wait for a person is a line; the lines add up to what it cost."""
    (call,) = propose(("note", {"text": "one"}))
    spend(actor, 300, subject=call.turn_id)
    decide(actor, call)
    execution.execute(call.pk, holder="test")
    spend(actor, 200, subject=call.turn_id, purpose="research", tool="note")
    timeline = trace_turn(call.turn)
    assert timeline.cost_micros == 500
    assert sorted(step.icon for step in timeline.steps if step.cost_micros) == ["coins", "sparkles"]
    assert [step.cached_percent for step in timeline.steps if step.cost_micros] == [60, 60]
    assert sum(step.is_wait for step in timeline.steps) == 1 and len(timeline.steps) == 4
    assert [(row[1], row[-1]) for row in timeline.by_tool.rows] == [(1, 300), (1, 200)]
    client = PageClient()
    client.force_login(actor.user)
    page = client.get(f"/orgs/{actor.organization.pk}/turns/{call.turn_id}/cost").text
    assert "$0.0005" in page and "Where it went" in page and "60 %" in page


@pytest.mark.parametrize("is_amount", [False, True])
def test_bars_fill_most_of_their_chart(is_amount: bool) -> None:
    for highest in range(1, 3000):
        unit = MICROS if is_amount else 1
        scale = make_scale(highest * unit, is_amount=is_amount)
        assert 0.7 <= highest * unit / scale.top <= 1 and 1 <= scale.number <= MAX_STEPS


def test_an_admins_month(actor: Actor, propose: Propose, settings: Any) -> None:
    """They hear of the budget at 80 and 100 % once, read the gate, take the figures along, and see what a turn cost."""
    settings.EMAIL_URL = "smtp://127.0.0.1:9"
    budgets.set_limit(actor, limit_usd=0.001)
    calls = propose(*(("note", {"text": str(number)}) for number in range(2)))
    decide(actor, calls[0])
    decide(actor, calls[1], "rejected")
    for micros, percents in ((700, []), (100, [80]), (50, [80]), (149, [80]), (1, [80, 100])):
        spend(actor, micros, subject=calls[0].turn_id)
        told = OutgoingMail.objects.filter(kind=OutgoingMail.Kind.BUDGET_SPENT).order_by("created_at", "pk")
        assert [mail.facts["percent"] for mail in told] == percents
    client = PageClient()
    client.force_login(actor.user)
    page = client.get(f"/orgs/{actor.organization.pk}/usage").text
    assert "All of $0.001 is spent." in page and re.search(
        r"<b>2</b> cards.*<b>1</b> approved.*<b>1</b> rejected", page
    )
    table = client.get(f"/orgs/{actor.organization.pk}/usage/models.csv").text
    assert table.splitlines()[1].startswith("openai/x,0.001000,5")
    assert f"/turns/{calls[0].turn_id}/cost" in page
    assert "$0.001" in client.get(f"/orgs/{actor.organization.pk}/turns/{calls[0].turn_id}/cost").text
