from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet
from agent.models.thread import Message, Thread
from agent.models.turn import Turn
from documents.models.bulk import BulkAction
from documents.models.ordered_json import OrderedJSONField
from kit.leases import Lease
from kit.rows.models import Row
from kit.rows.state import table


class ToolCallQuerySet(ScopedQuerySet["ToolCall"]):
    organization_path = "thread__organization"


class ToolCall(Row):
    """A tool call the model asked for. `shown_hash` covers tool, effective arguments and precondition versions."""

    class Status(models.TextChoices):
        PROPOSED = "proposed"
        PLANNED = "planned"
        INVALID = "invalid"
        DENIED = "denied"
        PENDING = "pending"
        APPROVED = "approved"
        REJECTED = "rejected"
        EXPIRED = "expired"
        SUPERSEDED = "superseded"
        CANCELLED = "cancelled"
        EXECUTING = "executing"
        SUCCEEDED = "succeeded"
        FAILED = "failed"
        IN_DOUBT = "in_doubt", "Outcome unknown"
        STALE = "stale"

    TERMINAL = (
        "invalid",
        "denied",
        "rejected",
        "expired",
        "superseded",
        "cancelled",
        "succeeded",
        "failed",
        "stale",
    )
    WITHOUT_EFFECT = tuple(status for status in TERMINAL if status != "succeeded")
    # What the round need not wait for: the steps of a plan are decided together, when it is presented.
    ENDED_OR_PLANNED = (*TERMINAL, "planned")
    TRANSITIONS = table(
        proposed="invalid denied approved pending cancelled",
        planned="pending superseded cancelled",
        pending="approved rejected expired superseded cancelled",
        approved="executing stale superseded cancelled denied",
        executing="approved succeeded failed in_doubt stale denied",
        in_doubt="succeeded failed",
    )

    has_scope: bool | None = None  # whether a scope profile is in force in the organization, as its claim has read it

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="calls")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="calls")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="calls")
    round = models.PositiveIntegerField()
    position = models.PositiveIntegerField()
    wire_id = models.CharField("id for providers, 9 letters or digits", max_length=9)
    tool = models.CharField(max_length=100)
    proposed_text = models.TextField("the arguments as the model wrote them", blank=True)
    proposed = OrderedJSONField(null=True, blank=True)
    decided = OrderedJSONField("the arguments as a person edited them", null=True, blank=True)
    effective = OrderedJSONField("the arguments that run", null=True, blank=True)
    access = models.CharField(max_length=12, blank=True)
    effect = models.CharField(max_length=10, blank=True)
    reach = models.CharField(max_length=12, blank=True)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.PROPOSED)
    version = models.PositiveIntegerField(default=1)
    replaces = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="replaced_by")
    undoes = models.OneToOneField(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="undone_by",
        help_text="The call that a person takes back with this one. The model never asked for it.",
    )
    planned_step = models.PositiveIntegerField("number of the step in its turn's plan; 0: none", default=0)
    chain = models.PositiveIntegerField(
        "position of the first call of its call chain; empty: it has none", null=True, blank=True
    )
    chain_step = models.PositiveIntegerField("number of the step in its call chain; 0: none", default=0)
    builds_on = models.JSONField("numbers of the steps of its call chain that it builds on", default=list, blank=True)
    preassigned_ids = models.JSONField("ids that a step will give", default=list, blank=True)
    preconditions = models.JSONField("versions of what it rests on", default=dict, blank=True)
    preview = OrderedJSONField("what the card shows", default=dict, blank=True)
    shown_hash = models.CharField(max_length=64, blank=True)
    why_asks = models.CharField(max_length=300, blank=True)
    allowed_by = models.CharField("rule or mode that let it run without a person", max_length=300, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)
    attempt = models.PositiveIntegerField(default=0)
    claimed_at = models.DateTimeField("when the present or last claim began", null=True, blank=True)
    worked_ms = models.PositiveBigIntegerField("time that claims which broke off have worked on it", default=0)
    result = OrderedJSONField(null=True, blank=True)
    job = models.ForeignKey(
        BulkAction,
        verbose_name="bulk action that it has begun, until the end of that is in its result",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )
    inverse = OrderedJSONField("how to undo it", null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = ToolCallQuerySet.as_manager()

    class Meta:
        ordering = ["turn", "round", "position"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "round", "position", "version"], name="call_position_once"),
        ]
        indexes = [
            models.Index(fields=["status", "lease_until"], name="call_runnable"),
            # What waits for a person, in the order of the inbox: few rows of many.
            models.Index(fields=["created_at"], condition=Q(status="pending"), name="call_pending"),
            models.Index(fields=["created_at"], condition=Q(status="in_doubt"), name="call_in_doubt"),
            models.Index(fields=["job"], condition=Q(job__isnull=False), name="call_job"),
            # Few calls undo another. SQLite counts those without one as equal, takes the unique index for useless and
            # walks all calls for each undo that it looks for.
            models.Index(fields=["undoes"], condition=Q(undoes__isnull=False), name="call_undoes"),
        ]

    @property
    def is_over(self) -> bool:
        """Whether nothing of it is to come, nor of the bulk action that it has begun."""
        return self.status in self.TERMINAL and self.job_id is None

    def __str__(self) -> str:
        return f"{self.tool} ({self.status})"


