"""What the pages of schemas and prompts share: which version is shown, which came before it, and the trash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db.models import QuerySet
from django.http import Http404

from accounts.actor import Actor
from documents.models import Prompt, PromptRevision, Schema, SchemaRevision

H = TypeVar("H", Schema, Prompt)
R = TypeVar("R", SchemaRevision, PromptRevision)


def choose_revision(head: Schema | Prompt, revisions: list[R], number: str) -> R:
    """The revision with this number; without one the latest, or the newest while none is accepted."""
    if number:
        chosen = next((revision for revision in revisions if str(revision.number) == number), None)
    else:
        chosen = next((revision for revision in revisions if revision.pk == head.latest_id), revisions[0])
    if chosen is None:
        raise Http404
    return chosen


@dataclass(frozen=True)
class VersionPair(Generic[R]):
    """Two versions, the older one first."""

    before: R
    after: R


def compare_versions(shown: R, revisions: list[R], number: str) -> VersionPair[R] | None:
    """The shown version and the one with this number, without one the newest under it. `revisions` are newest first."""
    if number:
        other = next((revision for revision in revisions if str(revision.number) == number), None)
        if other is None:
            raise Http404
    else:
        other = next((revision for revision in revisions if revision.number < shown.number), None)
    if other is None or other.pk == shown.pk:
        return None
    return VersionPair(other, shown) if other.number < shown.number else VersionPair(shown, other)


def list_trashed(actor: Actor, heads: type[H]) -> QuerySet[H]:
    return heads.objects.filter(organization=actor.organization, trashed_at__isnull=False).order_by("-trashed_at")
