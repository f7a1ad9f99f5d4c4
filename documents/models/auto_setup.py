from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet
from documents.models.definitions import Prompt, PromptRevision, SchemaRevision
from documents.models.document import Document, Tag
from documents.models.extraction import Extraction
from kit.rows.models import Row
from kit.rows.state import table


class Proposal(Row):
    """What a headless turn leaves for review: definitions for the documents of one group, proposed together.

    `lead` is the document that the run studies; the others look like it and wait for what it leaves.
    `created_ids` names what the run created, so that a rejection removes that and nothing else.
    """

    class Status(models.TextChoices):
        DESIGNING = "designing"
        PROPOSED = "proposed"
        ACCEPTED = "accepted"
        REJECTED = "rejected"
        FAILED = "failed"

    TRANSITIONS = table(
        designing="designing proposed failed accepted rejected",
        proposed="accepted rejected",
        failed="designing",
    )

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="proposals")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DESIGNING)
    lead = models.ForeignKey(Document, on_delete=models.SET_NULL, null=True, blank=True, related_name="led_proposals")
    schema_revision = models.ForeignKey(
        SchemaRevision, on_delete=models.SET_NULL, null=True, blank=True, related_name="proposals"
    )
    prompt_revision = models.ForeignKey(
        PromptRevision, on_delete=models.SET_NULL, null=True, blank=True, related_name="proposals"
    )
    reused = models.BooleanField("accepted definitions fit; nothing was made", default=False)
    extends = models.BooleanField("its schema revision extends one that was accepted", default=False)
    note = models.TextField("what a person should know of the run", blank=True)
    pages_read = models.JSONField("pages of the lead that the run has read whole", default=list, blank=True)
    candidates = models.JSONField("accepted definitions that may fit: prompt revision and likeness", default=list)
    created_ids = models.JSONField("ids of what the run created, by kind", default=dict, blank=True)
    model = models.CharField(max_length=200, blank=True, help_text="Empty: the default agent model.")
    tag = models.ForeignKey(Tag, on_delete=models.SET_NULL, null=True, blank=True, related_name="proposals")
    reason = models.TextField(blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    objects = ScopedQuerySet["Proposal"].as_manager()

    class Meta:
        indexes = [models.Index(fields=["organization", "status"], name="proposal_by_status")]

    def __str__(self) -> str:
        return f"proposal for {self.lead or 'a deleted document'} ({self.status})"

    @property
    def face(self) -> str:
        """What a decision on it is about: another revision of its schema or prompt gives it another one."""
        return f"{self.schema_revision_id or ''}.{self.prompt_revision_id or ''}"


class ProposalSiblingQuerySet(ScopedQuerySet["ProposalSibling"]):
    organization_path = "document__organization"


class ProposalSibling(Row):
    """A document that looks like the lead of a proposal: the run reads of it, and tries on it what it designs.

    `trial` is what the newest try brought, as a draft that nothing else sees; `prompt_revision` is what was tried.
    """

    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="siblings")
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="sibling_of")
    thread_id = models.CharField("the thread of the run", max_length=24, db_index=True)
    likeness = models.FloatField("0 to 1")
    page_count = models.PositiveIntegerField(default=0)
    pages_read = models.JSONField("pages that the run has read whole", default=list, blank=True)
    prompt_revision = models.ForeignKey(
        PromptRevision, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    trial = models.JSONField("what the newest try brought", default=dict, blank=True)
    reason = models.TextField("why it was not tried", blank=True)

    objects = ProposalSiblingQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["proposal", "document"], name="sibling_once")]

    def __str__(self) -> str:
        return f"{self.document} beside {self.proposal}"


class AutoSetupQuerySet(ScopedQuerySet["AutoSetup"]):
    organization_path = "document__organization"


class AutoSetup(Row):
    """That a document asked for its definitions to be made, and what came of it."""

    class Status(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        SKIPPED = "skipped"
        FAILED = "failed"
        PROPOSED = "proposed"
        ACCEPTED = "accepted"
        REJECTED = "rejected"

    OPEN = ("queued", "running", "proposed")
    TRANSITIONS = table(
        queued="queued running skipped failed proposed accepted rejected",
        running="queued proposed failed accepted rejected skipped",
        proposed="accepted rejected queued failed",
        skipped="queued",
        failed="queued",
        accepted="queued",
        rejected="queued",
    )

    document = models.OneToOneField(Document, on_delete=models.CASCADE, related_name="auto_setup")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    reason = models.TextField(blank=True)
    proposal = models.ForeignKey(Proposal, on_delete=models.SET_NULL, null=True, blank=True, related_name="members")
    extraction = models.ForeignKey(Extraction, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    thread_id = models.CharField("the thread of the run", max_length=24, blank=True)
    turn_id = models.CharField("the turn of the run", max_length=24, blank=True)
    rounds = models.PositiveIntegerField("rounds of the run that are done", default=0)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    model = models.CharField(max_length=200, blank=True, help_text="Empty: the default agent model.")
    hint = models.TextField("what whoever asked tells the agent", blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    objects = AutoSetupQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["status", "created_at"], name="auto_setup_waiting")]

    def __str__(self) -> str:
        return f"automatic setup of {self.document} ({self.status})"


class SketchQuerySet(ScopedQuerySet["Sketch"]):
    organization_path = "document__organization"


class Sketch(Row):
    """What a document looks like, in numbers: comparing two tells how alike they are, without their words."""

    document = models.OneToOneField(Document, on_delete=models.CASCADE, related_name="sketch")
    words = models.JSONField("smallest hashes of its word shingles", default=list)
    layout = models.JSONField("where on the pages words are", default=list)
    alike_prompt = models.ForeignKey(
        Prompt, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    compared_at = models.DateTimeField("compared with what prompts have run on", null=True, blank=True, editable=False)

    objects = SketchQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["created_at", "id"], condition=models.Q(compared_at=None), name="sketch_to_compare")
        ]
        verbose_name_plural = "sketches"

    def __str__(self) -> str:
        return f"sketch of {self.document}"
