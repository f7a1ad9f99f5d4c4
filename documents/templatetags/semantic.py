"""Search by meaning in the settings."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.template import Context

from accounts.actor import Actor
from accounts.models import Role
from documents.index.vectors.choice import find_model, list_models
from documents.models import EmbeddingChoice

register = template.Library()


@register.inclusion_tag("documents/settings/meaning.html", takes_context=True)
def semantic_section(context: Context) -> dict[str, object]:
    """`named` is the model that is set, `model` the same where it may be asked."""
    actor: Actor = context["actor"]
    may_administrate = actor.may(Role.ADMIN)
    return {
        "actor": actor,
        "csrf_token": context.get("csrf_token"),
        "model": find_model(actor.organization),
        "named": EmbeddingChoice.find_name(actor.organization.pk),
        "is_own": EmbeddingChoice.objects.filter(organization=actor.organization).exists(),
        "installed": settings.EMBEDDING_MODEL,
        "offered": list_models(actor.organization) if may_administrate else [],
        "may_administrate": may_administrate,
    }
