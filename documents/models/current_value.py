from __future__ import annotations

from django.db import models
from django.db.models import Q

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet
from documents.models.definitions import Prompt, Schema
from documents.models.document import Document


class CurrentValue(models.Model):
    """One value as the newest run of a prompt and its edits say it, typed, so that documents are found by it.

    Written by documents.index.values.indexing with the values themselves, and gone with the document. What it can
    be read as stands in `number` and `day`; `text` is folded and cut. Metadata has neither prompt nor schema, and the
    path `metadata.<key>`.
    """

    MAX_TEXT, MAX_PATH, MAX_ROW = 200, 200, 100
    MAX_DIGITS, DECIMALS = 24, 6

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+", db_index=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="current_values")
    # Neither can be deleted before the document's runs are, so nothing has to look for them here.
    prompt = models.ForeignKey(
        Prompt, on_delete=models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False, null=True
    )
    schema = models.ForeignKey(
        Schema, on_delete=models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False, null=True
    )
    path = models.CharField("field, without positions", max_length=MAX_PATH)
    row = models.CharField("ids of the rows that have it", max_length=MAX_ROW, blank=True)
    text = models.CharField(max_length=MAX_TEXT, blank=True)
    number = models.DecimalField(max_digits=MAX_DIGITS, decimal_places=DECIMALS, null=True, blank=True)
    day = models.DateField(null=True, blank=True)

    objects = ScopedQuerySet["CurrentValue"].as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["organization", "path", "text", "document"], name="current_value_text"),
            # PostgreSQL finds what begins with a text in this order of letters only.
            models.Index(
                fields=["organization", "text", "document"],
                opclasses=["varchar_pattern_ops"] * 3,
                name="current_value_start",
            ),
            models.Index(
                fields=["organization", "path", "number", "document"],
                condition=Q(number__isnull=False),
                name="current_value_number",
            ),
            models.Index(
                fields=["organization", "path", "day", "document"],
                condition=Q(day__isnull=False),
                name="current_value_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.path} of {self.document}"
