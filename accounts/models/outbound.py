from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.models.organization import Organization
from kit.rows.models import Row


class OutboundRule(Row):
    """A host or network that an organization's requests to the outside may ask, or may not."""

    class Effect(models.TextChoices):
        ALLOW = "allow", "allow: what no such rule names is not asked"
        DENY = "deny", "deny: wins over what is allowed"

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="outbound_rules")
    effect = models.CharField(max_length=5, choices=Effect.choices)
    pattern = models.CharField(
        "host",
        max_length=255,
        help_text="example.com is that host alone, *.example.com every host below it. "
        "What is denied may be a network such as 203.0.113.0/24.",
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "effect", "pattern"], name="outbound_rule_once")]

    def __str__(self) -> str:
        return f"{self.effect} {self.pattern}"


class OutboundRequest(Row):
    """A request to an address that somebody gave, as far as it came; each redirect is one of its own. Never edited."""

    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, related_name="outbound_requests", null=True, blank=True
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    purpose = models.CharField("what for", max_length=40)
    method = models.CharField(max_length=10)
    origin = models.CharField("scheme, host and port", max_length=300)
    address = models.CharField("IP address", max_length=60, blank=True)
    status = models.PositiveSmallIntegerField("status of the answer; 0: none", default=0)
    size = models.PositiveIntegerField("bytes of the answer", default=0)
    milliseconds = models.PositiveIntegerField(default=0)
    is_denied = models.BooleanField(default=False)
    reason = models.CharField("why it was not asked, or broke off", max_length=300, blank=True)

    class Meta:
        indexes = [models.Index(fields=["organization", "-created_at"], name="outbound_newest")]
        verbose_name = "request to the outside"
        verbose_name_plural = "requests to the outside"

    def __str__(self) -> str:
        return f"{self.method} {self.origin}"
