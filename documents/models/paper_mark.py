from __future__ import annotations

from django.db import models

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet
from documents.models.document import Document


class PaperMark(models.Model):
    """A number on the first page of a document, hashed: by some of them the same paper is found in other bytes."""

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+", db_index=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="+")
    mark = models.BigIntegerField()

    objects = ScopedQuerySet["PaperMark"].as_manager()

    class Meta:
        indexes = [models.Index(fields=["organization", "mark", "document"], name="paper_mark")]

    def __str__(self) -> str:
        return f"mark of {self.document}"
