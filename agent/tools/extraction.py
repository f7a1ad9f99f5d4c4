"""Extractions of a document: run one, and read it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from django.conf import settings

from agent.policy.turn_limits import turn_limit
from agent.toolkit.previews import ArgumentRow, Preview
from agent.toolkit.registry import Draft, Inverse, Preconditions, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import reach
from agent.tools.documents import selection
from agent.tools.documents.pages import reading_of
from agent.tools.documents.selection import choose_hook
from agent.tools.lookup import choose_document, enter_document, find_prompt_revision, name_other, pin_document
from documents import extractions
from documents.autosetup import refining
from documents.backends.llm.pricing import Price
from documents.definitions import prompts
from documents.extractions import ExtractionDraft
from documents.extractions.drafting import choose_model
from documents.extractions.estimates import estimate_runs
from documents.extractions.proof_notes import describe_proof
from documents.model_access import model_prices
from documents.model_access.budgets import format_dollars
from documents.model_access.spending import BudgetAccount, describe_unknown_price
from documents.models import Document, Extraction, PromptRevision
from documents.reading.page_text import estimate_tokens
from documents.values import map_wire_paths, strip_row_ids
from kit.errors import Invalid, NotFound

OVERHEAD_TOKENS = 1500
ANSWER_TOKENS = 1500
UNDO = "Undo withdraws those that nobody has worked on since; what they cost stays paid."
MAX_CHECKS_SHOWN = 20
# Each costs the model some tokens.
MAX_ADDRESSES = 200


def _pin_revision(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the prompt revision written out: the one asked for, the thread's last, or the newest that matches."""
    pinned = pin_document(context, arguments)
    about = enter_document(context, pinned)
    chosen_id = arguments.get("prompt_revid") or context.recall("prompt_revid")
    if not chosen_id:
        matching = prompts.list_matching_prompts(about.require_document())
        if not matching:
            raise NotFound("No prompt is chosen and none matches this document. Create one, or give its prompt_revid.")
        chosen_id = matching[0].pk
    return {**pinned, "prompt_revid": find_prompt_revision(about, chosen_id).pk}


def _pin_many(context: ToolContext, arguments: Arguments) -> Arguments:
    chosen_id = arguments.get("prompt_revid") or context.recall("prompt_revid")
    if not chosen_id or "document" in arguments:
        raise Invalid("For several documents give documents and a prompt_revid, and no document.")
    pinned = selection.pin_documents(context, arguments)
    return {**pinned, "prompt_revid": find_prompt_revision(context, chosen_id).pk}


def _read_preconditions(context: ToolContext, arguments: Arguments) -> Preconditions:
    """Two runs of a round on one document go one after the other; a run is not undone by an earlier one."""
    return {f"extractions:{enter_document(context, arguments).require_document().pk}": 0}


def _preview_run(context: ToolContext, arguments: Arguments) -> Preview:
    about = enter_document(context, arguments)
    document, revision = about.require_document(), find_prompt_revision(about, arguments["prompt_revid"])
    model, reading = choose_model(document, revision), reading_of(document)
    schema = revision.schema_revision
    rows: list[ArgumentRow] = [
        {"name": "Prompt", "value": f"{revision.prompt.name}, version {revision.number}"},
        {"name": "Schema", "value": f"{schema.schema.name}, version {schema.number}" if schema else "none, free text"},
        {"name": "Model", "value": model},
        {"name": "Pages", "value": str(reading.page_count)},
        {"name": "Estimated cost", "value": _estimate_cost(document, model)},
    ]
    earlier = Extraction.objects.filter(
        document=document, prompt_revision__prompt=revision.prompt, status=Extraction.Status.COMPLETED
    )
    again = "The earlier run stays, and what people corrected is carried over." if earlier.exists() else ""
    return {
        "title": f"Run “{revision.prompt.name}” on {document.name}",
        "done": f"Ran “{revision.prompt.name}” on {document.name}",
        "subtitle": f"{reading.page_count} page{'s' if reading.page_count != 1 else ''}, {model}",
        "rows": rows,
        "effect": again or "Adds an extraction to this document.",
        "warnings": reach.warn_of_other(context, document),
        "is_free": _is_free(model),
    }


