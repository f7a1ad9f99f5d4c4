from __future__ import annotations

from django.db import models

from kit.rows.models import Row


class FirstRun(Row):
    """The one row that the first visitor claims to become the admin: a conditional UPDATE that one visitor wins."""

    name = models.CharField(max_length=10, unique=True, default="first run", editable=False)
    code_digest = models.CharField("SHA-256 of the one-time code", max_length=64, editable=False)
    claimed_at = models.DateTimeField(null=True, blank=True, editable=False)

    def __str__(self) -> str:
        return "done" if self.claimed_at else "waiting for the first visitor"
