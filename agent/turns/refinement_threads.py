"""Where a proposal is refined: the thread of its run, or one whose last definitions are the proposed ones."""

from __future__ import annotations

from django.db import transaction

from accounts.actor import Actor
from agent import feed
from agent.conversation import threads
from agent.models import Thread
from documents.autosetup.proposals import make_decided_conflict
from documents.models import AutoSetup, Proposal
from kit.errors import Conflict


@transaction.atomic
def thread_for(actor: Actor, *, setup: AutoSetup) -> Thread:
    """The actor's own thread in which the next message goes on from what is proposed for this document.

    Raises Conflict when nothing waits there any more.
    """
    proposal = setup.proposal
    if proposal is None or setup.status != AutoSetup.Status.PROPOSED:
        raise make_decided_conflict(setup)
    if proposal.prompt_revision is None or proposal.schema_revision is None:
        raise Conflict("What was proposed is gone. Reject the proposal, or retry.")
    return find_own_thread(actor, setup) or _begin_thread(actor, setup, proposal)


def find_own_thread(actor: Actor, setup: AutoSetup) -> Thread | None:
    """The thread of the run when it is the actor's, else one that they began for this proposal before."""
    proposal = setup.proposal
    own = Thread.objects.for_org(actor.organization).filter(owner=actor.user, trashed_at=None)
    run = own.filter(pk__in=proposal.members.exclude(thread_id="").values("thread_id")).first() if proposal else None
    if run is not None or proposal is None or proposal.prompt_revision is None:
        return run
    revisions = list(proposal.prompt_revision.prompt.revisions.values_list("pk", flat=True))
    begun = own.filter(document=setup.document_id, working_state__prompt_revid__in=revisions)
    return begun.order_by("-created_at").first()


def _begin_thread(actor: Actor, setup: AutoSetup, proposal: Proposal) -> Thread:
    name = proposal.prompt_revision.prompt.name if proposal.prompt_revision else ""
    thread = threads.create(actor, document=setup.document, title=f"Refine “{name}”")
    known = {
        "schema_revid": proposal.schema_revision_id,
        "prompt_revid": proposal.prompt_revision_id,
        "extraction_id": setup.extraction_id,
    }
    thread.working_state = {name: row_id for name, row_id in known.items() if row_id}
    thread.save(update_fields=["working_state"])
    feed.report_state(thread)
    return thread
