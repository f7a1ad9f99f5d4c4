"""The column that documents are sorted by for their tags: the name of the first one, empty without a tag."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from documents.models import Document, Tag


def find_first_tag(tags: Iterable[Tag]) -> str:
    return min((tag.name_folded for tag in tags), default="")


def refresh_first_tag(documents: QuerySet[Document], *, without: Tag | None = None) -> None:
    """After a change of the name of a tag; `without` one that is about to go."""
    carried = Tag.objects.filter(documents=OuterRef("pk")).order_by("name_folded").values("name_folded")
    left = carried.exclude(pk=without.pk) if without else carried
    documents.order_by().update(first_tag=Coalesce(Subquery(left[:1]), Value("")))
