"""Which of a thread's older rounds the model reads in short. The rows stay, and the page says that it happened."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from agent import feed
from agent.models import TURN_LEASE, Compaction, Message, Thread, Turn


def find_current(thread: Thread) -> Compaction | None:
    """The newest one that tells of nothing that the person has gone back before since."""
    gone = Message.objects.filter(
        thread=OuterRef("thread"), number__lte=OuterRef("upto"), dropped_at__gt=OuterRef("created_at")
    )
    return thread.compactions.filter(~Exists(gone)).order_by("-upto").first()


@transaction.atomic
def record_summary(turn: Turn, *, upto: int, digest: str, tokens_before: int, tokens_after: int) -> Compaction:
    """From now on messages up to `upto` are told by the digest. Raises LeaseLost when the turn is another driver's."""
    TURN_LEASE.lock(turn)
    fields = {"digest": digest, "tokens_before": tokens_before, "tokens_after": tokens_after, "turn": turn}
    fields["created_at"] = timezone.now()  # an earlier one up to the same message may be in force no more
    compaction, _ = Compaction.objects.update_or_create(thread_id=turn.thread_id, upto=upto, defaults=fields)
    feed.append(
        turn.thread_id,
        "context.compacted",
        compaction_id=compaction.pk,
        turn_id=turn.pk,
        upto=upto,
        tokens_before=tokens_before,
        tokens_after=tokens_after,
    )
    return compaction
