from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet
from kit.rows.models import Row
from kit.rows.state import table


class ModelCall(Row):
    """One bare call of a model that a system admin made over the API. Kept for an hour; its cost is a Usage row.

    Nobody comes back for it: when the one who asked has gone, or waits no longer, it is cancelled.
    """

    class Kind(models.TextChoices):
        CHAT = "chat"
        EMBEDDING = "embedding"

    class Status(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        COMPLETED = "completed"
        FAILED = "failed"
        CANCELLED = "cancelled"

    TRANSITIONS = table(queued="running failed cancelled", running="completed failed cancelled")

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="model_calls")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    model = models.CharField(max_length=200)
    request = models.JSONField(help_text="As it was asked: messages and limits, or the texts to embed.")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    expires_at = models.DateTimeField("nobody waits any longer", db_index=True)
    answer = models.JSONField(null=True, blank=True)
    reason = models.TextField(blank=True)
    failure_status = models.PositiveSmallIntegerField("HTTP status of the failure", null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = ScopedQuerySet["ModelCall"].as_manager()

    class Meta:
        app_label = "documents"

    def __str__(self) -> str:
        return f"{self.kind} with {self.model}"
