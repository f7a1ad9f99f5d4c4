"""Saved views: filters of documents that a person, or everybody, keeps under a name."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import QuerySet
from django.http import QueryDict

from accounts.access import fetch
from accounts.actor import Actor
from accounts.models import Role, User
from accounts.services import audit
from documents.catalog.row_versions import get_view_version, require_version
from documents.find.filters import FILTER_NAMES, DocumentFilter, parse_filter
from documents.models import SavedView
from kit import events
from kit.errors import Denied, Invalid, NotFound

# Of one person, and as many for everybody.
MAX_VIEWS = 50
# Views have places beside the navigation, so a place is a small number.
LAST_POSITION = 1000
# How far the list was unfolded, which its address may say as well; a view forgets it.
PLACES = ("shown", "before")


def list_views(actor: Actor) -> QuerySet[SavedView]:
    return SavedView.objects.list_for(actor.organization, actor.user)


def fetch_view(actor: Actor, view_id: str) -> SavedView:
    """Another person's own is not there."""
    view = fetch(actor, SavedView.objects.all(), view_id, noun="View")
    if view.owner_id not in (None, actor.user.pk):
        raise NotFound("View not found")
    return view


def may_change(actor: Actor, view: SavedView) -> bool:
    return view.owner_id == actor.user.pk or actor.may(Role.BUILDER)


@transaction.atomic
def create(actor: Actor, *, name: str, query: str = "", is_shared: bool = False) -> SavedView:
    """At the end of the list. Raises Invalid, and Denied for one that is for everybody below Role.BUILDER."""
    _require_right(actor, is_shared=is_shared)
    owner = None if is_shared else actor.user
    _require_room(actor, owner)
    last = list_views(actor).order_by("-position").values_list("position", flat=True).first()
    view = SavedView.objects.create(
        organization=actor.organization,
        owner=owner,
        name=clean_name(name),
        query=clean_query(actor, query),
        position=0 if last is None else min(last + 1, LAST_POSITION),
    )
    _publish(actor, view, "created")
    return view


@transaction.atomic
def update(
    actor: Actor,
    *,
    view: SavedView,
    name: str | None = None,
    query: str | None = None,
    is_shared: bool | None = None,
    position: int | None = None,
    expected_versions: Collection[str] | None = None,
) -> SavedView:
    """Changes what is given. PreconditionFailed when it has none of the `expected_versions`."""
    view = _lock(actor, view)
    require_version(get_view_version(view), expected_versions)
    if is_shared is not None and is_shared != (view.owner_id is None):
        _require_right(actor, is_shared=True)
        view.owner = None if is_shared else actor.user
        _require_room(actor, view.owner)
    view.name = view.name if name is None else clean_name(name)
    view.query = view.query if query is None else clean_query(actor, query)
    view.position = view.position if position is None else _check_position(position)
    view.save()
    _publish(actor, view, "changed")
    return view


@transaction.atomic
def move(actor: Actor, *, view: SavedView, by: int) -> None:
    """Up (-1) or down (1) among those that the actor sees and may change; at an end nothing happens."""
    view = _lock(actor, view)
    views = [each for each in list_views(actor) if may_change(actor, each)]
    at = next(number for number, each in enumerate(views) if each.pk == view.pk)
    views.insert(max(0, min(at + by, len(views) - 1)), views.pop(at))
    for number, each in enumerate(views):
        SavedView.objects.filter(pk=each.pk).exclude(position=number).update(position=number)
    _publish(actor, view, "moved")


@transaction.atomic
def delete(actor: Actor, *, view: SavedView, expected_versions: Collection[str] | None = None) -> None:
    view = _lock(actor, view)
    require_version(get_view_version(view), expected_versions)
    _publish(actor, view, "deleted")
    view.delete()


def parse_query(actor: Actor, query: str) -> DocumentFilter:
    return parse_filter(actor, QueryDict(query))


def clean_query(actor: Actor, query: str) -> str:
    """In the one way of writing it. Raises Invalid for filters that make no sense or do not exist."""
    query = query.removeprefix("?")
    if unknown := [name for name in QueryDict(query) if name not in (*FILTER_NAMES, *PLACES)]:
        raise Invalid(f"There is no filter “{unknown[0][:50]}”. A view keeps {', '.join(FILTER_NAMES)}.")
    parsed = parse_query(actor, query)
    if parsed.refusals:
        raise Invalid(parsed.refusals[0].sentence)
    text = parsed.format_query()
    if len(text) > SavedView.MAX_QUERY:
        raise Invalid(f"The filters take {len(text):,} characters; {SavedView.MAX_QUERY:,} are the most for a view.")
    return text


def clean_name(name: str) -> str:
    name = " ".join(name.replace("\0", "").split())
    if not name:
        raise Invalid("A view needs a name.")
    if len(name) > SavedView.MAX_NAME:
        raise Invalid(f"The name has {len(name)} characters; {SavedView.MAX_NAME} are the most.")
    return name


def _check_position(position: int) -> int:
    if not 0 <= position <= LAST_POSITION:
        raise Invalid(f"A position is a number from 0 to {LAST_POSITION}.")
    return position


def _require_right(actor: Actor, *, is_shared: bool) -> None:
    actor.require(Role.BUILDER if is_shared else Role.VIEWER)


def _require_room(actor: Actor, owner: User | None) -> None:
    same = SavedView.objects.for_org(actor.organization).filter(owner=owner)
    if same.count() >= MAX_VIEWS:
        raise Invalid(f"There are {MAX_VIEWS} views already, which is the most. Delete one first.")


def _lock(actor: Actor, view: SavedView) -> SavedView:
    locked = SavedView.objects.select_for_update().filter(pk=view.pk).first()
    if locked is None:
        raise NotFound("View not found")
    if not may_change(actor, locked):
        raise Denied("Only a builder or an admin can change a view that is for everybody.")
    return locked


def _publish(actor: Actor, view: SavedView, action: str) -> None:
    audit.record(actor, action, view, name=view.name, shared=view.owner_id is None)
    group = events.organization_group(actor.organization.pk)
    if view.owner_id:
        group = events.member_group(actor.organization.pk, actor.user.pk)
    events.publish(group, "views.changed", view_id=view.pk)
