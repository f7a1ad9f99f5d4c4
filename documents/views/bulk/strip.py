"""Bulk actions as the documents page shows them: what is under way in the organization, and how one's own ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import F, Q
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from documents import bulk
from documents.bulk.progress import count_settled, estimate_seconds_left
from documents.bulk.run_results import sum_cost_micros
from documents.models import BulkAction, ResultFile
from kit import formats
from llm.money.budgets import format_dollars

MAX_LIVE, MAX_ENDED = 5, 4
SHOWN_FOR = timedelta(days=1)
# After that, or once a newer action of theirs has begun, a result folds away.
IN_FRONT_FOR = timedelta(minutes=10)
# The page of the trash shows these, the list all others.
TRASH = "trash"
OF_THE_TRASH = (BulkAction.Kind.RESTORE, BulkAction.Kind.DELETE)
# The page of a prompt shows these.
OF_A_PROMPT = (BulkAction.Kind.JUDGE, BulkAction.Kind.UNJUDGE)
Status = BulkAction.Status
WORDS = {Status.DONE: "done", Status.STOPPED: "done, stopped", Status.FAILED: "done, ended early"}


@dataclass(frozen=True)
class JobLine:
    action: BulkAction
    is_own: bool
    may_end: bool
    cost_micros: int
    outcome: str = ""
    is_past: bool = False
    under_way: int = 0

    @property
    def is_begun(self) -> bool:
        """Whether documents are left that it has not come to: it can be stopped."""
        return self.action.status in BulkAction.UNDER_WAY

    @property
    def is_live(self) -> bool:
        return self.is_begun or self.under_way > 0

    @property
    def title(self) -> str:
        kind, arguments = bulk.get_kind(self.action.kind), self.action.arguments
        return kind.describe_progress(arguments) if self.is_live else kind.describe(arguments)

    @property
    def file(self) -> ResultFile | None:
        """The file that a worker has written, while it is kept."""
        file = getattr(self.action, "result_file", None)
        return file if self.may_end and file and file.expires_at > timezone.now() else None

    @property
    def settled(self) -> int:
        return max(0, count_settled(self.action) - self.under_way)

    @property
    def summary(self) -> str:
        """143 of 212, and once it has ended how many were done."""
        if self.is_live:
            return f"{formats.format_number(self.settled)} of {formats.format_number(self.action.total_count)}"
        counts = f"{formats.format_number(self.action.done_count)} of {formats.format_number(self.action.total_count)}"
        return f"{counts} {WORDS[Status(self.action.status)]}"

    @property
    def time_left(self) -> str:
        seconds = estimate_seconds_left(self.action)
        return "" if seconds is None else format_time_left(seconds)

    @property
    def cost(self) -> str:
        """$0.012 of about $0.31; nothing for what starts no runs."""
        estimate = self.action.estimate_micros
        if not estimate and not self.cost_micros:
            return ""
        so_far = format_dollars(self.cost_micros)
        return so_far if estimate is None else f"{so_far} of about {format_dollars(estimate)}"

    @property
    def may_undo(self) -> bool:
        """An undo is the end: whoever wants it back does it again."""
        return self.may_end and self.action.undo_of_id is None and bulk.is_undoable(self.action)

    @property
    def may_go_on(self) -> bool:
        """Of an undo that ended early."""
        return self.may_end and self.action.undo_of_id is not None and bulk.is_unfinished(self.action)


def list_jobs(actor: Actor, prompt_id: str = "", place: str = "") -> list[JobLine]:
    """List what is under way, then what has ended last. Each has one page: that of a prompt, the trash (`place`), or
    else the list, which alone keeps more than the last result."""
    has_just_ended = Q(
        dismissed_at=None, finished_at__gt=timezone.now() - SHOWN_FOR, requested_by=actor.user, undo=None
    )
    rows = BulkAction.objects.for_org(actor.organization)
    # A file that was sent while it was made has nothing to show.
    rows = rows.exclude(kind=BulkAction.Kind.DOWNLOAD, status=Status.DONE, started_at=None)
    rows = rows.select_related("requested_by", "undo", "result_file")
    if prompt_id:
        rows = rows.filter(kind__in=OF_A_PROMPT, arguments__prompt_id=prompt_id)
    else:
        of_trash = Q(undo_of=None, kind__in=OF_THE_TRASH) | Q(undo_of__kind__in=OF_THE_TRASH)
        rows = rows.filter(of_trash) if place == TRASH else rows.exclude(of_trash)
    shown = rows.filter(Q(status__in=BulkAction.UNDER_WAY) | has_just_ended)
    part = list(shown.order_by(F("finished_at").desc(nulls_first=True), "-created_at", "-pk")[: MAX_LIVE + MAX_ENDED])
    live = [action for action in part if not action.finished_at][:MAX_LIVE]
    ended = [action for action in part if action.finished_at][: 1 if prompt_id or place else MAX_ENDED]
    costs = sum_cost_micros([*live, *ended])
    own = rows.filter(requested_by=actor.user) if ended else rows.none()
    last = own.order_by("-created_at", "-pk").values_list("pk", flat=True).first()
    return [_make_line(actor, action, costs.get(action.pk, 0), last) for action in (*live, *ended)]


def _make_line(actor: Actor, action: BulkAction, cost_micros: int, last: str | None) -> JobLine:
    is_own = action.requested_by_id == actor.user.pk
    may_end = (is_own or actor.may(Role.ADMIN)) and actor.may(bulk.get_kind(action.kind).role)
    has_ended = action.status not in BulkAction.UNDER_WAY
    kind = bulk.get_kind(action.kind)
    outcome = kind.describe_outcome(action) if has_ended and action.done_count else ""
    under_way = kind.count_under_way(action)
    is_past = has_ended and not under_way and (action.pk != last or _is_long_ago(action))
    return JobLine(action, is_own, may_end, cost_micros, outcome, is_past, under_way)


def _is_long_ago(action: BulkAction) -> bool:
    return action.finished_at is not None and action.finished_at < timezone.now() - IN_FRONT_FOR


def format_time_left(seconds: int) -> str:
    if seconds < 60:
        return f"{max(1, seconds)} s left"
    minutes = round(seconds / 60)
    return f"{minutes} min left" if minutes < 90 else f"{round(minutes / 60)} h left"
