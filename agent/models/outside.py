from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet
from kit.rows.models import Row


class OutsideServer(Row):
    """An MCP server of others, whose tools an organization's agent may ask for: by URL, or by a command of the
    operator's that the settings name.
    """

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="outside_servers")
    name = models.CharField(max_length=60)
    prefix = models.CharField("what its tools' names begin with", max_length=20)
    url = models.CharField("address", max_length=2000, blank=True)
    command = models.CharField("name in OUTSIDE_MCP_COMMANDS", max_length=60, blank=True)
    header = models.CharField("header that carries its secret", max_length=60, blank=True)
    sealed = models.TextField("the header's text, encrypted", blank=True)
    last_characters = models.CharField("its last characters", max_length=4, blank=True)
    failure = models.CharField("why its tools could not be listed", max_length=300, blank=True)
    asked_at = models.DateTimeField("when its tools were last to be listed", null=True, blank=True)
    listed_at = models.DateTimeField("when they last were", null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    objects = ScopedQuerySet["OutsideServer"].as_manager()

    class Meta:
        verbose_name = "outside server"
        ordering = ["created_at"]
        constraints = [
            models.UniqueConstraint(fields=["organization", "prefix"], name="outside_prefix_once"),
            models.CheckConstraint(condition=~Q(url="") | ~Q(command=""), name="outside_server_somewhere"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def place(self) -> str:
        return self.url or f"command {self.command}"


class OutsideToolQuerySet(ScopedQuerySet["OutsideTool"]):
    organization_path = "server__organization"


class OutsideTool(Row):
    """A tool as its server describes it. What an admin has not seen as it is now is off.

    `digest` is of all that a model or a person reads of it; `revision` counts its changes.
    """

    server = models.ForeignKey(OutsideServer, on_delete=models.CASCADE, related_name="tools")
    name = models.CharField("as the server calls it", max_length=200)
    tool = models.CharField("as the agent calls it", max_length=64)
    description = models.TextField("in the server's words", blank=True)
    parameters = models.JSONField(default=dict)
    problem = models.CharField("why it cannot be used", max_length=300, blank=True)
    digest = models.CharField(max_length=64)
    revision = models.PositiveIntegerField(default=1)
    is_on = models.BooleanField(default=False)
    only_fetches = models.BooleanField(
        "an admin says that it changes nothing, so that it may be asked again", default=False
    )
    seen_digest = models.CharField("digest of what an admin saw last", max_length=64, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    seen_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    gone_at = models.DateTimeField("since when the server lists it no more", null=True, blank=True)

    objects = OutsideToolQuerySet.as_manager()

    class Meta:
        verbose_name = "outside tool"
        ordering = ["tool"]
        constraints = [
            models.UniqueConstraint(fields=["server", "name"], name="outside_tool_once"),
            models.UniqueConstraint(fields=["server", "tool"], name="outside_tool_name_once"),
        ]

    def __str__(self) -> str:
        return self.tool

    @property
    def is_seen(self) -> bool:
        return self.seen_digest == self.digest
