"""What a card of run_extraction shows: of one document, of the pages that a run lacks, or of many documents."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings

from agent.toolkit.page_ranges import parse_page_ranges
from agent.toolkit.previews import ArgumentRow, Preview, format_count
from agent.toolkit.registry import ToolContext
from agent.toolkit.signatures import Arguments
from agent.tools import reach
from agent.tools.documents import selection
from agent.tools.lookup import enter_document, find_prompt_revision, reading_of
from documents import extractions
from documents.extractions.continuing import choose_pages
from documents.extractions.drafting import choose_model
from documents.extractions.estimates import estimate_runs
from documents.extractions.windowing import format_spans
from documents.holding import find_reason_to_ask
from documents.models import Document, Extraction, PromptRevision, Reading
from documents.reading.page_text import estimate_tokens
from kit.errors import NotFound
from llm.client.pricing import Price
from llm.money import model_prices
from llm.money.budgets import format_dollars
from llm.money.spending import describe_unknown_price

OVERHEAD_TOKENS = 1500
ANSWER_TOKENS = 1500
UNDO = "Undo withdraws those that nobody has worked on since; what they cost stays paid."
KEPT = "Asks for these pages alone; what the earlier run has and what people corrected stays."


def parse_pages(about: ToolContext, pages: str | Sequence[int] | None) -> list[int]:
    """Empty for all. Cards of earlier versions list the numbers. Raises Invalid."""
    if not pages:
        return []
    if not isinstance(pages, str):
        return sorted(set(pages))
    return parse_page_ranges(pages, reading_of(about.require_document()).page_count or 0)


def preview_run(context: ToolContext, arguments: Arguments) -> Preview:
    about = enter_document(context, arguments)
    document, revision = about.require_document(), find_prompt_revision(about, arguments["prompt_revid"])
    if arguments.get("go_on"):
        return _preview_continuation(context, document, revision, parse_pages(about, arguments.get("pages")))
    model, reading = choose_model(document, revision), reading_of(document)
    chosen = parse_pages(about, arguments.get("pages"))
    pages = f"{format_spans(chosen)} of {reading.page_count}" if chosen else str(reading.page_count)
    schema = revision.schema_revision
    rows: list[ArgumentRow] = [
        {"name": "Prompt", "value": f"{revision.prompt.name}, version {revision.number}"},
        {"name": "Schema", "value": f"{schema.schema.name}, version {schema.number}" if schema else "none, free text"},
        {"name": "Model", "value": model},
        {"name": "Pages", "value": pages},
        {"name": "Estimated cost", "value": _estimate_cost(reading, model, chosen)},
    ]
    earlier = Extraction.objects.filter(
        document=document, prompt_revision__prompt=revision.prompt, status=Extraction.Status.COMPLETED
    )
    again = "The earlier run stays, and what people corrected is carried over." if earlier.exists() else ""
    return {
        "title": f"Run “{revision.prompt.name}” on {document.name}",
        "done": f"Ran “{revision.prompt.name}” on {document.name}",
        "subtitle": f"{f'pages {pages}' if chosen else format_count(reading.page_count or 0, 'page')}, {model}",
        "rows": rows,
        "effect": again or "Adds an extraction to this document.",
        "warnings": [*reach.warn_of_other(context, document), *filter(None, [find_reason_to_ask(document, revision)])],
        "is_free": _is_free(model),
    }


def preview_runs(context: ToolContext, arguments: Arguments) -> Preview:
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
        "ended": f"Ran “{revision.prompt.name}” on {count}",
        "rows": [*rows, *selection.list_rows(documents)],
        "effect": f"Adds an extraction to each of them; earlier ones are kept. {UNDO} {selection.STARTED}",
        "warnings": [],
    }


def _preview_continuation(
    context: ToolContext, document: Document, revision: PromptRevision, named: Sequence[int]
) -> Preview:
    earlier = extractions.get_newest(document, revision)
    if earlier is None:
        raise NotFound(f"“{revision.prompt.name}” has no run on {document.name} to go on with.")
    pages, model = choose_pages(earlier, named), choose_model(document, revision, earlier.model)
    rows: list[ArgumentRow] = [
        {"name": "Prompt", "value": f"{revision.prompt.name}, version {revision.number}"},
        {"name": "Model", "value": model},
        {"name": "Pages", "value": f"{format_spans(pages)} of {earlier.page_count}"},
        {"name": "Estimated cost", "value": _estimate_cost(reading_of(document), model, pages)},
    ]
    name = revision.prompt.name
    return {
        "title": f"Go on with “{name}” on {document.name}",
        "done": f"Went on with “{name}” on {document.name}",
        "subtitle": f"{len(pages)} of {earlier.page_count} pages, {model}",
        "rows": rows,
        "effect": KEPT,
        "warnings": reach.warn_of_other(context, document),
        "is_free": _is_free(model),
    }


def _estimate_cost(reading: Reading, model: str, pages: Sequence[int] = ()) -> str:
    price = model_prices.find_price(model)
    rows = reading.pages.filter(number__in=pages) if pages else reading.pages.all()
    text = "".join(rows.values_list("text", flat=True))
    prompt_tokens, ceiling = estimate_tokens(text) + OVERHEAD_TOKENS, settings.UNKNOWN_PRICE_MICROS_PER_MTOK
    counted = price or Price(ceiling, ceiling, known=False)
    micros = counted.cost(model, prompt_tokens, ANSWER_TOKENS).micros
    if price is None:
        return f"unknown, counted as up to {format_dollars(micros)}.{describe_unknown_price(model, known=False)}"
    return f"about {format_dollars(micros)}" if micros else "nothing"


def _is_free(model: str) -> bool:
    price = model_prices.find_price(model)
    return price is not None and not price.prompt and not price.completion
