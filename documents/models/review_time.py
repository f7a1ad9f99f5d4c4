from __future__ import annotations

from django.db import models

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet


class ReviewTime(models.Model):
    """How many documents took so many seconds in review on a day. Neither who it was nor which documents is kept."""

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="review_times")
    day = models.DateField()
    seconds = models.PositiveIntegerField()
    document_count = models.PositiveIntegerField(default=0)

    objects = ScopedQuerySet["ReviewTime"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "day", "seconds"], name="review_time_once")]

    def __str__(self) -> str:
        return f"{self.document_count} documents in {self.seconds} s on {self.day}"
