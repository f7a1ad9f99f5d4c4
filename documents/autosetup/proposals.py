"""Proposals: the one decision on what a headless turn designed for a group of documents."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from documents import document_changes
from documents.autosetup import auto_setup, lookalikes, proposal_cleanup, proposed_checks, refining, trials
from documents.autosetup.auto_setup import finish
from documents.definitions import definitions, prompts, tags
from documents.models import AutoSetup, Document, Prompt, PromptRevision, Proposal, Revision, Tag
from kit import jobs
from kit.errors import Conflict, Invalid
from kit.jobs import Job
from kit.rows.state import move
from kit.timestamps import format_timestamp
from llm import models_catalogue

Status = Proposal.Status
MAX_REASON = 2000
TAKEN_OUT = "The document was taken out of its group."


@transaction.atomic
def accept(
    actor: Actor,
    *,
    proposal: Proposal,
    tag: Tag | None = None,
    tag_name: str = "",
    shown: str = "",
    siblings: Sequence[str] = (),
    checks: Collection[int] | None = None,
) -> Proposal:
    """Its definitions become the accepted ones; with a tag the prompt also runs on further documents that have it.

    `siblings` are ids of documents that it was tried on: they get what came of that, and the tag. No other does.

    `checks` are the numbers of the proposed value checks that are kept; without them those that could be computed.

    `shown` is the face that the actor has seen, where it is known. Raises Conflict for another face or with what was
    decided before, Invalid for a tag that cannot be made, Denied below builder.
    """
    actor.require(Role.BUILDER)
    proposal = _decide(actor, proposal, Status.ACCEPTED)
    if shown not in ("", proposal.face):
        raise Conflict("This proposal has changed since it was shown. Look at it again.")
    _require_in_use(proposal)
    proposed_checks.keep_checks(actor, proposal=proposal, numbers=checks)
    proposal_cleanup.remove_leftovers(actor, proposal)
    if proposal.schema_revision:
        definitions.accept(actor, revision=proposal.schema_revision)
    is_new = proposal.prompt_revision is not None and proposal.prompt_revision.status == Revision.Status.PROPOSED
    if proposal.prompt_revision:
        definitions.accept(actor, revision=proposal.prompt_revision)
    refining.apply_refinements(actor, proposal)
    chosen = trials.choose_siblings(proposal, siblings)
    if proposal.prompt_revision:
        trials.keep_trials(actor, siblings=chosen, prompt_revision=proposal.prompt_revision)
    tag = tag or _find_or_create_tag(actor, tag_name)
    if tag is not None:
        if proposal.prompt_revision:
            proposal.prompt_revision = _tag_prompt(actor, proposal.prompt_revision, tag, is_new=is_new)
        _add_tag(actor, proposal, tag, [row.document_id for row in chosen])
    for member in auto_setup.lock_open_members(proposal):
        if member.status == AutoSetup.Status.PROPOSED:
            finish(member, AutoSetup.Status.ACCEPTED, "", **_copy_decision(proposal))
        elif member.status == AutoSetup.Status.QUEUED:
            auto_setup.extract(member)
    trials.forget_trials(proposal)
    lookalikes.compare_again(actor.organization)
    also = [row.document_id for row in chosen]
    audit.record(actor, "accepted", proposal, name=_get_name(proposal), tag=tag.name if tag else "", siblings=also)
    return proposal


@transaction.atomic
def reject(actor: Actor, *, proposal: Proposal, reason: str = "") -> Proposal:
    """What its run made goes, unless something else uses it; its extractions are withdrawn. Conflict when decided."""
    actor.require(Role.BUILDER)
    if len(reason) > MAX_REASON:
        raise Invalid(f"The reason has {len(reason)} characters; {MAX_REASON} is the most.")
    proposal = _decide(actor, proposal, Status.REJECTED, reason=reason.strip())
    proposal_cleanup.remove_created(actor, proposal)
    trials.forget_trials(proposal)
    for member in auto_setup.lock_open_members(proposal):
        finish(member, AutoSetup.Status.REJECTED, reason.strip(), **_copy_decision(proposal))
    jobs.enqueue(Job.ADVANCE_PROPOSAL, proposal.pk)  # a turn that still works on it is stopped
    audit.record(actor, "rejected", proposal, name=_get_name(proposal), reason=reason.strip())
    return proposal


@transaction.atomic
def remove_member(actor: Actor, *, setup: AutoSetup) -> None:
    """This document is no longer of the group: its extraction is withdrawn, the others stay as they are."""
    actor.require(Role.BUILDER)
    proposal = setup.proposal
    if proposal is None or setup.status not in AutoSetup.OPEN:
        raise make_decided_conflict(setup)
    proposal = Proposal.objects.select_for_update().get(pk=proposal.pk)  # before document and members, as everywhere
    Document.objects.select_for_update().get(pk=setup.document_id)
    members = {member.pk: member for member in auto_setup.lock_open_members(proposal)}
    setup = members.pop(setup.pk, setup)
    if setup.status not in AutoSetup.OPEN or setup.proposal_id != proposal.pk:
        raise make_decided_conflict(setup)
    others = list(members.values())
    if not others:
        raise Invalid("It is the only document of its proposal. Reject the proposal instead.")
    if proposal.lead_id == setup.document_id:
        if proposal.status == Status.DESIGNING:
            raise Invalid("The proposal is being made for this document. Take it out when that is done.")
        Proposal.objects.filter(pk=proposal.pk).update(lead=others[0].document)
    proposal_cleanup.remove_runs_of_member(actor, setup, proposal, reason=TAKEN_OUT)
    by = {"decided_by": actor.user, "decided_at": timezone.now(), "proposal": None}
    finish(setup, AutoSetup.Status.REJECTED, f"Taken out of its group by {actor.shown_name}.", **by)
    audit.record(actor, "taken out", setup.document, proposal=proposal.pk)


@transaction.atomic
def retry(actor: Actor, *, setup: AutoSetup, model: str = "", hint: str | None = None) -> AutoSetup:
    """Asks once more, perhaps with another model or hint. A proposal that waits is dropped for all of its group.

    Raises Conflict with what was decided, or while it is under way; Invalid for a model that cannot be used.
    """
    actor.require(Role.BUILDER)
    if model:
        models_catalogue.check_usable(model)
    again = [setup]
    if setup.status == AutoSetup.Status.PROPOSED and setup.proposal is not None:
        proposal = _decide(actor, setup.proposal, Status.REJECTED, reason="Tried again.")
        proposal_cleanup.remove_created(actor, proposal)
        again = auto_setup.lock_open_members(proposal)
    elif setup.status not in (AutoSetup.Status.FAILED, AutoSetup.Status.SKIPPED):
        raise make_decided_conflict(setup)
    for member in again:
        if member.status == AutoSetup.Status.QUEUED:
            auto_setup.ungroup(member)  # it was in the trash meanwhile, and finds its group when it is restored
        else:
            _ask_again(actor, member, model, hint if member.pk == setup.pk else None)
    audit.record(actor, "asked for automatic setup", setup.document, again=True, model=model, hint=hint or "")
    setup.refresh_from_db()
    return setup


def _ask_again(actor: Actor, setup: AutoSetup, model: str, hint: str | None) -> None:
    try:
        auto_setup.requeue(setup, actor, model=model, hint=hint)
    except Conflict:
        setup.refresh_from_db()
        raise make_decided_conflict(setup) from None


def make_decided_conflict(setup: AutoSetup) -> Conflict:
    """Its present state, as a sentence and as `winner`."""
    words = {
        AutoSetup.Status.ACCEPTED: "was accepted",
        AutoSetup.Status.REJECTED: "was rejected",
        AutoSetup.Status.QUEUED: "waits for its turn",
        AutoSetup.Status.RUNNING: "is being made",
        AutoSetup.Status.FAILED: "failed",
        AutoSetup.Status.SKIPPED: "was skipped",
        AutoSetup.Status.PROPOSED: "waits for a decision",
    }
    by = f" by {setup.decided_by.shown_name}" if setup.decided_by else ""
    at = format_timestamp(setup.decided_at) if setup.decided_at else None
    name = setup.decided_by.shown_name if setup.decided_by else ""
    winner: dict[str, object] = {"kind": setup.status, "by": name, "at": at}
    return Conflict(f"The automatic setup of this document {words[AutoSetup.Status(setup.status)]}{by}.", winner=winner)


def _decide(actor: Actor, proposal: Proposal, to: str, *, reason: str = "") -> Proposal:
    """The proposal as it stands now. Of all who decide at once, one wins; the others get Conflict with its state."""
    now = timezone.now()
    allowed = [Status.PROPOSED] if to == Status.ACCEPTED else [Status.PROPOSED, Status.DESIGNING]
    try:
        move(
            proposal,
            to,
            transitions=Proposal.TRANSITIONS,
            only_from=allowed,
            reason=reason,
            decided_by=actor.user,
            decided_at=now,
        )
    except Conflict:
        proposal.refresh_from_db()
        by = proposal.decided_by.shown_name if proposal.decided_by else ""
        at = format_timestamp(proposal.decided_at) if proposal.decided_at else None
        state = "being made" if proposal.status == Status.DESIGNING else proposal.status
        sentence = f"was {proposal.status}{f' by {by}' if by else ''} already" if at else f"is {state}"
        winner: dict[str, object] = {"kind": proposal.status, "by": by, "at": at}
        raise Conflict(f"This proposal {sentence}.", winner=winner) from None
    proposal.refresh_from_db()  # it may have been refined while this decision waited
    return proposal


def _copy_decision(proposal: Proposal) -> dict[str, object]:
    return {"decided_by": proposal.decided_by, "decided_at": proposal.decided_at}


def _require_in_use(proposal: Proposal) -> None:
    """Raises Conflict when somebody has moved its schema or prompt to the trash."""
    heads = [
        ("schema", proposal.schema_revision.schema if proposal.schema_revision else None),
        ("prompt", proposal.prompt_revision.prompt if proposal.prompt_revision else None),
    ]
    for kind, head in heads:
        if head is None or head.trashed_at:
            named = f"{kind} “{head.name}”" if head else kind
            raise Conflict(f"The {named} is in the trash. Restore it, or reject the proposal.")


def _get_name(proposal: Proposal) -> str:
    return proposal.prompt_revision.prompt.name if proposal.prompt_revision else ""


def _find_or_create_tag(actor: Actor, name: str) -> Tag | None:
    """An existing tag of this name, else a new one; None without a name."""
    if not name.strip():
        return None
    tag = Tag.objects.for_org(actor.organization).filter(name=name.strip()).first()
    return tag or tags.create(actor, name=name)


def _tag_prompt(actor: Actor, revision: PromptRevision, tag: Tag, *, is_new: bool) -> PromptRevision:
    """A version that this decision puts in force is accepted with its tag; any other gets one after it."""
    latest = Prompt.objects.select_related("latest").get(pk=revision.prompt_id).latest or revision
    if is_new and latest == revision:
        tags.lock_tags(actor, [tag])
        revision.tags.add(tag)
        return revision
    return prompts.save_version(actor, prompt=revision.prompt, tags=[*latest.tags.all(), tag])


def _add_tag(actor: Actor, proposal: Proposal, tag: Tag, sibling_ids: Sequence[str]) -> None:
    proposal.tag = tag
    proposal.save(update_fields=["tag", "prompt_revision"])
    meant = Q(auto_setup__proposal=proposal) | Q(pk__in=sibling_ids)
    for document in Document.objects.filter(meant, trashed_at=None).order_by("pk"):
        tag_ids = [*document.tags.values_list("pk", flat=True), tag.pk]
        document_changes.update(actor, document=document, tag_ids=list(dict.fromkeys(tag_ids)))
