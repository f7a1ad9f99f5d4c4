"""Refining a proposal: what is changed of it in chat is proposed too, and stands for the whole group from then on."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.actor import Actor
from documents import extractions
from documents.autosetup import auto_setup
from documents.definitions import prompts
from documents.extractions import rejudging
from documents.models import (
    AutoSetup,
    Document,
    Extraction,
    Prompt,
    PromptRevision,
    Proposal,
    Revision,
    Schema,
    SchemaRevision,
)
from kit.errors import AppError, Conflict
from kit.rows.fixed_select import FixedValues

Head = Schema | Prompt
EXTRACTED = (AutoSetup.Status.PROPOSED, AutoSetup.Status.RUNNING)
UNDER_WAY = (Extraction.Status.QUEUED, Extraction.Status.RUNNING)
REFINED = "What it was extracted with was refined meanwhile."
DECIDED = "The proposal was decided meanwhile. Ask again: the definitions that are in force can be changed."


@FixedValues
def _select_waiting(document: str) -> QuerySet[AutoSetup, tuple[str]]:
    return AutoSetup.objects.filter(document=document, status=AutoSetup.Status.PROPOSED).values_list("proposal")


def list_open_proposals(document: Document | None) -> list[str]:
    """The ids of those that wait on this document, whatever they propose."""
    if document is None:
        return []
    return [proposal for (proposal,) in _select_waiting.list(document.pk)]


def find_open_proposal(
    document: Document | None, head: Head, *, among: Collection[str] | None = None
) -> Proposal | None:
    """The one that waits on this document and proposes a revision of this schema or prompt.

    `among` are the ids of those that wait, where the caller has listed them.
    """
    ids = list_open_proposals(document) if among is None else among
    if document is None or not ids:
        return None
    about = Q(schema_revision__schema=head) if isinstance(head, Schema) else Q(prompt_revision__prompt=head)
    return Proposal.objects.filter(about, pk__in=ids, status=Proposal.Status.PROPOSED).first()


def find_proposed_revision(
    document: Document | None, head: Head, *, among: Collection[str] | None = None
) -> SchemaRevision | PromptRevision | None:
    """What the proposal that waits on this document proposes of this schema or prompt."""
    proposal = find_open_proposal(document, head, among=among)
    if proposal is None:
        return None
    return proposal.schema_revision if isinstance(head, Schema) else proposal.prompt_revision


@transaction.atomic
def adopt_revision(document: Document | None, revision: SchemaRevision | PromptRevision) -> None:
    """A revision that was proposed in chat becomes what the group's proposal stands for.

    A prompt brings its schema along. Raises Conflict when the proposal has been decided since.
    """
    if document is None or revision.status != revision.Status.PROPOSED:
        return
    head = revision.schema if isinstance(revision, SchemaRevision) else revision.prompt
    open_proposal = find_open_proposal(document, head)
    if open_proposal is None:
        return
    locked_proposal = Proposal.objects.select_for_update(of=("self",)).get(pk=open_proposal.pk)
    if locked_proposal.status != Proposal.Status.PROPOSED:
        raise Conflict(DECIDED)
    if isinstance(revision, SchemaRevision):
        _record_created_id(locked_proposal, "schema_revisions", revision.pk)
        locked_proposal.schema_revision = revision
    else:
        _record_created_id(locked_proposal, "prompt_revisions", revision.pk)
        locked_proposal.prompt_revision = revision
        locked_proposal.schema_revision = revision.schema_revision or locked_proposal.schema_revision
    locked_proposal.save(update_fields=["created_ids", "schema_revision", "prompt_revision"])
    _publish_changes(locked_proposal)


def set_current_run(extraction: Extraction) -> None:
    """The newest run of the proposed prompt is what the document's card shows."""
    revision = extraction.prompt_revision
    if revision is None:
        return
    proposed = AutoSetup.objects.filter(
        document=extraction.document_id,
        status=AutoSetup.Status.PROPOSED,
        proposal__prompt_revision__prompt=revision.prompt_id,
    )
    for setup in proposed.select_related("document"):
        AutoSetup.objects.filter(pk=setup.pk).update(extraction=extraction)
        auto_setup.publish_change(setup)


def apply_refinements(actor: Actor, proposal: Proposal) -> None:
    """Once it is accepted: the prompt asks for the fields as they were refined, and documents of the group that an
    earlier revision extracted are extracted anew. Call it inside the decision's transaction, before tags are put on."""
    revision, schema = proposal.prompt_revision, proposal.schema_revision
    if revision is None or schema is None:
        return
    _reject_earlier_revisions(proposal)
    used = revision.schema_revision
    if used is not None and used.schema_id == schema.schema_id and used.pk != schema.pk:
        revision = prompts.save_version(actor, prompt=revision.prompt, schema_revision=schema)
        proposal.prompt_revision = revision
        proposal.save(update_fields=["prompt_revision"])
    members = proposal.members.filter(status__in=EXTRACTED, document__trashed_at=None)
    for setup in members.select_related("document", "extraction").order_by("created_at", "pk"):
        if setup.extraction is None or setup.extraction.prompt_revision_id != revision.pk:
            _extract_anew(actor, setup, revision)


def _extract_anew(actor: Actor, setup: AutoSetup, revision: PromptRevision) -> None:
    """What is refused for one document keeps no other from being accepted. A model that was asked the same before is
    not asked again."""
    if setup.extraction is not None and _takes_over(actor, setup.extraction, revision):
        return
    if setup.extraction is not None and setup.extraction.status in UNDER_WAY:
        with suppress(Conflict):  # It has ended at this moment.
            extractions.cancel_run(setup.extraction, reason=REFINED)
    try:
        run = extractions.start(actor, document=setup.document, prompt_revision=revision)
    except AppError as error:
        auto_setup.finish(setup, AutoSetup.Status.FAILED, error.sentence)
    else:
        AutoSetup.objects.filter(pk=setup.pk).update(extraction=run)


def _takes_over(actor: Actor, run: Extraction, revision: PromptRevision) -> bool:
    former = run.prompt_revision
    if run.status != Extraction.Status.COMPLETED or former is None or not rejudging.asks_the_same(former, revision):
        return False
    return rejudging.judge_again(actor, extraction=run, prompt_revision=revision)


def _reject_earlier_revisions(proposal: Proposal) -> None:
    """Earlier tries at what is accepted now are proposed no longer, also those that something was extracted with."""
    gone, still = Revision.Status.REJECTED, Revision.Status.PROPOSED
    for rows, kind in ((SchemaRevision.objects, "schema_revisions"), (PromptRevision.objects, "prompt_revisions")):
        rows.filter(pk__in=proposal.created_ids.get(kind, []), status=still).update(status=gone)


def _record_created_id(proposal: Proposal, kind: str, row_id: str) -> None:
    ids = proposal.created_ids.get(kind, [])
    proposal.created_ids = {**proposal.created_ids, kind: [*ids, *([] if row_id in ids else [row_id])]}


def _publish_changes(proposal: Proposal) -> None:
    for setup in proposal.members.select_related("document"):
        auto_setup.publish_change(setup)
