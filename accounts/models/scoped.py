"""QuerySets that know the organization. Every lookup by id goes through `for_org`."""

from __future__ import annotations

from typing import Self, TypeVar

from django.db.models import Model, QuerySet

from accounts.models.organization import Organization

M = TypeVar("M", bound=Model)


class ScopedQuerySet(QuerySet[M]):
    organization_path = "organization"

    def for_org(self, organization: Organization) -> Self:
        return self.filter(**{self.organization_path: organization})


class TrashQuerySet(ScopedQuerySet[M]):
    """Rows that go to the trash instead of being deleted; `for_org` leaves the trash out."""

    def for_org(self, organization: Organization) -> Self:
        return super().for_org(organization).filter(trashed_at=None)
