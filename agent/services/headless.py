"""Headless turns: the same loop with a fixed task and nobody to ask; what it leaves is a proposal.

`advance` looks at the rows and does what is next: it may be called at any time, and twice.
"""

from __future__ import annotations

import logging

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from accounts.access import enter
from accounts.actor import Actor
from agent.models import Thread, ToolCall, Turn
from agent.services import threads, turns
from agent.services.ending import withdraw_and_end
from docrouter.kit.errors import AppError, Conflict
from documents.models import AutoCreate, Extraction, PromptRevision, Proposal, Revision, SchemaRevision
from documents.services import auto_create, likeness, proposals
from documents.services.proposals import Design
from documents.services.spending import MICROS

log = logging.getLogger(__name__)
AT_ONCE = 50
UNDER_WAY = (Turn.Status.QUEUED, Turn.Status.RUNNING, Turn.Status.AWAITING_APPROVAL)
NOTHING_LEFT = "The agent ended without an extraction."
TASK = """\
Set up extraction for documents like this one. Nobody watches: what you leave is looked at later.
1. Study the document. If accepted definitions under <data kind="candidates"> fit, run their prompt and stop. When one
   nearly fits, extend its schema with update_schema and its prompt with update_prompt.
2. Else create a schema of the key, repeatable fields of such documents, uniform over similar ones, not of every detail.
3. Create a prompt for it without tags, run the extraction, and look at the result.
4. When values are wrong or missing, refine schema or prompt and run again, twice at most.
Then say in two sentences what you made and what is uncertain."""


def advance(proposal_id: str) -> None:
    """Starts the turn of a proposal that has none, or takes what an ended one left."""
    proposal = Proposal.objects.select_related("organization", "lead").filter(pk=proposal_id).first()
    auto = _lead(proposal) if proposal else None
    if proposal is None or auto is None:
        return
    if not auto.turn_id:
        if proposal.status == Proposal.Status.DESIGNING:
            _start(proposal, auto)
        return
    turn = Turn.objects.select_related("thread__owner", "thread__document").filter(pk=auto.turn_id).first()
    if turn is None or turn.origin != Turn.Origin.HEADLESS:
        return
    if turn.status in UNDER_WAY and proposal.status != Proposal.Status.DESIGNING:
        _stop(turn)
    elif turn.status not in UNDER_WAY:
        _conclude(proposal, turn)


def sweep() -> int:
    """Whatever waits and lost its wake-up: documents without a group, members that have run, turns to start or end."""
    auto_create.assign_waiting()
    auto_create.settle_members()
    ended = Turn.objects.filter(origin=Turn.Origin.HEADLESS).exclude(status__in=UNDER_WAY).values("pk")
    open_ones = Q(members__turn_id="") | Q(members__turn_id__in=ended)
    waiting = Proposal.objects.filter(open_ones, status=Proposal.Status.DESIGNING).distinct()
    ids = list(waiting.order_by("created_at").values_list("pk", flat=True)[:AT_ONCE])
    for proposal_id in ids:
        advance(proposal_id)
    return len(ids)


def follow(turn_id: str) -> None:
    """What comes after a round of a headless turn that has ended. Other turns are none of its business."""
    ended = Turn.objects.filter(pk=turn_id, origin=Turn.Origin.HEADLESS).exclude(status__in=UNDER_WAY)
    proposal = Proposal.objects.filter(members__turn_id__in=ended.values("pk")).first()
    if proposal:
        advance(proposal.pk)


def proposal_of(turn: Turn) -> Proposal | None:
    """The proposal that a headless turn works on."""
    if turn.origin != Turn.Origin.HEADLESS:
        return None
    return Proposal.objects.filter(members__turn_id=turn.pk).first()


def _lead(proposal: Proposal) -> AutoCreate | None:
    rows = AutoCreate.objects.select_related("document__organization", "requested_by", "proposal")
    return rows.filter(proposal=proposal, document_id=proposal.lead_id).first()


def _start(proposal: Proposal, auto: AutoCreate) -> None:
    """One transaction: of two who come at once, the second finds the turn of the first."""
    try:
        actor = _asker(auto)
        with transaction.atomic():
            Proposal.objects.select_for_update().get(pk=proposal.pk)
            auto.refresh_from_db()
            if auto.turn_id or auto.status != AutoCreate.Status.QUEUED:
                return
            _begin(proposal, auto, actor)
    except AppError as error:
        _fail(proposal, auto, error.sentence)


