"""Automatic setup on upload: who asked, which group a document belongs to, and what came of it.

After reading, look-alikes of one type share one proposal: the first is studied by a headless turn, the others wait and
are then extracted with what it proposes. Everything is found by row state, so no message has to arrive.
"""

from __future__ import annotations

import logging
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Organization, Role
from accounts.services import audit
from documents import extractions
from documents.autosetup import trials
from documents.catalog.media_types import MEDIA_TYPES
from documents.models import AutoSetup, Document, Extraction, Page, Proposal, Reading, Sketch
from documents.reading import similarity
from documents.reading.reading import get_newest
from documents.types.telling import tell_now
from kit import events, jobs
from kit.errors import AppError, Conflict, NotFound
from kit.jobs import Job
from kit.rows.row_guard import RowGuard
from kit.rows.state import move

log = logging.getLogger(__name__)
AT_ONCE = 50
_unassigned, _late_members = RowGuard("document without a group"), RowGuard("late member")
_ended_members = RowGuard("member whose extraction has ended")
Status = AutoSetup.Status
UNPACKING = (Document.Unpacking.WAITING, Document.Unpacking.WORKING)
CARRIERS = {MEDIA_TYPES[extension] for extension in ("eml", "msg", "zip")}
ONLY_CARRIES = "It brings other documents, and each of these is set up by itself."
NOTHING_TO_READ = "There is no text on its pages."
OPEN_PROPOSALS = (Proposal.Status.DESIGNING, Proposal.Status.PROPOSED)
REQUEUABLE = (Status.RUNNING, Status.PROPOSED, Status.SKIPPED, Status.FAILED)
RELATED = ("document", "requested_by", "proposal__prompt_revision__schema_revision")
NOBODY = "Whoever uploaded it is no longer a member."


def request_auto_setup(actor: Actor, *, document: Document, model: str = "", hint: str = "") -> AutoSetup:
    """Asks for it, inside the caller's transaction."""
    actor.require(Role.REVIEWER)
    setup = AutoSetup.objects.create(document=document, requested_by=actor.user, model=model, hint=hint)
    audit.record(actor, "asked for automatic setup", document)
    return setup


def is_auto_setup_wanted(organization: Organization, choice: bool | None) -> bool:
    """What the upload says, else the organization's default."""
    return organization.auto_setup_default if choice is None else choice


def assign_waiting() -> int:
    """Gives documents that have been read, or could not be, their group. Answers how many were looked at."""
    read = Q(document__readings__status=Reading.Status.COMPLETED) | Q(document__state=Document.State.OCR_FAILED)
    waiting = AutoSetup.objects.filter(read, status=Status.QUEUED, proposal=None, document__trashed_at=None)
    waiting = waiting.exclude(document__unpacking__in=UNPACKING)
    return (
        _unassigned.run_each(waiting.order_by("created_at").distinct(), assign, maximum=AT_ONCE)
        + _extract_late_members()
    )


def _extract_late_members() -> int:
    """Members that wait although their proposal is made: who came at the last moment, or out of the trash."""
    proposed = [Proposal.Status.PROPOSED, Proposal.Status.ACCEPTED]
    late = AutoSetup.objects.filter(
        status=Status.QUEUED, turn_id="", document__trashed_at=None, proposal__status__in=proposed
    )
    return _late_members.run_each(late.order_by("created_at"), _extract_late, maximum=AT_ONCE)


@transaction.atomic
def _extract_late(setup_id: str) -> None:
    proposal = Proposal.objects.select_for_update(of=("self",), no_key=True).filter(members=setup_id).first()
    setup = AutoSetup.objects.select_for_update(of=("self",)).select_related(*RELATED).get(pk=setup_id)
    if proposal is not None and setup.proposal_id == proposal.pk and setup.status == Status.QUEUED:
        extract(setup)


def assign(setup_id: str) -> None:
    """Gives the document its group, or skips it when there is nothing to read."""
    document = Document.objects.select_related("organization").get(auto_setup=setup_id)
    if not AutoSetup.objects.filter(pk=setup_id, status=Status.QUEUED, proposal=None).exists():
        return
    reading = get_newest(document)
    if reading is not None:
        tell_now(reading.pk)
        document.refresh_from_db(fields=["document_type"])
    has_text = reading is not None and Page.objects.filter(reading=reading).exclude(text="").exists()
    # Before the lock, for which all documents of the organization wait.
    is_carrier = _only_carries(document)
    sketch = similarity.save_sketch(document, reading) if reading and has_text and not is_carrier else None
    unreadable = NOTHING_TO_READ if reading else f"It could not be read. {document.state_reason}".strip()
    _assign(setup_id, document, sketch, ONLY_CARRIES if is_carrier else unreadable)


