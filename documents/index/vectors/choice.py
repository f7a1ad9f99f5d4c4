"""Which model makes an organization's embeddings, and what of it has none of this model yet."""

from __future__ import annotations

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Organization
from accounts.services import audit
from documents.models import Document, EmbeddingChoice, LanguageModel, Reading
from llm import models_catalogue
from llm.client.providers import is_local


def find_model(organization: Organization) -> str:
    """Its own, else that of the settings. Empty: none, or none that it may use."""
    model = EmbeddingChoice.find_name(organization.pk)
    return "" if organization.closed_at or (organization.local_models_only and not is_local(model)) else model


@transaction.atomic
def choose_model(actor: Actor, *, model: str) -> EmbeddingChoice:
    """An organization's own; empty: words alone. Raises Invalid for a model that makes no embeddings."""
    if model:
        models_catalogue.check_embeds(model)
    choice, _ = EmbeddingChoice.objects.update_or_create(organization=actor.organization, defaults={"model": model})
    audit.record(actor, "changed embedding model", choice, model=model)
    return choice


@transaction.atomic
def remove_choice(actor: Actor, *, choice: EmbeddingChoice) -> None:
    """EMBEDDING_MODEL counts again."""
    audit.record(actor, "changed embedding model", choice, model="")
    choice.delete()


def list_models(organization: Organization) -> list[LanguageModel]:
    """What can be chosen now. Others are taken as well, where their provider is set up."""
    usable = LanguageModel.objects.filter(available=True, enabled=True, embedding=True)
    return list((usable.filter(local=True) if organization.local_models_only else usable).order_by("provider", "name"))


def request_all() -> int:
    """For a new model: every document's newest reading. What has its vectors of this model costs nothing again."""
    return sum(request_vectors(organization) for organization in Organization.objects.filter(closed_at=None))


def request_vectors(organization: Organization) -> int:
    """Of what it has; the scheduler wakes the workers."""
    if not find_model(organization):
        return 0
    completed = Reading.objects.filter(status=Reading.Status.COMPLETED)
    newest = completed.filter(document=OuterRef("document")).order_by("-number").values("pk")[:1]
    rows = completed.filter(document__in=Document.objects.for_org(organization), pk=Subquery(newest))
    return rows.update(vectors_due_at=timezone.now())
