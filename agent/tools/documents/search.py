"""Documents of the organization by what stands on their pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import QuerySet

from agent.citations.aliases import note_all_read
from agent.models import Thread
from agent.policy.turn_limits import turn_limit
from agent.toolkit.chosen_documents import CHOSEN, select_chosen
from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup
from agent.tools.research import questions
from documents.find.filters import DocumentFilter, require_filter
from documents.find.search import DocumentHit, PageHit, SearchResults, find_pages
from documents.index.vectors.query_vectors import PURPOSE, vectorize_here
from documents.models import Document
from documents.reading.blocks import parse_block_id
from documents.reading.page_text import make_data_block
from kit.errors import Invalid
from llm.money.spending import BudgetAccount

MAX_RESULTS = 50
MAX_DOCUMENTS = 100
MAX_PAGE_NUMBERS = 50


def _summarize(arguments: Arguments, result: Result) -> str:
    return f"{format_count(result.get('total_found', 0), 'document')} for “{arguments.get('query', '')[:60]}”"


@tool(
    category="search",
    access="read",
    title="Search all pages",
    icon="i-search",
    shows_any=True,
    summary=_summarize,
    unlisted=("document_ids", "kind", "max_results"),
)
def search_documents(
    context: ToolContext,
    query: str,
    max_results: int | None = None,
    tag_ids: list[str] | None = None,
    document_ids: list[str] | None = None,
    kind: str | None = None,
    date_from: str | None = None,
    date_to: str | None = None,
    queries: list[str] | None = None,
    document: str | None = None,
) -> Result:
    """Finds documents by the words on their pages, in names, tags and extracted values, the best first; where the
    person chose some, among these. Ask for words on the page, or a question.

    query: a question with its ?, or words that are all on one page: "as a phrase", beg* for beginnings, -without
    max_results: 1 to 50; without it 10
    tag_ids: only with all of these tags
    document_ids: only these documents, by ids or names
    kind: only files of this kind, such as pdf, image, text, docx, xlsx or eml
    date_from: first day of upload, as 2026-12-31
    date_to: the last
    queries: the same in other words, up to four
    document: only in the document of this name or id
    """
    if not 1 <= (number := max_results or 10) <= MAX_RESULTS:
        raise Invalid(f"max_results must be 1 to {MAX_RESULTS}.")
    if document:
        document_ids = [lookup.find_document(context, document).pk]
    tags = [tag.pk for tag in lookup.find_tags(context, tag_ids or [])]
    filters = {"tag": tags, "kind": [kind or ""], "since": [date_from or ""], "until": [date_to or ""]}
    narrowing = require_filter(context.actor, filters)
    rows = _narrow(context, narrowing, document_ids)
    account = BudgetAccount(
        context.actor.organization,
        PURPOSE,
        context.turn.pk,
        context.actor.user,
        turn_limit(context.turn),
        tool=context.tool,
    )
    vectorize = vectorize_here(context.actor, account)
    if questions.is_question(query, queries):
        asked = questions.list_questions(query, queries)
        answer = questions.answer_questions(context, asked, documents=rows, limit=number, vectorize=vectorize)
        return answer if answer["results"] else {**answer, **_describe_vain(context, asked, narrowing, document_ids)}
    results = find_pages(context.actor, query, limit=number, documents=rows, vectorize=vectorize)
    if results.problem:
        raise Invalid(results.problem)
    names = _name_blocks(context.thread, [hit.pages[0] for hit in results.hits if hit.pages])
    listed = [_describe(hit, names) for hit in results.hits]
    answer = {"total_found": results.total_documents, "results": listed}
    return {**answer, **_describe_search(context, results, narrowing, document_ids)}


def _narrow(
    context: ToolContext, narrowing: DocumentFilter, document_ids: Sequence[str] | None
) -> QuerySet[Document] | None:
    """None where all documents are searched, which is done without asking for each."""
    if document_ids is not None and len(document_ids) > MAX_DOCUMENTS:
        raise Invalid(f"There are {len(document_ids)} document_ids; {MAX_DOCUMENTS} are the most. Search without them.")
    chosen = select_chosen(context)
    if document_ids is None and not narrowing.terms:
        return chosen
    documents = Document.objects.for_org(context.actor.organization)
    rows = narrowing.apply_terms(documents)
    rows = rows if chosen is None else rows.filter(pk__in=chosen.values("pk"))
    if document_ids is None:
        return rows
    known = set(documents.filter(pk__in=document_ids).values_list("pk", flat=True))
    named = {lookup.find_document(context, name).pk for name in document_ids if name not in known}
    return rows.filter(pk__in=known | named)


def _describe(hit: DocumentHit, names: Mapping[str, str]) -> Result:
    document = hit.document
    answer: Result = {
        "document_id": document.pk,
        "filename": document.name,
        "kind": document.extension,
        "relevance_score": hit.score,
        "page_numbers": list(hit.page_numbers[:MAX_PAGE_NUMBERS]),
        "chunk_count": len(hit.page_numbers),
    }
    if document.document_type:
        answer["document_type"] = document.document_type.name
    if hit.is_semantic:
        answer["found_by"] = hit.found_by
    if hit.pages:
        page = hit.pages[0]
        about = {"document_id": document.pk, "page": page.number}
        answer |= {
            "snippet": make_data_block("page_text", _print_snippet(page, names[page.citation]), **about),
            "cite": names[page.citation],
        }
    elif hit.values:
        text = f"{hit.values[0].path}: {hit.values[0].text}"[:300]
        answer["snippet"] = make_data_block("value", text, document_id=document.pk)
    return answer


def _print_snippet(page: PageHit, name: str) -> str:
    """Each line after its block id."""
    alias = name.partition(":")[0]
    return "\n".join(f"[{alias}:{page.number}.{line}] {text}" for line, text in page.snippet.lines)


def _name_blocks(thread: Thread, pages: Sequence[PageHit]) -> dict[str, str]:
    """The short names of the lines that were looked for; the thread has then read the lines of the snippets."""
    blocks = {page.citation: parse_block_id(page.citation) for page in pages}
    shown = {page.citation: {line for line, _ in page.snippet.lines} for page in pages}
    lines = {
        page.reading_id: {page.number: {blocks[page.citation].place.line, *shown[page.citation]}} for page in pages
    }
    aliases = note_all_read(thread, lines)
    return {citation: f"{aliases[block.reading_id].name}:{block.place}" for citation, block in blocks.items()}


def _describe_search(
    context: ToolContext, results: SearchResults, narrowing: DocumentFilter, document_ids: Sequence[str] | None
) -> Mapping[str, object]:
    """What a person would want to know of the answer: what was looked for instead, or in vain and where."""
    notes: dict[str, object] = {}
    if not results.are_counted:
        notes["total_is_a_minimum"] = True
    if results.note:
        notes["note"] = results.note
    if results.replaced:
        notes["looked_for_instead"] = {word: list(others) for word, others in results.replaced.items()}
    if results.is_partial:
        notes["partial"] = "No page has all of these words; these have some of them."
    if not results.hits:
        notes |= _describe_vain(context, list(results.words), narrowing, document_ids)
        notes["try"] = (
            list(results.suggestions) or "Fewer or shorter words, the beginning of one with *, or no filters."
        )
    return notes


def _describe_vain(
    context: ToolContext, words: list[str], narrowing: DocumentFilter, document_ids: Sequence[str] | None
) -> Result:
    where = [CHOSEN] if context.turn.scope else []
    where += [term.words for term in narrowing.terms]
    where += [f"only {format_count(len(document_ids), 'document')}"] if document_ids else []
    return {"searched": {"words": words, "in": "pages, names, tags and values", "filters": where or "none"}}
