"""Definitions: names that are used once, each the head of numbered revisions of one kind (`definition_kinds`)."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar, Unpack, overload

from django.db import IntegrityError, transaction
from django.db.models import Max

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from documents.catalog.row_versions import get_definition_version, require_version
from documents.models import Prompt, PromptRevision, Revision, Schema, SchemaRevision
from kit import events
from kit.errors import Conflict, Invalid, NotFound
from kit.json_types import JsonObject
from kit.rows.models import SaveOptions, fold_case

MAX_NAME = 200
H = TypeVar("H", Schema, Prompt)
R = TypeVar("R", SchemaRevision, PromptRevision)


def clean_name(name: str) -> str:
    name = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    if not name:
        raise Invalid("A name is needed.")
    if len(name) > MAX_NAME:
        raise Invalid(f"The name has {len(name)} characters; {MAX_NAME} is the most.")
    return name


def save_head(head: H, **options: Unpack[SaveOptions]) -> None:
    """Saves. Conflict when the name is taken: the constraint says so, who asks first may still lose a race."""
    try:
        with transaction.atomic():
            head.save(**options)
    except IntegrityError:
        _refuse_taken_name(head)
        raise


def _refuse_taken_name(head: H) -> None:
    """Raises Conflict when another head that is not in the trash has this name, in any case."""
    others = type(head).objects.for_org(head.organization).filter(name_folded=fold_case(head.name))
    other = others.exclude(pk=head.pk).select_related("latest").first()
    if other is None:
        return
    kind, latest = other.kind, other.latest
    nobody_accepted: JsonObject = {f"{kind}_id": other.pk, f"{kind}_revid": None, f"{kind}_version": None}
    raise Conflict(
        f"There is a {kind} named “{other.name}” already. Use another name, or save a new version of it.",
        winner=describe_ids(latest) if latest else nobody_accepted,
        code="name_taken",
    )


def lock_head(head: H) -> H:
    """The head under its row lock, so that revisions get their numbers one after the other."""
    locked = type(head).objects.select_for_update().filter(pk=head.pk, trashed_at=None).first()
    if locked is None:
        raise NotFound(f"{type(head).__name__} not found")
    return locked


@overload
def get_newest_revision(head: Schema) -> SchemaRevision: ...
@overload
def get_newest_revision(head: Prompt) -> PromptRevision: ...
def get_newest_revision(head: Schema | Prompt) -> SchemaRevision | PromptRevision:
    """The latest accepted revision; of one that nobody has accepted yet the newest proposed one."""
    return head.latest or head.revisions.latest("number")


def describe_ids(revision: SchemaRevision | PromptRevision) -> JsonObject:
    """As programs and the agent know a revision: `<kind>_id`, `<kind>_revid` and `<kind>_version`."""
    kind = revision.head.kind
    return {f"{kind}_id": revision.head.pk, f"{kind}_revid": revision.pk, f"{kind}_version": revision.number}


def get_next_number(head: Schema | Prompt) -> int:
    return (head.revisions.aggregate(last=Max("number"))["last"] or 0) + 1


def require_latest(head: H, revid: str | None) -> None:
    """Raises Conflict when the caller has seen another latest revision than the one there is."""
    if revid is not None and revid != head.latest_id:
        raise Conflict(
            f"{head.name} has been changed since: there is a newer version.", winner={"latest": head.latest_id}
        )


def require_head_version(head: H, expected_versions: Collection[str] | None) -> None:
    """Call it under the head's lock. Raises PreconditionFailed."""
    if expected_versions is not None:
        require_version(get_definition_version(head, get_newest_revision(head)), expected_versions)


def get_required_role(*, proposed: bool) -> Role:
    """A proposal is in nobody's way until a builder accepts it."""
    return Role.REVIEWER if proposed else Role.BUILDER


def rename_head(actor: Actor, head: H, name: str | None, *, proposed: bool) -> None:
    """None leaves it. A name has no versions: it cannot be proposed for what is in use."""
    if name is None or clean_name(name) == head.name:
        return
    if proposed and head.latest_id is not None:
        raise Invalid(f"“{head.name}” is in use: a proposal can change what it says, but not its name.")
    before, head.name = head.name, clean_name(name)
    save_head(head)
    publish_change(actor, head, "renamed", before=before, after=head.name)


def put_in_force(head: Schema | Prompt, revision: SchemaRevision | PromptRevision) -> None:
    head.latest_id = revision.pk
    head.save(update_fields=["latest"])


@transaction.atomic
def accept(actor: Actor, *, revision: R) -> R:
    """A proposed revision becomes accepted, and the latest one unless a newer is in force. Accepted ones stay.

    Raises Conflict for one that was rejected.
    """
    actor.require(Role.BUILDER)
    head = lock_head(revision.head)
    if revision.status == Revision.Status.REJECTED:
        raise Conflict("This revision was rejected.")
    still_proposed = type(revision).objects.filter(pk=revision.pk, status=Revision.Status.PROPOSED)
    is_first = bool(still_proposed.update(status=Revision.Status.ACCEPTED))
    revision.status = Revision.Status.ACCEPTED
    if is_first:
        if head.latest is None or head.latest.number < revision.number:
            put_in_force(head, revision)
        publish_change(actor, head, "accepted", number=revision.number)
    return revision


@transaction.atomic
def restore(actor: Actor, *, head: H) -> None:
    """Out of the trash again; Conflict when its name is taken by now."""
    actor.require(Role.BUILDER)
    head.trashed_at = None
    save_head(head)
    publish_change(actor, head, "restored")


def publish_change(actor: Actor, head: Schema | Prompt, action: str, **detail: object) -> None:
    """The audit row and the hint to open pages."""
    audit.record(actor, action, head, **detail)
    group = events.organization_group(actor.organization.pk)
    events.publish(group, f"{head.kind}.changed", **{f"{head.kind}_id": head.pk, "action": action})
