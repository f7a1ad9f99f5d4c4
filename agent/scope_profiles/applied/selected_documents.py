"""Documents that a scope lets pass, chosen by the database, where too many are meant to be judged one by one."""

from __future__ import annotations

from django.db.models import QuerySet

from agent.scope_profiles.applied.in_force import Scope
from documents.models import Document


def select_within(scope: Scope, rows: QuerySet[Document]) -> QuerySet[Document]:
    """Keep documents of an allowed type and with the right tags; one without a type yet is left out."""
    for profile in scope.profiles:
        rows = rows.filter(document_type__key__in=profile.types)
        tagged = Document.objects.filter(organization=scope.organization)
        if profile.tags_never:
            rows = rows.exclude(pk__in=tagged.filter(tags__name__in=profile.tags_never).values("pk"))
        if profile.tags_mode == "required":
            rows = rows.filter(pk__in=tagged.filter(tags__name__in=profile.tags).values("pk"))
    return rows
