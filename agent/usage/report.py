"""All that is said of an organization's usage in some days, for the page, its files and programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from accounts.actor import Actor
from accounts.models import Role, User
from agent.usage import gate as gates
from agent.usage import money, questions, work
from agent.usage.figures import Figures, format_seconds, percent
from agent.usage.period import Period, find_today
from agent.usage.work import DocumentsOfDay, Times
from kit.errors import NotFound
from kit.formats import count_noun
from llm.models import Budget
from llm.money import budgets


@dataclass(frozen=True)
class UsageReport:
    """Each part is read when it is asked for."""

    actor: Actor
    period: Period

    @property
    def is_present_month(self) -> bool:
        return self.period.is_month and self.period.first <= find_today() <= self.period.last

    @property
    def sees_people(self) -> bool:
        """Everybody sees themself. Admins see the others only where the organization turned it on."""
        return self.actor.may(Role.ADMIN) and self.actor.organization.people_in_usage

    @cached_property
    def budget(self) -> Budget:
        return budgets.get_budget(self.actor.organization)

    @cached_property
    def sums(self) -> dict[str, int]:
        return money.sum_all(self.actor, self.period)

    @cached_property
    def documents(self) -> list[DocumentsOfDay]:
        return work.count_by_day(self.actor, self.period)

    @property
    def work_sentence(self) -> str:
        """654 documents, 1,287 pages. 58 % straight through: 23 of 40 verified had no change.…"""
        number, pages = (sum(getattr(day, name) for day in self.documents) for name in ("number", "pages"))
        straight, changed = (sum(getattr(day, name) for day in self.documents) for name in ("straight", "changed"))
        parts = [f"{count_noun(number, 'document')}, {count_noun(pages, 'page')}."]
        if (share := percent(straight, straight + changed)) is not None:
            parts.append(f"{share} % straight through: {straight:,} of {straight + changed:,} verified had no change.")
        if (median := self.until_verified.median) is not None:
            parts.append(f"Verified {format_seconds(median)} after upload, in the median.")
        return " ".join(parts)

    @cached_property
    def until_verified(self) -> Times:
        return work.measure_until_verified(self.actor, self.period)

    @cached_property
    def gate_by_tool(self) -> dict[str, gates.GateCounts]:
        return gates.count_by_tool(self.actor, self.period)

    @cached_property
    def gate(self) -> gates.GateCounts:
        return gates.add_up(self.gate_by_tool)

    @cached_property
    def requests(self) -> questions.Requests:
        return questions.list_requests(self.actor, self.period)

    def list_hasty_runs(self) -> list[gates.HastyRun]:
        """List those of the actor, and of all members where admins see people."""
        people = User.objects.filter(pk=self.actor.user.pk)
        if self.sees_people:
            people = User.objects.filter(memberships__organization=self.actor.organization)
        runs = gates.list_hasty_runs(self.actor, people)
        return [run for run in runs if self.period.begin <= run.at < self.period.end]

    @cached_property
    def figures(self) -> dict[str, Figures]:
        return {key: self.make_figures(key) for key in PARTS}

    def make_figures(self, key: str) -> Figures:
        """Raises NotFound."""
        if key not in PARTS:
            raise NotFound(f"There are no figures named {key[:40]!r}. There are {', '.join(PARTS)}.")
        return PARTS[key](self)


PARTS: dict[str, Callable[[UsageReport], Figures]] = {
    "days": lambda report: money.tabulate_days(report.actor, report.period),
    "running": lambda report: money.tabulate_running_sums(
        report.actor, report.period, report.budget.limit_micros if report.is_present_month else 0
    ),
    "calls": lambda report: money.tabulate_calls(report.actor, report.period),
    "documents": lambda report: work.tabulate_documents(report.documents),
    "gate": lambda report: gates.tabulate_gate(report.gate_by_tool, report.gate),
    "prompts": lambda report: money.tabulate_prompts(report.actor, report.period),
    "models": lambda report: money.tabulate_models(report.actor, report.period),
    "purposes": lambda report: money.tabulate_purposes(report.actor, report.period),
    "tools": lambda report: money.tabulate_tools(report.actor, report.period),
    "questions": lambda report: questions.tabulate_requests(report.actor, report.requests),
    "research": lambda report: questions.tabulate_research(report.requests),
    "corrections": lambda report: work.tabulate_corrections(report.actor, report.period),
    "people": lambda report: money.tabulate_people(report.actor, report.period, sees_all=report.sees_people),
}
