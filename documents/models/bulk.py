from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Organization, Role
from accounts.models.scoped import ScopedQuerySet
from documents.models.document import Document
from documents.models.extraction import Extraction
from kit.leases import Lease
from kit.rows.models import Row
from kit.rows.state import table


class BulkAction(Row):
    """One change, asked for many documents at once: its items, which are settled when it is asked for.

    The counts are those of the last look at the items, and exact once it has ended.
    """

    class Kind(models.TextChoices):
        TAG = "tag"
        UNTAG = "untag"
        RUN = "run"
        WITHDRAW = "withdraw", "Withdraw runs"
        SET_UP = "set_up", "Set up"
        VERIFY = "verify"
        UNVERIFY = "unverify"
        DOWNLOAD = "download"
        TRASH = "trash"
        RESTORE = "restore"
        RETRY = "retry"
        CHANGE = "change"
        REVERT = "revert", "Take a change back"
        DELETE = "delete", "Delete for good"
        ASK = "ask", "Ask a question"
        JUDGE = "judge", "Check again"
        UNJUDGE = "unjudge", "Take checks back"
        TYPE = "type", "Set a type"
        UNTYPE = "untype", "Take types back"

    class Status(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        STOPPED = "stopped"
        FAILED = "failed"

    # An undo that ended early is put back in the queue when it is asked for again.
    TRANSITIONS = table(
        queued="running done stopped", running="queued done stopped failed", stopped="queued", failed="queued"
    )
    UNDER_WAY = ("queued", "running")

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="bulk_actions")
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    role_ceiling = models.CharField(
        "the most that it may do, where a limited token asked", max_length=10, choices=Role.choices, blank=True
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    arguments = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    reason = models.TextField("why it waits or ended early", blank=True)
    total_count = models.PositiveIntegerField(default=0)
    done_count = models.PositiveIntegerField(default=0)
    left_out_count = models.PositiveIntegerField(default=0)
    failed_count = models.PositiveIntegerField(default=0)
    estimate_micros = models.BigIntegerField(
        "about what its runs would cost, in millionths of a dollar", null=True, blank=True, editable=False
    )
    undo_of = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="undo")
    request_key = models.CharField("digest of the Idempotency-Key", max_length=64, null=True, blank=True)
    request_hash = models.CharField("digest of the request that came with the key", max_length=64, blank=True)
    queued_at = models.DateTimeField("last put in the queue", default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    dismissed_at = models.DateTimeField("whoever asked has seen its end", null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)
    attempt = models.PositiveIntegerField("workers that died over it since it last came on", default=0)

    objects = ScopedQuerySet["BulkAction"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "request_key"], name="bulk_action_once")]
        indexes = [
            models.Index(fields=["organization", "-created_at", "-id"], name="bulk_action_newest"),
            # Few of many, looked for every few seconds.
            models.Index(
                fields=["status", "queued_at"],
                condition=Q(status__in=["queued", "running"]),
                name="bulk_action_runnable",
            ),
            models.Index(fields=["finished_at"], name="bulk_action_ended"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.total_count:,} documents"


class BulkItemQuerySet(ScopedQuerySet["BulkItem"]):
    organization_path = "action__organization"


class ResultFileQuerySet(ScopedQuerySet["ResultFile"]):
    organization_path = "action__organization"


class BulkItem(models.Model):
    """One document of a bulk action. Its status changes in the transaction of what is done to the document.

    Of an action whose items several workers do at once, each claims its item by a lease.
    """

    class Status(models.TextChoices):
        PENDING = "pending"
        STARTED = "started"
        DONE = "done"
        LEFT_OUT = "left_out", "Left out"
        FAILED = "failed"

    UNFINISHED = ("pending", "started")
    TRANSITIONS = table(pending="started left_out", started="pending done left_out failed")

    action = models.ForeignKey(BulkAction, on_delete=models.CASCADE, related_name="items", db_index=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="bulk_items")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.PENDING)
    code = models.CharField("the reason for programs", max_length=40, blank=True)
    reason = models.TextField(blank=True)
    undo = models.JSONField("what undoing it needs; of an undo that waits: what it was", null=True, blank=True)
    runs = models.ManyToManyField(Extraction, blank=True, related_name="bulk_items")
    condensed = models.ForeignKey(
        "documents.CondensedReading",
        verbose_name="what it says to the question",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )
    lease_until = models.DateTimeField("claimed, or resting, until", null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)
    attempt = models.PositiveIntegerField(default=0)

    objects = BulkItemQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["action", "status", "id"], name="bulk_item_next"),
            # Few of many.
            models.Index(fields=["lease_until"], condition=Q(lease_until__isnull=False), name="bulk_item_leased"),
            models.Index(fields=["condensed"], condition=Q(condensed__isnull=False), name="bulk_item_condensed"),
        ]

    def __str__(self) -> str:
        return f"{self.status} item of {self.action_id}"


class ResultFile(Row):
    """The file that a worker has made for a download of results. It holds values of the action's documents.

    It goes with each of them, and after RESULT_FILE_DAYS.
    """

    action = models.OneToOneField(BulkAction, on_delete=models.CASCADE, related_name="result_file")
    key = models.CharField("key of the stored file", max_length=200)
    name = models.CharField(max_length=100)
    size = models.PositiveBigIntegerField("bytes")
    row_count = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField(db_index=True)

    objects = ResultFileQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


BULK_LEASE = Lease(
    BulkAction, waiting=BulkAction.Status.QUEUED, working=BulkAction.Status.RUNNING, duration=timedelta(seconds=30)
)
BULK_ITEM_LEASE = Lease(
    BulkItem, waiting=BulkItem.Status.PENDING, working=BulkItem.Status.STARTED, duration=timedelta(seconds=60)
)
