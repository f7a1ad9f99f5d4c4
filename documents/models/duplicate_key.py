from __future__ import annotations

from django.db import models
from django.db.models import Q

from documents.models.document import Document
from documents.models.extraction import Extraction
from kit.rows.models import Row


class DuplicateKey(Row):
    """What an extraction says in the fields that no other document should share, as a digest found by an index.

    `is_current` is false for what it said before. `peers_due`: the others of this digest have to be judged again.
    """

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="duplicate_keys")
    extraction = models.ForeignKey(Extraction, on_delete=models.CASCADE, related_name="duplicate_keys")
    digest = models.CharField(max_length=64)
    is_current = models.BooleanField(default=True)
    peers_due = models.BooleanField("others of the same digest are to be judged again", default=True)

    class Meta:
        indexes = [
            models.Index(fields=["digest"], name="duplicate_key_digest"),
            models.Index(fields=["created_at"], condition=Q(peers_due=True), name="duplicate_key_due"),
        ]

    def __str__(self) -> str:
        return f"duplicate key of {self.document}"
