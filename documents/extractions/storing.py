"""From a draft to an extraction, and which of a document's extractions counts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

from django.db import transaction
from django.db.models import Case, Max, OuterRef, Q, QuerySet, Subquery, When
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role, User
from accounts.services import audit
from documents import values
from documents.catalog import state
from documents.catalog.row_versions import get_extraction_version, require_version
from documents.checks.duplicate_keys import save_keys
from documents.checks.results import refresh_results
from documents.extractions.draft import ExtractionDraft
from documents.extractions.reapplied_edits import make_edit, reapply_edits
from documents.index.values.indexing import index_values
from documents.models import Document, Extraction, PromptRevision, Reading
from documents.review.status import refresh_review
from kit import events, jobs
from kit.errors import Conflict
from kit.jobs import Job
from kit.json_types import JsonObject
from kit.rows.fixed_select import FixedSelect
from kit.rows.state import move

Status = Extraction.Status
WORKED_ON = "Somebody has corrected or verified values of this run since. Withdrawing it would hide that."


@transaction.atomic
def store(actor: Actor, *, draft: ExtractionDraft, call_id: str | None = None) -> Extraction:
    """Makes the extraction, in the caller's transaction. The same `call_id` twice gives the same extraction."""
    actor.require(Role.REVIEWER)
    document = Document.objects.for_org(actor.organization).select_for_update().get(pk=draft.document_id)
    if call_id and (stored := Extraction.objects.filter(call_id=call_id, document=document).first()):
        return stored
    extraction = Extraction(
        document=document,
        number=get_next_number(document),
        prompt_revision_id=draft.prompt_revision_id,
        requested_by=actor.user,
        call_id=call_id,
        status=Status.COMPLETED,
    )
    complete(extraction, draft, partial(_insert, extraction))
    audit.record(actor, "extracted", extraction, document=document.pk, number=extraction.number)
    return extraction


def complete(extraction: Extraction, draft: ExtractionDraft, write: Callable[..., object]) -> None:
    """Every extraction is completed here, whoever asked for it: its row, edits of people, values, checks, the news.

    `write` takes the columns: of a run that a worker holds they are written under its lease, else as a new row. In a
    transaction in which the document is locked.
    """
    write(finished_at=timezone.now(), **get_columns(draft))
    reapply_edits(extraction)
    save_results(extraction)
    publish_change(extraction)


def _insert(extraction: Extraction, **columns: object) -> None:
    for name, value in columns.items():
        setattr(extraction, name, value)
    extraction.save(force_insert=True)


def create_queued(
    document: Document,
    prompt_revision: PromptRevision | None,
    *,
    reading: Reading | None,
    model: str,
    requested_by: User | None,
    **columns: Extraction | Sequence[int],
) -> Extraction:
    """A run that waits for a worker, and the job that wakes one."""
    extraction = Extraction.objects.create(
        document=document,
        number=get_next_number(document),
        reading=reading,
        prompt_revision=prompt_revision,
        schema_revision=prompt_revision.schema_revision if prompt_revision else None,
        model=model,
        requested_by=requested_by,
        **columns,
    )
    publish_change(extraction)
    jobs.enqueue(Job.RUN_EXTRACTION, extraction.pk)
    return extraction


def get_columns(draft: ExtractionDraft) -> JsonObject:
    """The draft's part of the row."""
    return {
        "reading_id": draft.reading_id,
        "schema_revision_id": draft.schema_revision_id,
        "continues_id": draft.continues_id,
        "asked_pages": draft.asked_pages,
        "model": draft.model,
        "raw": draft.raw,
        "result": draft.result,
        "current": draft.result,
        "provenance": draft.provenance,
        "printed_sums": draft.printed_sums,
        "conflicts": draft.notes,
        "coverage": draft.coverage,
        "page_count": draft.page_count,
        "cost_micros": draft.cost_micros,
        "prompt_tokens": draft.prompt_tokens,
        "completion_tokens": draft.completion_tokens,
        "reason": "",
        "values_indexed_at": timezone.now(),
    }


def get_next_number(document: Document) -> int:
    return (document.extractions.aggregate(last=Max("number"))["last"] or 0) + 1


def get_newest(document: Document, prompt_revision: PromptRevision | None = None) -> Extraction | None:
    """The newest completed run that was not withdrawn, of this prompt revision or of any. Summaries do not count."""
    completed = Extraction.objects.filter(document=document, status=Status.COMPLETED).exclude(prompt_revision=None)
    if prompt_revision is not None:
        completed = completed.filter(prompt_revision=prompt_revision)
    return completed.order_by("-number").first()


