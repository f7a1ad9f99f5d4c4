"""Prompts: what to look for in a document, with which schema and model."""

from __future__ import annotations

from accounts.access import fetch
from agent.previews import ArgumentRow, Preview
from agent.registry import Preconditions, Reach, Result, ToolContext, tool
from agent.signatures import Arguments
from docrouter.kit.errors import NotFound
from docrouter.kit.models import folded
from documents.models import Document, Schema, SchemaRevision, Tag
from documents.services import models_catalogue, prompts

STARTS_NOTHING = "Adds one prompt. No tag starts it: it runs when somebody asks for it."


def _pinned(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the schema's version written out: a later version is not what was approved."""
    if "schema_id" not in arguments:
        return arguments
    revision = schema_revision(context, arguments["schema_id"], arguments.get("schema_version"))
    return {**arguments, "schema_id": revision.schema_id, "schema_version": revision.number}


def _reach(context: ToolContext, arguments: Arguments) -> Reach:
    return Reach.ORGANIZATION if arguments.get("tag_ids") else Reach.DOCUMENT


def _on_name(context: ToolContext, arguments: Arguments) -> Preconditions:
    return {f"prompt name:{folded(arguments['name'])}": 0}


def _shown(context: ToolContext, arguments: Arguments) -> Preview:
    rows: list[ArgumentRow] = []
    if "schema_id" in arguments:
        revision = schema_revision(context, arguments["schema_id"], arguments.get("schema_version"))
        rows.append({"name": "Schema", "value": f"{revision.schema.name}, version {revision.number}"})
    default = models_catalogue.default_extraction_model(context.actor.organization)
    rows.append({"name": "Model", "value": arguments.get("model") or f"{default} (the default)"})
    tags = _tags(context, arguments.get("tag_ids") or [])
    if tags:
        rows.append({"name": "Tags", "value": ", ".join(tag.name for tag in tags)})
    return {
        "title": f"Create prompt “{arguments['name']}”",
        "done": f"Created prompt “{arguments['name']}”",
        "subtitle": f"{len(arguments['content'].split())} words",
        "rows": rows,
        "text": arguments["content"],
        "effect": _effect(context, tags),
        "warnings": [],
    }


def _effect(context: ToolContext, tags: list[Tag]) -> str:
    if not tags:
        return STARTS_NOTHING
    names = ", ".join(f"“{tag.name}”" for tag in tags)
    now = Document.objects.for_org(context.actor.organization).filter(tags__in=tags).distinct().count()
    return f"Adds one prompt that runs on each new document tagged {names}. {now} documents carry such a tag now."


def schema_revision(context: ToolContext, schema_id: str, version: int | None) -> SchemaRevision:
    """The revision meant by a schema's id (or by a revision's own id), the latest without a version."""
    revisions = SchemaRevision.objects.for_org(context.actor.organization).select_related("schema")
    own = revisions.filter(pk=schema_id, schema__trashed_at=None).first()
    if own is not None and version in (None, own.number):
        return own
    schema = fetch(context.actor, Schema.objects.all(), own.schema_id if own else schema_id, noun="Schema")
    found = revisions.filter(schema=schema, **({"number": version} if version else {"pk": schema.latest_id})).first()
    if found is None:
        raise NotFound(f"The schema “{schema.name}” has no version {version}.")
    return found


def _tags(context: ToolContext, tag_ids: list[str]) -> list[Tag]:
    return [fetch(context.actor, Tag.objects.all(), tag_id, noun=f"Tag {tag_id[:40]}") for tag_id in tag_ids]


@tool(
    group="prompts", access="write", title="Create prompt", icon="i-message-square-text", resolve=_pinned, reach=_reach,
    preconditions=_on_name, preview=_shown,
)  # fmt: skip
def create_prompt(
    context: ToolContext,
    name: str,
    content: str,
    schema_id: str | None = None,
    schema_version: int | None = None,
    model: str | None = None,
    tag_ids: list[str] | None = None,
) -> Result:
    """Creates a prompt, the instructions for extractions. A name that exists is refused; answers prompt_revid.

    name: what people call it, mostly the name of its schema
    content: what kind of document this is, what to look for and how to tell similar values apart
    schema_id: the schema whose fields it fills
    schema_version: without it the latest
    model: without it the organization's own
    tag_ids: the prompt then runs by itself on each new document with one of these tags
    """
    revision = prompts.create(
        context.actor, name=name, content=content, model=model or "", tags=_tags(context, tag_ids or []),
        schema_revision=schema_revision(context, schema_id, schema_version) if schema_id else None,
    )  # fmt: skip
    context.remember(prompt_revid=revision.pk)
    return {"prompt_id": revision.prompt_id, "prompt_revid": revision.pk, "prompt_version": revision.number}
