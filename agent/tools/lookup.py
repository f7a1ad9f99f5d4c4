"""Rows by the ids or names that a model gives, inside the organization; the nearest ones answer what is unknown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from django.db.models import Model, QuerySet

from accounts.access import fetch
from accounts.actor import Actor
from agent.policy import reading_depth
from agent.references.candidates import Asker, Resolution
from agent.references.names import BY_NAME, find_by_name, find_similar
from agent.references.resolving import resolve_exactly
from agent.toolkit.preconditions import base_revision
from agent.toolkit.registry import Result, ToolContext
from agent.toolkit.signatures import Arguments
from documents.find import lists
from documents.models import Document, Prompt, PromptRevision, Reading, Schema, SchemaRevision, Tag
from documents.reading.reading import get_newest
from kit.errors import Invalid, NotFound
from kit.ids import is_id

M = TypeVar("M", bound=Model)
ListKnown: TypeAlias = Callable[[Actor], QuerySet[M]]
SHOWN = 3
DEFAULT = "default"


def find_document(context: ToolContext, document_id: str | None) -> Document:
    """The one named, else the thread's own; never one from the trash."""
    row_id = document_id or context.require_document().pk
    return _fetch_row(context, Document.objects.select_related("organization"), lists.list_documents, row_id)


def choose_document(context: ToolContext, document: str | None) -> Document:
    """To read of: the one of this name or id, else the thread's own, which may be in the trash."""
    return find_document(context, document) if document else context.require_document()


def choose_to_read(context: ToolContext, document: str | None) -> Document:
    """The same, as far as the depth that a person chose goes. Raises Invalid beyond."""
    about = choose_document(context, document)
    if context.turn.depth:
        reading_depth.limit_reading(context.turn, call_id=context.call_id).add(about.pk)
    return about


def enter_document(context: ToolContext, arguments: Arguments) -> ToolContext:
    """The call about the document that its `document` names, else about the thread's own."""
    named = arguments.get("document")
    return context.enter_document(find_document(context, named)) if named else context


