from __future__ import annotations

from django.db import models

from accounts.models.scoped import ScopedQuerySet
from agent.models.thread import Thread
from agent.models.turn import Turn
from documents.models import Document, Prompt, Schema, Tag
from kit.rows.models import Row


class FocusQuerySet(ScopedQuerySet["FocusItem"]):
    organization_path = "thread__organization"


class FocusItem(Row):
    """An object that a turn named, opened or changed: one of the four it points to. It goes with it and its thread.

    `position` and `list_size` say where it stood among those that one call or message named.
    """

    class How(models.TextChoices):
        NAMED = "named"
        OPENED = "opened"
        CHANGED = "changed"

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="focus_items")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="focus_items")
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="+", null=True, blank=True)
    schema = models.ForeignKey(Schema, on_delete=models.CASCADE, related_name="+", null=True, blank=True)
    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="+", null=True, blank=True)
    tag = models.ForeignKey(Tag, on_delete=models.CASCADE, related_name="+", null=True, blank=True)
    how = models.CharField(max_length=7, choices=How.choices)
    named_at = models.DateTimeField("when it was last named")
    position = models.PositiveSmallIntegerField(default=1)
    list_size = models.PositiveIntegerField("how many were named with it", default=1)

    objects = FocusQuerySet.as_manager()

    class Meta:
        ordering = ["-named_at", "position", "pk"]
        indexes = [models.Index(fields=["thread", "-named_at", "position"], name="focus_newest")]

    def __str__(self) -> str:
        return f"{self.object} in {self.thread}"

    @property
    def object(self) -> Document | Schema | Prompt | Tag | None:
        return self.document or self.schema or self.prompt or self.tag

    @property
    def kind(self) -> str:
        """ "document", "schema", "prompt" or "tag", as mentions name it."""
        return type(self.object).__name__.lower()