def _preview_runs(context: ToolContext, arguments: Arguments) -> Preview:
    documents, revision = (
        selection.fetch_rows(context, arguments),
        find_prompt_revision(context, arguments["prompt_revid"]),
    )
    count = selection.count_documents(documents)
    chosen = Document.objects.filter(organization=context.actor.organization, pk__in=arguments["documents"])
    cost = estimate_runs(context.actor, documents=chosen, prompt_revisions=[revision], repeat=True).cost_micros
    rows: list[ArgumentRow] = [
        {"name": "Prompt", "value": f"{revision.prompt.name}, version {revision.number}"},
        {"name": "Estimated cost", "value": "unknown" if cost is None else f"about {format_dollars(cost)}"},
    ]
    return {
        "title": f"Run “{revision.prompt.name}” on {count}",
        "done": f"Began to run “{revision.prompt.name}” on {count}",
        "rows": [*rows, *selection.list_rows(documents)],
        "effect": f"Adds an extraction to each of them; earlier ones are kept. {UNDO} {selection.STARTED}",
        "warnings": [],
    }


def _estimate_cost(document: Document, model: str) -> str:
    price = model_prices.find_price(model)
    text = "".join(reading_of(document).pages.values_list("text", flat=True))
    prompt_tokens, ceiling = estimate_tokens(text) + OVERHEAD_TOKENS, settings.UNKNOWN_PRICE_MICROS_PER_MTOK
    counted = price or Price(ceiling, ceiling, known=False)
    micros = counted.cost(model, prompt_tokens, ANSWER_TOKENS).micros
    if price is None:
        return f"unknown, counted as up to {format_dollars(micros)}.{describe_unknown_price(model, known=False)}"
    return f"about {format_dollars(micros)}" if micros else "nothing"


def _is_free(model: str) -> bool:
    price = model_prices.find_price(model)
    return price is not None and not price.prompt and not price.completion


def describe_extraction(extraction: Extraction) -> Result:
    """The values as the model reads them, where they stand, and which are unsure and why."""
    paths = map_wire_paths(extraction.current)
    revision = extraction.prompt_revision
    return {
        "extraction_id": extraction.pk,
        "prompt_revid": revision.pk if revision else "default",
        "prompt": str(revision or prompts.DEFAULT_NAME),
        "result": strip_row_ids(extraction.current),
        "unsure": {},
        **describe_proof(extraction),
        **({"addresses": addresses} if (addresses := list_addresses(extraction, paths)) else {}),
        **({"checks": list_check_problems(extraction)} if extraction.check_results else {}),
        **({"reading_id": extraction.reading_id} if extraction.reading_id else {}),
        "pages_seen": extraction.coverage,
        "page_count": extraction.page_count,
    }


def list_addresses(extraction: Extraction, paths: Mapping[str, str]) -> dict[str, str]:
    """Where values stand in a file that names its places, such as a sheet: of the first MAX_ADDRESSES of them."""
    named = (
        (paths[where], ", ".join(place["addresses"]))
        for where, place in extraction.provenance.items()
        if place.get("addresses") and where in paths
    )
    return dict(islice(named, MAX_ADDRESSES))


def list_check_problems(extraction: Extraction) -> list[str]:
    """What the value checks of the schema say that is not well, at most MAX_CHECKS_SHOWN sentences."""
    words = {"failed": "", "not_computed": "Not computed: "}
    results = [result for result in extraction.check_results if result["status"] in words]
    return [f"{words[result['status']]}{result['message']}" for result in results[:MAX_CHECKS_SHOWN]]


