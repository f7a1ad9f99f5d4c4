"""Decisions about a prompt that does not fit a document: it runs anyway, or the tag goes that asked for it."""

from __future__ import annotations

from django.db import transaction

from accounts.actor import Actor
from accounts.models import Role
from documents import extractions, holding
from documents.catalog.state import lock_document
from documents.document_changes import TagChange, change_tags
from documents.models import Document, HeldRun, Tag
from kit.errors import Invalid, NotFound

RUN, UNTAG = "run", "untag"
DECISIONS = (RUN, UNTAG)


def decide(actor: Actor, *, held_run: HeldRun, decision: str) -> HeldRun:
    """Raises Conflict where it was decided before, NotFound for a document in the trash, Invalid where nothing runs."""
    if decision not in DECISIONS:
        raise Invalid(f"Choose one of {', '.join(DECISIONS)}.")
    if decision == RUN:
        extractions.run_held(actor, held_run=held_run)
    else:
        remove_tags(actor, held_run=held_run)
    return held_run


@transaction.atomic
def remove_tags(actor: Actor, *, held_run: HeldRun) -> TagChange:
    """The prompt does not run, and the tags that asked for it leave the document."""
    actor.require(Role.REVIEWER)
    document = lock_document(held_run.document_id)
    if document.trashed_at is not None:
        raise NotFound("Held run not found")
    holding.decide(held_run, HeldRun.Status.UNTAGGED, actor.user)
    return change_tags(actor, document=document, remove=[tag.pk for tag in list_tags(document, held_run)])


def list_tags(document: Document, held_run: HeldRun) -> list[Tag]:
    """Tags of the document that ask for the prompt."""
    latest = held_run.prompt.latest_id
    return list(document.tags.filter(prompt_revisions=latest).order_by("name")) if latest else []
