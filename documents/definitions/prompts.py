"""Prompts: named heads of immutable revisions of instructions, with a schema, a model and tags that route."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypedDict, Unpack, cast

from accounts.actor import Actor
from documents.definitions import definitions
from documents.definitions.definition_kinds import Definition, VersionOptions
from documents.definitions.tags import list_prompts_with, lock_tags
from documents.models import Document, Prompt, PromptRevision, Revision, SchemaRevision, Tag
from kit.errors import Invalid, NotFound
from kit.json_types import JsonObject
from llm import models_catalogue

MAX_CONTENT = 100_000
DEFAULT_NAME = "Document Summary"
DEFAULT_CONTENT = (
    "Summarize this document for somebody who has not seen it: what kind of document it is, who it is from and for, "
    "its date, what it is about, and the amounts and dates that matter. Use only what stands in it."
)


class PromptContent(TypedDict, total=False):
    """What a prompt says. None leaves a part as it is, but no schema is a schema of None."""

    content: str | None
    schema_revision: SchemaRevision | None
    model: str | None
    tags: Sequence[Tag] | None
    include: JsonObject | None
    peer_match_keys: Sequence[str] | None


_EMPTY: PromptContent = {
    "content": "",
    "schema_revision": None,
    "model": "",
    "tags": (),
    "include": {},
    "peer_match_keys": (),
}


class PromptDefinition(Definition[Prompt, PromptRevision, PromptContent]):
    heads, revisions, clearable = Prompt, PromptRevision, frozenset({"schema_revision"})

    def read(self, revision: PromptRevision) -> PromptContent:
        own = {name: getattr(revision, name) for name in _EMPTY}
        return cast(PromptContent, {**own, "tags": list(revision.tags.all())})

    def is_same(self, one: PromptContent, other: PromptContent) -> bool:
        return _make_comparable(one) == _make_comparable(other)

    def check(
        self, actor: Actor, content: PromptContent, former: PromptRevision | None, changes: PromptContent
    ) -> PromptContent:
        text, schema_revision = content["content"] or "", content["schema_revision"]
        if not text.strip():
            raise Invalid("A prompt needs a text: what to look for, and how to tell it apart.")
        if len(text) > MAX_CONTENT:
            raise Invalid(f"The prompt has {len(text):,} characters; {MAX_CONTENT:,} is the most.")
        if content["model"]:
            models_catalogue.check_usable(content["model"])
        tags = content["tags"] or ()
        if any(tag.organization_id != actor.organization.pk for tag in tags):
            raise NotFound("Tag not found")
        lock_tags(actor, tags)
        if schema_revision and schema_revision.schema.organization_id != actor.organization.pk:
            raise NotFound("Schema not found")
        if schema_revision:
            definitions.lock_head(schema_revision.schema)  # whoever deletes it sees this prompt, or was first
        return content

    def build(self, head: Prompt, content: PromptContent) -> PromptRevision:
        return PromptRevision(prompt=head, **{name: part for name, part in content.items() if name != "tags"})

    def complete(self, actor: Actor, revision: PromptRevision, content: PromptContent) -> None:
        revision.tags.set(content["tags"] or ())
        used = revision.schema_revision
        # What a prompt in force fills is in force with it.
        if used and revision.status == Revision.Status.ACCEPTED and used.status == Revision.Status.PROPOSED:
            definitions.accept(actor, revision=used)


PROMPTS = PromptDefinition()
trash = PROMPTS.trash
return_to = PROMPTS.return_to


def create(actor: Actor, *, name: str, proposed: bool = False, **content: Unpack[PromptContent]) -> PromptRevision:
    return PROMPTS.create(actor, name=name, content=PROMPTS.merge(_EMPTY, content), proposed=proposed)


class PromptChanges(PromptContent, VersionOptions, total=False):
    """Parts of the content, and how the new revision comes about."""


def save_version(actor: Actor, *, prompt: Prompt, **given: Unpack[PromptChanges]) -> PromptRevision:
    return PROMPTS.save_given(actor, prompt, given)


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


def _make_comparable(content: PromptContent) -> dict[str, object]:
    """With the tags in no order, and lists that are lists as they are stored."""
    keys = list(content["peer_match_keys"] or ())
    return {**content, "tags": frozenset(content["tags"] or ()), "peer_match_keys": keys}
