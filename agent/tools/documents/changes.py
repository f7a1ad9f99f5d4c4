"""Documents of the organization: name, tag and describe them."""

from __future__ import annotations

from collections.abc import Iterable

from agent.toolkit.effects import Inverse
from agent.toolkit.previews import ChangeRow, Preview, change_row
from agent.toolkit.registry import Reach, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup, reach
from agent.tools.documents import many_changes, selection
from agent.tools.documents.catalog import describe_document
from agent.tools.documents.many_changes import FOR_MANY
from agent.tools.documents.name_patterns import build_names
from agent.tools.documents.selection import choose_hook
from agent.tools.documents.tag_effects import describe_started, estimate_effect
from agent.tools.hooks import (
    Changes,
    find_changes,
    inverse_by,
    keep_changed,
    preconditions_of_changed,
)
from documents import document_changes
from documents.bulk.kinds import changing
from documents.models import Document, Tag, TypeDecision
from documents.types.catalogue import find_type
from kit.errors import Invalid
from kit.json_types import Json

RUN_IDS = "run_ids"
PARTS = {"document_name": "name", "tag_ids": "tag_ids", "metadata": "metadata", "document_type": "document_type"}
BY_RULES = "told by rules"


def _resolve(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the document's id written out, each tag once, and what differs alone."""
    document = lookup.find_document(context, arguments.get("document_id"))
    resolved = {**_merge(context, document, arguments), "document_id": document.pk}
    if "tag_ids" in resolved:
        resolved["tag_ids"] = [tag.pk for tag in lookup.find_tags(context, resolved["tag_ids"])]
    return keep_changed(resolved, _find_changes(document, resolved), PARTS)


def _merge(context: ToolContext, document: Document, arguments: Arguments) -> Arguments:
    """What is added and taken away, as all that there is then. Raises Invalid for both at once."""
    if "tag_ids" in arguments and ("add_tags" in arguments or "remove_tags" in arguments):
        raise Invalid("tag_ids are all tags: give them alone, or add_tags and remove_tags.")
    merged = {name: value for name, value in arguments.items() if name not in FOR_MANY}
    if "add_tags" in arguments or "remove_tags" in arguments:
        removed = {tag.pk for tag in lookup.find_tags(context, arguments.get("remove_tags", []))}
        added = [tag.pk for tag in lookup.find_tags(context, arguments.get("add_tags", []))]
        carried = document.tags.order_by("name_folded").values_list("pk", flat=True)
        merged["tag_ids"] = list(dict.fromkeys([*(each for each in carried if each not in removed), *added]))
    if pairs := arguments.get("merge_metadata"):
        merged["metadata"] = changing.merge_metadata(arguments.get("metadata", document.metadata), pairs)
    if (name := arguments.get("document_type")) is not None:
        merged["document_type"] = find_type(context.actor.organization, name).key if name else ""
    if pattern := arguments.get("name_pattern"):
        merged["document_name"] = build_names([document], pattern)[document.pk]
    return merged


def _find_changes(document: Document, arguments: Arguments) -> Changes:
    was = {
        "document_name": document.name,
        "metadata": document.metadata,
        "tag_ids": sorted(tag.pk for tag in document.tags.all()),
        "document_type": _get_type_key(document),
    }
    tag_ids = arguments.get("tag_ids")
    return find_changes(was, {**arguments, "tag_ids": None if tag_ids is None else sorted(tag_ids)})


def _get_type_key(document: Document) -> str:
    """Empty where no person has said the type: the rules tell it."""
    by_person = TypeDecision.objects.filter(document=document, source=TypeDecision.Source.PERSON).exists()
    return document.document_type.key if document.document_type and by_person else ""


def _find_added_tags(context: ToolContext, arguments: Arguments) -> list[Tag]:
    document = lookup.find_document(context, arguments["document_id"])
    carried = set(document.tags.values_list("pk", flat=True))
    return [tag for tag in lookup.find_tags(context, arguments.get("tag_ids") or []) if tag.pk not in carried]


def _reach(context: ToolContext, arguments: Arguments) -> Reach:
    outside = reach.of_document(context, arguments["document_id"])
    return (
        outside if outside is Reach.ORGANIZATION else reach.of_tags_added(context, _find_added_tags(context, arguments))
    )


_WORDS = {
    "document_name": ("Rename", "Renamed"),
    "tag_ids": ("Change the tags of", "Changed the tags of"),
    "metadata": ("Change the metadata of", "Changed the metadata of"),
    "document_type": ("Set the type of", "Set the type of"),
}


def _preview_change(context: ToolContext, arguments: Arguments) -> Preview:
    document = lookup.find_document(context, arguments["document_id"])
    changed = _find_changes(document, arguments)
    only = next(iter(changed)) if len(changed) == 1 else ""
    what, done = _WORDS.get(only, ("Change", "Changed"))
    return {
        "title": f"{what} {document.name}",
        "done": f"{done} {document.name}",
        "changes": [row for part, (old, new) in changed.items() for row in _list_change_rows(context, part, old, new)],
        "effect": estimate_effect(context, [document.pk], _find_added_tags(context, arguments)),
        "warnings": reach.warn_of_other(context, document),
    }


def _list_change_rows(context: ToolContext, part: str, old: Json, new: Json) -> list[ChangeRow]:
    if part == "document_name":
        return [change_row("Name", old, new)]
    if part == "document_type":
        return [change_row("Type", old or BY_RULES, new or BY_RULES)]
    if part == "tag_ids":
        return [change_row("Tags", _tag_names(context, old), _tag_names(context, new))]
    return [
        change_row(name, old.get(name), new.get(name))
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]


def _tag_names(context: ToolContext, tag_ids: Iterable[str]) -> str:
    named = Tag.objects.for_org(context.actor.organization).filter(pk__in=tag_ids).order_by("name_folded")
    return ", ".join(named.values_list("name", flat=True)) or "none"


def _build_inverse(context: ToolContext, arguments: Arguments, result: Result) -> Inverse:
    """With the runs that its tags have started: those that have not ended are taken back too."""
    runs = context.before.pop(RUN_IDS, [])
    inverse = inverse_by("uploads.update", "document", {part: part for part in PARTS.values()})(
        context, arguments, result
    )
    return {**inverse, "run_ids": runs} if runs else inverse


@tool(
    category="document",
    access="write",
    title="Change a document",
    icon="i-file-text",
    unlisted=("tag_ids", "metadata"),
    resolve=choose_hook(many_changes.resolve, _resolve),
    reach=choose_hook(selection.reach_many, _reach),
    preconditions=choose_hook(many_changes.read_preconditions, preconditions_of_changed("document", PARTS)),
    preview=choose_hook(many_changes.preview, _preview_change),
    instead_of={"documents": many_changes.FOR_ONE},
    inverse=choose_hook(selection.undo_job("change"), _build_inverse),
)
def update_document(
    context: ToolContext,
    document_id: str | None = None,
    document_name: str | None = None,
    tag_ids: list[str] | None = None,
    metadata: dict[str, str] | None = None,
    documents: list[str] | None = None,
    add_tags: list[str] | None = None,
    remove_tags: list[str] | None = None,
    merge_metadata: dict[str, str] | None = None,
    name_pattern: str | None = None,
    document_type: str | None = None,
) -> Result:
    """Renames a document, or changes its tags, metadata or type; or those of several. What is not given stays.

    document_id: its id or name; without it this document
    document_name: the new one, with its extension
    tag_ids: all tags, by ids or names, that it carries from then on, also those that stay; an empty list takes all away
    metadata: all pairs of name and text that it has from then on, so name those that shall stay as well
    documents: several instead, by names or ids, tag:NAME for all with a tag, filter:NAME for a saved filter
    add_tags: tags that it gets besides its own
    remove_tags: tags that are taken from it
    merge_metadata: pairs to set besides its own; an empty text takes a pair away
    name_pattern: new names from extracted values, such as {invoice_date}-{vendor}, without extension
    document_type: such as invoice or contract; an empty text lets the rules tell it; for several documents alone
    """
    if documents is not None:
        many = {"add_tags": add_tags, "remove_tags": remove_tags, "merge_metadata": merge_metadata}
        given = {name: value for name, value in many.items() if value}
        named = {"name_pattern": name_pattern, "document_type": document_type}
        return many_changes.start(context, {**given, **named, "documents": documents})
    document = lookup.find_document(context, document_id)
    requested: Arguments = {"document_name": document_name, "tag_ids": tag_ids, "metadata": metadata}
    if not (changed := _find_changes(document, {**requested, "document_type": document_type})):
        raise Invalid(f"Nothing would change: give {', '.join(PARTS)} that differ from what there is.")
    context.before |= {PARTS[part]: old for part, (old, _) in changed.items()}
    new: Arguments = {PARTS[part]: value for part, (_, value) in changed.items()}
    started = _set_tags(context, document, *changed["tag_ids"]) if "tag_ids" in changed else {}
    words: Arguments = {part: value for part, value in new.items() if part != "tag_ids"}
    if words:
        document_changes.update(context.actor, document=document, **words)
    return {"changed": list(changed), **started, **describe_document(lookup.find_document(context, document.pk))}


def _set_tags(context: ToolContext, document: Document, old: Json, new: Json) -> Result:
    """As a person does it: the prompts of the tags that it gets start. Answers which."""
    add, remove = [tag for tag in new if tag not in old], [tag for tag in old if tag not in new]
    change = document_changes.change_tags(context.actor, document=document, add=add, remove=remove)
    if change.runs:
        context.before[RUN_IDS] = [run.pk for run in change.runs]
    return describe_started(change)