def _only_carries(document: Document) -> bool:
    """A mail or an archive with documents in it, unless it surely is of a type itself, as an order by mail is."""
    is_own = document.document_type is not None and document.document_type.key != "letter"
    return document.media_type in CARRIERS and not is_own and document.list_parts().exists()


def is_asked_for(document: Document) -> bool:
    """Whether it was asked for when the document came; what is taken out of it follows."""
    return AutoSetup.objects.filter(document=document).exists()


@transaction.atomic
def _assign(setup_id: str, document: Document, sketch: Sketch | None, unreadable: str) -> None:
    """Of two who come at once one assigns. Groups of an organization are found one document after the other."""
    Organization.objects.select_for_update(no_key=True).get(pk=document.organization_id)
    setup = AutoSetup.objects.select_related("requested_by").get(pk=setup_id)
    if setup.status != Status.QUEUED or setup.proposal_id is not None:
        return None
    if sketch is None:
        return finish(setup, Status.SKIPPED, unreadable)
    # What a person has said of this document is for a run of its own.
    group = None if setup.hint else _lock_open_group(find_group(document, sketch))
    setup.proposal = group or Proposal.objects.create(
        organization=document.organization, lead=document, model=setup.model
    )
    setup.save(update_fields=["proposal"])
    if group is None:
        jobs.enqueue(Job.ADVANCE_PROPOSAL, setup.proposal.pk)
    elif group.status == Proposal.Status.PROPOSED:
        extract(setup)
    else:
        setup.reason = f"Waits for the proposal that is made for {group.lead.name if group.lead else 'its group'}."
        setup.save(update_fields=["reason"])
    publish_change(setup)
    return None


def find_group(document: Document, sketch: Sketch) -> str | None:
    """The open proposal that was or is made for the document of its type most like this one, if any looks like it."""
    open_ones = Proposal.objects.filter(
        similarity.may_share_type(document, "lead__document_type"),
        organization=document.organization_id,
        status__in=OPEN_PROPOSALS,
        lead__sketch__isnull=False,
    ).order_by("-created_at")
    sketches = open_ones.values_list("pk", "lead__sketch__words", "lead__sketch__layout")[: similarity.MAX_COMPARISONS]
    alike = [
        (similarity.measure_similarity(sketch, Sketch(words=words, layout=layout)), proposal_id)
        for proposal_id, words, layout in sketches
    ]
    best = max(alike, default=None)
    return best[1] if best and best[0] >= similarity.ALIKE else None


def _lock_open_group(group_id: str | None) -> Proposal | None:
    """The group under its lock, so that its run cannot end without this document; None when it has been decided."""
    if group_id is None:
        return None
    locked = Proposal.objects.select_for_update(of=("self",), no_key=True).select_related("lead")
    return (
        locked.select_related("prompt_revision__schema_revision").filter(pk=group_id, status__in=OPEN_PROPOSALS).first()
    )


def extract(setup: AutoSetup) -> None:
    """Runs the group's proposed prompt on a document that waited for it, as whoever asked."""
    proposal = setup.proposal
    if setup.document.trashed_at is not None:
        return None  # It goes on when it is restored.
    if proposal is None or proposal.prompt_revision is None:
        return finish(setup, Status.FAILED, "Its proposal is gone.")
    try:
        actor = enter_as_requester(setup)
        run = trials.take_trial(actor, document=setup.document, prompt_revision=proposal.prompt_revision)
        run = run or extractions.start(actor, document=setup.document, prompt_revision=proposal.prompt_revision)
    except AppError as error:
        return finish(setup, Status.FAILED, error.sentence)
    move(setup, Status.RUNNING, transitions=AutoSetup.TRANSITIONS, extraction=run, reason="")
    publish_change(setup)
    return None


