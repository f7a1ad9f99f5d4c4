"""Prompts: named heads of immutable revisions of instructions, with a schema, a model and tags that route."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import transaction

from accounts.actor import Actor
from accounts.models import Role
from documents.definitions import definitions
from documents.definitions.definitions import Keep
from documents.definitions.tags import list_prompts_with, lock_tags
from documents.models import Document, Prompt, PromptRevision, Revision, SchemaRevision, Tag
from kit.errors import Invalid, NotFound
from kit.json_types import Json, JsonObject
from llm import models_catalogue

MAX_CONTENT = 100_000
DEFAULT_NAME = "Document Summary"
DEFAULT_CONTENT = (
    "Summarize this document for somebody who has not seen it: what kind of document it is, who it is from and for, "
    "its date, what it is about, and the amounts and dates that matter. Use only what stands in it."
)


@dataclass(frozen=True)
class _Content:
    """All that makes one revision differ from another."""

    content: str
    schema_revision: SchemaRevision | None
    model: str
    tags: frozenset[Tag]
    include: tuple[tuple[str, Json], ...]
    peer_match_keys: tuple[str, ...]


@transaction.atomic
def create(
    actor: Actor,
    *,
    name: str,
    content: str,
    schema_revision: SchemaRevision | None = None,
    model: str = "",
    tags: Sequence[Tag] = (),
    include: JsonObject | None = None,
    peer_match_keys: Sequence[str] = (),
    proposed: bool = False,
) -> PromptRevision:
    """A new prompt. Conflict (with the ids of the other) when the name is taken; Invalid for the rest."""
    actor.require(definitions.get_required_role(proposed=proposed))
    body = _Content(
        content, schema_revision, model, frozenset(tags), _freeze_include(include or {}), tuple(peer_match_keys)
    )
    _require_valid(actor, body)
    prompt = Prompt(organization=actor.organization, name=definitions.clean_name(name), created_by=actor.user)
    definitions.save_head(prompt, force_insert=True)
    revision = _add_revision(actor, prompt, body, proposed=proposed)
    definitions.publish_change(actor, prompt, "created", proposed=proposed)
    return revision


@transaction.atomic
def save_version(
    actor: Actor,
    *,
    prompt: Prompt,
    name: str | None = None,
    content: str | None = None,
    schema_revision: SchemaRevision | Keep | None = Keep.AS_IS,
    model: str | None = None,
    tags: Sequence[Tag] | None = None,
    include: JsonObject | None = None,
    peer_match_keys: Sequence[str] | None = None,
    expected_revid: str | None = None,
    expected_versions: Collection[str] | None = None,
    base: PromptRevision | None = None,
    proposed: bool = False,
    always: bool = False,
) -> PromptRevision:
    """Renames, and adds a revision when anything else differs from the latest. What is not given stays as it is.

    `expected_versions` covers the name too; PreconditionFailed when it has none of them.
    `base` stands in the place of the latest: a revision that is only proposed is changed by another that is.
    `always` adds a revision even when nothing differs.
    """
    actor.require(definitions.get_required_role(proposed=proposed))
    prompt = definitions.lock_head(prompt)
    definitions.require_latest(prompt, expected_revid)
    definitions.require_head_version(prompt, expected_versions)
    definitions.rename_head(actor, prompt, name, proposed=proposed)
    latest: PromptRevision = base or definitions.get_newest_revision(prompt)
    former = _get_content(latest)
    after = _Content(
        former.content if content is None else content,
        former.schema_revision if isinstance(schema_revision, Keep) else schema_revision,
        former.model if model is None else model,
        former.tags if tags is None else frozenset(tags),
        former.include if include is None else _freeze_include(include),
        former.peer_match_keys if peer_match_keys is None else tuple(peer_match_keys),
    )
    if after == former and not always:
        return latest
    _require_valid(actor, after)
    revision = _add_revision(actor, prompt, after, proposed=proposed)
    definitions.publish_change(actor, prompt, "revised", number=revision.number, proposed=proposed)
    return revision


@transaction.atomic
def return_to(
    actor: Actor,
    *,
    prompt: Prompt,
    revision: PromptRevision,
    name: str | None = None,
    base: PromptRevision | None = None,
    proposed: bool = False,
) -> PromptRevision:
    """What an earlier revision said becomes the latest again, or is proposed again, as a new revision; with `name` its
    name too."""
    if revision.prompt_id != prompt.pk:
        raise NotFound("Prompt not found")
    return save_version(
        actor,
        prompt=prompt,
        name=name,
        content=revision.content,
        schema_revision=revision.schema_revision,
        model=revision.model,
        tags=list(revision.tags.all()),
        include=revision.include,
        peer_match_keys=revision.peer_match_keys,
        base=base,
        proposed=proposed or prompt.latest_id is None,  # what nobody has accepted yet stays proposed
    )


@transaction.atomic
def trash(actor: Actor, *, prompt: Prompt, expected_versions: Collection[str] | None = None) -> None:
    """Out of every list. What it extracted stays, with the name of the revision that did it."""
    actor.require(Role.BUILDER)
    prompt = definitions.lock_head(prompt)
    definitions.require_head_version(prompt, expected_versions)
    definitions.move_to_trash(actor, prompt)


def list_matching_prompts(document: Document, tags: Collection[Tag] | None = None) -> list[PromptRevision]:
    """The latest revisions of the prompts that share a tag with the document, or carry one of `tags`, newest first."""
    revisions = PromptRevision.objects.filter(
        prompt__organization=document.organization_id,
        prompt__trashed_at=None,
        prompt__latest__pk__isnull=False,
        tags__in=document.tags.all() if tags is None else tags,
    ).distinct()
    chosen = [revision for revision in revisions.select_related("prompt") if revision.prompt.latest_id == revision.pk]
    return sorted(chosen, key=lambda revision: revision.created_at, reverse=True)


def list_prompts_of_tag(tag: Tag) -> list[PromptRevision]:
    """What runs on a document that gets this tag: the latest revision of each prompt that carries it, by name."""
    heads = list_prompts_with(tag).select_related("latest__prompt", "latest__schema_revision__schema")
    return [head.latest for head in heads if head.latest]


def list_prompts_by_tag(tags: Collection[Tag]) -> dict[str, list[PromptRevision]]:
    """As `list_prompts_of_tag`, by the key of each tag that any prompt carries."""
    heads = Prompt.objects.filter(trashed_at=None, latest__tags__in=tags).order_by("name_folded").distinct()
    related = heads.select_related("latest__prompt", "latest__schema_revision__schema")
    by_tag: dict[str, list[PromptRevision]] = {}
    for revision in [head.latest for head in related.prefetch_related("latest__tags") if head.latest]:
        for tag in revision.tags.all():
            by_tag.setdefault(tag.pk, []).append(revision)
    return by_tag


def _require_valid(actor: Actor, body: _Content) -> None:
    if not body.content.strip():
        raise Invalid("A prompt needs a text: what to look for, and how to tell it apart.")
    if len(body.content) > MAX_CONTENT:
        raise Invalid(f"The prompt has {len(body.content):,} characters; {MAX_CONTENT:,} is the most.")
    if body.model:
        models_catalogue.check_usable(body.model)
    if any(tag.organization_id != actor.organization.pk for tag in body.tags):
        raise NotFound("Tag not found")
    lock_tags(actor, body.tags)
    schema = body.schema_revision.schema if body.schema_revision else None
    if schema and schema.organization_id != actor.organization.pk:
        raise NotFound("Schema not found")
    if schema:
        definitions.lock_head(schema)  # whoever deletes it sees this prompt, or was first


def _add_revision(actor: Actor, prompt: Prompt, body: _Content, *, proposed: bool) -> PromptRevision:
    revision = PromptRevision.objects.create(
        prompt=prompt,
        number=definitions.get_next_number(prompt),
        content=body.content,
        schema_revision=body.schema_revision,
        model=body.model,
        include=dict(body.include),
        peer_match_keys=list(body.peer_match_keys),
        created_by=actor.user,
        status=Revision.Status.PROPOSED if proposed else Revision.Status.ACCEPTED,
    )
    revision.tags.set(body.tags)
    if not proposed:
        # What a prompt in force fills is in force with it.
        if body.schema_revision and body.schema_revision.status == Revision.Status.PROPOSED:
            definitions.accept(actor, revision=body.schema_revision)
        definitions.put_in_force(prompt, revision)
    return revision


def _get_content(revision: PromptRevision) -> _Content:
    return _Content(
        revision.content,
        revision.schema_revision,
        revision.model,
        frozenset(revision.tags.all()),
        _freeze_include(revision.include),
        tuple(revision.peer_match_keys),
    )


def _freeze_include(include: JsonObject) -> tuple[tuple[str, Json], ...]:
    return tuple(sorted(include.items()))
