"""What is written on the document's pages."""

from __future__ import annotations

from collections.abc import Sequence

from agent.citations.aliases import print_named_lines
from agent.toolkit.page_ranges import parse_page_ranges
from agent.toolkit.reading_on import describe_rest
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup
from agent.tools.listing import is_concise
from documents.find.search import find_pages
from documents.models import Document, Reading
from documents.reading.page_text import estimate_pages, make_data_block, mark_pages
from kit.errors import Invalid, NotFound

MAX_TOKENS, CONCISE_TOKENS = 5000, 1000
MAX_PAGE_NUMBERS = 50
FROM_LINE = (
    "from_line is the number of a line, from 1, on the page that page_num names, or the first of pages. Give both."
)
ONE_OR_SEVERAL = "Give page_num for one page, or pages for several, not both."
FOCUS_OR_PAGES = "Give focus_query or pages, not both."
NOT_FOUND = "No page has these words, so this is the document from the start."


def _summarize(arguments: Arguments, result: Result) -> str:
    numbers = ", ".join(str(number) for number in result.get("pages", []))
    following = result.get("next", {})
    is_cut = following.get("page_num") in result.get("pages", [])
    rest = f", page {following['page_num']} up to line {following['from_line'] - 1}" if is_cut else ""
    return f"page {numbers} of {result.get('page_count', 0)}{rest}"


@tool(
    category="document",
    access="read",
    title="Read the page text",
    icon="i-file-text",
    resolve=lookup.pin_document,
    summary=_summarize,
    unlisted=("page_num",),
)
def get_ocr_text(
    context: ToolContext,
    page_num: int | None = None,
    document: str | None = None,
    from_line: int = 1,
    pages: str | None = None,
) -> Result:
    """The text of the document's pages, with block ids. Where it is cut, `more` says how to read on.

    page_num: one page; without it the document from the start, as far as it fits
    document: name or id of another document; without it this one
    from_line: of the first of the pages, where an earlier answer was cut
    pages: such as 7 or 9-20
    """
    about = lookup.choose_to_read(context, document)
    reading = lookup.reading_of(about)
    if pages and page_num is not None:
        raise Invalid(ONE_OR_SEVERAL)
    chosen = parse_page_ranges(pages, reading.page_count or 0) if pages else [page_num] if page_num else None
    if page_num is not None and not 1 <= page_num <= (reading.page_count or 0):
        raise NotFound(f"There is no page {page_num}. The document has {reading.page_count} pages.")
    if page_num is not None and reading.is_partial and not reading.pages.filter(number=page_num).exists():
        raise NotFound(f"There is no text of page {page_num}. {reading.reason}")
    if from_line < 1 or (from_line > 1 and not chosen):
        raise Invalid(FROM_LINE)
    text = mark_pages(reading, pages=chosen, max_tokens=MAX_TOKENS, first_line=from_line)
    alias, text = print_named_lines(context.thread, reading, text)
    result: Result = {"page_count": reading.page_count, "pages": text.pages, "text": ""}
    result |= lookup.name_other(context, about)
    # The block itself says whose words it holds, where they are not the thread's document's.
    source = {"document": alias} if "document_id" in result else {}
    result["text"] = make_data_block("page_text", text, **source)
    if reading.is_partial:
        result["not_read"] = reading.reason
    return result | describe_rest(text, source.get("document", ""), reading.page_count or 0, chosen or ())


@tool(
    category="document",
    access="read",
    title="Read a document",
    icon="i-file-text",
    resolve=lookup.pin_document,
    summary=_summarize,
    is_rare=True,
)
def read_document(
    context: ToolContext,
    document: str | None = None,
    focus_query: str | None = None,
    pages: str | None = None,
    addresses: bool = False,
    detail: str | None = None,
) -> Result:
    """The text of a document; each line begins with its block id, such as [D1:2.14]. With a question only the pages
    that speak of it, the best first, as far as they fit.

    document: name or id of another document; without it this one
    focus_query: words to look for
    pages: such as 9-20
    addresses: JSON Pointers or XPaths too
    detail: concise: a fifth of the text
    """
    max_tokens = CONCISE_TOKENS if is_concise(detail) else MAX_TOKENS
    about = lookup.choose_to_read(context, document)
    reading = lookup.reading_of(about)
    if pages and focus_query:
        raise Invalid(FOCUS_OR_PAGES)
    chosen = parse_page_ranges(pages, reading.page_count or 0) if pages else []
    numbers = _find_pages_of(context, about, focus_query) if focus_query else []
    numbers_to_read = chosen or _take_fitting(reading, numbers, max_tokens) or None
    text = mark_pages(reading, pages=numbers_to_read, max_tokens=max_tokens, with_addresses=addresses)
    alias, text = print_named_lines(context.thread, reading, text)
    answer: Result = {
        "document_id": about.pk,
        "document_name": about.name,
        "reading_id": reading.pk,
        "page_count": reading.page_count,
        "pages": text.pages,
        # Documents are read when they come in: no answer waits for that, or costs anything.
        "from_cache": True,
        "text": make_data_block("page_text", text, document=alias),
    }
    if focus_query:
        answer |= {"pages_with_hits": numbers[:MAX_PAGE_NUMBERS]} if numbers else {"focus": NOT_FOUND}
    if reading.is_partial:
        answer["not_read"] = reading.reason
    return answer | describe_rest(text, alias, pages=chosen)


def _find_pages_of(context: ToolContext, document: Document, query: str) -> list[int]:
    """The best first. Raises Invalid for what cannot be searched."""
    results = find_pages(context.actor, query, limit=1, documents=Document.objects.filter(pk=document.pk))
    if results.problem:
        raise Invalid(results.problem)
    hit = results.hits[0] if results.hits else None
    return list(dict.fromkeys([*(page.number for page in hit.pages), *hit.page_numbers])) if hit else []


def _take_fitting(reading: Reading, numbers: Sequence[int], max_tokens: int) -> list[int]:
    """As many of these pages as fit, at least the first."""
    tokens = estimate_pages(reading) if numbers else {}
    fitting: list[int] = []
    room = max_tokens
    for number in numbers:
        room -= tokens.get(number, 0)
        if fitting and room < 0:
            break
        fitting.append(number)
    return fitting
