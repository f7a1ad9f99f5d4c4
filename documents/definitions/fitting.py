"""Types of documents that a prompt is for, and whether a document is surely of another one. No model is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.actor import Actor
from accounts.models import Role
from documents.definitions import definitions
from documents.models import (
    Document,
    DocumentType,
    Extraction,
    HeldRun,
    Prompt,
    PromptRevision,
    TypeDecision,
    Verification,
)
from documents.types.catalogue import find_type
from documents.types.rules import TYPES

ENOUGH_VERIFIED = 3
MAX_LOOKED_AT = 200
MAX_TYPES_NAMED = 5
Source = TypeDecision.Source


@dataclass(frozen=True)
class Fit:
    """`keys` of the types that a prompt is for, empty where it may be for any; `words` say how that is known."""

    keys: frozenset[str] = frozenset()
    words: str = ""


def find_misfit(document: Document, revision: PromptRevision) -> str:
    """A sentence when the document is surely of a type that the prompt is not for, else nothing.

    What a model thinks of a type is not sure. Rules know no type that people have added: a document that they take
    for one of theirs may be one of those.
    """
    document_type, decision = document.document_type, TypeDecision.objects.filter(document=document).first()
    if document_type is None or decision is None or decision.source == Source.MODEL:
        return ""
    prompt, fit = revision.prompt, describe_fit(revision)
    if not fit.keys or document_type.key in fit.keys:
        return ""
    if decision.source != Source.PERSON and not fit.keys <= set(TYPES):
        return ""
    if prompt.type_keys is None and _list_verified(prompt, document_type).exists():
        return ""
    return f"Its type is {document_type.name}. “{prompt.name}” {fit.words}."


def describe_fit(revision: PromptRevision) -> Fit:
    """By what people said, else by the types that have it as their usual one, else by results that were verified."""
    named = revision.prompt.type_keys
    if named is not None:
        rows = DocumentType.objects.filter(organization=revision.prompt.organization_id, key__in=named)
        return Fit(frozenset(named), f"is for {_join_names(rows)}")
    if usual := list(_list_usual_types(revision)):
        return Fit(frozenset(row.key for row in usual), f"is the usual prompt of {_join_names(usual)}")
    verified = _list_verified_types(revision.prompt)
    return Fit(frozenset(row.key for row in verified), f"was verified on {_join_names(verified)} alone")


def list_names(revision: PromptRevision) -> list[str]:
    """Names of the types that the prompt is for; none where it may be for any."""
    rows = DocumentType.objects.filter(organization=revision.prompt.organization_id)
    return sorted(rows.filter(key__in=describe_fit(revision).keys).values_list("name", flat=True))


@transaction.atomic
def set_types(actor: Actor, *, prompt: Prompt, types: Sequence[str] | None) -> Prompt:
    """Types by id, key or name: an empty list for any type, None to tell them from its uses. Raises Invalid."""
    actor.require(Role.BUILDER)
    keys = None if types is None else sorted({find_type(actor.organization, text).key for text in types})
    head = definitions.lock_head(prompt)
    if head.type_keys != keys:
        head.type_keys = keys
        head.save(update_fields=["type_keys"])
        HeldRun.objects.filter(prompt=head).ask_again()
        definitions.publish_change(actor, head, "set the types", types=keys or "none in particular")
    return head


def _list_usual_types(revision: PromptRevision) -> QuerySet[DocumentType]:
    schema = revision.schema_revision.schema_id if revision.schema_revision else None
    is_usual = Q(prompt=revision.prompt_id) | (Q(schema=schema) if schema else Q(pk=None))
    return DocumentType.objects.filter(is_usual, organization=revision.prompt.organization_id)


def _list_verified_types(prompt: Prompt) -> list[DocumentType]:
    """None where documents of which a person has verified its result are few, or mostly of no sure type."""
    pairs = _list_verified(prompt).values_list("extraction__document", "extraction__document__document_type")
    by_document = dict(pairs[:MAX_LOOKED_AT])
    typed = [type_id for type_id in by_document.values() if type_id]
    if len(typed) < ENOUGH_VERIFIED or len(typed) * 2 < len(by_document):
        return []
    return list(DocumentType.objects.filter(pk__in=typed))


def _list_verified(prompt: Prompt, document_type: DocumentType | None = None) -> QuerySet[Verification]:
    """Results of the prompt that a person has verified whole, on documents of that type or of any."""
    rows = Verification.objects.filter(where="", cleared_at=None, extraction__prompt_revision__prompt=prompt)
    rows = rows.filter(extraction__status=Extraction.Status.COMPLETED)
    return rows.filter(extraction__document__document_type=document_type) if document_type else rows


def _join_names(types: Iterable[DocumentType]) -> str:
    names = sorted(row.name for row in types)
    shown, more = names[:MAX_TYPES_NAMED], len(names) - MAX_TYPES_NAMED
    if more > 0:
        return f"{', '.join(shown)} and {more} more types"
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))