CALL_LEASE = Lease(
    ToolCall, waiting=ToolCall.Status.APPROVED, working=ToolCall.Status.EXECUTING, duration=timedelta(seconds=60)
)


class DecisionQuerySet(ScopedQuerySet["Decision"]):
    organization_path = "call__thread__organization"


class Decision(Row):
    """Who decided a call, or which rule. Append-only."""

    class Kind(models.TextChoices):
        APPROVED = "approved"
        REJECTED = "rejected"
        EXPIRED = "expired"
        CANCELLED = "cancelled"

    call = models.ForeignKey(ToolCall, on_delete=models.CASCADE, related_name="decisions")
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    rule = models.ForeignKey("Rule", on_delete=models.SET_NULL, null=True, blank=True, related_name="decisions")
    mode = models.CharField(max_length=8, blank=True)
    edited = models.BooleanField(default=False)
    reason = models.TextField(blank=True)
    shown_hash = models.CharField(max_length=64)
    seen_ms = models.PositiveIntegerField(
        "milliseconds that the card was in view; empty: not measured", null=True, blank=True
    )
    idempotency_key = models.CharField(max_length=100)

    objects = DecisionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["call", "version"], name="one_decision_a_version"),
            models.UniqueConstraint(fields=["call", "idempotency_key"], name="decision_key_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.call}"


class Rule(Row):
    """A standing answer for one tool, for a thread, a user or the whole organization. Revoked, never deleted.

    One for MCP clients holds for what they ask for, and there nothing else allows a change.
    """

    class Scope(models.TextChoices):
        THREAD = "thread"
        USER = "user"
        ORGANIZATION = "organization"
        MCP = "mcp", "MCP clients"

    class Verdict(models.TextChoices):
        ALLOW = "allow"
        ASK = "ask"
        DENY = "deny"

    class Occasion(models.TextChoices):
        """MCP clients are neither: a rule for an occasion speaks of the agent."""

        ANY = "", "in any case"
        ALONE = "alone", "on its own"
        ASKED = "asked", "asked by a person"

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="rules")
    scope = models.CharField(max_length=12, choices=Scope.choices)
    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, null=True, blank=True, related_name="rules")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="rules"
    )
    tool = models.CharField(max_length=100)
    verdict = models.CharField(max_length=5, choices=Verdict.choices)
    occasion = models.CharField(max_length=5, choices=Occasion.choices, blank=True, default=Occasion.ANY)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    expires_at = models.DateTimeField("holds until; empty: until revoked", null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = ScopedQuerySet["Rule"].as_manager()

    def __str__(self) -> str:
        return f"{self.verdict} {self.tool} ({self.scope})"
