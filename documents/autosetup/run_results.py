"""What a headless turn leaves for a group of documents, or why it left nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db import transaction

from accounts.actor import Actor
from documents.autosetup import auto_setup, lookalikes, proposal_cleanup
from documents.autosetup.auto_setup import finish
from documents.models import AutoSetup, Extraction, PromptRevision, Proposal, SchemaRevision
from kit import jobs
from kit.jobs import Job
from kit.rows.state import move

Status = Proposal.Status
TRASHED = "Its document was moved to the trash before anything was proposed."


@dataclass(frozen=True)
class RunResult:
    """What a headless turn leaves. `created_ids` are of what it created: schemas, prompts and their revisions."""

    schema_revision: SchemaRevision
    prompt_revision: PromptRevision
    extraction: Extraction
    reused: bool = False
    extends: bool = False
    note: str = ""
    created_ids: dict[str, list[str]] = field(default_factory=dict)


@transaction.atomic
def record_result(proposal: Proposal, result: RunResult, *, actor: Actor) -> None:
    """The run has left something to look at. What accepted definitions did needs nobody. Conflict when it is over.

    What the run made and left aside goes, as the actor's doing.
    """
    to = Status.ACCEPTED if result.reused else Status.PROPOSED
    move(
        proposal,
        to,
        transitions=Proposal.TRANSITIONS,
        schema_revision=result.schema_revision,
        prompt_revision=result.prompt_revision,
        reused=result.reused,
        extends=result.extends,
        note=result.note,
        created_ids=result.created_ids,
    )
    proposal_cleanup.remove_leftovers(actor, proposal)
    for member in auto_setup.lock_open_members(proposal):
        member.proposal = proposal
        if member.document_id == proposal.lead_id:
            after = AutoSetup.Status.ACCEPTED if result.reused else AutoSetup.Status.PROPOSED
            why = f"“{result.prompt_revision.prompt.name}” fits." if result.reused else result.note
            finish(member, after, why, extraction=result.extraction)
        elif member.status == AutoSetup.Status.QUEUED:
            auto_setup.extract(member)
    lookalikes.compare_again(actor.organization)


@transaction.atomic
def record_failure(proposal: Proposal, *, actor: Actor | None, reason: str, created: dict[str, list[str]]) -> None:
    """The run left nothing to look at: what it made goes, and its documents say why. Conflict when it is over.

    Nobody is needed for a run that made nothing.
    """
    move(proposal, Status.FAILED, transitions=Proposal.TRANSITIONS, note=reason, created_ids=created)
    for member in auto_setup.lock_open_members(proposal):
        finish(member, AutoSetup.Status.FAILED, reason)
    if actor:
        proposal_cleanup.remove_created(actor, proposal)


@transaction.atomic
def reassign_lead(proposal: Proposal, *, actor: Actor | None, created: dict[str, list[str]]) -> None:
    """Its document is in the trash or gone: the next of the group is studied instead, from the start.

    The one in the trash waits there; when it is restored it finds its group again. Conflict when it is over.
    """
    move(
        proposal, Status.DESIGNING, transitions=Proposal.TRANSITIONS, only_from=[Status.DESIGNING], created_ids=created
    )
    if actor:
        proposal_cleanup.remove_created(actor, proposal)
    members = auto_setup.lock_open_members(proposal)
    following = next((member for member in members if member.document.trashed_at is None), None)
    for member in members:
        if following is None or member.document_id == proposal.lead_id:
            auto_setup.ungroup(member)
    if following is None:
        move(proposal, Status.FAILED, transitions=Proposal.TRANSITIONS, note=TRASHED)
    else:
        Proposal.objects.filter(pk=proposal.pk).update(lead=following.document, created_ids={}, candidates=[])
        jobs.enqueue(Job.ADVANCE_PROPOSAL, proposal.pk)


@transaction.atomic
def discard(proposal: Proposal, *, actor: Actor, created: dict[str, list[str]]) -> None:
    """What a run made after its proposal had been rejected."""
    proposal = Proposal.objects.select_for_update().get(pk=proposal.pk)
    if proposal.status == Status.REJECTED:
        proposal.created_ids = created
        proposal.save(update_fields=["created_ids"])
        proposal_cleanup.remove_created(actor, proposal)
