from __future__ import annotations

from typing import Unpack

from django.conf import settings
from django.db import models

from kit.rows.models import Row, SaveOptions, fold_case


class Role(models.TextChoices):
    """A member's rights. Each role may do all that the ones before it may."""

    VIEWER = "viewer"
    REVIEWER = "reviewer"
    BUILDER = "builder"
    ADMIN = "admin"

    @property
    def rank(self) -> int:
        return _RANKS[self]

    def covers(self, other: Role) -> bool:
        return self.rank >= other.rank


# Asked for with each call of a tool and each row of a list.
_RANKS = {role: rank for rank, role in enumerate(Role)}


class Organization(Row):
    class Type(models.TextChoices):
        INDIVIDUAL = "individual"
        TEAM = "team"
        ENTERPRISE = "enterprise"

    class IdenticalFiles(models.TextChoices):
        """The treatment of an upload whose bytes are here already."""

        WARN = "warn", "keep it and warn"
        KEEP = "keep", "keep it"
        REFUSE = "refuse", "refuse it"

    name = models.CharField(max_length=200)
    name_folded = models.CharField(max_length=200, unique=True, editable=False)
    type = models.CharField(max_length=12, choices=Type.choices, default=Type.INDIVIDUAL)
    default_prompt_enabled = models.BooleanField("summarize each document after reading", default=False)
    auto_setup_default = models.BooleanField("make schema and prompt automatically on upload", default=False)
    people_in_usage = models.BooleanField("admins see usage and decisions by person", default=False)
    failed_checks_need_reason = models.BooleanField(
        "verifying a document although a value check fails needs a reason", default=False
    )
    identical_files = models.CharField(
        "a file that is here already", max_length=6, choices=IdenticalFiles.choices, default=IdenticalFiles.WARN
    )
    experimental_features = models.BooleanField(default=False)
    flow_log_level = models.CharField("kept for clients; nothing here has flows", max_length=10, default="ERROR")
    agent_stopped = models.BooleanField("stop all agent turns", default=False)
    local_models_only = models.BooleanField("document text goes to no model outside", default=False)
    updated_at = models.DateTimeField(auto_now=True)
    closed_at = models.DateTimeField("closed: its rows stay, nobody enters", null=True, blank=True, editable=False)
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, through="Member", related_name="organizations")

    def __str__(self) -> str:
        return self.name

    def save(self, **options: Unpack[SaveOptions]) -> None:
        # The name of a closed organization is free again.
        self.name_folded = self.pk if self.closed_at else fold_case(self.name)
        super().save(**options)


class Member(Row):
    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.BUILDER)
    last_active_at = models.DateTimeField("looked at a page, to five minutes", null=True, blank=True, editable=False)
    dismissed_steps = models.JSONField("next steps that they want to hear no more of", default=list, blank=True)
    recent_searches = models.JSONField("their searches, the newest first", default=list, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "user"], name="one_membership_each")]

    def __str__(self) -> str:
        return f"{self.user} in {self.organization} ({self.role})"
