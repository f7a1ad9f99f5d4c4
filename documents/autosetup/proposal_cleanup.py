"""What automatic setup made goes again, unless something else has come to use it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Model, Q, QuerySet

from accounts.actor import Actor
from accounts.models import AuditEntry, Organization, Role, User
from documents import extractions
from documents.definitions import prompts, schemas
from documents.models import (
    AutoSetup,
    Extraction,
    Prompt,
    PromptRevision,
    Proposal,
    Revision,
    Schema,
    SchemaRevision,
)
from kit.errors import Conflict, NotFound

CreatedIds = Mapping[str, Sequence[str]]
REJECTED = "The proposal was rejected."
ALIVE = (Extraction.Status.QUEUED, Extraction.Status.RUNNING, Extraction.Status.COMPLETED)


def make_cleanup_actor(user: User | None, organization: Organization) -> Actor:
    """As whom the product removes what it made itself. Raises NotFound without the user who asked."""
    if user is None:
        raise NotFound("Organization not found")
    return Actor(user=user, organization=organization, role=Role.BUILDER, origin=AuditEntry.Origin.SYSTEM)


def remove_created(actor: Actor, proposal: Proposal) -> None:
    """All that its run made, with the extractions of its documents."""
    own = Extraction.objects.filter(
        prompt_revision__in=proposal.created_ids.get("prompt_revisions", []), status__in=ALIVE
    )
    of_group = own.filter(document__auto_setup__proposal=proposal)
    withdraw_runs(actor, of_group.values_list("pk", flat=True), reason=REJECTED)
    remove_definitions(actor, proposal.created_ids)


def remove_runs_of_member(actor: Actor, setup: AutoSetup, proposal: Proposal, *, reason: str) -> None:
    """All that was extracted from one document of the group, also before it was refined."""
    of_proposal = Q(pk=setup.extraction_id) | Q(prompt_revision__in=proposal.created_ids.get("prompt_revisions", []))
    own = Extraction.objects.filter(of_proposal, document=setup.document_id, status__in=ALIVE)
    withdraw_runs(actor, own.values_list("pk", flat=True), reason=reason)


def remove_leftovers(actor: Actor, proposal: Proposal) -> None:
    """Tries that the run gave up, and what they extracted from its documents."""
    leftovers = _find_leftovers(proposal)
    tried = Extraction.objects.filter(prompt_revision__prompt__in=leftovers.get("prompts", []), status__in=ALIVE)
    of_group = tried.filter(document__auto_setup__proposal=proposal)
    withdraw_runs(actor, of_group.values_list("pk", flat=True), reason=REJECTED)
    remove_definitions(actor, leftovers)


def _find_leftovers(proposal: Proposal) -> CreatedIds:
    """What was made and is no part of what is proposed: tries that were given up, and earlier revisions."""
    schema, prompt = proposal.schema_revision, proposal.prompt_revision
    if schema is None or prompt is None:
        return {}
    proposed_ids = {schema.pk, schema.schema_id, prompt.pk, prompt.prompt_id}
    return {
        kind: [row_id for row_id in ids if row_id not in proposed_ids] for kind, ids in proposal.created_ids.items()
    }


def remove_definitions(actor: Actor, created: CreatedIds) -> None:
    """Proposed revisions are rejected; prompts, then schemas, go to the trash. What is used elsewhere stays."""
    used = Extraction.objects.filter(prompt_revision__in=created.get("prompt_revisions", []), status__in=ALIVE)
    in_use = set(used.values_list("prompt_revision__prompt", flat=True))
    _reject(PromptRevision.objects.filter(pk__in=created.get("prompt_revisions", [])).exclude(prompt__in=in_use))
    used_schemas = SchemaRevision.objects.filter(prompt_revisions__prompt__in=in_use)
    _reject(
        SchemaRevision.objects.filter(pk__in=created.get("schema_revisions", [])).exclude(
            pk__in=used_schemas.values("pk")
        )
    )
    for prompt in Prompt.objects.filter(pk__in=created.get("prompts", []), trashed_at=None).exclude(pk__in=in_use):
        if not prompt.revisions.filter(status=Revision.Status.ACCEPTED).exists():
            prompts.trash(actor, head=prompt)
    for schema in Schema.objects.filter(pk__in=created.get("schemas", []), trashed_at=None):
        if not schema.revisions.filter(status=Revision.Status.ACCEPTED).exists() and not schemas.list_dependents(
            schema
        ):
            schemas.trash(actor, head=schema)


def withdraw_runs(actor: Actor, extraction_ids: Iterable[str], *, reason: str) -> None:
    """Runs that are done are withdrawn; those that wait or are under way are cancelled."""
    for run in Extraction.objects.filter(pk__in=list(extraction_ids)).select_related("document").order_by("pk"):
        try:
            if run.status == Extraction.Status.COMPLETED:
                extractions.withdraw(actor, extraction=run)
            else:
                extractions.cancel_run(run, reason=reason)
        except Conflict:
            continue  # It has ended, or was withdrawn by somebody already.


def _reject(revisions: QuerySet[Model]) -> None:
    revisions.filter(status=Revision.Status.PROPOSED).update(status=Revision.Status.REJECTED)
