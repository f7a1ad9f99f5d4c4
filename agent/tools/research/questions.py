"""Questions in whole sentences as the model asks them: several at once, answered as one list of documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db.models import QuerySet

from agent.citations.aliases import print_passages
from agent.models import Thread
from agent.toolkit.registry import Result, ToolContext
from documents.find.search import find_pages
from documents.find.search.retrieving import Passage, Retrieved, RetrievedDocument, merge, retrieve
from documents.index.vectors.query_vectors import Vectorize
from documents.models import Document
from documents.reading.page_text import make_data_block
from kit.errors import Invalid

MAX_QUERIES = 5
MAX_PASSAGE_LETTERS = 700
# Of the first few documents passages of twice as many letters are shown.
WELL_SHOWN = 5
FEWER = "Other words for the same, fewer or shorter ones, the beginning of one with *, or no filters."


def is_question(query: str, queries: Sequence[str] | None) -> bool:
    return queries is not None or query.rstrip().endswith("?")


def list_questions(query: str, queries: Sequence[str] | None) -> list[str]:
    """Each once. Raises Invalid for more than can be asked at once."""
    asked = list(dict.fromkeys(each.strip() for each in [query, *(queries or [])] if each.strip()))
    if len(asked) > MAX_QUERIES:
        raise Invalid(f"These are {len(asked)} searches; {MAX_QUERIES} are the most of one call.")
    return asked


def answer_questions(
    context: ToolContext,
    questions: Sequence[str],
    *,
    documents: QuerySet[Document] | None,
    limit: int,
    vectorize: Vectorize,
) -> Result:
    """The documents of all questions, each once, with the questions that brought it."""
    answers = {
        each: retrieve(context.actor, each, documents=documents, limit=limit, vectorize=vectorize)
        for each in questions or [""]
    }
    merged = merge(answers, limit=limit) if len(answers) > 1 else [*next(iter(answers.values())).documents]
    results = _describe_all(context.thread, merged, is_merged=len(answers) > 1)
    answer: Result = {"total_found": len(merged), "results": results} | _describe_searches(answers)
    if not merged:
        answer["try"] = _propose_terms(context, questions, documents)
    return answer


def _describe_all(thread: Thread, hits: Sequence[RetrievedDocument], *, is_merged: bool) -> list[Result]:
    best = max((each.score for each in hits), default=0) or 1
    chosen = [
        list(_choose_passages(each.passages, MAX_PASSAGE_LETTERS * (2 if place < WELL_SHOWN else 1)))
        for place, each in enumerate(hits)
    ]
    texts = iter(print_passages(thread, [passage for several in chosen for passage in several], MAX_PASSAGE_LETTERS))
    return [
        _describe(each, each.score / best, [(passage.page, next(texts)) for passage in several], is_merged=is_merged)
        for each, several in zip(hits, chosen, strict=True)
    ]


def _describe(hit: RetrievedDocument, score: float, passages: Sequence[tuple[int, str]], *, is_merged: bool) -> Result:
    """`passages`: of each its page and what it says."""
    document = hit.document
    answer: Result = {
        "document_id": document.pk,
        "filename": document.name,
        "kind": document.extension,
        "relevance_score": round(min(1.0, score), 3),
        "page_numbers": sorted({passage.page for passage in hit.passages}),
        "chunk_count": len(hit.passages),
        "found_by": list(hit.how),
        "passages": [
            {"page": page, "text": make_data_block("page_text", text, document_id=document.pk)}
            for page, text in passages
        ],
    }
    return answer | ({"queries": list(hit.queries)} if is_merged else {})


def _choose_passages(passages: Sequence[Passage], letters: int) -> Iterator[Passage]:
    """The first, and others as long as there is room."""
    for at, passage in enumerate(passages):
        letters -= min(len(passage.text), MAX_PASSAGE_LETTERS)
        if at and letters < 0:
            return
        yield passage


def _describe_searches(answers: dict[str, Retrieved]) -> Result:
    """What was looked for in vain, and what was not looked at."""
    notes: Result = {}
    if absent := list(dict.fromkeys(word for answer in answers.values() for word in answer.absent)):
        notes["on_no_page"] = absent
    if not all(answer.are_all for answer in answers.values()):
        notes["more_match"] = "More documents match than were compared; narrow the search."
    if note := next((answer.note for answer in answers.values() if answer.note), ""):
        notes["note"] = note
    if in_vain := [query for query, answer in answers.items() if not answer.documents]:
        notes["found_nothing"] = in_vain
    return notes


def _propose_terms(
    context: ToolContext, questions: Sequence[str], documents: QuerySet[Document] | None
) -> list[str] | str:
    results = find_pages(context.actor, " ".join(questions)[:300], limit=1, documents=documents)
    return list(results.suggestions) or FEWER