def enter_as_requester(setup: AutoSetup) -> Actor:
    """Whoever asked, with today's role. Raises Conflict when they are no longer a member."""
    try:
        if setup.requested_by is not None:
            return enter(setup.requested_by, setup.document.organization_id)
    except NotFound:
        pass
    raise Conflict(NOBODY)


def mark_running(setup: AutoSetup, *, thread_id: str, turn_id: str) -> None:
    """A headless turn works on it from now on."""
    move(
        setup,
        Status.RUNNING,
        transitions=AutoSetup.TRANSITIONS,
        thread_id=thread_id,
        turn_id=turn_id,
        reason="",
        rounds=0,
    )
    publish_change(setup)


def note_round(turn_id: str, *, rounds: int) -> None:
    """How far the run has come, for lists."""
    running = AutoSetup.objects.select_related("document").filter(turn_id=turn_id, status=Status.RUNNING).first()
    if running is not None and running.rounds != rounds:
        AutoSetup.objects.filter(pk=running.pk).update(rounds=rounds)
        publish_change(running)


def finish_members() -> int:
    """Documents of a group whose extraction has ended: proposed like the others, or failed with its reason."""
    ended = (Extraction.Status.COMPLETED, Extraction.Status.FAILED, Extraction.Status.WITHDRAWN)
    due = AutoSetup.objects.filter(status=Status.RUNNING, turn_id="", extraction__status__in=ended)
    return _ended_members.run_each(due.order_by("extraction__finished_at"), _finish_member, maximum=AT_ONCE)


@transaction.atomic
def _finish_member(setup_id: str) -> None:
    setup = AutoSetup.objects.select_related("extraction", "proposal", "document").get(pk=setup_id)
    run = setup.extraction
    # The lock: a decision on the proposal is either seen here, or sees this document.
    proposal = Proposal.objects.select_for_update(of=("self",)).filter(pk=setup.proposal_id).first()
    try:
        if run is None or proposal is None or run.status != Extraction.Status.COMPLETED:
            finish(setup, Status.FAILED, (run.reason if run else "") or "Its extraction did not run.")
        elif proposal.status == Proposal.Status.ACCEPTED:
            finish(setup, Status.ACCEPTED, "", decided_by=proposal.decided_by, decided_at=proposal.decided_at)
        else:
            finish(setup, Status.PROPOSED, "")
    except Conflict:
        log.info("automatic setup of %s had ended already", setup.document_id)


def lock_open_members(proposal: Proposal) -> list[AutoSetup]:
    """The open ones of the group, in the order they asked, under their row locks."""
    rows = AutoSetup.objects.select_for_update(of=("self",)).select_related("document", "requested_by", "proposal")
    return list(rows.filter(proposal=proposal, status__in=AutoSetup.OPEN).order_by("created_at", "pk"))


def ungroup(setup: AutoSetup) -> None:
    """Out of its group and back to the start, to be given a group once more."""
    start: dict[str, Any] = {"proposal": None, "extraction": None, "thread_id": "", "turn_id": "", "reason": ""}
    move(setup, Status.QUEUED, transitions=AutoSetup.TRANSITIONS, **start)
    publish_change(setup)


def finish(setup: AutoSetup, to: str, reason: str, **changes: Any) -> None:
    """The guarded move, with who and when where somebody decided, and the hint to open pages."""
    move(setup, to, transitions=AutoSetup.TRANSITIONS, reason=reason, done_at=timezone.now(), **changes)
    publish_change(setup)


def publish_change(setup: AutoSetup) -> None:
    document = setup.document
    for group in (events.document_group(document.pk), events.organization_group(document.organization_id)):
        events.publish(group, "auto_setup.changed", document_id=document.pk, status=setup.status)


def requeue(
    setup: AutoSetup, actor: Actor, *, model: str, hint: str | None = None, only_from: tuple[str, ...] = ()
) -> None:
    """Back to the start, as if the actor had asked first. Without a model or a hint with the earlier one."""
    move(
        setup,
        Status.QUEUED,
        transitions=AutoSetup.TRANSITIONS,
        only_from=only_from or REQUEUABLE,
        proposal=None,
        extraction=None,
        thread_id="",
        turn_id="",
        reason="",
        model=model or setup.model,
        hint=setup.hint if hint is None else hint,
        requested_by=actor.user,
        done_at=None,
    )
    jobs.enqueue(Job.FOLLOW_READINGS, setup.document_id)
    publish_change(setup)
