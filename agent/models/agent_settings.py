from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet
from agent.models.thread import Thread
from kit.rows.models import Row


class AgentSettings(Row):
    """What an organization's admins set for the agent. No row, and an empty value: the installation's own."""

    organization = models.OneToOneField(Organization, on_delete=models.CASCADE, related_name="agent_settings")
    default_model = models.CharField(max_length=200, blank=True)
    allowed_models = models.JSONField("names that threads may choose; empty: all", default=list, blank=True)
    max_rounds = models.PositiveIntegerField("rounds of one turn", null=True, blank=True)
    turn_limit_micros = models.BigIntegerField("cost of one turn, in millionths of a dollar", null=True, blank=True)
    tool_seconds = models.PositiveIntegerField("seconds of a tool that reads by a model", null=True, blank=True)
    research_seconds = models.PositiveIntegerField("seconds of a turn about no document", null=True, blank=True)
    research_min_tokens = models.PositiveIntegerField("tokens a research model reads at least", null=True, blank=True)
    rerank_model = models.CharField("model that orders documents; empty: the rule", max_length=200, blank=True)
    scope_model = models.CharField(
        "model that judges unclear requests; empty: the default model", max_length=200, blank=True
    )
    default_mode = models.CharField(max_length=8, choices=Thread.Mode.choices, default=Thread.Mode.ASK)
    disabled_tools = models.JSONField("tools that the agent does not get", default=list, blank=True)
    organization_instructions = models.TextField("what the agent follows in every thread", blank=True)
    updated_at = models.DateTimeField(auto_now=True)
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    objects = ScopedQuerySet["AgentSettings"].as_manager()

    class Meta:
        verbose_name = verbose_name_plural = "agent settings"

    def __str__(self) -> str:
        return f"agent settings of {self.organization}"
