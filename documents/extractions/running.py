"""Runs that a person or an upload started: a queued row, claimed by lease and fence, so that it is stored once."""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role, User
from accounts.services import audit
from documents import holding
from documents.catalog import state
from documents.extractions import drafting, storing
from documents.extractions.continuing import require_continued
from documents.extractions.draft import ExtractionDraft
from documents.models import EXTRACTION_LEASE, Document, Extraction, PromptRevision
from kit import jobs, stopping
from kit.errors import AppError, OutOfBudget, Upstream
from kit.jobs import Job
from kit.leases import LeaseLost, count_worked_ms
from kit.rows.fairness import under_way
from kit.rows.row_guard import RowGuard
from kit.rows.state import move
from llm.client import Cancelled
from llm.client.failures import LONGEST_WAIT_SECONDS
from llm.money.spending import BudgetAccount

log = logging.getLogger(__name__)
RENEW_SECONDS = 45.0
MAX_ATTEMPTS = 3
MAX_PER_SWEEP = 200
TOO_LONG = "This ran for {minutes} minutes in all, and broke off each time. Try fewer pages or a faster model."
WAIT_FOR_MONEY = timedelta(minutes=1)
Status = Extraction.Status
_lost_runs = RowGuard("lost extraction")


@transaction.atomic
def start(
    actor: Actor, *, document: Document, prompt_revision: PromptRevision | None = None, model: str = ""
) -> Extraction:
    """A queued run; None runs the default prompt. One that waits or runs already with the same parts is given back."""
    actor.require(Role.REVIEWER)
    extraction, is_new = queue(document, prompt_revision, model, actor.user)
    holding.end_waiting(document, [prompt_revision.prompt_id] if prompt_revision else [])
    if is_new:
        audit.record(actor, "started extraction", document, number=extraction.number, model=extraction.model)
    return extraction


def queue(
    document: Document, prompt_revision: PromptRevision | None, model: str, user: User | None
) -> tuple[Extraction, bool]:
    """The run, and whether it is a new one. Raises Invalid where it cannot run."""
    chosen = drafting.choose_model(document, prompt_revision, model)
    source = drafting.require_reading(document)
    state.lock_document(document.pk)
    waiting = document.extractions.filter(
        status__in=[Status.QUEUED, Status.RUNNING],
        prompt_revision=prompt_revision,
        model=chosen,
        reading=source,
        continues=None,
    )
    if queued := waiting.first():
        return queued, False
    extraction = storing.create_queued(document, prompt_revision, reading=source, model=chosen, requested_by=user)
    return extraction, True


def list_runnable() -> QuerySet[Extraction, Extraction]:
    """Queued runs whose waiting time is over: organizations with the least under way first, then by age."""
    busy = under_way(EXTRACTION_LEASE.list_working(), "document__organization")
    due = Q(lease_until=None) | Q(lease_until__lt=timezone.now())
    queued = Extraction.objects.filter(due, status=Status.QUEUED, document__trashed_at=None)
    return queued.annotate(busy=busy).order_by("busy", "created_at")


def run_next(*, holder: str) -> bool:
    """Claims the next run, asks the model and stores what it said. False when there was nothing to do."""
    extraction = _claim()
    if extraction is None:
        return False
    log.info("%s runs extraction %s", holder, extraction.pk)
    try:
        _run(extraction)
    except LeaseLost:
        log.info("extraction %s was taken over; this pass is dropped", extraction.pk)
    return True


def _run(extraction: Extraction) -> None:
    """Raises LeaseLost when it was taken over, be it while the model thought or when it was to end."""
    try:
        _finish(extraction, _draft(extraction, _Claim(extraction)))
    except Cancelled:
        _release(extraction)
    except OutOfBudget as error:
        _release(extraction, reason=error.sentence, until=timezone.now() + WAIT_FOR_MONEY, for_money=True)
    except Upstream as error:
        _try_again(extraction, error)
    except AppError as error:
        _fail(extraction, error.sentence)


def requeue_lost_extractions() -> int:
    """Puts runs back whose lease ran out, and wakes as many threads as have work. For the scheduler."""
    number = _lost_runs.run_each(EXTRACTION_LEASE.list_lost(), _requeue_lost_extraction, maximum=MAX_PER_SWEEP)
    jobs.wake(Job.RUN_EXTRACTION, list_runnable().values_list("pk", flat=True)[: settings.AGENT_THREADS])
    return number


