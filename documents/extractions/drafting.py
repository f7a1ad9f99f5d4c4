"""Asks the model, window by window, and locates what it said. Nothing here writes to the database but the money."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from django.conf import settings

from accounts.actor import Actor
from accounts.models import Role
from documents.definitions import prompts
from documents.extractions.draft import ExtractionDraft
from documents.extractions.model_requests.extraction_request import ExtractionRequest
from documents.extractions.reapplied_edits import parse_provenance
from documents.extractions.windowing import WindowedRun, WindowResult, add_pages
from documents.locate.absence import prove_absence
from documents.locate.printed_sums import PrintedSums, collect_printed_sums
from documents.models import Document, Extraction, PromptRevision, Reading, Revision, SchemaRevision
from documents.reading import gaps, reading
from documents.reading.page_text import make_data_block
from documents.values import Schema, ValuePlace, Where
from documents.values.provenance import WITHOUT_VALUE
from kit.errors import Invalid
from llm import models_catalogue
from llm.money import spending
from reader.words import unpack


def prepare(
    actor: Actor,
    *,
    document: Document,
    prompt_revision: PromptRevision | None,
    model: str = "",
    cancelled: Callable[[], bool] | None = None,
    account: spending.BudgetAccount | None = None,
    pages: Sequence[int] = (),
) -> ExtractionDraft:
    """Calls the model; stores nothing. Without a prompt revision the default prompt, a summary, is asked; without
    `pages` for all of them.

    Raises Invalid (not read, model unusable), ModelFailed, OutOfBudget, Cancelled. Never inside a transaction.
    """
    actor.require(Role.REVIEWER)
    account = account or spending.BudgetAccount(actor.organization, "extraction", document.pk, actor.user)
    chosen = choose_model(document, prompt_revision, model)
    return make_draft(document, prompt_revision, model=chosen, account=account, cancelled=cancelled, pages=pages)


def choose_model(document: Document, prompt_revision: PromptRevision | None, model: str = "") -> str:
    """The model that runs: the one asked for, else the prompt's, else the organization's. Raises Invalid."""
    name = model or (prompt_revision.model if prompt_revision else "")
    chosen = models_catalogue.resolve(name, default=settings.EXTRACTION_MODEL)
    models_catalogue.check_usable(chosen)
    return chosen


def require_reading(document: Document) -> Reading:
    """The newest completed reading. Raises Invalid when there is none, or nothing in it."""
    newest = reading.get_newest(document)
    if newest is None:
        raise Invalid(f"{document.name} has not been read yet, so nothing can be taken out of it.", code="not_read")
    return newest


def make_draft(
    document: Document,
    prompt_revision: PromptRevision | None,
    *,
    model: str,
    account: spending.BudgetAccount,
    cancelled: Callable[[], bool] | None = None,
    source: Reading | None = None,
    pages: Sequence[int] = (),
) -> ExtractionDraft:
    """`pages` are those to ask for; without them all."""
    source = source or require_reading(document)
    if prompt_revision:
        account = replace(account, prompt_revid=prompt_revision.pk)
    schema_revision = prompt_revision.schema_revision if prompt_revision else None
    request = ExtractionRequest(
        model=model,
        instructions=prompt_revision.content if prompt_revision else prompts.DEFAULT_CONTENT,
        response_format=schema_revision.response_format if schema_revision else None,
        is_proposed=_is_proposed(prompt_revision),
        account=account,
        cancelled=cancelled,
    )
    run = WindowedRun(document, source, request, _format_metadata(document, prompt_revision), pages)
    part = run.extract()
    coverage = sorted(run.seen - run.cut)
    return ExtractionDraft(
        document_id=document.pk,
        reading_id=source.pk,
        prompt_revision_id=prompt_revision.pk if prompt_revision else None,
        schema_revision_id=schema_revision.pk if schema_revision else None,
        model=model,
        raw="\n".join(run.raw),
        result=part.result,
        provenance=_prove(source, part, _get_schema(schema_revision), coverage),
        coverage=coverage,
        page_count=source.page_count or len(run.sizes),
        printed_sums=_read_printed_sums(source, part),
        notes=run.notes,
        cost_micros=request.spent.cost_micros,
        prompt_tokens=request.spent.prompt_tokens,
        completion_tokens=request.spent.completion_tokens,
    )


def make_continuing_draft(
    extraction: Extraction,
    *,
    pages: Sequence[int],
    model: str,
    account: spending.BudgetAccount,
    cancelled: Callable[[], bool] | None = None,
) -> ExtractionDraft:
    """What the extraction has, and what the model gives of these pages; no other page is asked for again."""
    draft = make_draft(
        extraction.document,
        extraction.prompt_revision,
        model=model,
        account=account,
        cancelled=cancelled,
        source=extraction.reading,
        pages=pages,
    )
    earlier = WindowResult(extraction.result, parse_provenance(extraction.provenance))
    whole = add_pages(earlier, WindowResult(draft.result, parse_provenance(draft.provenance)), pages)
    coverage = sorted({*extraction.coverage, *draft.coverage})
    return replace(
        draft,
        result=whole.result,
        provenance=_prove(extraction.reading, whole, _get_schema(extraction.schema_revision), coverage),
        printed_sums=_read_printed_sums(extraction.reading, whole),
        coverage=coverage,
        # A note without a place is about pages, which were asked for again.
        notes=[*(note for note in extraction.conflicts if note["where"]), *draft.notes],
        continues_id=extraction.pk,
        asked_pages=list(pages),
    )


def _read_printed_sums(source: Reading | None, part: WindowResult) -> PrintedSums:
    pages = source.pages.only("reading", "number", "words").order_by("number").iterator() if source else ()
    words = ((page.number, unpack(bytes(page.words))) for page in pages)
    return collect_printed_sums(part.result, part.provenance, words)


def _get_schema(revision: SchemaRevision | None) -> Schema:
    return revision.json_schema if revision else {}


def _prove(
    source: Reading | None, part: WindowResult, schema: Schema, coverage: Sequence[int]
) -> dict[Where, ValuePlace]:
    """Where each value stands, and of each field without one why."""
    places = {where: place for where, place in part.provenance.items() if place.state not in WITHOUT_VALUE}
    if source and schema:
        pages = source.pages.only("reading", "number", "words").order_by("number").iterator()
        words = ((page.number, unpack(bytes(page.words))) for page in pages)
        places |= prove_absence(part.result, schema, places, words, gaps.list_unread(source, coverage))
    return {where: place.as_json() for where, place in places.items()}


def _is_proposed(prompt_revision: PromptRevision | None) -> bool:
    """Whether some of what the run is asked with has been accepted by nobody."""
    used = (prompt_revision, prompt_revision.schema_revision) if prompt_revision else ()
    return any(revision is not None and revision.status != Revision.Status.ACCEPTED for revision in used)


def _format_metadata(document: Document, prompt_revision: PromptRevision | None) -> str:
    """What the prompt includes of the document's metadata, as data."""
    keys = (prompt_revision.include or {}).get("metadata_keys") if prompt_revision else None
    lines = [f"{key}: {document.metadata[key]}" for key in keys or () if key in document.metadata]
    return make_data_block("metadata", "\n".join(lines)) if lines else ""
