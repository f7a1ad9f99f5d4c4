"""What can be chosen for the arguments that name rows: by name, where the model gives ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from accounts.actor import Actor
from agent.cards.argument_fields import Choice, format_line
from agent.toolkit.previews import format_value
from agent.toolkit.registry import Tool
from agent.toolkit.signatures import Arguments
from documents.models import Document, Prompt, Schema, Tag
from kit.ids import is_id
from kit.json_types import Json
from llm import models_catalogue

MAX_CHOICES = 200


def list_choices(actor: Actor, tool: Tool, arguments: Arguments) -> dict[str, list[Choice]]:
    """By the parameter's name. The newest of what the organization has; of several documents those on the card."""
    names = [name for name in tool.parameters["properties"] if name in _CHOICES]
    choices = {name: _CHOICES[name](actor) for name in names}
    if isinstance(ids := arguments.get("documents"), list):
        rows = Document.objects.filter(organization=actor.organization, pk__in=[each for each in ids if is_id(each)])
        choices["documents"] = list(rows.order_by("name_folded", "pk").values_list("pk", "name"))
    if isinstance(changes := arguments.get("changes"), list):
        choices["changes"] = _list_changes(changes)
    return choices


def _list_changes(changes: Iterable[Json]) -> list[Choice]:
    """Of several corrections, so that single ones can be taken out."""
    return [(format_line(each), _describe_change(each)) for each in changes]


def _describe_change(change: Json) -> str:
    if not isinstance(change, dict):
        return format_line(change)
    path = str(change.get("path", ""))
    return f"{path}: take the row away" if change.get("remove") else f"{path}: {format_value(change.get('value'))}"


def _list_tags(actor: Actor) -> list[Choice]:
    return list(Tag.objects.for_org(actor.organization).order_by("name").values_list("pk", "name")[:MAX_CHOICES])


def _list_schemas(actor: Actor) -> list[Choice]:
    return list(
        Schema.objects.for_org(actor.organization).order_by("name_folded").values_list("pk", "name")[:MAX_CHOICES]
    )


def _list_prompts(actor: Actor) -> list[Choice]:
    return list(
        Prompt.objects.for_org(actor.organization).order_by("name_folded").values_list("pk", "name")[:MAX_CHOICES]
    )


def _list_revisions(actor: Actor) -> list[Choice]:
    heads = Prompt.objects.for_org(actor.organization).exclude(latest=None).order_by("name_folded")
    rows = heads.values_list("latest_id", "name", "latest__number")[:MAX_CHOICES]
    return [(str(pk), f"{name}, version {number}") for pk, name, number in rows]


def _list_documents(actor: Actor) -> list[Choice]:
    newest = Document.objects.for_org(actor.organization).order_by("-created_at", "-pk")
    return list(newest.values_list("pk", "name")[:MAX_CHOICES])


def _list_models(actor: Actor) -> list[Choice]:
    return [(model.name, model.name) for model in models_catalogue.list_chat_models(actor.organization)]


_CHOICES: Mapping[str, Callable[[Actor], list[Choice]]] = {
    "tag_id": _list_tags,
    "tag_ids": _list_tags,
    "add_tags": _list_tags,
    "remove_tags": _list_tags,
    "schema_id": _list_schemas,
    "prompt_id": _list_prompts,
    "prompt_revid": _list_revisions,
    "document_id": _list_documents,
    "document": _list_documents,
    "model": _list_models,
}
