from __future__ import annotations

from django.db import models


class ProcessLease(models.Model):
    """A part that only one process plays at a time, such as the scheduler. `fence` counts the holders."""

    name = models.CharField(primary_key=True, max_length=40)
    holder = models.CharField(max_length=200)
    lease_until = models.DateTimeField()
    fence = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return f"{self.name}: {self.holder}"
