"""Organizations: the walls between one group's documents and another's."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from accounts.models import Member, Organization, Role, User
from accounts.services import audit
from docrouter.kit.errors import Denied, Invalid, Problem

MOST_FOR_ONE_USER = 25
LONGEST_NAME = 200


def create(
    user: User,
    *,
    name: str,
    type: str = Organization.Type.INDIVIDUAL,
    default_prompt_enabled: bool = True,
    experimental_features: bool = False,
) -> Organization:
    """A new organization with the user as its admin. Raises Invalid (the name) or Denied (the limits)."""
    name = _checked_name(name)
    _check_limits(user, type)
    organization = Organization(
        name=name,
        type=type,
        default_prompt_enabled=default_prompt_enabled,
        experimental_features=experimental_features,
    )
    try:
        with transaction.atomic():
            organization.save(force_insert=True)
            Member.objects.create(organization=organization, user=user, role=Role.ADMIN)
            audit.record_outside(user, "created", organization, organization=organization, name=name)
    except IntegrityError:
        sentence = f"An organization named {name} exists already."
        raise Invalid(sentence, problems=[Problem("name", sentence)]) from None
    return organization


def _checked_name(name: str) -> str:
    name = name.strip()
    if not name:
        raise Invalid("The organization needs a name.", problems=[Problem("name", "The organization needs a name.")])
    if len(name) > LONGEST_NAME:
        sentence = f"The name has {len(name)} characters; {LONGEST_NAME} is the most."
        raise Invalid(sentence, problems=[Problem("name", sentence)])
    return name


def _check_limits(user: User, type: str) -> None:
    if user.is_superuser:
        return
    if type == Organization.Type.ENTERPRISE:
        raise Denied("Only a system admin can make an enterprise organization.")
    if user.memberships.count() >= MOST_FOR_ONE_USER:
        raise Denied(f"You are in {MOST_FOR_ONE_USER} organizations, the most for one person.")
