from __future__ import annotations

import time
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import AccessToken, Role
from accounts.models.scoped import ScopedQuerySet
from agent.models.thread import Thread
from kit.leases import Lease
from kit.rows.models import Row
from kit.rows.state import table

# Outside the class, since its Meta cannot see what the class holds.
LIVE = ("queued", "running", "awaiting_approval", "paused")


class TurnQuerySet(ScopedQuerySet["Turn"]):
    organization_path = "thread__organization"


class Turn(Row):
    """One request to the agent, from message to final text. Run a round at a time by the worker that has the lease.

    One of an MCP client is a request of that client: a single round of calls, which no model asked for, and any number
    of them in a thread at once.
    """

    class Status(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        AWAITING_APPROVAL = "awaiting_approval", "Waits for approval"
        PAUSED = "paused"
        COMPLETED = "completed"
        FAILED = "failed"
        CANCELLED = "cancelled"
        EXPIRED = "expired"

    class Pause(models.TextChoices):
        BUDGET = "budget"
        MAX_ROUNDS = "max_rounds", "Round limit"
        LOOP = "loop"
        TIME = "time"
        PROVIDER = "provider"
        CONTEXT = "context"
        IN_DOUBT = "in_doubt", "Outcome unknown"
        STOPPED = "stopped", "stopped by an admin"

    class Origin(models.TextChoices):
        CHAT = "chat"
        HEADLESS = "headless"
        API = "api", "API"
        MCP = "mcp", "MCP"

    class Depth(models.TextChoices):
        SIMPLE = "simple"
        CONCISE = "concise"
        DETAILED = "detailed"

    class Refused(models.TextChoices):
        BEFORE = "before"
        AFTER = "after"

    LIVE = LIVE
    TRANSITIONS = table(
        queued="running cancelled failed paused",
        running="queued awaiting_approval paused completed failed cancelled",
        awaiting_approval="queued completed cancelled expired paused",
        paused="queued awaiting_approval cancelled expired",
    )

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=18, choices=Status.choices, default=Status.QUEUED)
    pause_reason = models.CharField(max_length=12, choices=Pause.choices, blank=True)
    reason = models.TextField("what happened, as a sentence", blank=True)
    origin = models.CharField(max_length=8, choices=Origin.choices, default=Origin.CHAT)
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    role_ceiling = models.CharField(
        "of the token that started it; empty: none", max_length=10, choices=Role.choices, blank=True
    )
    model = models.CharField(max_length=200)
    tainted = models.BooleanField("its context holds document or web text", default=True)
    round = models.PositiveIntegerField("rounds done", default=0)
    max_rounds = models.PositiveIntegerField()
    limit_micros = models.BigIntegerField("cost limit in millionths of a dollar")
    spent_micros = models.BigIntegerField(default=0)
    worked_ms = models.PositiveBigIntegerField("time worked on it; waiting for a person does not count", default=0)
    limit_ms = models.PositiveBigIntegerField("limit of the time worked on it", default=0, help_text="0: none")
    auto_approved = models.JSONField(
        'tools a client approved beforehand; ["*"] for every tool', default=list, blank=True
    )
    scope = models.JSONField(
        'documents it is about: {"document_ids"} or {"query"}; empty: all', default=dict, blank=True
    )
    depth = models.CharField(
        "how many documents it may read, as a person chose", max_length=8, choices=Depth.choices, blank=True
    )
    token = models.ForeignKey(
        AccessToken, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    client = models.ForeignKey(
        "agent.McpClient", on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    refused = models.CharField(
        "check of the scope that refused it; no later turn reads of it",
        max_length=6,
        choices=Refused.choices,
        blank=True,
    )
    fixed_because = models.CharField("why its model does not choose its steps", max_length=500, blank=True)
    running_since: float | None = None  # by this process's own clock, while it runs the turn
    owner_role: str | None = None  # in the thread's organization, as its claim has read it
    has_scope: bool | None = None  # whether a scope profile is in force in the organization, as its claim has read it
    scope_in_force: object | None = None  # the scope that holds for it, as this process has read it since the claim
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)
    attempt = models.PositiveIntegerField("tries at the present round", default=0)
    claimed_at = models.DateTimeField("when the present or last round began", null=True, blank=True)
    provider_waits = models.PositiveIntegerField("times it has waited for the provider in the present round", default=0)
    context_tokens = models.PositiveIntegerField(
        "room for its context, once the model took no more", null=True, blank=True
    )
    not_before = models.DateTimeField("waits out a provider's Retry-After", null=True, blank=True)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    partial_text = models.TextField("text of the round under way", blank=True)
    partial_thinking = models.TextField(blank=True)
    code_version = models.CharField(max_length=20)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = TurnQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["thread", "number"], name="turn_number_once"),
            models.UniqueConstraint(
                fields=["thread"],
                condition=Q(status__in=list(LIVE)) & ~Q(origin="mcp"),
                name="one_live_turn_a_thread",
            ),
        ]
        indexes = [
            models.Index(fields=["status", "lease_until"], name="turn_runnable"),
            models.Index(fields=["created_at"], condition=Q(status="paused"), name="turn_paused"),
        ]

    def limit(self, role: Role) -> Role:
        """The role in which its calls act, for an owner who has `role`."""
        ceiling = Role(self.role_ceiling or role)
        return ceiling if role.covers(ceiling) else role

    def count_elapsed_ms(self) -> int:
        """How long this process has been running the turn."""
        return 0 if self.running_since is None else round((time.monotonic() - self.running_since) * 1000)

    def __str__(self) -> str:
        return f"turn {self.number} of {self.thread}"


TURN_LEASE = Lease(Turn, waiting=Turn.Status.QUEUED, working=Turn.Status.RUNNING, duration=timedelta(seconds=60))
