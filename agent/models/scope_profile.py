from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import AccessToken, Organization
from accounts.models.scoped import ScopedQuerySet
from agent.models.mcp_client import McpClient
from kit.rows.models import Row


class ScopeProfile(Row):
    """The words that say what the agent is for: of an organization, or of one access token or MCP client there.

    `tags` and `tags_never` hold ids of tags, `types` keys of types of documents.
    """

    class Mode(models.TextChoices):
        OFF = "off"
        GENTLE = "gentle"
        STRICT = "strict"

    class TagsMode(models.TextChoices):
        REQUIRED = "required"
        HINT = "hint"

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="scope_profiles")
    token = models.OneToOneField(
        AccessToken, on_delete=models.CASCADE, related_name="scope_profile", null=True, blank=True
    )
    client = models.OneToOneField(
        McpClient, on_delete=models.CASCADE, related_name="scope_profile", null=True, blank=True
    )
    mode = models.CharField(max_length=6, choices=Mode.choices, default=Mode.OFF)
    sentence = models.TextField("what the agent is for")
    types = models.JSONField("allowed types of documents", default=list, blank=True)
    tags = models.JSONField("allowed tags", default=list, blank=True)
    tags_mode = models.CharField(max_length=8, choices=TagsMode.choices, default=TagsMode.HINT)
    tags_never = models.JSONField("tags that keep a document out", default=list, blank=True)
    topics = models.JSONField(default=list, blank=True)
    always = models.JSONField("patterns that always pass", default=list, blank=True)
    never = models.JSONField("patterns that never pass", default=list, blank=True)
    refusal = models.TextField("the refusal's words", blank=True)
    updated_at = models.DateTimeField(auto_now=True)
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    objects = ScopedQuerySet["ScopeProfile"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization"], condition=Q(token=None, client=None), name="scope_profile_of_organization"
            ),
            models.CheckConstraint(condition=Q(token=None) | Q(client=None), name="scope_profile_one_subject"),
        ]

    def __str__(self) -> str:
        return f"scope profile of {self.token or self.client or self.organization}"
