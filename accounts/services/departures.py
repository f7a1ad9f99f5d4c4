"""A member who leaves: tokens end; documents, schemas and prompts are the organization's and stay.

Other apps register what becomes of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from accounts.actor import Actor
from accounts.models import Member, Role, User
from accounts.services import tokens
from kit.errors import Invalid, NotFound

# In the transaction in which the membership ends. The numbers are what the audit says: {"threads": 3}.
Handler = Callable[[Actor, Member, User | None], Mapping[str, int]]
# Counts it before it happens, for the person who decides.
Counter = Callable[[Member], Mapping[str, int]]
_handlers: list[Handler] = []
_counters: list[Counter] = []


def register_handler(handler: Handler, counter: Counter) -> None:
    """Once, when all models are loaded."""
    _handlers.append(handler)
    _counters.append(counter)


def count_belongings(member: Member) -> dict[str, int]:
    """Count what ends or goes over when the member leaves."""
    counts = {"tokens": member.user.access_tokens.filter(organization=member.organization_id).count()}
    for count in _counters:
        counts |= count(member)
    return counts


def find_heir(member: Member, user_id: str) -> User | None:
    """Find the successor, None for an empty id. Raises NotFound for no other member, Invalid for a viewer."""
    if not user_id:
        return None
    others = Member.objects.filter(organization_id=member.organization_id).exclude(pk=member.pk)
    heir = others.filter(user_id=user_id).select_related("user").first()
    if heir is None:
        raise NotFound("Member not found")
    if not Role(heir.role).covers(Role.REVIEWER):
        raise Invalid(f"{heir.user.shown_name} is a viewer, and viewers do not talk to the agent. Name somebody else.")
    return heir.user


def hand_over(actor: Actor, member: Member, heir: User | None) -> dict[str, int]:
    """In the transaction that ends the membership, before it does. Answers how many of what ended or went over."""
    counts = {"tokens": _end_tokens(actor, member)}
    for handle in _handlers:
        counts |= handle(actor, member, heir)
    return counts


def _end_tokens(actor: Actor, member: Member) -> int:
    """End the member's tokens of this organization, and the ones that those made."""
    rows = member.user.access_tokens.filter(organization=member.organization_id)
    count = rows.count()
    while token := rows.select_related("organization").first():
        tokens.revoke(actor.user, token=token)
    return count
