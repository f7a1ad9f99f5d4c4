from __future__ import annotations

from django.db import models

from accounts.models.scoped import ScopedQuerySet
from agent.models.call import ToolCall
from agent.models.turn import Turn
from kit.rows.models import Row


class ScopeCheckQuerySet(ScopedQuerySet["ScopeCheck"]):
    organization_path = "turn__thread__organization"


class ScopeCheck(Row):
    """A check of a turn by the scope profiles that hold for it: before its first round, or of what a call brought.

    `document_ids` are those of what was refused or left out; of these no words are kept.
    """

    class Stage(models.TextChoices):
        BEFORE = "before"
        AFTER = "after"

    class Outcome(models.TextChoices):
        IN = "in"
        OUT = "out"
        UNSURE = "unsure"
        FAILED = "failed"

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="scope_checks")
    call = models.ForeignKey(
        ToolCall, on_delete=models.CASCADE, null=True, blank=True, related_name="scope_checks", db_index=False
    )
    stage = models.CharField(max_length=6, choices=Stage.choices)
    outcome = models.CharField(max_length=6, choices=Outcome.choices)
    is_strict = models.BooleanField(default=True)
    model = models.CharField("model that decided; empty: rules", max_length=200, blank=True)
    rule = models.CharField(max_length=200, blank=True)
    reason = models.CharField("why, as a sentence", max_length=500, blank=True)
    document_ids = models.JSONField("ids of what was refused or left out", default=list, blank=True)
    worked_ms = models.PositiveIntegerField(default=0)

    objects = ScopeCheckQuerySet.as_manager()

    class Meta:
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return f"{self.stage}, {self.outcome}: {self.turn}"