def list_newest_runs(document_ids: Iterable[str]) -> QuerySet[Extraction]:
    """Of each document one, found by its key: what all the others brought can be very long."""
    completed = Q(status=Extraction.Status.COMPLETED, prompt_revision__isnull=False)
    newest = Extraction.objects.filter(completed, document=OuterRef("pk")).order_by("-number").values("pk")[:1]
    keys = Document.objects.filter(pk__in=document_ids).values_list(Subquery(newest))
    return Extraction.objects.filter(pk__in=keys).defer("raw", "result", "conflicts", "coverage", "printed_sums")


def get_newest_summary(document: Document) -> Extraction | None:
    """The newest completed run of the default prompt, which has no revision."""
    completed = Extraction.objects.filter(document=document, status=Status.COMPLETED, prompt_revision=None)
    return completed.order_by("-number").first()


def get_newest_or_summary(document: Document) -> Extraction | None:
    """The newest completed run of any prompt; where there is none, of the default prompt."""
    return _select_newest_or_summary.first(document.pk)


@FixedSelect
def _select_newest_or_summary(document: str) -> QuerySet[Extraction]:
    completed = Extraction.objects.filter(document=document, status=Status.COMPLETED)
    is_summary = Case(When(prompt_revision=None, then=1), default=0)
    return completed.order_by(is_summary, "-number")[:1]


def get_newest_of(document: Document, prompt_revision: PromptRevision | None) -> Extraction | None:
    """The newest completed run of exactly this prompt revision; None stands for the default prompt."""
    return get_newest(document, prompt_revision) if prompt_revision else get_newest_summary(document)


def get_newest_like(extraction: Extraction) -> Extraction:
    """The newest completed run of the same prompt revision on the same document."""
    runs = Extraction.objects.filter(document=extraction.document_id, prompt_revision=extraction.prompt_revision_id)
    return runs.filter(status=Status.COMPLETED, number__gt=extraction.number).order_by("-number").first() or extraction


@transaction.atomic
def withdraw(actor: Actor, *, extraction: Extraction) -> Extraction:
    """The earlier run is the current one again; what was paid stays paid. Conflict when it is not completed."""
    actor.require(Role.REVIEWER)
    Document.objects.select_for_update().get(pk=extraction.document_id)  # before the run, as everywhere
    move(extraction, Status.WITHDRAWN, transitions=Extraction.TRANSITIONS, only_from=[Status.COMPLETED])
    _restore_keys(extraction)
    audit.record(actor, "withdrew", extraction, number=extraction.number)
    publish_change(extraction)
    return extraction


def _restore_keys(withdrawn: Extraction) -> None:
    """What the earlier run says counts again, where no later one does."""
    earlier = Extraction.objects.filter_completed_like(withdrawn).order_by("-number").first()
    save_keys(withdrawn, ())
    if earlier:
        save_results(earlier)
    else:
        index_values(withdrawn)


def require_untouched(run: Extraction) -> None:
    """Raises Conflict where withdrawing the run would change nothing, or hide what a person did on it since."""
    if run.status != Status.COMPLETED:
        raise Conflict("This run has been withdrawn already.", code="withdrawn")
    if Extraction.objects.filter_completed_like(run).filter(number__gt=run.number).exists():
        raise Conflict("A newer run has taken its place, so there is nothing to take back.", code="newer_run")
    as_it_came = values.compute_current(run.result, map(make_edit, run.edits.exclude(carried_from=None)))
    if run.current != as_it_came or run.verifications.filter(cleared_at=None).exists():
        raise Conflict(WORKED_ON, code="worked_on")


@transaction.atomic
def withdraw_all(
    actor: Actor,
    *,
    document: Document,
    prompt_revision: PromptRevision | None,
    expected_versions: Collection[str] | None = None,
) -> int:
    """Every completed run of the prompt revision; the number of runs. PreconditionFailed when the newest of them has
    none of the `expected_versions`."""
    actor.require(Role.REVIEWER)
    Document.objects.select_for_update().filter(pk=document.pk).first()  # before the runs, as everywhere
    completed = document.extractions.filter(status=Status.COMPLETED, prompt_revision=prompt_revision)
    last = completed.order_by("-number").select_for_update().first()
    if last and expected_versions is not None:
        require_version(get_extraction_version(last), expected_versions)
    return len([withdraw(actor, extraction=extraction) for extraction in completed])


def publish_change(extraction: Extraction) -> None:
    """The document's state, and a hint to its pages."""
    refresh_review(extraction.document_id)
    state.refresh(extraction.document_id)
    events.publish(
        events.document_group(extraction.document_id),
        "extraction.changed",
        document_id=extraction.document_id,
        extraction_id=extraction.pk,
        version=extraction.version,
    )


def save_results(extraction: Extraction) -> None:
    """What follows from its current values: what the value checks of its schema say, and what filters look at."""
    index_values(extraction)
    if columns := refresh_results(extraction):
        extraction.save(update_fields=columns)
    else:  # an earlier run may have been of a schema with checks
        save_keys(extraction, ())