def _requeue_lost_extraction(extraction_id: str) -> None:
    extraction = EXTRACTION_LEASE.take_over(extraction_id)
    if extraction is None:
        return
    try:
        _try_again(extraction, Upstream("The worker stopped while it ran this extraction.", retryable=True))
    except LeaseLost:
        log.info("extraction %s was taken over meanwhile", extraction_id)


def _claim() -> Extraction | None:
    related = ("document__organization", "prompt_revision__schema_revision", "requested_by")
    for extraction in list_runnable().select_related(*related)[:5]:
        if EXTRACTION_LEASE.claim(extraction, reason="", waits_for_budget=False, claimed_at=timezone.now()):
            return extraction
    return None


class _Claim:
    """Keeps the lease while the model thinks; says when the work is no longer ours or the process is to stop."""

    def __init__(self, extraction: Extraction) -> None:
        self.extraction = extraction
        self.renewed = time.monotonic()

    def is_lost(self) -> bool:
        if stopping.is_set():
            return True
        if time.monotonic() - self.renewed < RENEW_SECONDS:
            return False
        self.renewed = time.monotonic()
        return not EXTRACTION_LEASE.renew(self.extraction)


def _draft(extraction: Extraction, claim: _Claim) -> ExtractionDraft:
    organization = extraction.document.organization
    account = BudgetAccount(organization, "extraction", extraction.pk, extraction.requested_by)
    if extraction.asked_pages:
        return drafting.make_continuing_draft(
            require_continued(extraction),
            pages=extraction.asked_pages,
            model=extraction.model,
            account=account,
            cancelled=claim.is_lost,
        )
    return drafting.make_draft(
        extraction.document,
        extraction.prompt_revision,
        model=extraction.model,
        account=account,
        cancelled=claim.is_lost,
    )


@transaction.atomic
def _finish(extraction: Extraction, draft: ExtractionDraft) -> None:
    """Everything the run brought, at once and only while the lease is ours: it is stored once."""
    _lock_document(extraction)
    if draft.continues_id:
        require_continued(extraction)
    storing.complete(extraction, draft, partial(EXTRACTION_LEASE.finish, extraction, Status.COMPLETED))


def _lock_document(extraction: Extraction) -> None:
    """Before the run, as everywhere. It may have been deleted for good while the model thought, and the run with it."""
    Document.objects.select_for_update().filter(pk=extraction.document_id).first()


@transaction.atomic
def _fail(extraction: Extraction, reason: str) -> None:
    _lock_document(extraction)
    EXTRACTION_LEASE.finish(extraction, Status.FAILED, reason=reason, finished_at=timezone.now())
    storing.publish_change(extraction)


@transaction.atomic
def cancel_run(extraction: Extraction, *, reason: str) -> None:
    """Withdraws a run that waits or is under way: it has not failed, so nobody is asked to look.

    What a worker still brings is dropped. Conflict when it has ended.
    """
    Document.objects.select_for_update().get(pk=extraction.document_id)  # before the run, as everywhere
    move(
        extraction,
        Status.WITHDRAWN,
        transitions=Extraction.TRANSITIONS,
        only_from=[Status.QUEUED, Status.RUNNING],
        reason=reason,
        finished_at=timezone.now(),
        lease_until=None,
    )
    storing.publish_change(extraction)


def _release(
    extraction: Extraction,
    *,
    reason: str = "",
    until: datetime | None = None,
    attempt: int | None = None,
    for_money: bool = False,
) -> None:
    """A worker that stops gives the attempt back, but the time counts: what never ends would be begun for ever."""
    worked_ms = count_worked_ms(extraction)
    if worked_ms >= settings.WORK_LIMIT_SECONDS * 1000:
        return _fail(extraction, TOO_LONG.format(minutes=worked_ms // 60_000))
    changes = {"reason": reason, "lease_until": until, "waits_for_budget": for_money, "worked_ms": worked_ms}
    return EXTRACTION_LEASE.release(extraction, **changes, attempt=extraction.attempt if attempt is None else attempt)


def _try_again(extraction: Extraction, error: Upstream) -> None:
    attempt = extraction.attempt + 1
    if not error.retryable or attempt >= MAX_ATTEMPTS:
        tried = f" It was tried {attempt} times." if attempt > 1 else ""
        return _fail(extraction, error.sentence + tried)
    wait = timedelta(seconds=min(error.retry_after or 10 * attempt, LONGEST_WAIT_SECONDS))
    _release(extraction, reason=error.sentence, until=timezone.now() + wait, attempt=attempt)
    return jobs.send(Job.RUN_EXTRACTION, extraction.pk, countdown=wait.total_seconds() + 1)
