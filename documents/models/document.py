from __future__ import annotations

from datetime import timedelta
from typing import Self, Unpack

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Organization
from documents.models.scoped import ScopedQuerySet, TrashQuerySet
from kit.leases import Lease
from kit.rows.models import Row, SaveOptions, fold_case
from kit.rows.state import table


class Tag(Row):
    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="tags")
    name = models.CharField(max_length=200)
    name_folded = models.CharField(max_length=200, editable=False)
    color = models.CharField(max_length=9, default="#3B82F6")
    description = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)

    objects = ScopedQuerySet["Tag"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "name"], name="tag_name_once")]

    def __str__(self) -> str:
        return self.name

    def save(self, **options: Unpack[SaveOptions]) -> None:
        self.name_folded = fold_case(self.name)
        super().save(**options)


class ReasonCode(models.TextChoices):
    """What would let a document be read that could not be."""

    PASSWORD_MISSING = "password_missing"  # noqa: S105 - a code
    PASSWORD_WRONG = "password_wrong"  # noqa: S105 - a code


class DocumentQuerySet(TrashQuerySet["Document"]):
    def in_trash(self) -> Self:
        """Those that can still be restored."""
        return self.filter(trashed_at__isnull=False, purge_requested_at=None)

    def to_purge(self) -> Self:
        return self.filter(purge_requested_at__isnull=False)


