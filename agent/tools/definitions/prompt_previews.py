"""Cards of prompts that are created, changed or deleted: what they show, and what a call would change."""

from __future__ import annotations

from django.conf import settings
from django.db.models import prefetch_related_objects

from agent.toolkit.preconditions import base_revision
from agent.toolkit.previews import ArgumentRow, ChangeRow, Preview, change_row, format_count, quote_names
from agent.toolkit.registry import ToolContext
from agent.toolkit.signatures import Arguments
from agent.tools import lookup
from agent.tools.definitions.shared import preview_change, preview_deletion
from agent.tools.hooks import Changes, find_changes
from documents.definitions.definitions import get_newest_revision
from documents.definitions.text_changes import list_changed_lines
from documents.models import Document, Extraction, Prompt, PromptRevision, Revision, SchemaRevision, Tag
from kit.json_types import Json

STARTS_NOTHING = "Doesn’t run automatically: it runs when somebody asks for it."


def is_proposed(schema: SchemaRevision | None) -> bool:
    """A prompt in force puts such a schema in force with it, for everybody: that is for a person to decide."""
    return schema is not None and schema.status == Revision.Status.PROPOSED


def _puts_in_force(schema: SchemaRevision | None, *, proposes: bool) -> list[str]:
    if schema is None or proposes or not is_proposed(schema):
        return []
    return [f"Puts version {schema.number} of the schema “{schema.schema.name}” into force: it is only proposed yet."]


def preview_creation(context: ToolContext, arguments: Arguments) -> Preview:
    schema = find_named_schema(context, arguments.get("schema_id"), arguments.get("schema_version"))
    tags = lookup.find_tags(context, arguments.get("tag_ids") or [])
    rows: list[ArgumentRow] = [
        {"name": "Schema", "value": _schema_words(schema)},
        {"name": "Model", "value": _model_words(context, arguments.get("model") or "")},
    ]
    if tags:
        rows.append({"name": "Tags", "value": _tag_words(tags)})
    return {
        "title": f"Create prompt “{arguments['name']}”",
        "done": f"Created prompt “{arguments['name']}”",
        "subtitle": format_count(len(arguments["content"].split()), "word"),
        "rows": rows,
        "text": arguments["content"],
        "effect": f"Adds one prompt. {_describe_triggers(context, tags)}",
        "warnings": _puts_in_force(schema, proposes=context.is_headless),
    }


def find_named_schema(context: ToolContext, schema_id: str | None, version: int | None = None) -> SchemaRevision | None:
    """The version of a schema that a call names; None when it names none."""
    return lookup.find_schema_revision(context, schema_id, version) if schema_id else None


def _schema_words(revision: SchemaRevision | None) -> str:
    return f"{revision.schema.name}, version {revision.number}" if revision else "none: the answer is plain text"


def _model_words(context: ToolContext, model: str) -> str:
    return model or f"{settings.EXTRACTION_MODEL} (the default)"


def _tag_words(tags: list[Tag]) -> str:
    return ", ".join(sorted(tag.name for tag in tags)) or "none"


def _describe_triggers(context: ToolContext, tags: list[Tag]) -> str:
    if not tags:
        return STARTS_NOTHING
    now = Document.objects.for_org(context.actor.organization).filter(tags__in=tags).distinct().count()
    names = quote_names([tag.name for tag in tags])
    carrying = f"{format_count(now, 'document')} carr{'ies' if now == 1 else 'y'}" if now else "No document carries"
    return f"It runs on each new document tagged {names}. {carrying} such a tag now."


def get_base(context: ToolContext, prompt: Prompt) -> PromptRevision:
    """The revision that a change starts from, with its prompt at hand."""
    revision: PromptRevision = base_revision(context, prompt)
    revision.prompt = prompt
    return revision


