"""Organizations: the walls between one group's documents and another's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AccessToken, Member, Organization, Role, User
from accounts.services import audit, tokens
from kit import events
from kit.errors import Denied, Invalid, Problem

MAX_ORGANIZATIONS_PER_USER = 25
LONGEST_NAME = 200
_SIZES = [Organization.Type.INDIVIDUAL, Organization.Type.TEAM, Organization.Type.ENTERPRISE]


def create(
    user: User,
    *,
    name: str,
    type: str = Organization.Type.INDIVIDUAL,
    default_prompt_enabled: bool = False,
    experimental_features: bool = False,
    flow_log_level: str = "ERROR",
) -> Organization:
    """A new organization with the user as its admin. Raises Invalid (the name) or Denied (the limits)."""
    name = _clean_name(name)
    _check_limits(user, type)
    organization = Organization(
        name=name,
        type=type,
        default_prompt_enabled=default_prompt_enabled,
        experimental_features=experimental_features,
        flow_log_level=flow_log_level,
    )
    with _refuse_taken_name(name), transaction.atomic():
        organization.save(force_insert=True)
        Member.objects.create(organization=organization, user=user, role=Role.ADMIN)
        audit.record_outside(user, "created", organization, organization=organization, name=name)
    return organization


@transaction.atomic
def change(actor: Actor, **changes: object) -> Organization:
    """Changes of name, type, flow_log_level and of what is on: default prompt, automatic setup, reasons of verifying.

    Raises Invalid for a taken name or a smaller type, Denied for an enterprise that no system admin makes.
    """
    actor.require(Role.ADMIN)
    organization = Organization.objects.select_for_update().get(pk=actor.organization.pk)
    if "name" in changes:
        changes["name"] = _clean_name(str(changes["name"]))
    if "type" in changes:
        _check_type(actor.user, organization.type, str(changes["type"]))
    changed = {name: value for name, value in changes.items() if getattr(organization, name) != value}
    for name, value in changed.items():
        setattr(organization, name, value)
    if changed:
        with _refuse_taken_name(organization.name), transaction.atomic():
            organization.save()
        audit.record(actor, "changed", organization, fields=sorted(changed))
    return organization


def stop_agent(actor: Actor, *, stopped: bool) -> None:
    """Stops all turns at once, or lets them go on: the scheduler finds those that waited."""
    _switch(actor, "agent_stopped", stopped, action="agent stopped" if stopped else "agent let go on")


def keep_text_local(actor: Actor, *, local: bool) -> None:
    """Whether document text may go to models on this machine alone."""
    _switch(actor, "local_models_only", local, action="local models only" if local else "every model allowed")


@transaction.atomic
def _switch(actor: Actor, name: str, value: bool, *, action: str) -> None:
    """Nothing happens, and nothing is recorded, when it stands that way already."""
    actor.require(Role.ADMIN)
    rows = Organization.objects.filter(pk=actor.organization.pk, **{name: not value})
    if rows.update(**{name: value, "updated_at": timezone.now()}):
        setattr(actor.organization, name, value)
        audit.record(actor, action, actor.organization)
        events.publish(events.organization_group(actor.organization.pk), "organization.changed", field=name)


@transaction.atomic
def close(actor: Actor) -> None:
    """Nobody enters it any more, its tokens end, its agents stop and its name is free; the proof in its rows stays."""
    actor.require(Role.ADMIN)
    # NO KEY: whoever makes a token here at this moment refers to it, and is waited for below.
    organization = Organization.objects.select_for_update(no_key=True).get(pk=actor.organization.pk)
    tokens.delete_all(AccessToken.objects.filter(organization=organization))
    organization.memberships.all().delete()
    organization.closed_at, organization.agent_stopped = timezone.now(), True
    organization.save()
    audit.record(actor, "closed", organization, name=organization.name)
    events.publish(events.organization_group(organization.pk), "members.changed")


@contextmanager
def _refuse_taken_name(name: str) -> Iterator[None]:
    """Two who take a name at the same moment: the database refuses the second."""
    try:
        yield
    except IntegrityError:
        sentence = f"An organization named {name} exists already."
        raise Invalid(sentence, problems=[Problem("name", sentence)]) from None


def _check_type(user: User, before: str, new: str) -> None:
    if new == before:
        return
    if _SIZES.index(Organization.Type(new)) < _SIZES.index(Organization.Type(before)):
        raise Invalid(f"Invalid organization type upgrade: {before} cannot become {new}.")
    if new == Organization.Type.ENTERPRISE and not user.is_superuser:
        raise Denied("Only a system admin can make an enterprise organization.")


def _clean_name(name: str) -> str:
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
    if user.memberships.count() >= MAX_ORGANIZATIONS_PER_USER:
        raise Denied(f"You are in {MAX_ORGANIZATIONS_PER_USER} organizations, the most for one person.")
