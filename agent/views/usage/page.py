"""Usage of an organization: what it cost, what was done, and how the gate was used."""

from __future__ import annotations

from datetime import date

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from agent.usage import charts, money
from agent.usage.charts import Chart, Series, make_scale
from agent.usage.pace import Pace, estimate_pace
from agent.usage.period import find_today, read_period
from agent.usage.report import UsageReport
from llm.money.budgets import format_dollars

# Two a line; the figures of money first.
TABLES = ("calls", "prompts", "models", "purposes", "tools", "questions", "research", "corrections", "people")
COLOURS = ("c1", "c2", "c3", "c4")
WORK = (("Straight through", "straight", "d1"), ("Changed first", "changed", "d2"))
REST_OF_WORK = (("Not verified", "waiting", "d3"), ("Not read", "unread", "d4"))


@require_GET
@organization_page()
def show(request: PageRequest) -> HttpResponse:
    period = read_period(request.GET.dict())
    report = UsageReport(request.actor, period)
    days = [day for day in period.list_days() if day <= find_today()] or [period.first]
    context = {
        "section": "usage",
        "report": report,
        "period": period,
        "earlier": period.find_earlier(),
        "later": period.find_later(),
        "today": find_today(),
        "pace": _estimate(report),
        "dollars": _draw_dollars(report, days),
        "running": _draw_sums(report),
        "documents": _draw_documents(report, days),
        "work": report.figures["documents"],
        "work_said": report.work_sentence,
        "tables": [report.figures[key] for key in TABLES],
        "may_administrate": request.actor.may(Role.ADMIN),
    }
    return render(request, "agent/usage/page.html", context)


@require_GET
@organization_page()
def export(request: PageRequest, key: str) -> HttpResponse:
    report = UsageReport(request.actor, read_period(request.GET.dict()))
    response = HttpResponse(report.make_figures(key).write_csv(), content_type="text/csv; charset=utf-8")
    name = f"usage-{key}-{report.period.first}-{report.period.last}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _estimate(report: UsageReport) -> Pace | None:
    return estimate_pace(report.period, report.budget, find_today()) if report.is_present_month else None


def _draw_dollars(report: UsageReport, days: list[date]) -> Chart:
    sums = money.sum_by_day(report.actor, report.period)
    series = [
        Series(kind, colour, [sums[day][kind] for day in days], [format_dollars(sums[day][kind]) for day in days])
        for kind, colour in zip(money.KINDS, COLOURS, strict=True)
    ]
    highest = max((sum(sums[day].values()) for day in days), default=0)
    totals = {each.name: format_dollars(sum(each.values)) for each in series}
    label = f"Dollars by day in {report.period.title}, by purpose"
    return charts.draw_bars(label, days, series, make_scale(highest, is_amount=True), totals)


def _draw_sums(report: UsageReport) -> Chart | None:
    """Only of the present month, whose budget is known."""
    pace = _estimate(report)
    if pace is None:
        return None
    by_day = money.sum_by_day(report.actor, report.period)
    all_days = list(report.period.list_days())
    sums, so_far = [], 0
    for day in [day for day in all_days if day <= find_today()]:
        so_far += sum(by_day[day].values())
        sums.append(so_far)
    steps = make_scale(max(so_far, pace.expected, report.budget.limit_micros), is_amount=True)
    label = f"Dollars added up: {pace.sentence}"
    return charts.draw_track(label, all_days, sums, steps, limit=report.budget.limit_micros, pace=pace.expected)


def _draw_documents(report: UsageReport, days: list[date]) -> Chart:
    by_day = {each.day: each for each in report.documents}
    series = [
        Series(name, colour, values := [getattr(by_day.get(day), field, 0) for day in days], list(map(str, values)))
        for name, field, colour in (*WORK, *REST_OF_WORK)
    ]
    highest = max((each.number for each in report.documents), default=0)
    totals = {each.name: f"{sum(each.values):,}" for each in series}
    label = f"Documents by day in {report.period.title}"
    return charts.draw_bars(label, days, series, make_scale(highest), totals)
