"""Usage for programs: the same figures as on the page."""

from __future__ import annotations

from rest_framework.request import Request

from accounts.api.access import OrganizationView
from accounts.api.wire.described import Choice, Text, describe
from accounts.api.wire.errors import Unprocessable, make_fault
from accounts.api.wire.fields import read_choice
from accounts.api.wire.responses import Answer
from accounts.models import Role
from agent.api.overview import answers
from agent.usage.figures import Figures
from agent.usage.period import read_period
from agent.usage.report import PARTS, UsageReport
from agent.usage.work import Times
from kit.errors import Invalid

PERIOD = ("month", "day", "from", "to")


class Usage(OrganizationView):
    """Tells what models cost, what was done with documents, and how the gate was used, in some days (UTC).

    Without a day it is the present month. People see themselves; an admin sees all where the organization turned it
    on. Amounts are millionths of a dollar.
    """

    roles = {"GET": Role.VIEWER}

    @describe(
        "Tell what was used and what it cost",
        query=[
            Text("month", "Of this month, such as 2026-11."),
            Text("day", "Of this day, such as 2026-11-30."),
            Text("from", "From this day on; with `to`, up to 366 days."),
            Text("to", "To this day; without it today."),
            Choice("part", "Only these figures.", allowed=tuple(PARTS)),
        ],
    )
    def get(self, request: Request) -> Answer[answers.UsageAnswer]:
        asked = {name: text for name in PERIOD if (text := request.query_params.get(name, ""))}
        try:
            period = read_period(asked)
        except Invalid as error:
            raise Unprocessable(
                [make_fault("query", name, error.sentence, text[:60]) for name, text in asked.items()]
            ) from None
        part = read_choice(request, "part", "", tuple(PARTS))
        report = UsageReport(self.actor, period)
        shown = [report.make_figures(part)] if part else list(report.figures.values())
        return Answer(
            {
                "from": period.first.isoformat(),
                "to": period.last.isoformat(),
                "budget": _describe_budget(report),
                "totals": report.sums,
                "until_verified": _describe_times(report.until_verified),
                "until_decided": _describe_times(report.gate.times),
                "card_in_view": _describe_times(report.gate.seen),
                "figures": {each.key: _describe_figures(each) for each in shown},
            }
        )


def _describe_budget(report: UsageReport) -> answers.UsageBudget:
    """The budget is that of the present month, whichever days are asked for."""
    budget = report.budget
    return {
        "month": budget.month,
        "limit_micros": budget.limit_micros,
        "spent_micros": budget.spent_micros,
        "reserved_micros": budget.reserved_micros,
    }


def _describe_times(times: Times) -> answers.UsageTimes:
    return {"median_seconds": times.median, "nine_in_ten_seconds": times.ninth, "number": times.number}


def _describe_figures(figures: Figures) -> answers.UsageFigures:
    columns: list[answers.UsageColumn] = [
        {"name": column.name, "title": column.title, "unit": column.unit} for column in figures.columns
    ]
    return {"title": figures.title, "note": figures.note, "columns": columns, "rows": figures.describe_rows()}