def pin_document(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the id of another document, however the model named it; the thread's own is not named."""
    if "document" not in arguments:
        return arguments
    document = find_document(context, arguments["document"])
    rest = {name: value for name, value in arguments.items() if name != "document"}
    return rest if document.pk == context.thread.document_id else {**rest, "document": document.pk}


def reading_of(document: Document) -> Reading:
    """The newest whole reading. Raises Invalid while there is none."""
    reading = get_newest(document)
    if reading is None and document.state == Document.State.OCR_FAILED:
        raise Invalid("This document could not be read, so there is no text. A person can have it read again.")
    if reading is None:
        raise Invalid("This document has not been read yet; its text is coming. Try again when it has.")
    return reading


def name_other(context: ToolContext, document: Document) -> Result:
    """Whose a result is, where it is not the thread's document."""
    if document.pk == context.thread.document_id:
        return {}
    return {"document_id": document.pk, "document_name": document.name}


def find_tag(context: ToolContext, tag_id: str) -> Tag:
    return _fetch_row(context, Tag.objects.all(), lists.list_tags, tag_id)


def find_tags(context: ToolContext, tag_ids: list[str]) -> list[Tag]:
    """Each once, though one is named twice, by its id and its name."""
    rows_by_id = {tag.pk: tag for tag in (find_tag(context, tag_id) for tag_id in dict.fromkeys(tag_ids))}
    return list(rows_by_id.values())


def find_schema(context: ToolContext, schema_id: str) -> Schema:
    """By its own id, or by that of one of its revisions."""
    return _find_head(context, Schema.objects.select_related("latest"), lists.list_schemas, schema_id)


def find_schema_revision(context: ToolContext, schema_id: str, version: int | None = None) -> SchemaRevision:
    """The revision with this id or label; for a schema's own id the version, without one the latest."""
    schema_id = _find_labelled(context, "schema", schema_id) or schema_id
    revisions = SchemaRevision.objects.for_org(context.actor.organization).select_related("schema__latest")
    exact = revisions.filter(pk=schema_id, schema__trashed_at=None).first()
    if exact is not None and version in (None, exact.number):
        return exact
    head = find_schema(context, schema_id)
    own = revisions.filter(schema=head)
    revision = own.filter(number=base_revision(context, head).number if version is None else version).first()
    if revision is None:
        there = ", ".join(map(str, own.order_by("number").values_list("number", flat=True)))
        raise NotFound(f"The schema “{head.name}” has no version {version}. It has: {there}.")
    return revision


def find_prompt(context: ToolContext, prompt_id: str) -> Prompt:
    """By its own id, or by that of one of its revisions."""
    if prompt_id == DEFAULT:
        raise NotFound("The built-in default prompt cannot be run or changed here. Create a prompt of your own.")
    rows = Prompt.objects.select_related("latest__schema_revision__schema")
    return _find_head(context, rows, lists.list_prompts, prompt_id)


def find_prompt_revision(context: ToolContext, prompt_revid: str) -> PromptRevision:
    """The revision with this id or label; for a prompt's own id the latest."""
    prompt_revid = _find_labelled(context, "prompt", prompt_revid) or prompt_revid
    rows = PromptRevision.objects.for_org(context.actor.organization).filter(prompt__trashed_at=None)
    rows = rows.select_related("prompt__latest", "schema_revision__schema")
    if exact := rows.filter(pk=prompt_revid).first():
        return exact
    return rows.get(pk=base_revision(context, find_prompt(context, prompt_revid)).pk)


def _find_labelled(context: ToolContext, kind: str, text: str) -> str:
    """The id of the version whose label this is, such as Invoice v3; empty for any other text."""
    candidates = [] if is_id(text) else find_by_name(Asker(context, (kind,)), text)
    return candidates[0].revision_id if len(candidates) == 1 else ""


def _find_head(
    context: ToolContext, rows: QuerySet[M], list_known: Callable[[Actor], QuerySet[M]], either_id: str
) -> M:
    try:
        return fetch(context.actor, rows, either_id, noun=rows.model.__name__)
    except NotFound:
        owner = rows.filter(organization=context.actor.organization, revisions=either_id).first()
        return _fetch_row(context, rows, list_known, owner.pk if owner else either_id)


def _fetch_row(context: ToolContext, rows: QuerySet[M], list_known: ListKnown[M], row_id: str) -> M:
    """The row with this id inside the organization, else the one that the reference means.

    NotFound names all that fit, or else what is called nearly so or the newest there are.
    """
    noun = rows.model.__name__
    try:
        return fetch(context.actor, rows, row_id, noun=noun)
    except NotFound:
        resolution = resolve_exactly(Asker(context, (noun.lower(),)), row_id)
        if len(resolution.candidates) == 1:
            return fetch(context.actor, rows, resolution.candidates[0].row_id, noun=noun)
        if resolution.candidates:
            raise NotFound(_name_several(resolution, row_id)) from None
        near = _name_nearest(list_known(context.actor), row_id)
        there = f"The nearest are: {', '.join(near)}." if near else "There is none yet."
        why = f" {resolution.note}" if resolution.note else ""
        raise NotFound(f"{noun} not found: {row_id[:60]!r}.{why} {there}") from None


def _name_several(resolution: Resolution, text: str) -> str:
    """Each with its name, id and reason, the newest first; of one name the ids alone."""
    ids = [each.row_id for each in resolution.candidates[:SHOWN]]
    if {each.why for each in resolution.candidates} == {BY_NAME}:
        return f"Several are called {text[:60]!r}. Give the id of one, the newest first: {', '.join(ids)}."
    several = "; ".join(f"“{each.name[:60]}” ({each.row_id}): {each.why}" for each in resolution.candidates[:SHOWN])
    return f"{text[:60]!r} fits several. Give the id of one, or ask which is meant: {several}."


def _name_nearest(known: QuerySet[M], name_or_id: str) -> list[str]:
    """`“Invoice” (5f…)`: a model often gives a name for an id."""
    close = [] if is_id(name_or_id) else find_similar(known, name_or_id)
    rows = known.select_related(None).prefetch_related(None).order_by("-created_at", "-pk")
    return [f"“{name}” ({row_id})" for name, row_id in close or rows.values_list("name", "pk")[:SHOWN]]
