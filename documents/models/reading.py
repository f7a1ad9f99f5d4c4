from __future__ import annotations

from datetime import timedelta
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet
from documents.models.document import Document, ReasonCode
from kit.leases import Lease
from kit.rows.models import Row
from kit.rows.state import table


class ReadingQuerySet(ScopedQuerySet["Reading"]):
    organization_path = "document__organization"


class Reading(Row):
    """One pass of one engine over a document. Pages appear as they are read; slices are claimed by lease and fence.

    Each page is listed in turn, which reads those that have their text in the file; the others are recognized after.
    A completed one may have read fewer pages than there are; then `reason` says why.
    """

    class Status(models.TextChoices):
        QUEUED = "queued"
        READING = "reading"
        COMPLETED = "completed"
        FAILED = "failed"

    class Indexing(models.TextChoices):
        """Of its words, for searches. Asked for anew, it waits again, also while somebody is at it."""

        WAITING = "waiting"
        WORKING = "working"
        DONE = "done"

    class TypeQuestion(models.TextChoices):
        """Whether a model is asked for the type: once a reading, whatever comes of it."""

        NONE = "", "not asked"
        DUE = "due"
        ASKED = "asked"

    TRANSITIONS = table(queued="reading failed", reading="queued completed failed")
    INDEXING_TRANSITIONS = table(waiting="working", working="waiting done", done="waiting")

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="readings")
    number = models.PositiveIntegerField()
    engine = models.CharField(max_length=40, blank=True)
    settings = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    reason = models.TextField(blank=True)
    gaps = models.JSONField(
        "seen and not read: kind, sentence, page or null, part", default=list, blank=True, editable=False
    )
    borders = models.JSONField(
        "where other documents seem to begin: page, reasons; null until looked for",
        null=True,
        blank=True,
        editable=False,
    )
    is_permanent = models.BooleanField("it failed because of the file, and would again", default=False)
    reason_code = models.CharField("the reason for programs", max_length=20, choices=ReasonCode.choices, blank=True)
    queued_at = models.DateTimeField("last put in the queue", default=timezone.now)
    page_count = models.PositiveIntegerField(null=True, blank=True)
    pages_listed = models.PositiveIntegerField("pages that have a row, read or waiting to be", default=0)
    pages_read = models.PositiveIntegerField(default=0)
    computing_ms = models.PositiveBigIntegerField("computing time so far, in milliseconds", default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)
    attempt = models.PositiveIntegerField(default=0)
    finished_at = models.DateTimeField(null=True, blank=True)
    prompts_started_at = models.DateTimeField("its prompts were started", null=True, blank=True)
    typed_at = models.DateTimeField("the type of its document was looked for", null=True, blank=True)
    type_question = models.CharField(
        "whether a model is asked for the type",
        max_length=5,
        choices=TypeQuestion.choices,
        default=TypeQuestion.NONE,
        blank=True,
        editable=False,
    )
    indexing = models.CharField(
        "whether its words are found", max_length=7, choices=Indexing.choices, default=Indexing.WAITING, editable=False
    )
    indexing_lease_until = models.DateTimeField(null=True, blank=True, editable=False)
    indexing_fence = models.PositiveIntegerField(default=0, editable=False)
    vectors_due_at = models.DateTimeField("its vectors are wanted", null=True, blank=True, editable=False)

    objects = ReadingQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["document", "number"], name="reading_number_once")]
        indexes = [
            models.Index(fields=["status", "lease_until"], name="reading_runnable"),
            models.Index(
                fields=["finished_at"],
                condition=Q(status="completed", prompts_started_at=None),
                name="reading_to_trigger",
            ),
            models.Index(
                fields=["finished_at"], condition=Q(status="completed", typed_at=None), name="reading_untyped"
            ),
            models.Index(fields=["finished_at"], condition=Q(type_question="due"), name="reading_type_question"),
            models.Index(
                fields=["finished_at", "id"],
                condition=Q(status="completed", borders__isnull=True, page_count__gt=1),
                name="reading_borders",
            ),
            # Few of many, looked for every few seconds.
            models.Index(
                fields=["id"], condition=Q(status="completed", indexing="waiting"), name="reading_words_waiting"
            ),
            models.Index(
                fields=["indexing_lease_until"], condition=Q(indexing="working"), name="reading_words_working"
            ),
            models.Index(fields=["vectors_due_at"], condition=Q(vectors_due_at__isnull=False), name="reading_vectors"),
        ]

    def __str__(self) -> str:
        return f"reading {self.number} of {self.document}"

    @property
    def is_partial(self) -> bool:
        """It left something out: `reason` says what."""
        return self.status == self.Status.COMPLETED and bool(self.reason)

    def count_words(self) -> int:
        """On its pages, as spaces divide them."""
        return sum(len(text.split()) for text in self.pages.values_list("text", flat=True))


READING_LEASE = Lease(
    Reading, waiting=Reading.Status.QUEUED, working=Reading.Status.READING, duration=timedelta(minutes=3)
)

INDEXING_LEASE = Lease(
    Reading,
    waiting=Reading.Indexing.WAITING,
    working=Reading.Indexing.WORKING,
    # For the words of a long document on a busy machine.
    duration=timedelta(minutes=3),
    status="indexing",
    fence="indexing_fence",
    lease_until="indexing_lease_until",
    transitions="INDEXING_TRANSITIONS",
)


class PageQuerySet(ScopedQuerySet["Page"]):
    organization_path = "reading__document__organization"

    def filter_unread(self) -> Self:
        """Those on which something has to be recognized, with or without text; of an ended reading there are none."""
        return self.filter(engine="")


class Page(Row):
    """A page as one reading saw it. `words` is packed by reader.words; boxes are page fractions."""

    reading = models.ForeignKey(Reading, on_delete=models.CASCADE, related_name="pages")
    number = models.PositiveIntegerField()
    width = models.FloatField(help_text="In points for PDF, in pixels for pictures, as shown.")
    height = models.FloatField()
    rotation = models.SmallIntegerField(default=0)
    text = models.TextField(blank=True)
    confidence = models.FloatField(null=True, blank=True, help_text="Mean of the engine's own, 0 to 1.")
    illegible = models.PositiveSmallIntegerField(
        default=0, help_text="Percent of the length of its lines that no letters were recognized for."
    )
    fault = models.CharField(max_length=300, blank=True, help_text="Why it could not be read whole, as a sentence.")
    engine = models.CharField(max_length=40, blank=True, help_text="Empty until something has read the page.")
    words = models.BinaryField(editable=False)

    objects = PageQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["reading", "number"], name="page_number_once")]

    def __str__(self) -> str:
        return f"page {self.number} of {self.reading}"


class ReadingShare(Row):
    """How far an organization has come in the queue for readers, in milliseconds of computing.

    Whose next slice begins first is read next: see documents.reading.reading_shares.
    """

    organization = models.OneToOneField(Organization, on_delete=models.CASCADE, related_name="+")
    began_at_ms = models.BigIntegerField("where its last slice began", default=0)
    next_at_ms = models.BigIntegerField("where its next slice begins", default=0)

    def __str__(self) -> str:
        return f"share of {self.organization} in reading"
