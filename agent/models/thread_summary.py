from __future__ import annotations

from django.db import models

from accounts.models.scoped import ScopedQuerySet
from agent.models.thread import Thread
from agent.models.turn import Turn
from kit.rows.models import Row


class ThreadSummaryQuerySet(ScopedQuerySet["ThreadSummary"]):
    organization_path = "thread__organization"


class ThreadSummary(Row):
    """Stands for the older rounds of a thread, messages up to `upto`, in what the model reads from now on.

    The messages themselves stay. Of several summaries of a thread the newest counts.
    """

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="summaries")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="summaries")
    upto = models.PositiveIntegerField("number of the last message in it")
    text = models.TextField()
    tokens_before = models.PositiveIntegerField()
    tokens_after = models.PositiveIntegerField()

    objects = ThreadSummaryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "thread summaries"
        ordering = ["upto"]
        constraints = [models.UniqueConstraint(fields=["thread", "upto"], name="thread_summary_once")]

    def __str__(self) -> str:
        return f"messages up to {self.upto} of {self.thread}"
