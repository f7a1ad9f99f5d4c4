"""Undo of what a call did: an inverse is a service, its arguments as plain JSON, and its preconditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from django.db import transaction
from django.db.models import Model, QuerySet

from accounts.access import fetch
from accounts.actor import Actor
from agent import wishes
from agent.toolkit.effects import Inverse
from agent.toolkit.preconditions import base_revision, read_again
from agent.toolkit.registry import Result, ToolContext
from documents import bulk, document_changes, extractions
from documents.autosetup import refining
from documents.definitions import definitions, tags
from documents.definitions.definition_kinds import C, Definition
from documents.definitions.definitions import H, R, describe_ids
from documents.definitions.prompts import PROMPTS
from documents.definitions.schemas import SCHEMAS
from documents.extractions import edits
from documents.intake import splitting
from documents.models import (
    BulkAction,
    Document,
    Extraction,
    FieldEdit,
    Prompt,
    Tag,
    Verification,
)
from documents.retention import families
from kit.errors import Conflict, Invalid, NotFound

CHANGED_SINCE = "This has been changed since, so it cannot be taken back any more."


@transaction.atomic
def apply_inverse(context: ToolContext, inverse: Inverse) -> Result:
    """Raises Conflict when somebody has changed it since, Denied, or what the service refuses with."""
    service, precondition = inverse["service"], inverse.get("precondition", {})
    arguments = {name: value for name, value in inverse.items() if name not in ("service", "precondition")}
    if read_again(context, precondition) != precondition:
        raise Conflict(CHANGED_SINCE)
    return {"took_back": service, **_SERVICES[service](context, **arguments)}


def search_evidence(inverse: Inverse) -> edits.Evidence:
    """What taking back needs of the pages, searched before its transaction."""
    if inverse.get("service") == "edits.undo_all":
        return edits.search_undo_of_all(list_edits(inverse["edit_ids"]))
    if inverse.get("service") != "edits.undo":
        return edits.NO_EVIDENCE
    edit = FieldEdit.objects.select_related("extraction").filter(pk=inverse["edit_id"]).first()
    return edits.search_undo(edit) if edit else edits.NO_EVIDENCE


def list_edits(edit_ids: list[str]) -> list[FieldEdit]:
    """In the order in which they were made."""
    return list(FieldEdit.objects.select_related("extraction").filter(pk__in=edit_ids).order_by("number"))


M = TypeVar("M", bound=Model)


def _fetch_row(actor: Actor, rows: QuerySet[M], row_id: str) -> M:
    return fetch(actor, rows, row_id, noun=rows.model.__name__)


def _find_trashed(actor: Actor, rows: QuerySet[M], row_id: str) -> M:
    row = rows.filter(organization=actor.organization, pk=row_id, trashed_at__isnull=False).first()
    if row is None:
        raise NotFound(f"This {rows.model._meta.verbose_name} is not in the trash.")
    return row


@dataclass(frozen=True)
class DefinitionInverses(Generic[H, R, C]):
    """Takes back what was done to one kind of definition."""

    definition: Definition[H, R, C]

    def trash(self, context: ToolContext, **ids: str) -> Result:
        head = self._fetch_head(context, ids)
        if isinstance(head, Prompt):
            _require_unread(context, head)
        self.definition.trash(context.actor, head=head)
        context.forget(*head.revisions.values_list("pk", flat=True))
        return {**ids}

    def restore(self, context: ToolContext, **ids: str) -> Result:
        rows = cast("QuerySet[H]", self.definition.heads.objects.all())
        definitions.restore(context.actor, head=_find_trashed(context.actor, rows, ids[f"{self.definition.kind}_id"]))
        return {**ids}

    def return_to(self, context: ToolContext, *, name: str | None = None, **ids: str) -> Result:
        head, revid = self._fetch_head(context, ids), ids.get(f"{self.definition.kind}_revid")
        start = base_revision(context, head)
        rows = cast("QuerySet[R]", self.definition.revisions.objects.all())
        own = _fetch_row(context.actor, rows, revid) if revid else None
        proposed = bool(revid) and context.proposes(head)  # a name alone has no versions
        restored = self.definition.return_to(
            context.actor, head=head, revision=own or start, name=name, base=start, proposed=proposed
        )
        refining.adopt_revision(context.document, restored)
        context.remember(**{f"{self.definition.kind}_revid": restored.pk})
        return describe_ids(restored)

    def _fetch_head(self, context: ToolContext, ids: Mapping[str, str]) -> H:
        rows = cast("QuerySet[H]", self.definition.heads.objects.all())
        return _fetch_row(context.actor, rows, ids[f"{self.definition.kind}_id"])


def _require_unread(context: ToolContext, prompt: Prompt) -> None:
    """Raises Invalid for a prompt that another document was read with: it is in use."""
    own = context.document.pk if context.document else None
    runs = Extraction.objects.filter(prompt_revision__prompt=prompt).exclude(status=Extraction.Status.WITHDRAWN)
    if runs.exclude(document=own).exists():
        raise Invalid(f"The prompt “{prompt.name}” has read other documents already.", code="in_use")


def _list_definition_inverses(definition: Definition[H, R, C]) -> dict[str, Callable[..., Result]]:
    """By the names that calls are stored with."""
    inverses = DefinitionInverses(definition)
    services = {"trash": inverses.trash, "restore": inverses.restore, "return_to": inverses.return_to}
    return {f"{definition.kind}s.{name}": service for name, service in services.items()}


def _delete_tag(context: ToolContext, *, tag_id: str) -> Result:
    tags.delete(context.actor, tag=_fetch_row(context.actor, Tag.objects.all(), tag_id))
    return {"tag_id": tag_id}


def _restore_tag(context: ToolContext, *, tag_id: str, name: str, color: str, description: str) -> Result:
    tags.restore(context.actor, tag_id=tag_id, name=name, color=color, description=description)
    return {"tag_id": tag_id}


def _change_tag(context: ToolContext, *, tag_id: str, **former: str) -> Result:
    tags.update(context.actor, tag=_fetch_row(context.actor, Tag.objects.all(), tag_id), **former)
    return {"tag_id": tag_id}


def _change_document(context: ToolContext, *, document_id: str, run_ids: Sequence[str] = (), **former: Any) -> Result:
    """Tags that were deleted meanwhile stay away; of the runs that its tags had started those under way end."""
    if "tag_ids" in former:
        there = Tag.objects.for_org(context.actor.organization).filter(pk__in=former["tag_ids"])
        former["tag_ids"] = list(there.values_list("pk", flat=True))
    document = _fetch_row(context.actor, Document.objects.all(), document_id)
    document_changes.update(context.actor, document=document, **former)
    document_changes.undo_tagging(context.actor, document=document, tag_ids=[], run_ids=run_ids)
    return {"document_id": document_id}


def _restore_document(context: ToolContext, *, document_id: str) -> Result:
    families.restore(context.actor, document=_find_trashed(context.actor, Document.objects.all(), document_id))
    return {"document_id": document_id}


def _trash_document(context: ToolContext, *, document_id: str, part_ids: list[str] | None = None) -> Result:
    """With what came back together with it; what was restored on its own stays."""
    document = _fetch_row(context.actor, Document.objects.all(), document_id)
    families.trash(context.actor, document=document, part_ids=part_ids)
    return {"document_id": document_id}


def _undo_job(context: ToolContext, *, job_id: str) -> Result:
    """A job too: what somebody has changed since is left out of it."""
    action = _fetch_row(context.actor, BulkAction.objects.all(), job_id)
    undoing = bulk.undo(context.actor, action=action)
    return {"job_id": undoing.pk, "documents": undoing.total_count}


def _undo_split(context: ToolContext, *, document_id: str, part_ids: list[str]) -> Result:
    document = _fetch_row(context.actor, Document.objects.all(), document_id)
    splitting.undo(context.actor, document=document, part_ids=part_ids)
    return {"document_id": document_id, "part_ids": part_ids}


def _withdraw_extraction(context: ToolContext, *, extraction_id: str) -> Result:
    extraction = _fetch_row(context.actor, Extraction.objects.all(), extraction_id)
    extractions.withdraw(context.actor, extraction=extraction)
    context.forget(extraction_id)
    earlier = extractions.get_newest(extraction.document)
    return {"extraction_id": extraction_id, "current_extraction_id": earlier.pk if earlier else None}


def _undo_edit(context: ToolContext, *, edit_id: str) -> Result:
    edit = _fetch_row(context.actor, FieldEdit.objects.select_related("extraction"), edit_id)
    edits.undo(context.actor, edit=edit, evidence=context.evidence)
    return {"extraction_id": edit.extraction_id}


def _remove_wish(context: ToolContext, *, wish_id: str, text: str) -> Result:
    wishes.remove_stored(context.actor, thread=context.thread, wish_id=wish_id, text=text)
    return {"wish_id": wish_id}


def _undo_edits(context: ToolContext, *, edit_ids: list[str]) -> Result:
    first = _fetch_row(context.actor, FieldEdit.objects.select_related("extraction"), edit_ids[0])
    edits.undo_all(context.actor, edits=list_edits(edit_ids), evidence=context.evidence)
    return {"extraction_id": first.extraction_id, "changes": len(edit_ids)}


def _unverify(context: ToolContext, *, verification_ids: list[str]) -> Result:
    first = _fetch_row(context.actor, Verification.objects.select_related("extraction"), verification_ids[0])
    marks = Verification.objects.filter(extraction=first.extraction, pk__in=verification_ids)
    edits.undo_verifications(context.actor, marks=list(marks.select_related("extraction")))
    return {"extraction_id": first.extraction_id}


# Stored with each call and given in its undo's result: a name stays when the service moves.
_SERVICES: Mapping[str, Callable[..., Result]] = {
    **_list_definition_inverses(SCHEMAS),
    **_list_definition_inverses(PROMPTS),
    "tags.delete": _delete_tag,
    "tags.restore": _restore_tag,
    "tags.update": _change_tag,
    "uploads.update": _change_document,
    "uploads.restore": _restore_document,
    "uploads.trash": _trash_document,
    "bulk.undo": _undo_job,
    "splitting.undo": _undo_split,
    "extractions.withdraw": _withdraw_extraction,
    "edits.undo": _undo_edit,
    "wishes.remove": _remove_wish,
    "edits.undo_all": _undo_edits,
    "edits.unverify": _unverify,
}
