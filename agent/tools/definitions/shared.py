"""The tools of schemas and of prompts share how a change is shown, saved and undone, and how one goes to the trash.

A kind is known by its `Definition`. The arguments and results of its tools are called like it: `schema_id`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.db.models import Model

from agent.toolkit.effects import Preconditions
from agent.toolkit.preconditions import precondition_of_free_name
from agent.toolkit.previews import Preview, format_count
from agent.toolkit.registry import Result, ToolContext
from agent.toolkit.signatures import Arguments
from agent.tools.hooks import Changes, ReadPreconditions, Resolve, preconditions_of_changed
from documents.autosetup import refining
from documents.definitions.definition_kinds import C, Definition
from documents.definitions.definitions import H, R, get_next_number
from documents.models import Prompt, Schema


def resolve_revision(kind: str, find: Callable[[ToolContext, str], Model], but: str = "") -> Resolve:
    """With the id of the revision: of a name that an earlier call of the answer makes it is not there yet."""
    name = f"{kind}_revid"

    def resolve(context: ToolContext, arguments: Arguments) -> Arguments:
        return arguments if arguments[name] == but else {**arguments, name: find(context, arguments[name]).pk}

    return resolve


def summarize_revision(kind: str) -> Callable[[Arguments, Result], str]:
    return lambda _, result: f"{result['name']}, version {result[f'{kind}_version']}" if "name" in result else ""


def preconditions_of_change(kind: str, parts: Mapping[str, str]) -> ReadPreconditions:
    """A new version rests on the parts that it changes; a new name on the name, and on nobody else having taken it."""
    read_changed = preconditions_of_changed(kind, parts)

    def read(context: ToolContext, arguments: Arguments) -> Preconditions:
        name = arguments.get("name")
        return read_changed(context, arguments) | (precondition_of_free_name(kind, name) if name else {})

    return read


def preview_change(head: Schema | Prompt, number: int, changes: Changes, adds: str) -> Preview:
    """What a card says of any change. `number` is that of the version before, `adds` what a new version means."""
    revises, next_number = bool(changes.keys() - {"name"}), get_next_number(head)
    title = "Change" if revises else "Rename"
    return {
        "title": f"{title} {head.kind} “{head.name}”",
        "done": f"{title}d {head.kind} “{head.name}”",
        "subtitle": f"version {number} → {next_number}" if revises else "",
        "effect": f"Adds version {next_number}. {adds}" if revises else "Changes the name alone.",
    }


def save_change(
    context: ToolContext, definition: Definition[H, R, C], head: H, base: R, changes: Changes, content: C
) -> R:
    """Notes what was before for the undo."""
    context.before |= {"name": head.name} if "name" in changes else {}
    context.before |= {f"{head.kind}_revid": base.pk} if changes.keys() - {"name"} else {}
    name = str(changes["name"][1]) if "name" in changes else None
    revision = definition.save_version(
        context.actor, head=head, changes=content, name=name, base=base, proposed=context.proposes(head)
    )
    if not context.is_headless:
        refining.adopt_revision(context.document, revision)
    context.remember(**{f"{head.kind}_revid": revision.pk})
    return revision


def preview_deletion(head: Schema | Prompt, used_by: list[str], stays: str) -> Preview:
    return {
        "title": f"Delete {head.kind} “{head.name}”",
        "done": f"Moved {head.kind} “{head.name}” to the trash",
        "subtitle": format_count(head.revisions.count(), "version"),
        "used_by": used_by,
        "effect": f"Moves it to the trash with all its versions. {stays}",
        "warnings": [],
    }


def move_to_trash(context: ToolContext, definition: Definition[H, R, C], head: H) -> Result:
    definition.trash(context.actor, head=head)
    context.forget(*head.revisions.values_list("pk", flat=True))
    return {"deleted": head.pk, "name": head.name}
