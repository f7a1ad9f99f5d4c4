from __future__ import annotations

from typing import Unpack

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Organization
from accounts.models.scoped import ScopedQuerySet, TrashQuerySet
from documents.models.document import Tag
from documents.models.ordered_json import OrderedJSONField
from kit.json_types import JsonObject
from kit.rows.models import Row, SaveOptions, fold_case


class Head(Row):
    """The named head of immutable revisions. `latest` is the latest accepted one; a proposed revision never is."""

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=200)
    name_folded = models.CharField(max_length=200, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    trashed_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name

    @property
    def kind(self) -> str:
        """ "schema" or "prompt", as ids, events and routes name it."""
        return type(self).__name__.lower()

    def save(self, **options: Unpack[SaveOptions]) -> None:
        self.name_folded = fold_case(self.name)
        super().save(**options)


class Revision(Row):
    class Status(models.TextChoices):
        ACCEPTED = "accepted"
        PROPOSED = "proposed"
        REJECTED = "rejected"

    number = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ACCEPTED)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        abstract = True


class Schema(Head):
    latest = models.ForeignKey(
        "SchemaRevision", on_delete=models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    objects = TrashQuerySet["Schema"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "name_folded"], condition=Q(trashed_at=None), name="schema_name_once"
            )
        ]


class SchemaRevisionQuerySet(ScopedQuerySet["SchemaRevision"]):
    organization_path = "schema__organization"


class SchemaRevision(Revision):
    """`response_format` is {type: json_schema, json_schema: {name, schema, strict}}, checked by schema_rules.

    `value_checks` are as `documents.checks` stores them: {kind, …parameters}.
    """

    schema = models.ForeignKey(Schema, on_delete=models.CASCADE, related_name="revisions")
    response_format = OrderedJSONField()
    value_checks = OrderedJSONField("what must hold between its values", default=list, blank=True)

    objects = SchemaRevisionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["schema", "number"], name="schema_revision_once")]

    def __str__(self) -> str:
        return f"{self.schema} v{self.number}"

    @property
    def head(self) -> Schema:
        return self.schema

    @property
    def json_schema(self) -> JsonObject:
        inner: JsonObject = self.response_format["json_schema"]["schema"]
        return inner


class Prompt(Head):
    """`type_keys` are the types of documents that people said it is for: None when they have not, empty for any."""

    latest = models.ForeignKey(
        "PromptRevision", on_delete=models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    type_keys = models.JSONField("types of documents that it is for", null=True, blank=True)
    objects = TrashQuerySet["Prompt"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "name_folded"], condition=Q(trashed_at=None), name="prompt_name_once"
            )
        ]


class PromptRevisionQuerySet(ScopedQuerySet["PromptRevision"]):
    organization_path = "prompt__organization"


class PromptRevision(Revision):
    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="revisions")
    content = models.TextField()
    schema_revision = models.ForeignKey(
        SchemaRevision, on_delete=models.PROTECT, null=True, blank=True, related_name="prompt_revisions"
    )
    model = models.CharField(max_length=200, blank=True, help_text="Empty: the organization's extraction model.")
    tags = models.ManyToManyField(Tag, related_name="prompt_revisions", blank=True)
    include = models.JSONField(default=dict, blank=True)
    peer_match_keys = models.JSONField(
        default=list, blank=True, help_text="Metadata that tells which documents belong together. Kept, not used yet."
    )

    objects = PromptRevisionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["prompt", "number"], name="prompt_revision_once")]

    def __str__(self) -> str:
        return f"{self.prompt} v{self.number}"

    @property
    def head(self) -> Prompt:
        return self.prompt
