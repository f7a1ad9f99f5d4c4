"""Which model makes an organization's embeddings."""

from __future__ import annotations

from django.db import transaction

from accounts.actor import Actor
from accounts.models import Organization
from accounts.services import audit
from documents.backends.llm.providers import is_local
from documents.model_access import models_catalogue
from documents.models import EmbeddingChoice


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