class Document(Row):
    """An uploaded file. Its bytes are never changed; `state` is computed by documents.catalog.state and stored."""

    ORDER_IN_WHOLE = ("first_page", "created_at", "pk")

    class State(models.TextChoices):
        UPLOADED = "uploaded"
        OCR_PROCESSING = "ocr_processing"
        OCR_COMPLETED = "ocr_completed"
        OCR_FAILED = "ocr_failed"
        LLM_PROCESSING = "llm_processing"
        LLM_COMPLETED = "llm_completed"
        LLM_FAILED = "llm_failed"

    class Review(models.TextChoices):
        """Of the newest run of a prompt; set by documents.catalog.review."""

        NONE = "", "nothing to verify"
        TO_VERIFY = "to_verify", "to verify"
        VERIFIED = "verified"

    class Unpacking(models.TextChoices):
        """Of a mail or an archive: whether the files in it have become documents."""

        WAITING = "waiting"
        DONE = "done"

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="documents")
    name = models.CharField(max_length=255)
    name_folded = models.CharField(max_length=255, editable=False)
    sha256 = models.CharField(max_length=64, db_index=True, editable=False)
    size = models.BigIntegerField("size in bytes", editable=False)
    media_type = models.CharField(max_length=100, editable=False)
    file = models.FileField(max_length=300, editable=False)
    state = models.CharField(max_length=16, choices=State.choices, default=State.UPLOADED, editable=False)
    state_reason = models.TextField(blank=True, editable=False)
    state_code = models.CharField(
        "the reason for programs", max_length=20, choices=ReasonCode.choices, blank=True, editable=False
    )
    first_tag = models.CharField(
        "name of its first tag, to sort by", max_length=200, default="", blank=True, editable=False
    )
    review = models.CharField(max_length=9, choices=Review.choices, default="", blank=True, editable=False)
    metadata = models.JSONField(default=dict, blank=True)
    tags = models.ManyToManyField(Tag, related_name="documents", blank=True)
    duplicate_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, editable=False)
    parent = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="parts",
        verbose_name="the mail, archive or whole that it came in",
    )
    first_page = models.PositiveIntegerField("of its pages in the whole", null=True, blank=True, editable=False)
    last_page = models.PositiveIntegerField("of its pages in the whole", null=True, blank=True, editable=False)
    unpacking = models.CharField(max_length=8, choices=Unpacking.choices, blank=True, editable=False)
    parts_reason = models.TextField("which files in it are no documents, and why", blank=True, editable=False)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, editable=False)
    uploaded_by_name = models.CharField(max_length=200, editable=False)
    upload_key = models.CharField(
        "Idempotency-Key of its upload", max_length=230, null=True, blank=True, editable=False
    )
    version = models.PositiveIntegerField("counts every change", default=1, editable=False)
    trashed_at = models.DateTimeField(null=True, blank=True, editable=False)
    trashed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )
    purge_requested_at = models.DateTimeField(
        "is being deleted for good: no way back", null=True, blank=True, editable=False
    )
    file_missing_since = models.DateTimeField("its stored file was not there", null=True, blank=True, editable=False)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "upload_key"], name="document_upload_once")]
        indexes = [
            # Each holds all that its list filters and sorts by, with the key: pages and counts are read from it alone.
            # The newest first is walked for every filter, so this one holds what filters look at as well.
            models.Index(
                fields=["organization", "trashed_at", "-created_at", "-id", "state", "uploaded_by_name", "name_folded"],
                name="document_newest",
            ),
            models.Index(
                fields=["organization", "trashed_at", "name_folded", "-created_at", "-id"], name="document_by_name"
            ),
            models.Index(
                fields=["organization", "trashed_at", "state", "-created_at", "-id"], name="document_by_state"
            ),
            models.Index(
                fields=["organization", "trashed_at", "uploaded_by_name", "-created_at", "-id"],
                name="document_by_uploader",
            ),
            models.Index(
                fields=["organization", "trashed_at", "review", "-created_at", "-id", "state"],
                name="document_by_review",
            ),
            models.Index(
                fields=["organization", "trashed_at", "media_type", "-created_at", "-id"], name="document_by_kind"
            ),
            models.Index(
                fields=["organization", "trashed_at", "first_tag", "-created_at", "-id"], name="document_by_tag"
            ),
            # Few of many, looked for every few seconds.
            models.Index(fields=["unpacking"], condition=Q(unpacking="waiting"), name="document_to_unpack"),
            models.Index(fields=["trashed_at"], condition=Q(trashed_at__isnull=False), name="document_in_trash"),
            models.Index(
                fields=["purge_requested_at"], condition=Q(purge_requested_at__isnull=False), name="document_to_purge"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, **options: Unpack[SaveOptions]) -> None:
        self.name_folded = fold_case(self.name)
        super().save(**options)

    def list_parts(self) -> models.QuerySet[Document]:
        """In the order in which they stand in the file, which else is that in which they became documents."""
        return Document.objects.filter(parent=self, trashed_at=None).order_by(*self.ORDER_IN_WHOLE)

    @property
    def pages_in_whole(self) -> str:
        """ "page 3", "pages 3–5"; empty for what was not cut out of one."""
        if self.first_page is None or self.first_page == self.last_page:
            return f"page {self.first_page}" if self.first_page else ""
        return f"pages {self.first_page}–{self.last_page}"

    @property
    def place_in_whole(self) -> str:
        """ "in orders.eml", "pages 3–5 of scans.pdf"; empty for what came alone, and when the whole is in the trash."""
        if self.parent is None or self.parent.trashed_at is not None:
            return ""
        return f"{self.pages_in_whole} of {self.parent.name}" if self.first_page else f"in {self.parent.name}"

    @property
    def extension(self) -> str:
        """Lower case, without the dot; empty when the name has none."""
        return self.name.rpartition(".")[2].lower() if "." in self.name else ""


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

    TRANSITIONS = table(queued="reading failed", reading="queued completed failed")

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="readings")
    number = models.PositiveIntegerField()
    engine = models.CharField(max_length=40, blank=True)
    settings = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    reason = models.TextField(blank=True)
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
    words_indexed_at = models.DateTimeField("its words are found since", null=True, blank=True, editable=False)
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
            models.Index(fields=["id"], condition=Q(status="completed", words_indexed_at=None), name="reading_words"),
            models.Index(fields=["vectors_due_at"], condition=Q(vectors_due_at__isnull=False), name="reading_vectors"),
        ]

    def __str__(self) -> str:
        return f"reading {self.number} of {self.document}"

    @property
    def is_partial(self) -> bool:
        """It left something out: `reason` says which pages, or on which ones much could not be read."""
        return self.status == self.Status.COMPLETED and bool(self.reason)


READING_LEASE = Lease(
    Reading, waiting=Reading.Status.QUEUED, working=Reading.Status.READING, duration=timedelta(minutes=3)
)


class PageQuerySet(ScopedQuerySet["Page"]):
    organization_path = "reading__document__organization"

    def filter_unread(self) -> Self:
        """Those on which something has to be recognized, with or without text; of an ended reading there are none."""
        return self.filter(engine="")


class Page(Row):
    """A page as one reading saw it. `words` is packed by documents.backends.words; boxes are page fractions."""

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
