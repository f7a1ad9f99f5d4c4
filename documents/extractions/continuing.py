"""Going on with a run: only the pages that it did not see are asked for, and what they give is put among the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db import transaction

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from documents.catalog import state
from documents.extractions import drafting, storing
from documents.extractions.draft import ExtractionDraft
from documents.models import Extraction
from documents.reading import reading
from kit.errors import Conflict, Invalid
from llm.money.spending import BudgetAccount

Status = Extraction.Status
NO_RESULT = "This run has no values to go on with."
PROSE = "A run that gives free text cannot go on. Run its prompt again."
NEWER = "A newer run has taken its place. Go on with that one."
READ_ANEW = "The document was read anew since this run. Run its prompt again: places and pages may have changed."
NOTHING_MISSING = "The model has seen every page of this document. Name the pages that are to be asked for again."
TAKEN_BACK = "The run that this one went on with was taken back."
UNDER_WAY = "This run is being gone on with already."


@transaction.atomic
def go_on(actor: Actor, *, extraction: Extraction, pages: Sequence[int] = ()) -> Extraction:
    """A queued run that asks for the pages that this one did not see, or for these `pages`, and keeps all it has.

    Where that was asked before it is the run of that time, whether it waits, runs or has ended with a result.
    Raises Conflict where a newer run or reading has taken its place, Invalid where no page is missing.
    """
    actor.require(Role.REVIEWER)
    document = state.lock_document(extraction.document_id)
    if known := find_continuation(extraction):
        return known
    chosen = choose_pages(extraction, pages)
    queued = storing.create_queued(
        document,
        extraction.prompt_revision,
        reading=extraction.reading,
        model=drafting.choose_model(document, extraction.prompt_revision, extraction.model),
        requested_by=actor.user,
        continues=extraction,
        asked_pages=chosen,
    )
    audit.record(actor, "went on with extraction", document, number=queued.number, pages=chosen)
    return queued


def prepare_continuation(
    actor: Actor,
    *,
    extraction: Extraction,
    account: BudgetAccount,
    pages: Sequence[int] = (),
    cancelled: Callable[[], bool] | None = None,
) -> ExtractionDraft:
    """The same at once: calls the model and stores nothing. Never inside a transaction."""
    actor.require(Role.REVIEWER)
    chosen = choose_pages(extraction, pages)
    if find_continuation(extraction):
        raise Conflict(UNDER_WAY, code="under_way")
    model = drafting.choose_model(extraction.document, extraction.prompt_revision, extraction.model)
    return drafting.make_continuing_draft(extraction, pages=chosen, model=model, account=account, cancelled=cancelled)


def find_continuation(extraction: Extraction) -> Extraction | None:
    """The run that goes on with this one; none that failed or was taken back."""
    return extraction.continuations.exclude(status__in=[Status.FAILED, Status.WITHDRAWN]).order_by("number").first()


def choose_pages(extraction: Extraction, pages: Sequence[int] = ()) -> list[int]:
    """Those that are to be asked for. Raises Conflict or Invalid where the run cannot go on."""
    if extraction.status != Status.COMPLETED:
        raise Conflict(NO_RESULT, code="no_result")
    if extraction.is_prose:
        raise Invalid(PROSE, code="prose")
    completed = Extraction.objects.filter_completed_like(extraction)
    if completed.filter(number__gt=extraction.number).exists():
        raise Conflict(NEWER, code="newer_run")
    newest = reading.get_newest(extraction.document)
    if newest is None or newest.pk != extraction.reading_id:
        raise Conflict(READ_ANEW, code="read_anew")
    if outside := [page for page in pages if not 1 <= page <= extraction.page_count]:
        raise Invalid(f"The document has {extraction.page_count} pages and no page {outside[0]}.", code="no_page")
    chosen = sorted(set(pages)) or extraction.pages_missing
    if not chosen:
        raise Invalid(NOTHING_MISSING, code="nothing_missing")
    return chosen


def require_continued(extraction: Extraction) -> Extraction:
    """The run that a continuation goes on with. Raises Conflict when it does not count any more."""
    rows = Extraction.objects.select_related("document", "prompt_revision__schema_revision", "reading")
    earlier = rows.filter(pk=extraction.continues_id, status=Status.COMPLETED).first()
    if earlier is None:
        raise Conflict(TAKEN_BACK, code="withdrawn")
    return earlier