def choose_extraction(
    context: ToolContext, prompt_revid: str | None = None, document: Document | None = None
) -> Extraction:
    """The newest run of a prompt revision; without one the newest of the thread's last prompt, else of any.

    Of another document it is the one that its page shows.
    """
    document = document or context.require_document()
    last = context.recall("prompt_revid") if document.pk == context.thread.document_id else ""
    named = find_prompt_revision(context, prompt_revid) if prompt_revid else None
    own = PromptRevision.objects.filter(pk=last).first() if last and named is None else None
    newest = extractions.get_newest(document, named or own) or (None if named else extractions.get_newest(document))
    if newest is None:
        raise NotFound("There is no extraction of this document yet. Run one first.")
    return newest


def _summarize(arguments: Arguments, result: Result) -> str:
    unsure = len(result.get("unsure", {}))
    whose = f"{result['document_name']}, " if "document_name" in result else ""
    return f"{whose}{len(result.get('result') or {})} fields, {unsure or 'none'} uncertain"


@tool(group="extraction", access="read", title="Read the extraction", resolve=pin_document, summary=_summarize)
def get_extraction_result(context: ToolContext, prompt_revid: str | None = None, document: str | None = None) -> Result:
    """The values extracted from a document, with corrections, and which of them are unsure.

    prompt_revid: of which prompt revision; without it the thread's last, else the newest
    document: name or id of another document; without it this one
    """
    about = choose_document(context, document)
    return {**describe_extraction(choose_extraction(context, prompt_revid, about)), **name_other(context, about)}


def _store(context: ToolContext, draft: Draft) -> Result:
    if "documents" in draft:
        ids, started = draft["documents"], {"prompt_revid": draft["prompt_revid"], "again": True}
        return selection.start_job(context, "run", ids, started)
    extraction_draft = ExtractionDraft.from_json(draft)
    extraction = extractions.store(context.actor, draft=extraction_draft, call_id=context.call_id)
    refining.set_current_run(extraction)
    about = context.enter_document(extraction.document)
    about.remember(extraction_id=extraction.pk, **_definitions(extraction))
    return {**describe_extraction(extraction), **name_other(context, extraction.document)}


def _build_inverse(context: ToolContext, arguments: Arguments, result: Result) -> Inverse:
    return {"service": "extractions.withdraw", "extraction_id": result["extraction_id"]}


def _definitions(extraction: Extraction) -> dict[str, str]:
    ids = {"prompt_revid": extraction.prompt_revision_id, "schema_revid": extraction.schema_revision_id}
    return {name: row_id for name, row_id in ids.items() if row_id}


@tool(
    group="extraction",
    access="costly",
    effect="prepared",
    title="Run the extraction",
    icon="i-arrow-right",
    resolve=choose_hook(_pin_many, _pin_revision),
    reach=choose_hook(selection.reach_many, reach.of_named_document),
    preconditions=choose_hook(selection.rest_on_documents, _read_preconditions),
    preview=choose_hook(_preview_runs, _preview_run),
    apply=_store,
    instead_of={"documents": ["document"]},
    inverse=choose_hook(selection.undo_job("run"), _build_inverse),
)
def run_extraction(
    context: ToolContext,
    prompt_revid: str | None = None,
    document: str | None = None,
    documents: list[str] | None = None,
) -> Draft:
    """Runs a prompt on a document with a model and keeps the values; or on several by one card, as a job. It may cost
    money. Answers the extraction.

    prompt_revid: which prompt revision, or a prompt's name; without it the thread's last, else the newest that fits
    document: name or id of another document; without it this one
    documents: several instead, by names or ids, tag:NAME for all with a tag, filter:NAME for a saved filter
    """
    if documents is not None:
        return {"documents": documents, "prompt_revid": prompt_revid}
    about, turn = enter_document(context, {"document": document}), context.turn
    account = BudgetAccount(
        context.actor.organization,
        "extraction",
        turn.pk,
        context.actor.user,
        limit=turn_limit(turn),
    )
    draft = extractions.prepare(
        context.actor,
        document=about.require_document(),
        prompt_revision=find_prompt_revision(about, prompt_revid or ""),
        cancelled=context.cancelled,
        account=account,
    )
    return draft.as_json()
