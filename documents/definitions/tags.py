"""Tags: names with a colour that join documents to the prompts that run on them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from accounts.services import audit
from documents.catalog.row_versions import get_tag_version, require_version
from documents.catalog.tag_order import refresh_first_tag
from documents.definitions.definitions import clean_name
from documents.models import Document, Prompt, PromptRevision, Tag
from kit import events
from kit.errors import Conflict, Invalid, NotFound
from kit.ids import is_id

DEFAULT_COLOR = "#3B82F6"
MAX_DESCRIPTION = 2000
MAX_NAMED = 20
_COLOR = re.compile(r"#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})")


@transaction.atomic
def create(actor: Actor, *, name: str, color: str = "", description: str = "") -> Tag:
    """A new tag. Raises Invalid; a name that is taken in exactly this writing is a Conflict of code `name_taken`."""
    return _create(actor, Tag(), name, color, description, "created")


@transaction.atomic
def restore(actor: Actor, *, tag_id: str, name: str, color: str = "", description: str = "") -> Tag:
    """A deleted tag again, with the id it had. Conflict when it is there, or when its name is taken by now."""
    if Tag.objects.filter(pk=tag_id).exists():
        raise Conflict("This tag has not been deleted.")
    return _create(actor, Tag(pk=tag_id), name, color, description, "restored")


def was_deleted(actor: Actor, tag_id: str) -> bool:
    """Whether this organization had a tag with the id, which is gone."""
    gone = AuditEntry.objects.filter(
        organization=actor.organization, target_kind="tag", target_id=tag_id, action="deleted"
    )
    return gone.exists() and not Tag.objects.filter(pk=tag_id).exists()


def _create(actor: Actor, tag: Tag, name: str, color: str, description: str, action: str) -> Tag:
    actor.require(Role.BUILDER)
    tag.organization, tag.created_by, tag.name = actor.organization, actor.user, clean_name(name)
    tag.color, tag.description = clean_color(color) or DEFAULT_COLOR, _clean_description(description)
    _save(tag)
    _publish_change(actor, tag, action)
    return tag


@transaction.atomic
def update(
    actor: Actor,
    *,
    tag: Tag,
    name: str | None = None,
    color: str | None = None,
    description: str | None = None,
    expected_versions: Collection[str] | None = None,
) -> Tag:
    """Changes what is given. An empty colour leaves the colour; an empty description clears it.

    PreconditionFailed when it has none of the `expected_versions`.
    """
    actor.require(Role.BUILDER)
    tag = _lock_tag(tag)
    require_version(get_tag_version(tag), expected_versions)
    before = (tag.name, tag.color, tag.description)
    tag.name = tag.name if name is None else clean_name(name)
    tag.color = clean_color(color or "") or tag.color
    tag.description = tag.description if description is None else _clean_description(description)
    if (tag.name, tag.color, tag.description) != before:
        _save(tag)
        if tag.name != before[0]:
            # Whoever tags a document has its row and waits for the tag's: under the lock of the tag nobody would go on.
            transaction.on_commit(partial(refresh_first_tag, Document.objects.filter(tags=tag)))
        _publish_change(actor, tag, "changed", before=before[0], after=tag.name)
    return tag


@transaction.atomic
def delete(actor: Actor, *, tag: Tag, expected_versions: Collection[str] | None = None) -> None:
    """Raises Invalid (code `in_use`) while a document or any revision of a prompt carries it; trash does not count."""
    actor.require(Role.BUILDER)
    tag = _lock_tag(tag)
    require_version(get_tag_version(tag), expected_versions)
    if used_by := _name_users(tag):
        raise Invalid(f"Cannot delete tag '{tag.name}' because it is assigned to one or more {used_by}", code="in_use")
    _publish_change(actor, tag, "deleted", name=tag.name)
    refresh_first_tag(Document.objects.filter(tags=tag), without=tag)
    tag.delete()


def lock_tags(actor: Actor, tags: Collection[Tag]) -> None:
    """In a transaction, before what refers to them: none is deleted until it ends. Raises Invalid for deleted ones."""
    if not tags:
        return
    rows = Tag.objects.for_org(actor.organization).filter(pk__in=[tag.pk for tag in tags]).order_by("pk")
    present = set(rows.select_for_update(no_key=True).values_list("pk", flat=True))
    if deleted := [tag.pk for tag in tags if tag.pk not in present]:
        raise Invalid(f"Invalid tag IDs: {deleted}")


def count_tags(actor: Actor) -> int:
    return Tag.objects.for_org(actor.organization).count()


def list_prompts_with(tag: Tag) -> QuerySet[Prompt]:
    """Those that run on new documents with this tag: their latest revision carries it."""
    return Prompt.objects.for_org(tag.organization).filter(latest__tags=tag).order_by("name_folded")


def annotate_counts(rows: QuerySet[Tag]) -> QuerySet[Tag]:
    """With `document_count` and `prompt_count`. Every revision counts: a tag that an old one carries stays too."""
    documents = Document.tags.through.objects.filter(document__trashed_at=None)
    prompts = PromptRevision.tags.through.objects.filter(promptrevision__prompt__trashed_at=None)
    return rows.annotate(
        document_count=_count_per_tag(documents, "document"),
        prompt_count=_count_per_tag(prompts, "promptrevision__prompt"),
    )


def _count_per_tag(links: QuerySet[Model], counted: str) -> Coalesce:
    """A count of its own for each tag: joined together, every document would meet every prompt."""
    of_tag = links.filter(tag=OuterRef("pk")).order_by().values("tag")
    return Coalesce(Subquery(of_tag.annotate(number=Count(counted, distinct=True)).values("number")), 0)


def _name_users(tag: Tag) -> str:
    if Document.objects.for_org(tag.organization).filter(tags=tag).exists():
        return "documents"
    if PromptRevision.objects.for_org(tag.organization).filter(tags=tag, prompt__trashed_at=None).exists():
        return "prompts"
    return ""


def _lock_tag(tag: Tag) -> Tag:
    locked = Tag.objects.select_for_update().filter(pk=tag.pk).first()
    if locked is None:
        raise NotFound("Tag not found")
    return locked


def _save(tag: Tag) -> None:
    """Saves; the one who lost a race for the name gets the same Conflict as one who came later."""
    _refuse_taken_name(tag)
    try:
        with transaction.atomic():
            tag.save()
    except IntegrityError:
        _refuse_taken_name(tag)
        raise


def _refuse_taken_name(tag: Tag) -> None:
    others = Tag.objects.for_org(tag.organization).filter(name=tag.name).exclude(pk=tag.pk)
    if other := others.first():
        raise Conflict(f"Tag with name '{tag.name}' already exists", winner={"tag_id": other.pk}, code="name_taken")


def clean_color(color: str) -> str:
    """The colour as it is kept; empty for none. Raises Invalid."""
    color = color.strip()
    if color and not _COLOR.fullmatch(color):
        raise Invalid(f"The color {color[:30]} cannot be used: write it as #3B82F6.")
    return color


def _clean_description(description: str) -> str:
    if len(description) > MAX_DESCRIPTION:
        raise Invalid(f"The description has {len(description):,} characters; {MAX_DESCRIPTION:,} is the most.")
    return description.replace("\0", "").strip()


def _publish_change(actor: Actor, tag: Tag, action: str, **detail: object) -> None:
    """The audit row and the hint to open pages."""
    audit.record(actor, action, tag, **detail)
    group = events.organization_group(actor.organization.pk)
    events.publish(group, "tag.changed", tag_id=tag.pk, action=action)


def require_tags(actor: Actor, tag_ids: Sequence[str]) -> list[Tag]:
    """The organization's tags of these ids. Raises Invalid for ids that are none."""
    tags = {tag.pk: tag for tag in Tag.objects.for_org(actor.organization).filter(pk__in=filter(is_id, tag_ids))}
    if unknown := [tag_id for tag_id in tag_ids if tag_id not in tags]:
        more = f" and {len(unknown) - MAX_NAMED:,} more" if len(unknown) > MAX_NAMED else ""
        raise Invalid(f"Invalid tag IDs: {unknown[:MAX_NAMED]}{more}")
    return list(tags.values())
