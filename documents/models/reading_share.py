from __future__ import annotations

from django.db import models

from accounts.models import Organization
from kit.rows.models import Row


class ReadingShare(Row):
    """How far an organization has come in the queue for readers, in milliseconds of computing.

    Whose next slice begins first is read next: see documents.reading.reading_shares.
    """

    organization = models.OneToOneField(Organization, on_delete=models.CASCADE, related_name="+")
    began_at_ms = models.BigIntegerField("where its last slice began", default=0)
    next_at_ms = models.BigIntegerField("where its next slice begins", default=0)

    def __str__(self) -> str:
        return f"share of {self.organization} in reading"
