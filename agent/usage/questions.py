"""Requests to the agent: what each cost, and how questions over documents went, by day."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date

from django.db.models import Count, QuerySet
from django.urls import reverse

from accounts.actor import Actor
from agent.models import Message, Thread, ToolCall, Turn
from agent.policy.visibility import filter_visible
from agent.usage.figures import Column, Figures, Row, percent
from agent.usage.period import Period

MAX_REQUESTS, MAX_SHOWN = 1000, 20
SEARCHES = ("search_documents", "query_fields", "list_documents", "find_in_document")
PRIVATE = "A private conversation"


@dataclass
class Requests:
    """The newest of the period, up to MAX_REQUESTS; `visible` are the ids of threads that the actor may open."""

    turns: Sequence[Turn]
    visible: set[str]

    @property
    def note(self) -> str:
        return f"The newest {MAX_REQUESTS:,} requests." if len(self.turns) == MAX_REQUESTS else ""

    @property
    def questions(self) -> list[Turn]:
        """Requests about no single document."""
        return [turn for turn in self.turns if turn.thread.document_id is None]


def list_requests(actor: Actor, period: Period) -> Requests:
    turns = _list_turns(actor, period)
    threads = Thread.objects.filter(filter_visible(actor, ""), pk__in={turn.thread_id for turn in turns})
    return Requests(turns, set(threads.values_list("pk", flat=True)))


def _list_turns(actor: Actor, period: Period) -> list[Turn]:
    rows: QuerySet[Turn] = Turn.objects.for_org(actor.organization).select_related("thread")
    rows = rows.filter(created_at__gte=period.begin, created_at__lt=period.end)
    asked = rows.filter(origin__in=(Turn.Origin.CHAT, Turn.Origin.API))
    return list(asked.only(*_READ).order_by("-created_at")[:MAX_REQUESTS])


_READ = ("created_at", "spent_micros", "worked_ms", "fixed_because", "thread__title", "thread__document")


def tabulate_requests(actor: Actor, requests: Requests) -> Figures:
    """List the requests that cost most. Each leads to where its cost is explained."""
    costliest = sorted(requests.turns, key=lambda turn: -turn.spent_micros)[:MAX_SHOWN]
    rows: list[Row] = []
    links: list[str] = []
    for turn in costliest:
        is_visible = turn.thread_id in requests.visible
        title = turn.thread.title if is_visible else PRIVATE
        rows.append((title, turn.created_at.astimezone(UTC).date(), round(turn.worked_ms / 1000), turn.spent_micros))
        links.append(reverse("turn-cost", args=[actor.organization.pk, turn.pk]) if is_visible else "")
    columns = [Column("question", "Question", "text"), Column("day", "Day", "day")]
    columns += [Column("seconds", "Worked", "seconds"), Column("cost_micros", "Dollars", "micros")]
    return Figures("questions", "By question", columns, rows, note=requests.note, links=links)


@dataclass
class QuestionDay:
    """`unsupported` of the `checked` answers have a sentence that no line proves."""

    seconds: list[int] = field(default_factory=list)
    searches: int = 0
    reads: int = 0
    fallbacks: int = 0
    checked: int = 0
    unsupported: int = 0


def tabulate_research(requests: Requests) -> Figures:
    """Describe questions over documents, by the day they were asked."""
    questions = requests.questions
    by_turn = {turn.pk: turn.created_at.astimezone(UTC).date() for turn in questions}
    days: dict[date, QuestionDay] = defaultdict(QuestionDay)
    for turn in questions:
        day = days[by_turn[turn.pk]]
        day.seconds.append(round(turn.worked_ms / 1000))
        day.fallbacks += bool(turn.fixed_because)
    _count_calls(days, by_turn)
    _count_doubts(days, by_turn)
    rows: list[Row] = [_describe(day, days[day]) for day in sorted(days, reverse=True)]
    columns = [Column("day", "Day", "day"), Column("questions", "Questions"), Column("seconds", "Worked", "seconds")]
    columns += [Column("searches", "Searches"), Column("reads", "Reads"), Column("fallbacks", "Fixed steps")]
    columns += [Column("checked", "Checked"), Column("unsupported_percent", "With unsupported", "percent")]
    note = "Time is the average of an answer. An unsupported answer has a sentence that no line proves."
    return Figures("research", "Questions by day", columns, rows, note=f"{note} {requests.note}".strip())


def _describe(day: date, asked: QuestionDay) -> Row:
    number = len(asked.seconds)
    average = round(sum(asked.seconds) / number)
    share = percent(asked.unsupported, asked.checked)
    return (day, number, average, asked.searches, asked.reads, asked.fallbacks, asked.checked, share)


def _count_calls(days: dict[date, QuestionDay], by_turn: dict[str, date]) -> None:
    rows = ToolCall.objects.filter(turn__in=list(by_turn), access__in=("read", "costly_read")).order_by()
    counted: Iterable[tuple[str, str, int]] = rows.values_list("turn", "tool").annotate(number=Count("pk"))
    for turn, tool, number in counted:
        if tool in SEARCHES:
            days[by_turn[turn]].searches += number
        else:
            days[by_turn[turn]].reads += number


def _count_doubts(days: dict[date, QuestionDay], by_turn: dict[str, date]) -> None:
    rows = Message.objects.filter(turn__in=list(by_turn), role=Message.Role.ASSISTANT, dropped_at=None).order_by()
    seen: Counter[tuple[str, str]] = Counter()
    for turn, blocks in rows.values_list("turn", "blocks"):
        for block in blocks:
            if block["type"] == "checked":
                seen[turn, "checked"] += 1
                seen[turn, "unsupported"] += bool(block["unsupported"])
    for turn, day in by_turn.items():
        days[day].checked += seen[turn, "checked"] > 0
        days[day].unsupported += seen[turn, "unsupported"] > 0
