from __future__ import annotations

from typing import Unpack

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet
from documents.models.definitions import Prompt, Schema
from documents.models.document import Document
from documents.models.reading import Reading
from kit.rows.models import Row, SaveOptions, fold_case
from kit.rows.state import table


class DocumentType(Row):
    """A type that documents of an organization can have. `key` stays when it is renamed: programs and rules know it."""

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="document_types")
    key = models.CharField(max_length=60, editable=False)
    name = models.CharField(max_length=60)
    name_folded = models.CharField(max_length=60, editable=False)
    is_on = models.BooleanField("documents can get it", default=True)
    schema = models.ForeignKey(Schema, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    prompt = models.ForeignKey(Prompt, on_delete=models.SET_NULL, null=True, blank=True, related_name="usual_types")

    objects = ScopedQuerySet["DocumentType"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "key"], name="document_type_key_once"),
            models.UniqueConstraint(fields=["organization", "name_folded"], name="document_type_name_once"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, **options: Unpack[SaveOptions]) -> None:
        self.name_folded = fold_case(self.name)
        super().save(**options)


class TypeDecisionQuerySet(ScopedQuerySet["TypeDecision"]):
    organization_path = "document__organization"


class TypeDecision(Row):
    """Why a document has its type, or that it was looked at and nothing was sure.

    `proof` holds lines that decided: {page, line, words}; `alike` the confirmed documents whose likeness did; `note` is
    a sentence where a model was to decide and did not. It goes with its document.
    """

    class Source(models.TextChoices):
        RULES = "rules"
        LIKENESS = "likeness"
        MODEL = "model"
        PERSON = "person"

    document = models.OneToOneField(Document, on_delete=models.CASCADE, related_name="type_decision")
    source = models.CharField(max_length=8, choices=Source.choices, default=Source.RULES)
    proof = models.JSONField(default=list, blank=True, editable=False)
    note = models.TextField(blank=True, editable=False)
    reading = models.ForeignKey(Reading, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    is_example = models.BooleanField("a person has confirmed it, so that documents like it get its type", default=False)
    alike = models.ManyToManyField(Document, related_name="+", blank=True, editable=False)

    objects = TypeDecisionQuerySet.as_manager()

    @property
    def reason(self) -> str:
        """A sentence that says who or which lines decided, or why a model did not; else empty."""
        if self.source == self.Source.PERSON:
            return f"{self.decided_by.shown_name if self.decided_by else 'A person who has left'} says so."
        if self.source == self.Source.LIKENESS:
            return "It looks like documents that people have confirmed."
        if not self.proof:
            return self.note
        lines = ", ".join(f"“{sign['words']}” (line {sign['line']} of page {sign['page']})" for sign in self.proof)
        return f"{'A model says so, by' if self.source == self.Source.MODEL else 'Told by'} {lines}."

    def __str__(self) -> str:
        return f"type of {self.document} by {self.get_source_display()}"


class TypeModelChoice(Row):
    """The model that an organization lets decide types where rules are unsure. No row: none.

    It is asked about what was read since the row was made, for up to `month_micros` a month.
    """

    organization = models.OneToOneField(Organization, on_delete=models.CASCADE, related_name="type_model")
    model = models.CharField(max_length=200)
    month_micros = models.PositiveBigIntegerField("the most it may cost in a month, in millionths of a dollar")

    objects = ScopedQuerySet["TypeModelChoice"].as_manager()

    def __str__(self) -> str:
        return f"model for types of {self.organization}"


class HeldRunQuerySet(ScopedQuerySet["HeldRun"]):
    organization_path = "document__organization"

    def filter_waiting(self) -> HeldRunQuerySet:
        """Keep those that somebody has to decide: not of documents or prompts in the trash."""
        waiting = Q(status=HeldRun.Status.WAITING, document__trashed_at=None, prompt__trashed_at=None)
        return self.filter(waiting)

    def ask_again(self) -> None:
        """Have those that wait looked at once more, since what their prompts are for may have changed."""
        self.filter(status=HeldRun.Status.WAITING).update(document_type=None)


class HeldRun(Row):
    """A prompt that would have run by tag on a document of another type than it is for, and waits for a person.

    `document_type` is the type that the document had when that was seen, None where it has to be looked at anew;
    `reason` says both in a sentence.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        RUN = "run", "Run anyway"
        UNTAGGED = "untagged", "Tag removed"
        ENDED = "ended"

    TRANSITIONS = table(waiting="run untagged ended")

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="held_runs")
    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="held_runs")
    document_type = models.ForeignKey(DocumentType, on_delete=models.SET_NULL, null=True, related_name="+")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    reason = models.TextField()
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    objects = HeldRunQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["document", "prompt"], condition=Q(status="waiting"), name="held_run_waits_once"
            )
        ]
        indexes = [
            # Few of many, looked for with each count of the inbox.
            models.Index(fields=["created_at", "id"], condition=Q(status="waiting"), name="held_run_waiting")
        ]

    def __str__(self) -> str:
        return f"{self.prompt} on {self.document}"
