from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.models.organization import Organization
from kit.rows.models import Row


class AuditEntry(Row):
    """One change by a person, by the agent with a person's approval, by a rule, or by the system. Never edited."""

    class Origin(models.TextChoices):
        PERSON = "person"
        AGENT_APPROVED = "agent_approved", "agent, approved by a person"
        AGENT_RULE = "agent_rule", "agent, allowed by a rule or mode"
        SYSTEM = "system"

    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, related_name="audit_entries", null=True, blank=True
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    origin = models.CharField(max_length=16, choices=Origin.choices, default=Origin.PERSON)
    action = models.CharField(max_length=60, db_index=True)
    target_kind = models.CharField(max_length=40)
    target_id = models.CharField(max_length=24, db_index=True)
    call_id = models.CharField("the tool call that did it", max_length=24, blank=True, db_index=True)
    detail = models.JSONField(default=dict, blank=True)

    class Meta:
        indexes = [models.Index(fields=["organization", "-created_at", "-id"], name="audit_newest")]
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.action} {self.target_kind} {self.target_id}"
