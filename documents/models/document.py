from __future__ import annotations

from datetime import timedelta
from typing import Self, Unpack

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet, TrashQuerySet
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

    PASSWORD_MISSING = "password_missing", "Password needed"
    PASSWORD_WRONG = "password_wrong", "Wrong password"


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
        OCR_PROCESSING = "ocr_processing", "Being read"
        OCR_COMPLETED = "ocr_completed", "Read"
        OCR_FAILED = "ocr_failed", "Could not be read"
        LLM_PROCESSING = "llm_processing", "Being extracted"
        LLM_COMPLETED = "llm_completed", "Extracted"
        LLM_FAILED = "llm_failed", "Extraction failed"

    class Review(models.TextChoices):
        """Of the newest run of a prompt; set by documents.review.status."""

        NONE = "", "nothing to verify"
        TO_VERIFY = "to_verify", "to verify"
        VERIFIED = "verified"

    class Unpacking(models.TextChoices):
        """Of a mail or an archive: whether the files in it have become documents."""

        WAITING = "waiting"
        WORKING = "working"
        DONE = "done"

    UNPACKING_TRANSITIONS = table(waiting="working", working="waiting done")

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
    document_type = models.ForeignKey(
        "documents.DocumentType",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="documents",
        verbose_name="what it is",
        db_index=False,
    )
    tags = models.ManyToManyField(Tag, related_name="documents", blank=True)
    duplicate_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, editable=False)
    same_paper = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        verbose_name="an earlier one that is this paper in other bytes",
    )
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
    unpacking_lease_until = models.DateTimeField(null=True, blank=True, editable=False)
    unpacking_fence = models.PositiveIntegerField(default=0, editable=False)
    parts_reason = models.TextField("which files in it are no documents, and why", blank=True, editable=False)
    has_gaps = models.BooleanField("something in it was seen and not read", default=False, editable=False)
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
            models.Index(fields=["document_type", "trashed_at", "-created_at", "-id"], name="document_by_type"),
            models.Index(
                fields=["organization", "-created_at", "-id"],
                condition=Q(has_gaps=True, trashed_at=None),
                name="document_with_gaps",
            ),
            # Few of many, looked for every few seconds.
            models.Index(fields=["unpacking"], condition=Q(unpacking="waiting"), name="document_to_unpack"),
            models.Index(
                fields=["unpacking_lease_until"], condition=Q(unpacking="working"), name="document_being_unpacked"
            ),
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

    @property
    def known_paper(self) -> Document | None:
        """The earlier document that is this paper in other bytes, where it is still there."""
        return self.same_paper if self.same_paper and self.same_paper.trashed_at is None else None

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


UNPACKING_LEASE = Lease(
    Document,
    waiting=Document.Unpacking.WAITING,
    working=Document.Unpacking.WORKING,
    # A reader is asked for some files at a time, twice where it dies or is late; each that is stored renews it.
    duration=timedelta(minutes=5),
    status="unpacking",
    fence="unpacking_fence",
    lease_until="unpacking_lease_until",
    transitions="UNPACKING_TRANSITIONS",
)
