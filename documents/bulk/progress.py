"""How far a bulk action has come, and telling the open pages of its organization."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from django.db.models import Count
from django.utils import timezone

from documents.models import BulkAction, BulkItem
from kit import events

Status = BulkItem.Status


class CountColumns(TypedDict):
    """Of an action's row."""

    done_count: int
    failed_count: int
    left_out_count: int


@dataclass(frozen=True)
class ItemCounts:
    """`remaining` are pending or under way. A document that was deleted for good since is left out, too, but of an
    action that deletes it is one more that is done."""

    total: int
    done: int
    failed: int
    remaining: int

    @property
    def columns(self) -> CountColumns:
        left_out = self.total - self.done - self.failed - self.remaining
        return {"done_count": self.done, "failed_count": self.failed, "left_out_count": left_out}


def count_items(action: BulkAction) -> ItemCounts:
    rows = BulkItem.objects.filter(action=action).order_by().values_list("status").annotate(number=Count("pk"))
    numbers = dict(rows)
    remaining = numbers.get(Status.PENDING, 0) + numbers.get(Status.STARTED, 0)
    deleted = action.total_count - sum(numbers.values()) if action.kind == BulkAction.Kind.DELETE else 0
    done = numbers.get(Status.DONE, 0) + deleted
    return ItemCounts(action.total_count, done, numbers.get(Status.FAILED, 0), remaining)


def count_settled(action: BulkAction) -> int:
    """As of the last look."""
    return action.done_count + action.left_out_count + action.failed_count


def estimate_seconds_left(action: BulkAction) -> int | None:
    """At the pace so far; None before anything is settled, and once it has ended."""
    settled = count_settled(action)
    if action.status not in BulkAction.UNDER_WAY or action.started_at is None or not settled:
        return None
    elapsed = (timezone.now() - action.started_at).total_seconds()
    return round(elapsed * (action.total_count - settled) / settled)


def publish_progress(action: BulkAction) -> None:
    """On commit. The pages of the organization fetch what they show of documents once for all that was done since."""
    events.publish(
        events.organization_group(action.organization_id),
        "bulk.changed",
        action_id=action.pk,
        status=action.status,
        total=action.total_count,
        settled=count_settled(action),
        seconds_left=estimate_seconds_left(action),
    )
