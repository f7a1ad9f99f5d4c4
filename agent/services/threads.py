"""Threads: who may read one, and what its owner may set."""

from __future__ import annotations

from django.db import transaction

from accounts.access import fetch
from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from agent.models import Thread
from docrouter.kit.errors import Denied, Invalid, NotFound
from documents.models import Document

UNTITLED = "New chat"


@transaction.atomic
def create(actor: Actor, *, document: Document | None = None, title: str = "") -> Thread:
    """An empty thread of the actor's own. `document` must be of the actor's organization."""
    actor.require(Role.REVIEWER)
    if document is not None and document.organization_id != actor.organization.pk:
        raise NotFound("Document not found")
    thread = Thread.objects.create(
        organization=actor.organization, document=document, owner=actor.user, title=title.strip()[:200] or UNTITLED
    )
    audit.record(actor, "started", thread)
    return thread


def readable(actor: Actor, thread_id: str) -> Thread:
    """Threads on a document are open to every member, others to their owner. Raises NotFound."""
    rows = Thread.objects.select_related("owner", "organization", "document")
    thread = fetch(actor, rows, thread_id, noun="Thread")
    if thread.document_id is None and thread.owner_id != actor.user.pk:
        raise NotFound("Thread not found")
    return thread


def require_owner(actor: Actor, thread: Thread) -> None:
    actor.require(Role.REVIEWER)
    if thread.owner_id != actor.user.pk:
        raise Denied(f"This thread is {thread.owner.shown_name}'s. Start one of your own to talk to the agent.")


@transaction.atomic
def set_mode(actor: Actor, *, thread: Thread, mode: str) -> Thread:
    """Raises Invalid for an unknown mode, Denied for a thread of somebody else."""
    require_owner(actor, thread)
    if mode not in Thread.Mode.values:
        raise Invalid(f"There is no mode {mode!r}. The modes are {', '.join(Thread.Mode.values)}.")
    before, thread.mode = thread.mode, mode
    thread.save(update_fields=["mode"])
    audit.record(actor, "set mode", thread, before=before, after=mode)
    return thread


@transaction.atomic
def set_model(actor: Actor, *, thread: Thread, model: str) -> Thread:
    """The model of the thread's next turns; empty for the organization's default. `model` has been checked."""
    require_owner(actor, thread)
    thread.model = model
    thread.save(update_fields=["model"])
    audit.record(actor, "set model", thread, model=model)
    return thread
