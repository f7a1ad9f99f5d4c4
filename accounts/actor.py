"""The actor is the first argument of every service that changes something."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from accounts.models import AccessToken, AuditEntry, Organization, Role, User
from kit.errors import Denied

UNDO = "undo"
"""The cause of a change that takes something back: it leaves no undo of itself."""
RIGHT_SENTENCE = "This needs the role {needed} in {organization}; yours is {role}."


@dataclass(frozen=True)
class Actor:
    """A user inside one organization, with the role held at this moment, and the token it came with.

    `allowed_by` names what let the agent act without a person. `cause` is what a change follows from where nobody
    decided that change by itself: something that is taken back, a bulk action, a whole that it is a part of.
    """

    user: User
    organization: Organization
    role: Role
    token: AccessToken | None = None
    session_key: str = ""
    origin: str = AuditEntry.Origin.PERSON
    call_id: str = ""
    allowed_by: str = ""
    cause: str = ""
    last_active_at: datetime | None = None

    def may(self, role: Role) -> bool:
        return self.role.covers(role)

    def require(self, role: Role) -> None:
        """Raises Denied with the role that is needed."""
        if not self.may(role):
            raise Denied(
                RIGHT_SENTENCE.format(needed=role.value, organization=self.organization.name, role=self.role.value)
            )

    def as_agent(self, *, by_rule: bool, call_id: str = "", allowed_by: str = "") -> Self:
        """Keep the rights, and record what is done as the agent's, by this tool call."""
        origin = AuditEntry.Origin.AGENT_RULE if by_rule else AuditEntry.Origin.AGENT_APPROVED
        return replace(self, origin=origin, call_id=call_id, allowed_by=allowed_by)

    def because(self, cause: str) -> Self:
        return replace(self, cause=cause)

    @property
    def shown_name(self) -> str:
        """API tokens appear under their own name, people under theirs."""
        return self.token.name if self.token else self.user.shown_name
