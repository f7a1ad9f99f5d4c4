from __future__ import annotations

import hashlib
import json
from typing import Self

from django.db import models

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet
from documents.models.document import Document


class MetadataPair(models.Model):
    """A key and its value in a document's metadata, as a digest: found by an index, whatever their length.

    Written by documents.catalog.metadata whenever the metadata is.
    """

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="pairs", db_index=False)
    digest = models.CharField(max_length=32)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["document", "digest"], name="metadata_pair_once")]
        indexes = [models.Index(fields=["digest", "document"], name="metadata_pair_documents")]

    def __str__(self) -> str:
        return f"a pair of {self.document}"

    @classmethod
    def all_of(cls, document: Document) -> list[Self]:
        """What the document's metadata asks for, not saved."""
        organization_id = document.organization_id
        return [cls(document=document, digest=digest(organization_id, *pair)) for pair in document.metadata.items()]


def digest(organization_id: str, key: str, value: str) -> str:
    """Other organizations have digests of their own, so that a pair is looked for among one's own documents only."""
    return hashlib.sha256(json.dumps([organization_id, key, value]).encode()).hexdigest()[:32]


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