def find_prompt_changes(revision: PromptRevision, arguments: Arguments) -> Changes:
    """What the arguments would change of a version, with schema and tags as ids."""
    was = {
        "name": revision.prompt.name,
        "content": revision.content,
        "schema_id": revision.schema_revision_id or "",
        "model": revision.model,
        "tag_ids": sorted(tag.pk for tag in revision.tags.all()),
    }
    tag_ids = arguments.get("tag_ids")
    name = " ".join((arguments.get("name") or "").split()) or None
    return find_changes(was, {**arguments, "name": name, "tag_ids": None if tag_ids is None else sorted(tag_ids)})


def find_schema_after(context: ToolContext, latest: PromptRevision, arguments: Arguments) -> SchemaRevision | None:
    """The schema that it has after the change."""
    if arguments.get("schema_id") is not None:
        return find_named_schema(context, arguments["schema_id"])
    return latest.schema_revision


def preview_prompt_change(context: ToolContext, arguments: Arguments) -> Preview:
    prompt = lookup.find_prompt(context, arguments["prompt_id"])
    latest = get_base(context, prompt)
    prefetch_related_objects([latest], "tags")
    changed = find_prompt_changes(latest, arguments)
    in_force = _puts_in_force(find_schema_after(context, latest, arguments), proposes=context.proposes(prompt))
    lines = list_changed_lines(*changed["content"]) if "content" in changed else []
    tags = lookup.find_tags(context, arguments["tag_ids"]) if "tag_ids" in changed else list(latest.tags.all())
    adds = f"{_describe_triggers(context, tags)} Earlier extractions stay."
    return {
        **preview_change(prompt, latest.number, changed, adds),
        "changes": [
            _build_change_row(context, latest, part, changed[part][1]) for part in changed if part != "content"
        ],
        "lines": [{"kind": line.kind, "text": line.text} for line in lines],
        "used_by": _list_uses(prompt),
        "warnings": [*in_force, *_list_warnings(latest, changed)],
    }


def _build_change_row(context: ToolContext, latest: PromptRevision, part: str, new: Json) -> ChangeRow:
    if part == "schema_id":
        schema = find_named_schema(context, new)
        return change_row("Schema", _schema_words(latest.schema_revision), _schema_words(schema))
    if part == "name":
        return change_row("Name", latest.prompt.name, new)
    if part == "model":
        return change_row("Model", _model_words(context, latest.model), _model_words(context, new))
    return change_row("Tags", _tag_words(list(latest.tags.all())), _tag_words(lookup.find_tags(context, new)))


def _list_uses(prompt: Prompt) -> list[str]:
    done = Extraction.objects.filter(prompt_revision__prompt=prompt, status=Extraction.Status.COMPLETED)
    documents = done.filter(document__trashed_at=None).values("document").distinct().count()
    return [f"{format_count(documents, 'document')} with an extraction by it"] if documents else []


def _list_warnings(latest: PromptRevision, changed: Changes) -> list[str]:
    """A prompt stays with the version of its schema that it names; a person may expect otherwise."""
    used = latest.schema_revision
    newer = used.schema.latest if used else None
    if "schema_id" in changed or used is None or newer is None or newer.number <= used.number:
        return []
    return [f"It keeps version {used.number} of the schema “{used.schema.name}”. There is a newer one."]


def preview_prompt_deletion(context: ToolContext, arguments: Arguments) -> Preview:
    prompt = lookup.find_prompt(context, arguments["prompt_id"])
    latest = get_newest_revision(prompt)
    tags = list(latest.tags.all())
    stops = f"New documents tagged {quote_names([tag.name for tag in tags])} are no longer read with it."
    return {
        **preview_deletion(prompt, _list_uses(prompt), "What it extracted stays. It can be taken out again."),
        "rows": [
            {"name": "Schema", "value": _schema_words(latest.schema_revision)},
            {"name": "Tags", "value": _tag_words(tags)},
        ],
        "warnings": [stops] if tags else [],
    }
