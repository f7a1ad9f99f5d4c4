"""Headless turns: the same loop with a fixed task and nobody to ask; what it leaves is a proposal.

`advance` looks at the rows and does what is next: it may be called at any time, and twice.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import PurePath

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.actor import Actor
from agent import feed
from agent.calls import rounds, withdrawal
from agent.calls.withdrawal import withdraw_and_end
from agent.conversation import threads
from agent.models import Thread, ToolCall, Turn
from agent.policy.permissions import STOPPED
from agent.toolkit.pages_read import PagesRead
from agent.turns import turns
from agent.turns.headless_words import make_task, why_ended
from documents.autosetup import auto_setup, proposal_cleanup, run_results, siblings
from documents.autosetup.run_results import RunResult
from documents.autosetup.siblings import Choice
from documents.models import AutoSetup, Extraction, PromptRevision, Proposal, Revision, SchemaRevision
from documents.reading import similarity
from documents.reading.similarity import Candidate
from kit import jobs
from kit.errors import AppError, Conflict
from kit.jobs import Job
from kit.rows.row_guard import RowGuard
from llm.money.budgets import MICROS

log = logging.getLogger(__name__)
AT_ONCE = 50
_due_proposals = RowGuard("proposal")
UNDER_WAY = (Turn.Status.QUEUED, Turn.Status.RUNNING, Turn.Status.AWAITING_APPROVAL)
Status = Proposal.Status


def advance(proposal_id: str) -> None:
    """Starts the turn of a proposal that has none, stops one that nobody wants any more, or takes what it left."""
    proposal = Proposal.objects.select_related("organization", "lead").filter(pk=proposal_id).first()
    if proposal is None:
        return
    setup = _lead(proposal)
    turn = _turn(setup) if setup else None
    if turn is not None and turn.status in UNDER_WAY:
        if _is_unwanted(proposal):
            _stop(turn)
    elif turn is not None:
        _conclude(proposal, turn)
    elif proposal.status == Status.DESIGNING:
        _begin_or_fail(proposal, setup)


def sweep() -> int:
    """Whatever waits and lost its wake-up: documents without a group, members that have run, turns to start or end."""
    auto_setup.assign_waiting()
    auto_setup.finish_members()
    return _due_proposals.run_each(_due().order_by("created_at").distinct(), advance, maximum=AT_ONCE)


def _due() -> QuerySet[Proposal]:
    """Those that have no turn under way, or one that is to be stopped."""
    under_way = Turn.objects.filter(origin=Turn.Origin.HEADLESS, status__in=UNDER_WAY).values("pk")
    unwanted = Q(lead=None) | Q(lead__trashed_at__isnull=False) | Q(organization__agent_stopped=True)
    still = Proposal.objects.exclude(members__turn_id__in=under_way)
    turns_there = Turn.objects.filter(origin=Turn.Origin.HEADLESS).values("pk")
    rejected = Proposal.objects.filter(status=Status.REJECTED, created_ids={}, members__turn_id__in=turns_there)
    designing = Q(status=Status.DESIGNING) & (Q(pk__in=still.values("pk")) | unwanted)
    return Proposal.objects.filter(designing | Q(pk__in=rejected.values("pk")))


def advance_after_turn(turn_id: str) -> None:
    """What comes after a round of a headless turn that has ended. Other turns are none of its business."""
    ended = Turn.objects.filter(pk=turn_id, origin=Turn.Origin.HEADLESS).exclude(status__in=UNDER_WAY)
    proposal = Proposal.objects.filter(members__turn_id__in=ended.values("pk")).first()
    if proposal:
        advance(proposal.pk)


def _lead(proposal: Proposal) -> AutoSetup | None:
    rows = AutoSetup.objects.select_related("document__organization", "requested_by", "proposal")
    return rows.filter(proposal=proposal, document_id=proposal.lead_id).first()


def _turn(setup: AutoSetup) -> Turn | None:
    rows = Turn.objects.select_related("thread__owner", "thread__document", "thread__organization")
    return rows.filter(pk=setup.turn_id, origin=Turn.Origin.HEADLESS).first() if setup.turn_id else None


def _is_document_gone(proposal: Proposal) -> bool:
    """Whether the document that it is made for is in the trash or gone."""
    return proposal.lead is None or proposal.lead.trashed_at is not None


def _is_unwanted(proposal: Proposal) -> bool:
    return proposal.status != Status.DESIGNING or proposal.organization.agent_stopped or _is_document_gone(proposal)


def _begin_or_fail(proposal: Proposal, setup: AutoSetup | None) -> None:
    """Without a turn: none has begun yet, or its owner is gone and with them the thread."""
    if proposal.organization.agent_stopped:
        _fail(proposal, STOPPED)
    elif setup is None or _is_document_gone(proposal):
        run_results.reassign_lead(proposal, actor=None, created={})
    elif setup.turn_id:
        _fail(proposal, auto_setup.NOBODY)
    else:
        _start(proposal, setup)


def _start(proposal: Proposal, setup: AutoSetup) -> None:
    """One transaction: of two who come at once, the second finds the turn of the first."""
    try:
        actor = auto_setup.enter_as_requester(setup)
        # Before the lock, which they would keep for long.
        candidates = similarity.find_candidates(setup.document)
        alike = siblings.find_siblings(actor, setup.document)
        with transaction.atomic():
            locked = Proposal.objects.select_for_update().get(pk=proposal.pk)
            setup.refresh_from_db()
            waits = setup.status == AutoSetup.Status.QUEUED and setup.proposal_id == locked.pk and not setup.turn_id
            if locked.status == Status.DESIGNING and waits:
                _begin(proposal, setup, actor, candidates, alike)
    except AppError as error:
        _fail(proposal, error.sentence)


def _begin(
    proposal: Proposal,
    setup: AutoSetup,
    actor: Actor,
    candidates: Sequence[Candidate],
    alike: Sequence[Choice],
) -> None:
    proposal.candidates = [{"prompt_revid": one.prompt_revision.pk, "likeness": one.similarity} for one in candidates]
    proposal.pages_read = []
    proposal.save(update_fields=["candidates", "pages_read"])
    thread = threads.create(actor, document=setup.document, title=f"Setup of {PurePath(setup.document.name).stem}")
    siblings.record_siblings(proposal, alike, thread_id=thread.pk)
    Thread.objects.filter(pk=thread.pk).update(mode=Thread.Mode.ASK)
    turn = turns.start(actor, thread=thread, text=make_task(setup.hint), model=setup.model, origin=Turn.Origin.HEADLESS)
    Turn.objects.filter(pk=turn.pk).update(
        max_rounds=settings.HEADLESS_MAX_ROUNDS,
        limit_ms=settings.HEADLESS_LIMIT_SECONDS * 1000,
        limit_micros=int(settings.HEADLESS_BUDGET_USD * MICROS),
    )
    auto_setup.mark_running(setup, thread_id=thread.pk, turn_id=turn.pk)


@transaction.atomic
def _stop(turn: Turn) -> None:
    """Nothing more is created. A worker that runs it at this moment sees the cancellation, and ends it."""
    locked = rounds.lock_turn(turn.pk)
    if locked.status == Turn.Status.RUNNING:
        Turn.objects.filter(pk=locked.pk, cancel_requested_at=None).update(cancel_requested_at=timezone.now())
    elif locked.status in UNDER_WAY:
        turns.end_as_cancelled(locked)
        jobs.enqueue(Job.ADVANCE_PROPOSAL, locked.pk)


def _conclude(proposal: Proposal, turn: Turn) -> None:
    """Takes what an ended turn left. A call that still runs is waited for: what it makes counts."""
    try:
        with transaction.atomic():
            _end_calls(turn)
            created = _collect_created(turn)
            if proposal.status == Status.REJECTED:
                run_results.discard(proposal, actor=_owner(turn), created=created)
            elif proposal.status == Status.DESIGNING:
                _propose(proposal, turn, created)
    except Conflict as error:
        log.info("proposal %s is not concluded now: %s", proposal.pk, error)


def _end_calls(turn: Turn) -> None:
    """Ends what has not begun, and the turn: a limit ends it, since nobody is there to let it go on."""
    locked = rounds.lock_turn(turn.pk)
    if locked.status == Turn.Status.PAUSED:
        withdraw_and_end(None, locked, locked.reason, ToolCall.Status.CANCELLED)
        turn.status = locked.status
        feed.report_turn(locked)
    waiting = list(turn.calls.filter(status=ToolCall.Status.APPROVED))
    withdrawal.withdraw(waiting, to=ToolCall.Status.CANCELLED, why="Automatic setup has ended.")
    if turn.calls.filter(status=ToolCall.Status.EXECUTING).exists():
        raise Conflict("A call of its turn still runs.")


def _note_pages_read(proposal: Proposal, turn: Turn) -> None:
    """Pages that the run has asked for to their end, beside those that it was shown."""
    read = PagesRead()
    for call in _list_succeeded(turn):
        result = call.result or {}
        if call.tool == "get_ocr_text" and result.get("document_id", proposal.lead_id) == proposal.lead_id:
            read.add(result, (call.effective or {}).get("from_line") or 1)
    siblings.add_pages_read(proposal, read.list_whole_pages())


def _propose(proposal: Proposal, turn: Turn, created: dict[str, list[str]]) -> None:
    _note_pages_read(proposal, turn)
    result = _collect_result(turn, created)
    if result is not None:
        run_results.record_result(proposal, result, actor=_owner(turn))
    elif proposal.organization.agent_stopped:
        run_results.record_failure(proposal, actor=_owner(turn), reason=STOPPED, created=created)
    elif _is_document_gone(proposal):
        run_results.reassign_lead(proposal, actor=_owner(turn), created=created)
    else:
        run_results.record_failure(proposal, actor=_owner(turn), reason=why_ended(turn), created=created)


def _collect_result(turn: Turn, created: dict[str, list[str]]) -> RunResult | None:
    """From the last extraction that succeeded, or None when there is none."""
    run = next((call for call in reversed(_list_succeeded(turn)) if call.tool == "run_extraction"), None)
    extraction_id = (run.result or {}).get("extraction_id") if run else None
    rows = Extraction.objects.select_related("prompt_revision__prompt", "schema_revision__schema")
    extraction = rows.filter(pk=extraction_id, status=Extraction.Status.COMPLETED).first()
    if extraction is None or extraction.prompt_revision is None or extraction.schema_revision is None:
        return None
    prompt, schema = extraction.prompt_revision, extraction.schema_revision
    early = "" if turn.status == Turn.Status.COMPLETED else f"It stopped early. {why_ended(turn)}"
    return RunResult(
        schema,
        prompt,
        extraction,
        note=early,
        created_ids=created,
        reused=prompt.status == Revision.Status.ACCEPTED,
        extends=schema.pk in created["schema_revisions"] and schema.schema_id not in created["schemas"],
    )


def _collect_created(turn: Turn) -> dict[str, list[str]]:
    """Ids of what the turn created, by kind."""
    results = [(call.tool, call.result or {}) for call in _list_succeeded(turn)]

    def ids(tools: tuple[str, ...], name: str) -> list[str]:
        return [str(result[name]) for tool, result in results if tool in tools and result.get(name)]

    revisions = {
        "schema_revisions": ids(("create_schema", "update_schema"), "schema_revid"),
        "prompt_revisions": ids(("create_prompt", "update_prompt"), "prompt_revid"),
    }
    # An update that changed nothing answers the accepted revision it found.
    managers = {
        "schema_revisions": SchemaRevision.objects,
        "prompt_revisions": PromptRevision.objects,
    }
    own = {
        kind: list(
            managers[kind].filter(pk__in=ids_of_kind, status=Revision.Status.PROPOSED).values_list("pk", flat=True)
        )
        for kind, ids_of_kind in revisions.items()
    }
    return {"schemas": ids(("create_schema",), "schema_id"), "prompts": ids(("create_prompt",), "prompt_id"), **own}


def _list_succeeded(turn: Turn) -> list[ToolCall]:
    return list(turn.calls.filter(status=ToolCall.Status.SUCCEEDED).order_by("round", "position", "version"))


def _owner(turn: Turn) -> Actor:
    """As whom what was made is removed: the thread's owner with a builder's rights, who it was made for."""
    return proposal_cleanup.make_cleanup_actor(turn.thread.owner, turn.thread.organization)


def _fail(proposal: Proposal, reason: str) -> None:
    """Before anything was made."""
    try:
        run_results.record_failure(proposal, actor=None, reason=reason, created={})
    except Conflict:
        log.info("proposal %s was decided before it began", proposal.pk)
