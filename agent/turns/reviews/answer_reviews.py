"""The check of an answer with what its turn knows: what was asked, computed and read, and of how many documents."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from agent.citations.aliases import has_shown_all
from agent.citations.cited_sentences import SeenPages
from agent.citations.reviewing import Coverage, Review, review_answer
from agent.models import ToolCall, Turn
from agent.policy.policy_context import owner_of
from agent.toolkit import pages_read
from agent.toolkit.pages_read import PagesRead
from agent.toolkit.registry import registry
from agent.toolkit.signatures import Arguments, parse_arguments
from agent.turns.reviews.answer_sources import READING, list_sources
from documents.find import scopes
from documents.models import Document
from documents.reading.reading import get_newest
from kit.errors import Invalid
from llm.client import ModelAnswer
from llm.client.providers import get_provider_name

VIEW = "view_page"
# What a model learns of documents by, also without their pages.
_LOOKING = (
    *READING,
    VIEW,
    "list_documents",
    "query_fields",
    "table_query",
    "rerank_documents",
    "open_document",
    "read_result",
    "get_extraction_result",
    "compare_documents",
    "compare_extractions",
    "export_results",
    "check_values",
    "run_extraction",
)
MAX_SEEN = 3


def review(turn: Turn, text: str, *, notes: Iterable[str] = (), may_repair: bool = True) -> Review | None:
    """`notes` is what the product itself has the answer say."""
    is_offline = get_provider_name(turn.model) == "offline"
    if is_offline and turn.thread.document_id:
        # Rules of our own wrote it from rows, and would read the request for proof as a person's wish.
        return None
    # Nobody waits for what automatic setup says, and its model was given no block ids to name.
    may_repair = may_repair and not is_offline and turn.origin != Turn.Origin.HEADLESS
    checked = review_answer(
        turn,
        text,
        sources=list_sources(turn, notes),
        find_seen=lambda: _find_seen(turn),
        has_read_all=lambda: _has_read_all(turn),
        may_repair=may_repair,
    )
    if checked:
        checked.nothing_read = not _has_read(turn)
    if checked and (checked.verdicts or checked.nothing_read):
        checked.coverage = count_coverage(turn, checked.documents)
        return checked
    return None


def review_words(turn: Turn, answer: ModelAnswer) -> Review | None:
    """The check of what a model writes beside its calls: an invention is marked there too, and nothing is proven."""
    if not answer.text.strip() or get_provider_name(turn.model) == "offline":
        return None
    asked_for = [*_list_arguments(answer)]
    # As in “I list 100 of them”.
    reads = {tool.name for tool in registry if tool.is_read}
    limits = (str(each) for name, given in asked_for if name in reads for each in given.values() if type(each) is int)
    sources = list_sources(turn, limits, asked_for=[given for _, given in asked_for], is_answer=False)
    checked = review_answer(turn, answer.text, sources=sources, find_seen=lambda: _find_seen(turn), may_repair=False)
    if checked and any(verdict.missing for _, verdict in checked.verdicts):
        return replace(checked, is_on_the_way=True)
    return None


def _list_arguments(answer: ModelAnswer) -> Iterator[tuple[str, Arguments]]:
    for call in answer.tool_calls:
        with suppress(Invalid):
            yield call.name, parse_arguments(call.arguments_text)


def _find_seen(turn: Turn) -> SeenPages:
    """In this turn."""
    calls = turn.calls.filter(tool=VIEW, status=ToolCall.Status.SUCCEEDED, message__dropped_at=None)
    results = [result or {} for result in calls.values_list("result", flat=True)]
    names = dict.fromkeys(_name_page(result) for result in results)
    more = " and others" if len(names) > MAX_SEEN else ""
    pages = frozenset((str(result.get("reading_id")), int(result.get("page") or 0)) for result in results)
    return SeenPages(f"{', '.join([*names][:MAX_SEEN])}{more}", pages)


def _name_page(result: dict[str, object]) -> str:
    of = f" of {result['document_name']}" if "document_name" in result else ""
    return f"page {result.get('page')}{of}"


def _has_read(turn: Turn) -> bool:
    """Whether anything of a document was before the model: by a tool, in the excerpt of the thread's own, or named by
    the person."""
    document = turn.thread.document
    if document and get_newest(document):
        return True
    if any(mention["type"] == "document" for row in turn.messages.filter(dropped_at=None) for mention in row.mentions):
        return True
    return turn.calls.filter(tool__in=_LOOKING, status=ToolCall.Status.SUCCEEDED, message__dropped_at=None).exists()


def _has_read_all(turn: Turn) -> bool:
    """Whether the model was shown each line of the thread's document, or its turn has read each one of its scope to the
    end."""
    document = turn.thread.document
    if document is None:
        coverage = count_coverage(turn, ())
        return coverage is not None and coverage["documents"] == coverage["read"] and not coverage.get("in_part")
    reading = get_newest(document)
    return reading is not None and not reading.is_partial and has_shown_all(turn.thread, reading)


def count_coverage(turn: Turn, cited: Collection[str]) -> Coverage | None:
    """`cited` are ids of documents. None in a thread about one document."""
    if turn.thread.document_id:
        return None
    read = _collect_read(turn, cited)
    in_part = [document_id for document_id, pages in read.items() if pages.is_in_part]
    documents = _count_scope(turn)
    return {
        "cited": len(cited),
        "read": len(read),
        "in_part": len(in_part),
        "documents": documents if len(read) <= documents else None,
    }


def _collect_read(turn: Turn, cited: Collection[str]) -> Mapping[str, PagesRead]:
    """What the turn has read, and of what its answer cites beyond that all that the thread has."""
    tools = (*pages_read.PAGE_TOOLS, pages_read.SURVEY)
    calls = ToolCall.objects.filter(tool__in=tools, status=ToolCall.Status.SUCCEEDED)
    read = dict(pages_read.collect(calls.filter(turn=turn)))
    if beyond := set(cited) - set(read):
        earlier = pages_read.collect(calls.filter(turn__thread=turn.thread_id, turn__number__lt=turn.number))
        # Of the others the turn has seen no more than what a search gave.
        read |= {document_id: earlier.get(document_id) or PagesRead(page_count=1) for document_id in beyond}
    return read


def _count_scope(turn: Turn) -> int:
    actor = owner_of(turn.thread)
    if not turn.scope:
        return Document.objects.for_org(actor.organization).count()
    return scopes.build_view(actor, turn.scope, maximum=0).total
