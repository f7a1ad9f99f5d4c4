"""The types that documents of an organization can have: those that rules tell, and those that people add."""

from __future__ import annotations

from typing import TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from accounts.actor import Actor
from accounts.models import Organization, Role
from accounts.services import audit
from documents.models import DocumentType, HeldRun, Prompt, Schema
from documents.types.rules import TYPES
from kit import events
from kit.errors import Conflict, Invalid, NotFound
from kit.ids import is_id
from kit.rows.models import fold_case

MAX_TYPES = 100
R = TypeVar("R", Schema, Prompt)
MAX_NAME = 60


def list_types(organization: Organization) -> QuerySet[DocumentType]:
    """List all, those switched off too. An organization has the types of the rules from its first look at them."""
    rows = DocumentType.objects.for_org(organization)
    if rows.filter(key__in=TYPES).count() < len(TYPES):
        _add_types_of_rules(organization)
    return rows.order_by("name_folded", "pk")


def find_type(organization: Organization, text: str) -> DocumentType:
    """By its id, its key or its name. Raises Invalid with the names there are."""
    rows = list_types(organization)
    named = rows.filter(Q(pk=text) if is_id(text) else Q(key=text) | Q(name_folded=fold_case(text)))
    document_type = min(named, key=lambda row: row.name_folded != fold_case(text), default=None)
    if document_type is None:
        names = ", ".join(rows.filter(is_on=True).values_list("name", flat=True))
        raise Invalid(f"There is no type “{text[:60]}” here. There are {names}.")
    return document_type


def find_type_of_rules(organization: Organization, key: str) -> DocumentType | None:
    """None where the organization has switched it off."""
    return list_types(organization).filter(key=key, is_on=True).first() if key else None


@transaction.atomic
def add_type(actor: Actor, *, name: str) -> DocumentType:
    """A type that people alone give. Raises Conflict when the name is taken."""
    actor.require(Role.BUILDER)
    if list_types(actor.organization).count() >= MAX_TYPES:
        raise Invalid(f"There are {MAX_TYPES} types, which is the most. Rename one that is not used.")
    name = _clean_name(name)
    row = DocumentType(organization=actor.organization, key=_make_key(actor.organization, name), name=name)
    _save(row)
    _note(actor, row, "created")
    return row


@transaction.atomic
def change_type(
    actor: Actor,
    *,
    document_type: DocumentType,
    name: str | None = None,
    is_on: bool | None = None,
    schema_id: str | None = None,
    prompt_id: str | None = None,
) -> DocumentType:
    """Changes what is given; an empty id takes the usual schema or prompt away. Documents keep their type."""
    actor.require(Role.BUILDER)
    row = DocumentType.objects.for_org(actor.organization).select_for_update().filter(pk=document_type.pk).first()
    if row is None:
        raise NotFound("Type not found")
    before = _describe(row)
    row.name = row.name if name is None else _clean_name(name)
    row.is_on = row.is_on if is_on is None else is_on
    if schema_id is not None:
        row.schema = _find_own(Schema.objects.for_org(actor.organization), schema_id, "schema") if schema_id else None
    if prompt_id is not None:
        row.prompt = _find_own(Prompt.objects.for_org(actor.organization), prompt_id, "prompt") if prompt_id else None
    if _describe(row) != before:
        _save(row)
        HeldRun.objects.for_org(actor.organization).ask_again()
        _note(actor, row, "changed")
    return row


def _add_types_of_rules(organization: Organization) -> None:
    """Add those that lack. The constraint lets one of two callers add each, and leaves people a name they took."""
    rows = [DocumentType(organization=organization, key=key, name=_title(key), name_folded=key) for key in TYPES]
    DocumentType.objects.bulk_create(rows, ignore_conflicts=True)


def _title(key: str) -> str:
    return key[:1].upper() + key[1:]


def _make_key(organization: Organization, name: str) -> str:
    key, number = fold_case(name), 1
    taken = set(DocumentType.objects.for_org(organization).values_list("key", flat=True))
    while key in taken:
        number += 1
        key = f"{fold_case(name)[: MAX_NAME - 4]} {number}"
    return key


def _clean_name(name: str) -> str:
    name = " ".join("".join(char if char.isprintable() else " " for char in name).split())
    if not name:
        raise Invalid("A name is needed.")
    if len(name) > MAX_NAME:
        raise Invalid(f"The name has {len(name)} characters; {MAX_NAME} is the most.")
    return name


def _find_own(rows: QuerySet[R], row_id: str, noun: str) -> R:
    row = rows.filter(pk=row_id, latest__isnull=False).first() if is_id(row_id) else None
    if row is None:
        raise Invalid(f"There is no such {noun} here.")
    return row


def _describe(row: DocumentType) -> tuple[object, ...]:
    return row.name, row.is_on, row.schema_id, row.prompt_id


def _save(row: DocumentType) -> None:
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        raise Conflict(f"There is a type “{row.name}” already.", code="name_taken") from None


def _note(actor: Actor, row: DocumentType, action: str) -> None:
    audit.record(actor, action, row, name=row.name)
    events.publish(events.organization_group(actor.organization.pk), "document_type.changed", type_id=row.pk)
