"""What can be chosen for the arguments that name rows: by name, where the model gives ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from accounts.actor import Actor
from agent.cards.argument_fields import Choice
from agent.toolkit.registry import Tool
from documents.model_access import models_catalogue
from documents.models import Document, Prompt, Schema, Tag

MAX_CHOICES = 200


def offered(actor: Actor, tool: Tool) -> dict[str, list[Choice]]:
    """By the parameter's name. The newest of what the organization has."""
    names = [name for name in tool.parameters["properties"] if name in _CHOICES]
    return {name: _CHOICES[name](actor) for name in names}


def _tags(actor: Actor) -> list[Choice]:
    return list(Tag.objects.for_org(actor.organization).order_by("name").values_list("pk", "name")[:MAX_CHOICES])


def _schemas(actor: Actor) -> list[Choice]:
    return list(
        Schema.objects.for_org(actor.organization).order_by("name_folded").values_list("pk", "name")[:MAX_CHOICES]
    )


def _prompts(actor: Actor) -> list[Choice]:
    return list(
        Prompt.objects.for_org(actor.organization).order_by("name_folded").values_list("pk", "name")[:MAX_CHOICES]
    )


def _revisions(actor: Actor) -> list[Choice]:
    heads = Prompt.objects.for_org(actor.organization).exclude(latest=None).order_by("name_folded")
    found = heads.values_list("latest_id", "name", "latest__number")[:MAX_CHOICES]
    return [(str(pk), f"{name}, version {number}") for pk, name, number in found]


def _documents(actor: Actor) -> list[Choice]:
    newest = Document.objects.for_org(actor.organization).order_by("-created_at", "-pk")
    return list(newest.values_list("pk", "name")[:MAX_CHOICES])


def _models(actor: Actor) -> list[Choice]:
    return [(model.name, model.name) for model in models_catalogue.chat_models(actor.organization)]


_CHOICES: Mapping[str, Callable[[Actor], list[Choice]]] = {
    "tag_id": _tags,
    "tag_ids": _tags,
    "schema_id": _schemas,
    "prompt_id": _prompts,
    "prompt_revid": _revisions,
    "document_id": _documents,
    "model": _models,
}
