from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.models import AccessToken, Organization
from accounts.models.scoped import ScopedQuerySet
from agent.models.thread import Thread
from agent.models.turn import Turn
from kit.rows.models import Row


class McpClient(Row):
    """A program that calls tools over MCP with an access token, and the thread in which its calls are kept."""

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="mcp_clients")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    token = models.ForeignKey(AccessToken, on_delete=models.SET_NULL, null=True, related_name="mcp_clients")
    name = models.CharField("as the client calls itself", max_length=60)
    thread = models.OneToOneField(Thread, on_delete=models.CASCADE, related_name="mcp_client")

    objects = ScopedQuerySet["McpClient"].as_manager()

    class Meta:
        verbose_name = "MCP client"
        constraints = [models.UniqueConstraint(fields=["token", "name"], name="mcp_client_once")]

    def __str__(self) -> str:
        return self.name


class McpRequestQuerySet(ScopedQuerySet["McpRequest"]):
    organization_path = "turn__thread__organization"


class McpRequest(Row):
    """A change that a client has asked for: what makes the same request, sent again, find the same cards."""

    token = models.ForeignKey(AccessToken, on_delete=models.CASCADE, related_name="+")
    tool = models.CharField(max_length=100)
    key = models.CharField("idempotency key; empty: none", max_length=100, null=True, blank=True)
    digest = models.CharField("SHA-256 of tool and arguments", max_length=64)
    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, related_name="mcp_request")

    objects = McpRequestQuerySet.as_manager()

    class Meta:
        verbose_name = "MCP request"
        constraints = [models.UniqueConstraint(fields=["token", "tool", "key"], name="mcp_key_once")]
        indexes = [models.Index(fields=["token", "digest"], name="mcp_request_digest")]

    def __str__(self) -> str:
        return f"{self.tool} of {self.turn}"
