"""The bodies of answers about the inbox, the jobs and the audit (see accounts.api.wire.answers)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from accounts.api.wire.answers import Id, Timestamp
from accounts.models import AuditEntry
from agent import job_list
from agent.inbox.inbox_page import KINDS
from agent.inbox.sections import SECTIONS
from kit.json_types import JsonObject

Kind = Annotated[str, Field(json_schema_extra={"enum": list(KINDS)})]
SectionName = Annotated[str, Field(json_schema_extra={"enum": list(SECTIONS)})]
JobKind = Annotated[str, Field(json_schema_extra={"enum": list(job_list.KINDS)})]
JobStatus = Annotated[str, Field(json_schema_extra={"enum": list(job_list.STATUSES)})]
Origin = Annotated[str, Field(json_schema_extra={"enum": AuditEntry.Origin.values})]
Next = Annotated[str | None, Field(description="For the page that follows; null on the last.")]


class Action(TypedDict):
    """What your role may do about it, and where."""

    name: Annotated[
        str, Field(description="`decide`, `accept`, `reject`, `resume`, `cancel`, `stop`, `retry` or `unlock`.")
    ]
    method: Literal["POST"]
    path: str


class Links(TypedDict):
    """Where it can be seen."""

    page: Annotated[str | None, Field(description="For people.")]
    api: Annotated[str | None, Field(description="For programs.")]


class Progress(TypedDict):
    """Pages that were read, or rounds of the agent."""

    done: int
    total: Annotated[int | None, Field(description="Null while nobody knows.")]


class Job(TypedDict):
    """Something that a worker has to do, does, or failed at."""

    id: Annotated[str, Field(description="Its kind and the id of its row.")]
    kind: JobKind
    status: JobStatus
    title: str
    progress: Progress | None
    error: Annotated[str, Field(description="Why it failed, or what its last try failed with: a sentence.")]
    waits_for_budget: bool
    attempt: int
    document_id: Id | None
    thread_id: Id | None
    created_at: Timestamp
    finished_at: Timestamp | None
    links: Links
    actions: list[Action]


class JobPage(TypedDict):
    """A page of the jobs, the newest first."""

    jobs: list[Job]
    next: Next


class ValueChange(TypedDict):
    old: str
    new: str


class InboxItem(TypedDict):
    """Something that waits for a person."""

    id: Annotated[str, Field(description="Its kind and the id of what waits.")]
    kind: Kind
    section: SectionName
    title: str
    about: Annotated[str, Field(description="What it is about, unless the title says so.")]
    note: str
    change: Annotated[ValueChange | None, Field(description="The old and the new value, where there is one of each.")]
    since: Timestamp
    document_id: Id | None
    thread_id: Id | None
    turn_id: Id | None
    call_id: Id | None
    proposal_id: Id | None
    links: Links
    actions: list[Action]


class InboxPage(TypedDict):
    """A page of what waits, section by section, each from the oldest."""

    items: list[InboxItem]
    next: Next
    waiting_count: Annotated[
        int, Field(description="How many wait for you, as on the pages: up to 100, without what is only to verify.")
    ]


class AuditLine(TypedDict):
    """A change, who made it, and for the agent's what was shown and what ran."""

    id: Id
    at: Timestamp
    action: str
    origin: Origin
    by: Annotated[str, Field(description="The origin in words, with the rule that allowed it.")]
    user_id: Id | None
    user_name: str
    target_kind: str
    target_id: str
    target_name: str
    links: Links
    call_id: Id | None
    card_title: Annotated[str, Field(description="What the agent's card said.")]
    tool: Annotated[str | None, Field(description="What ran, or would have.")]
    arguments: JsonObject | None
    reason: str
    detail: JsonObject


class AuditPage(TypedDict):
    """A page of the changes, the newest first."""

    entries: list[AuditLine]
    next: Next


class UsageBudget(TypedDict):
    """The budget of the present month."""

    month: str
    limit_micros: int
    spent_micros: int
    reserved_micros: Annotated[int, Field(description="What calls under way may cost.")]


class UsageTimes(TypedDict):
    """Null where nothing was measured; `number` is over how many."""

    median_seconds: int | None
    nine_in_ten_seconds: int | None
    number: int


class UsageColumn(TypedDict):
    """A column of figures. Amounts in `micros` are millionths of a dollar."""

    name: str
    title: str
    unit: Literal["text", "day", "count", "tokens", "micros", "percent", "seconds"]


class UsageFigures(TypedDict):
    """A table, as the page shows it."""

    title: str
    note: str
    columns: list[UsageColumn]
    rows: Annotated[
        list[dict[str, str | int | None]], Field(description="Each has a value for the name of each column.")
    ]


UsageAnswer = TypedDict(
    "UsageAnswer",
    {
        "from": str,
        "to": str,
        "budget": UsageBudget,
        "totals": Annotated[
            dict[str, int], Field(description="Calls, tokens and cost of all, under the names of their sums.")
        ],
        "until_verified": Annotated[UsageTimes, Field(description="From upload to the last verification.")],
        "until_decided": Annotated[UsageTimes, Field(description="From a card to a person's decision.")],
        "card_in_view": Annotated[UsageTimes, Field(description="How long decided cards were in view.")],
        "figures": Annotated[dict[str, UsageFigures], Field(description="By the name of the part.")],
    },
)
UsageAnswer.__doc__ = "What was used in the days from `from` to `to`, both counted."
