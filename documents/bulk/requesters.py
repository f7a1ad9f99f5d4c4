"""Whoever asked for a bulk action, with what they may do today."""

from __future__ import annotations

from dataclasses import replace

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Role
from documents.bulk.kinds import ActionOver
from documents.models import BulkAction
from kit.errors import AppError, NotFound


def enter_as_requester(action: BulkAction, role: Role) -> Actor:
    """Whoever asked, with today's role, at most that of the token. Raises ActionOver when they may no longer do it."""
    try:
        if action.requested_by is None:
            raise NotFound("User not found")
        actor = enter(action.requested_by, action.organization_id)
    except NotFound:
        raise ActionOver("Whoever asked for this is no longer a member.", code="not_a_member") from None
    ceiling = Role(action.role_ceiling or actor.role)
    actor = replace(actor, role=ceiling if actor.role.covers(ceiling) else actor.role).because("bulk action")
    try:
        actor.require(role)
    except AppError as error:
        raise ActionOver(error.sentence, code="role") from None
    return actor
