from __future__ import annotations

from django.db import models

from agent.models.thread import Thread
from agent.models.turn import Turn
from documents.models.scoped import ScopedQuerySet
from kit.rows.models import Row


class CompactionQuerySet(ScopedQuerySet["Compaction"]):
    organization_path = "thread__organization"


class Compaction(Row):
    """Older rounds of a thread as the model reads them from now on: messages up to `upto` are told by `digest`.

    The messages themselves stay. The newest compaction of a thread holds.
    """

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="compactions")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="compactions")
    upto = models.PositiveIntegerField("number of the last message told by the digest")
    digest = models.TextField()
    tokens_before = models.PositiveIntegerField()
    tokens_after = models.PositiveIntegerField()

    objects = CompactionQuerySet.as_manager()

    class Meta:
        ordering = ["upto"]
        constraints = [models.UniqueConstraint(fields=["thread", "upto"], name="compacted_once")]

    def __str__(self) -> str:
        return f"messages up to {self.upto} of {self.thread}"
