from __future__ import annotations

from django.db import models

from accounts.models.scoped import ScopedQuerySet
from agent.models.thread import Thread
from agent.models.turn import Turn
from documents.models import Reading
from kit.rows.models import Row


class ReadingAliasQuerySet(ScopedQuerySet["ReadingAlias"]):
    organization_path = "thread__organization"


class ReadingAlias(Row):
    """The short name of a reading in one thread: number 3 is D3. Without a reading its document is deleted.

    The row stays then, so that its number never names another document.
    """

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="reading_aliases")
    number = models.PositiveIntegerField()
    reading = models.ForeignKey(Reading, on_delete=models.SET_NULL, null=True, related_name="+")
    lines = models.JSONField("lines that the thread has read, by page: [[first, last]]", default=dict, blank=True)

    objects = ReadingAliasQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "reading aliases"
        ordering = ["thread", "number"]
        constraints = [
            models.UniqueConstraint(fields=["thread", "number"], name="alias_number_once"),
            models.UniqueConstraint(fields=["thread", "reading"], name="alias_reading_once"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return f"D{self.number}"

    def has_read(self, page: int, line: int) -> bool:
        return any(first <= line <= last for first, last in self.lines.get(str(page), ()))


class CitationQuerySet(ScopedQuerySet["Citation"]):
    organization_path = "turn__thread__organization"


class Citation(Row):
    """The words that a number in square brackets stands for in the answers of a turn."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="citations")
    number = models.PositiveIntegerField()
    reading = models.ForeignKey(Reading, on_delete=models.CASCADE, related_name="+")
    page = models.PositiveIntegerField()
    line = models.PositiveIntegerField()
    box = models.JSONField("left, top, right, bottom in page fractions")
    cited_text = models.TextField()

    objects = CitationQuerySet.as_manager()

    class Meta:
        ordering = ["turn", "number"]
        constraints = [models.UniqueConstraint(fields=["turn", "number"], name="citation_number_once")]

    def __str__(self) -> str:
        return f"[{self.number}] of {self.turn}"

    @property
    def block_id(self) -> str:
        return f"{self.reading_id}.{self.page}.{self.line}"
