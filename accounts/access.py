"""The one access check: (user, organization, object id, role) in, the object out.

Strangers to an organization, and ids of another organization, get NotFound; members with too low a role get Denied.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache, partial
from typing import Any, TypeVar

from django.db.models import Model, OuterRef, QuerySet, Subquery

from accounts.actor import Actor
from accounts.models import AccessToken, Member, Organization, Role, User
from accounts.services import tokens
from accounts.services.sign_in import sessions
from kit.errors import NotFound
from kit.ids import is_id
from kit.rows.fixed_select import FixedSelect, is_whole_table

M = TypeVar("M", bound=Model)


def enter(
    user: User,
    organization_id: str,
    role: Role = Role.VIEWER,
    *,
    token: AccessToken | None = None,
    session_key: str = "",
    joined: Sequence[str] = (),
) -> Actor:
    """The user as a member of the open organization, with at least `role`. Raises NotFound or Denied.

    `joined` are rows that belong to the membership and are wanted with it, as `select_related` names them.
    """
    # PostgreSQL refuses some texts as parameters, such as one with a NUL; what is no id is not asked for.
    if not is_id(organization_id) or not user.is_active:
        raise NotFound("Organization not found")
    member = _select_member(tuple(joined)).first(user.pk, organization_id)
    if member is None:
        raise NotFound("Organization not found")
    own = Role(member.role)
    limited = token.limit(own) if token else own
    actor = Actor(
        user=user,
        organization=member.organization,
        role=limited,
        token=token,
        session_key=session_key,
        last_active_at=member.last_active_at,
    )
    actor.require(role)
    return actor


@cache
def _select_member(joined: tuple[str, ...]) -> FixedSelect[[str, str], Member]:
    @FixedSelect
    def select(user: str, organization: str) -> QuerySet[Member]:
        open_ones = Member.objects.filter(organization__closed_at=None).select_related("organization", *joined)
        return open_ones.filter(user=user, organization=organization)

    return select


def make_role(user: str, organization: str) -> Subquery:
    """For a query: the role in which `enter` would let this user into this organization, both named by their paths.

    None where it would not.
    """
    members = Member.objects.filter(organization__closed_at=None, user__is_active=True)
    return Subquery(members.filter(user=OuterRef(user), organization=OuterRef(organization)).values("role")[:1])


def renew(actor: Actor) -> Actor:
    """Look the actor up as of this moment, for what goes on after its request was let in.

    Raises Unauthenticated once the token or the session has ended, NotFound for somebody who is no longer a member.
    """
    return enter(renew_user(actor), actor.organization.pk, token=actor.token, session_key=actor.session_key)


def renew_user(actor: Actor) -> User:
    """The actor's user as of this moment. Raises Unauthenticated once the token or the session has ended."""
    return tokens.renew(actor.token).user if actor.token else sessions.get_user(actor.session_key)


def get_end_of_access(actor: Actor) -> datetime | None:
    """When the token or the session that the actor came with ends by itself; None for never."""
    return actor.token.expires_at if actor.token else sessions.get_end(actor.session_key)


def fetch(actor: Actor, rows: QuerySet[M], row_id: object, *, noun: str, role: Role = Role.VIEWER) -> M:
    """The row with this id inside the actor's organization. `rows` must have `for_org` on its QuerySet."""
    # Before the look: who may not have such a row does not learn whether there is one.
    actor.require(role)
    row = _find_row(rows, str(row_id), actor.organization) if is_id(row_id) else None
    if row is None:
        raise NotFound(f"{noun} not found")
    return row


def _find_row(rows: QuerySet[M], row_id: str, organization: Organization) -> M | None:
    if not is_whole_table(rows):
        return _scope(rows, organization, row_id).first()
    # Most requests send this statement first, and it never changes.
    which = type(rows), rows.model, str(rows.query.select_related)
    if which not in _selects:
        _selects[which] = FixedSelect(partial(_scope, rows))
    row: M | None = _selects[which].first(organization=organization.pk, row=row_id)
    return row


def _scope(rows: QuerySet[M], organization: Organization, row: str) -> QuerySet[M]:
    scoped: QuerySet[M] = rows.for_org(organization)  # type: ignore[attr-defined]
    return scoped.filter(pk=row)


_selects: dict[tuple[type, type[Model], str], FixedSelect[..., Any]] = {}
