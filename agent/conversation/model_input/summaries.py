"""For which of a thread's older rounds the model reads a summary. The rows stay, and the page says where it begins."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from agent import feed
from agent.models import TURN_LEASE, Message, Thread, ThreadSummary, Turn
from agent.scope_profiles.applied.in_force import Scope
from kit.rows.fixed_select import FixedSelect


def find_current(thread: Thread) -> ThreadSummary | None:
    """The newest one that tells of nothing that the person has gone back before since."""
    return _select_current.first(thread.pk)


def is_within(summary: ThreadSummary, scope: Scope, turn: Turn) -> bool:
    """Whether it was written under the same profiles as they are now, and so tells of nothing that they refuse."""
    own = summary.turn.token_id == turn.token_id and summary.turn.client_id == turn.client_id
    return own and summary.created_at > scope.changed_at


@FixedSelect
def _select_current(thread: str) -> QuerySet[ThreadSummary]:
    gone = Message.objects.filter(
        thread=OuterRef("thread"), number__lte=OuterRef("upto"), dropped_at__gt=OuterRef("created_at")
    )
    return ThreadSummary.objects.filter(~Exists(gone), thread=thread).order_by("-upto")[:1]


@transaction.atomic
def record_summary(turn: Turn, *, upto: int, text: str, tokens_before: int, tokens_after: int) -> ThreadSummary:
    """From now on the summary stands for messages up to `upto`. Raises LeaseLost when the turn is another worker's."""
    TURN_LEASE.lock(turn)
    fields = {"text": text, "tokens_before": tokens_before, "tokens_after": tokens_after, "turn": turn}
    fields["created_at"] = timezone.now()  # an earlier one up to the same message may be in force no more
    summary, _ = ThreadSummary.objects.update_or_create(thread_id=turn.thread_id, upto=upto, defaults=fields)
    feed.append(
        turn.thread_id,
        "context.compacted",
        compaction_id=summary.pk,
        turn_id=turn.pk,
        upto=upto,
        tokens_before=tokens_before,
        tokens_after=tokens_after,
    )
    return summary
