from __future__ import annotations

from datetime import timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef

from accounts.models.scoped import ScopedQuerySet
from documents.models.definitions import PromptRevision, SchemaRevision
from documents.models.document import Document
from documents.models.ordered_json import OrderedJSONField
from documents.models.reading import Reading
from kit.leases import Lease
from kit.rows.models import Row
from kit.rows.state import table


class ExtractionQuerySet(ScopedQuerySet["Extraction"]):
    organization_path = "document__organization"

    def filter_completed_like(self, extraction: Extraction) -> Self:
        """The completed runs of the same prompt, whichever revision, on the same document."""
        completed = self.filter(document=extraction.document_id, status=Extraction.Status.COMPLETED)
        revision = extraction.prompt_revision
        if revision is None:
            return completed.filter(prompt_revision=None)
        return completed.filter(prompt_revision__prompt=revision.prompt_id)

    def filter_newest_of_prompts(self, **among: str) -> Self:
        """The newest completed run of each prompt on a document, whichever revision it was of; `among` narrows them."""
        completed = self.filter(status=Extraction.Status.COMPLETED, **among)
        newer = Extraction.objects.filter(
            status=Extraction.Status.COMPLETED,
            document=OuterRef("document"),
            prompt_revision__prompt=OuterRef("prompt_revision__prompt"),
            number__gt=OuterRef("number"),
            **among,
        )
        return completed.filter(~Exists(newer))


class Extraction(Row):
    """One immutable run. Edits lie on top; `current` is the materialized value, `result` the run's own.

    `result` and `current` are in the stored shape of documents.values (array items carry row ids);
    `provenance` maps a field address to where its words stand. A run that `continues` another one has its rows and
    those of `asked_pages`.
    """

    class Status(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        COMPLETED = "completed"
        FAILED = "failed"
        WITHDRAWN = "withdrawn"

    TRANSITIONS = table(
        queued="running failed withdrawn", running="queued completed failed withdrawn", completed="withdrawn"
    )

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="extractions")
    number = models.PositiveIntegerField("counts the runs on the document")
    reading = models.ForeignKey(Reading, on_delete=models.PROTECT, related_name="extractions", null=True, blank=True)
    prompt_revision = models.ForeignKey(
        PromptRevision, on_delete=models.PROTECT, related_name="extractions", null=True, blank=True
    )
    schema_revision = models.ForeignKey(
        SchemaRevision, on_delete=models.PROTECT, related_name="extractions", null=True, blank=True
    )
    model = models.CharField(max_length=200)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    reason = models.TextField(blank=True)
    raw = models.TextField("the model's answer as it came", blank=True)
    result = OrderedJSONField(null=True, blank=True)
    current = OrderedJSONField(null=True, blank=True)
    provenance = models.JSONField(default=dict, blank=True)
    printed_sums = models.JSONField("totals on the pages, and lines beside the rows", default=dict, blank=True)
    conflicts = models.JSONField(default=list, blank=True)
    check_results = models.JSONField("verdicts of the schema's value checks", default=list, blank=True)
    failed_check_count = models.PositiveIntegerField("value checks that failed", default=0)
    continues = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="continuations", editable=False
    )
    asked_pages = models.JSONField("pages asked for of what it continues", default=list, blank=True)
    coverage = models.JSONField("pages seen", default=list, blank=True)
    page_count = models.PositiveIntegerField(default=0)
    cost_micros = models.BigIntegerField("cost in millionths of a dollar", default=0)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField("counts edits and verifications", default=1)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    call_id = models.CharField(
        "id of the tool call that made it", max_length=24, null=True, blank=True, unique=True, editable=False
    )
    request_keys = models.JSONField("digests of the Idempotency-Keys that got this run", default=list, blank=True)
    waits_for_budget = models.BooleanField("queued until the budget covers it", default=False)
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)
    attempt = models.PositiveIntegerField(default=0)
    claimed_at = models.DateTimeField("when the present or last claim began", null=True, blank=True)
    worked_ms = models.PositiveBigIntegerField("time that claims which broke off have worked on it", default=0)
    finished_at = models.DateTimeField(null=True, blank=True)
    judged_again_at = models.DateTimeField("judged by other checks than it came with", null=True, blank=True)
    values_indexed_at = models.DateTimeField("its values were looked through for filters", null=True, blank=True)

    objects = ExtractionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["document", "number"], name="extraction_number_once")]
        indexes = [
            models.Index(fields=["status", "lease_until"], name="extraction_runnable"),
            # SQLite takes a partial index where a query says its condition without a parameter: IS NULL, and no value.
            models.Index(
                fields=["status", "id"], condition=models.Q(values_indexed_at=None), name="extraction_to_index"
            ),
            # The status first: SQLite would rather find all of one status than what fails, whatever that costs.
            models.Index(fields=["status", "failed_check_count", "document"], name="extraction_failing"),
        ]

    def __str__(self) -> str:
        return f"extraction {self.number} of {self.document}"

    @property
    def is_prose(self) -> bool:
        """Free text of a run without a schema: it has no one place on a page to be looked up at."""
        return self.schema_revision_id is None

    def overtakes(self, mark: Verification) -> bool:
        """Whether other checks have judged it since the mark was set, and one of them fails."""
        judged = self.judged_again_at
        return judged is not None and self.failed_check_count > 0 and mark.created_at < judged

    @property
    def pages_missing(self) -> list[int]:
        """Pages that the model did not see, or not whole."""
        return sorted(set(range(1, self.page_count + 1)).difference(self.coverage))


EXTRACTION_LEASE = Lease(
    Extraction, waiting=Extraction.Status.QUEUED, working=Extraction.Status.RUNNING, duration=timedelta(minutes=3)
)


class FieldEditQuerySet(ScopedQuerySet["FieldEdit"]):
    organization_path = "extraction__document__organization"


class FieldEdit(Row):
    """One change on top of a run. Never edited or deleted; the newest that counts wins (values package)."""

    class Origin(models.TextChoices):
        PERSON = "person"
        AGENT_APPROVED = "agent_approved", "agent, approved by a person"
        AGENT_RULE = "agent_rule", "agent, allowed by a rule or mode"

    class Kind(models.TextChoices):
        SET = "set"
        ADD_ROW = "add_row", "Add a row"
        REMOVE_ROW = "remove_row", "Remove a row"

    extraction = models.ForeignKey(Extraction, on_delete=models.CASCADE, related_name="edits")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.SET)
    where = models.CharField("field address on row ids", max_length=500)
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)
    origin = models.CharField(max_length=16, choices=Origin.choices)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    call_id = models.CharField("id of the tool call", max_length=24, blank=True)
    allowed_by = models.CharField("what let the agent change it without a person", max_length=300, blank=True)
    was_state = models.CharField("state of the run's value that it changed", max_length=12, blank=True)
    carried_from = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True)

    objects = FieldEditQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["extraction", "number"], name="edit_number_once")]

    def __str__(self) -> str:
        return f"{self.where} of {self.extraction}"


class VerificationQuerySet(ScopedQuerySet["Verification"]):
    organization_path = "extraction__document__organization"


class Verification(Row):
    """A person says that a field (or, with an empty address, the document's extraction) is right."""

    extraction = models.ForeignKey(Extraction, on_delete=models.CASCADE, related_name="verifications")
    where = models.CharField("field address on row ids", max_length=500, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    cleared_at = models.DateTimeField(null=True, blank=True)
    cleared_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = VerificationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["extraction", "where"], condition=models.Q(cleared_at=None), name="verified_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.where or 'everything'} of {self.extraction}"