def _begin(proposal: Proposal, auto: AutoCreate, actor: Actor) -> None:
    found = likeness.candidates(auto.document)
    proposal.candidates = [{"prompt_revid": each.prompt_revision.pk, "likeness": each.likeness} for each in found]
    proposal.save(update_fields=["candidates"])
    thread = threads.create(actor, document=auto.document, title="Automatic setup")
    Thread.objects.filter(pk=thread.pk).update(mode=Thread.Mode.ASK)
    turn = turns.start(actor, thread=thread, text=TASK, model=auto.model, origin=Turn.Origin.HEADLESS)
    Turn.objects.filter(pk=turn.pk).update(
        max_rounds=settings.HEADLESS_MAX_ROUNDS, limit_ms=settings.HEADLESS_LIMIT_SECONDS * 1000,
        limit_micros=int(settings.HEADLESS_BUDGET_USD * MICROS),
    )  # fmt: skip
    auto_create.begin(auto, thread_id=thread.pk, turn_id=turn.pk)


def _stop(turn: Turn) -> None:
    """Its proposal was decided meanwhile: nothing more is made."""
    try:
        turns.cancel(enter(turn.thread.owner, turn.thread.organization_id), turn=turn)
    except AppError as error:
        log.info("headless turn %s was not stopped: %s", turn.pk, error)


def _conclude(proposal: Proposal, turn: Turn) -> None:
    made = _made(turn)
    with transaction.atomic():
        if turn.status == Turn.Status.PAUSED:
            # A limit ends a headless turn: nobody is there to let it go on.
            withdraw_and_end(None, turn, turn.reason, ToolCall.Status.CANCELLED)
        try:
            design = _design(turn, made)
            if design is not None:
                proposals.designed(proposal, design)
            else:
                reason = turn.reason or NOTHING_LEFT
                proposals.failed(proposal, actor=_owner(turn), reason=reason, made=made)
        except Conflict:
            log.info("proposal %s was decided before its turn ended", proposal.pk)
            proposals.discard(proposal, actor=_owner(turn), made=made)


def _design(turn: Turn, made: dict[str, list[str]]) -> Design | None:
    """From the last extraction that succeeded, or None when there is none."""
    run = next((call for call in reversed(_succeeded(turn)) if call.tool == "run_extraction"), None)
    extraction_id = (run.result or {}).get("extraction_id") if run else None
    rows = Extraction.objects.select_related("prompt_revision__prompt", "schema_revision__schema")
    extraction = rows.filter(pk=extraction_id, status=Extraction.Status.COMPLETED).first()
    if extraction is None or extraction.prompt_revision is None or extraction.schema_revision is None:
        return None
    prompt, schema = extraction.prompt_revision, extraction.schema_revision
    early = "" if turn.status == Turn.Status.COMPLETED else f"It stopped early. {turn.reason}".strip()
    return Design(
        schema, prompt, extraction, note=early, made=made, reused=prompt.status == Revision.Status.ACCEPTED,
        extends=schema.pk in made["schema_revisions"] and schema.schema_id not in made["schemas"],
    )  # fmt: skip


def _made(turn: Turn) -> dict[str, list[str]]:
    """Ids of what the turn created, by kind."""
    results = [(call.tool, call.result or {}) for call in _succeeded(turn)]

    def ids(tools: tuple[str, ...], name: str) -> list[str]:
        return [str(result[name]) for tool, result in results if tool in tools and result.get(name)]

    revisions = {
        "schema_revisions": ids(("create_schema", "update_schema"), "schema_revid"),
        "prompt_revisions": ids(("create_prompt", "update_prompt"), "prompt_revid"),
    }
    # An update that changed nothing answers the accepted revision it found.
    kept = {
        "schema_revisions": SchemaRevision.objects, "prompt_revisions": PromptRevision.objects,
    }  # fmt: skip
    own = {
        kind: list(kept[kind].filter(pk__in=found, status=Revision.Status.PROPOSED).values_list("pk", flat=True))
        for kind, found in revisions.items()
    }
    return {"schemas": ids(("create_schema",), "schema_id"), "prompts": ids(("create_prompt",), "prompt_id"), **own}


def _succeeded(turn: Turn) -> list[ToolCall]:
    return list(turn.calls.filter(status=ToolCall.Status.SUCCEEDED).order_by("round", "position", "version"))


def _asker(auto: AutoCreate) -> Actor:
    if auto.requested_by is None:
        raise Conflict(auto_create.NOBODY)
    return enter(auto.requested_by, auto.document.organization_id)


def _owner(turn: Turn) -> Actor:
    """As whom what was made is removed: the thread's owner with a builder's rights, who it was made for."""
    return proposals.remover(turn.thread.owner, turn.thread.organization)


def _fail(proposal: Proposal, auto: AutoCreate, reason: str) -> None:
    try:
        with transaction.atomic():
            remover = proposals.remover(auto.requested_by, proposal.organization)
            proposals.failed(proposal, actor=remover, reason=reason, made={})
    except Conflict:
        log.info("proposal %s was decided before it began", proposal.pk)
