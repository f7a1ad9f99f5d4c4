from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Organization, User
from accounts.models.scoped import ScopedQuerySet
from documents.models.definitions import Schema
from kit.rows.models import Row


class SavedViewQuerySet(ScopedQuerySet["SavedView"]):
    def list_for(self, organization: Organization, user: User) -> SavedViewQuerySet:
        """One's own, and those for everybody."""
        return self.for_org(organization).filter(Q(owner=user) | Q(owner=None)).order_by("position", "created_at", "pk")


class SavedView(Row):
    """Filters and order of the documents list under a name; without an owner it is for all of the organization."""

    MAX_NAME, MAX_QUERY = 80, 4000

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="saved_views")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", null=True, blank=True
    )
    name = models.CharField(max_length=MAX_NAME)
    query = models.CharField("filters as an address says them", max_length=MAX_QUERY, blank=True)
    position = models.PositiveIntegerField(default=0)

    objects = SavedViewQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["organization", "owner", "position"], name="saved_view_order")]

    def __str__(self) -> str:
        return self.name


class ColumnChoice(Row):
    """Columns of the documents list that a person has chosen in an organization, in their order."""

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    columns = models.JSONField("names, with widths behind a colon", default=list)

    objects = ScopedQuerySet["ColumnChoice"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "organization"], name="one_choice_of_columns")]

    def __str__(self) -> str:
        return f"{self.user}: {', '.join(map(str, self.columns))}"


class ResultChoice(Row):
    """The last choice of a person for results of a schema, or of any: columns, their order, and form."""

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    schema = models.ForeignKey(Schema, on_delete=models.CASCADE, related_name="+", null=True, blank=True)
    layout = models.JSONField(default=dict)

    objects = ScopedQuerySet["ResultChoice"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "organization", "schema"], name="one_choice_of_results"),
            models.UniqueConstraint(
                fields=["user", "organization"], condition=Q(schema=None), name="one_choice_of_any_results"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.schema or 'any schema'}"
