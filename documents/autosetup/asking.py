"""Asking for the automatic setup of any document, for the first time or again, whatever became of it."""

from __future__ import annotations

from django.db import transaction

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from documents.autosetup import auto_setup, proposals
from documents.catalog.state import lock_document
from documents.models import AutoSetup, Document
from kit import jobs
from kit.errors import Invalid
from kit.jobs import Job
from llm import models_catalogue

Status = AutoSetup.Status
DECIDED = (Status.ACCEPTED, Status.REJECTED)
MAX_HINT = 2000


@transaction.atomic
def ask(actor: Actor, *, document: Document, model: str = "", hint: str | None = None) -> AutoSetup:
    """Queued. What was decided stays as it was: the agent proposes anew.

    Without a model or a hint the earlier one stands; an empty hint takes it away.
    The first time takes a reviewer, any further one a builder. Raises Denied; Conflict while it is under way; Invalid
    for a model that cannot be used or a hint that is too long.
    """
    actor.require(Role.REVIEWER)
    hint = None if hint is None else clean_hint(hint)
    if model:
        models_catalogue.check_usable(model)
    # Of two who ask at once, the second finds what the first has asked for.
    lock_document(document.pk)
    setup = AutoSetup.objects.select_related("document", "proposal", "decided_by").filter(document=document).first()
    if setup is None:
        setup = auto_setup.request_auto_setup(actor, document=document, model=model, hint=hint or "")
        jobs.enqueue(Job.FOLLOW_READINGS, document.pk)
        auto_setup.publish_change(setup)
        return setup
    if setup.status not in DECIDED:
        return proposals.retry(actor, setup=setup, model=model, hint=hint)
    actor.require(Role.BUILDER)
    auto_setup.requeue(setup, actor, model=model, hint=hint, only_from=DECIDED)
    audit.record(actor, "asked for automatic setup", document, again=True, model=model, hint=hint or "")
    return setup


def clean_hint(hint: str) -> str:
    hint = hint.strip().replace("\0", "")
    if len(hint) > MAX_HINT:
        raise Invalid(f"The hint has {len(hint):,} characters; {MAX_HINT:,} is the most.")
    return hint
