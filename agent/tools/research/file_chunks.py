"""Named parts of JSON, YAML and XML files: what they are found by, and what they refer to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from time import monotonic

from django.conf import settings
from django.db.models import QuerySet

from agent.citations.aliases import ALIAS, ThreadAliases, note_all_read
from agent.models import Turn
from agent.toolkit.chosen_documents import select_chosen
from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from documents.file_chunks.expanding import ExpandedChunk, Expansion, Targets, expand
from documents.file_chunks.naming import find_named, list_visible, name_chunk
from documents.file_chunks.omissions import list_cut_files, list_omissions
from documents.find.file_chunks import FoundChunk, filter_files, find_at, find_chunks, list_files
from documents.models import Document, FileChunk
from documents.reading.page_text import make_data_block, neutralize
from kit.errors import Invalid

MAX_FOUND, MAX_REQUESTED, PREVIEW = 100, 50, 200
# As much text as one answer takes.
MAX_TOKENS = 12_000


def _summarize_search(arguments: Arguments, result: Result) -> str:
    return f"{format_count(result.get('total_found', 0), 'part')} for “{arguments.get('query', '')[:60]}”"


def _summarize_expansion(arguments: Arguments, result: Result) -> str:
    return format_count(result.get("total_chunks", 0), "part")


@tool(
    category="search",
    access="read",
    title="Search parts of files",
    icon="i-braces",
    shows_any=True,
    summary=_summarize_search,
    is_rare=True,
)
def search_chunks(
    context: ToolContext,
    query: str,
    max_chunks: int = 25,
    file_filter: str | None = None,
    include_references: bool = False,
) -> Result:
    """Finds operations, schemas and other named parts of API descriptions, JSON, YAML and XML files, the best first.

    query: words of names, titles or text
    max_chunks: 1 to 100
    file_filter: a part of a file's name, or a tag
    include_references: also name the parts that each refers to
    """
    if not 1 <= max_chunks <= MAX_FOUND:
        raise Invalid(f"max_chunks must be 1 to {MAX_FOUND}.")
    began = monotonic()
    everything = _list_documents(context)
    documents = filter_files(everything, file_filter) if file_filter else everything
    chunks, total = find_chunks(context.actor, query, documents, limit=max_chunks)
    targets = Targets(everything)
    if include_references:
        targets.load([each.chunk for each in chunks])
    files = list_files(documents)
    answer: Result = {
        "chunks": [_describe_found(each, targets if include_references else None) for each in chunks],
        "total_found": total,
        "search_time_ms": round(1000 * (monotonic() - began)),
        "files_searched": len(files),
    }
    if not chunks or context.turn.origin == Turn.Origin.MCP:
        listed = files or list_files(everything)
        answer["context"] = [{"file_name": each.name, "parts": each.parts} for each in listed]
    return _add_lists(answer, cut_files=list_cut_files(documents))


@tool(
    category="search",
    access="read",
    title="Get parts of files",
    icon="i-braces",
    shows_any=True,
    summary=_summarize_expansion,
    is_rare=True,
)
def get_chunks(
    context: ToolContext, chunk_ids: list[str], expand_depth: int = 3, max_total_chunks: int | None = None
) -> Result:
    """The text of named parts of files with the parts that they refer to, the nearest first, each once. Where it is
    truncated, ask for the chunk_ids in `frontier` next.

    chunk_ids: such as api.yaml:POST /orders from search_chunks, or a block id
    expand_depth: how many references deep; 0 for the parts alone
    max_total_chunks: the most parts
    """
    if not chunk_ids or len(chunk_ids) > MAX_REQUESTED:
        raise Invalid(f"Give 1 to {MAX_REQUESTED} chunk_ids.")
    if not 0 <= expand_depth <= settings.GETCHUNKS_MAX_DEPTH:
        raise Invalid(f"expand_depth must be 0 to {settings.GETCHUNKS_MAX_DEPTH}.")
    maximum = settings.GETCHUNKS_MAX_TOTAL_CHUNKS if max_total_chunks is None else max_total_chunks
    if not 1 <= maximum <= settings.GETCHUNKS_MAX_TOTAL_CHUNKS:
        raise Invalid(f"max_total_chunks must be 1 to {settings.GETCHUNKS_MAX_TOTAL_CHUNKS}.")
    documents = _list_documents(context)
    requested, unknown = _find_requested(context, documents, chunk_ids)
    expansion = expand(documents, requested, depth=expand_depth, max_chunks=maximum, max_tokens=MAX_TOKENS)
    names = _note_read(context, [each.chunk for each in expansion.chunks])
    answer: Result = {
        "requested_chunks": [name_chunk(each) for each in requested],
        "expanded_chunks": [_describe_expanded(each, expansion, names[each.chunk.pk]) for each in expansion.chunks],
        "total_chunks": len(expansion.chunks),
        "total_tokens": expansion.tokens,
        "expansion_stats": {str(depth): count for depth, count in Counter(e.depth for e in expansion.chunks).items()},
        "truncated": bool(expansion.frontier),
    }
    read = {each.chunk.reading.document_id for each in expansion.chunks}
    return _add_lists(
        answer,
        frontier=[name_chunk(each) for each in expansion.frontier],
        unknown=unknown,
        dangling=_limit(expansion.dangling),
        # An unknown part may be in any file.
        cut_files=list_cut_files(documents if unknown else documents.filter(pk__in=read)),
        not_followed=expansion.list_cuts(),
    )


def _add_lists(answer: Result, **lists: list[str]) -> Result:
    """Leave out those that are empty."""
    return answer | {name: items for name, items in lists.items() if items}


def _limit(sentences: Sequence[str]) -> list[str]:
    more = len(sentences) - MAX_FOUND
    return [*sentences[:MAX_FOUND], *([f"{more:,} more like these."] if more > 0 else [])]


def _list_documents(context: ToolContext) -> QuerySet[Document]:
    """List the documents that the thread may be asked about."""
    chosen = select_chosen(context)
    visible = Document.objects.for_org(context.actor.organization)
    return visible if chosen is None else visible.filter(pk__in=chosen.order_by().values("pk"))


def _find_requested(
    context: ToolContext, documents: QuerySet[Document], chunk_ids: Sequence[str]
) -> tuple[list[FileChunk], list[str]]:
    chunks: dict[str, FileChunk] = {}
    named = find_named(documents, chunk_ids)
    aliases = ThreadAliases(context.thread)
    for chunk_id in dict.fromkeys(chunk_ids):
        chunk = named.get(chunk_id)
        if chunk is None and ALIAS.fullmatch(chunk_id) and (block := aliases.find(chunk_id)):
            chunk = find_at(list_visible(documents), block.reading_id, block.place.page, block.place.line)
        if chunk:
            chunks[chunk_id] = chunk
    return list({each.pk: each for each in chunks.values()}.values()), [i for i in chunk_ids if i not in chunks]


def _note_read(context: ToolContext, chunks: Sequence[FileChunk]) -> dict[str, str]:
    """The block id of each one's first line. The thread has then read the lines that its text has."""
    lines: dict[str, dict[int, list[int]]] = {}
    for chunk in chunks:
        pages = lines.setdefault(chunk.reading_id, {})
        for page, first, last in chunk.spans:
            pages.setdefault(page, []).extend(range(first, last + 1))
    aliases = note_all_read(context.thread, lines) if lines else {}
    return {each.pk: f"{aliases[each.reading_id].name}:{each.first_page}.{each.first_line}" for each in chunks}


def _describe_found(item: FoundChunk, targets: Targets | None) -> Result:
    chunk = item.chunk
    answer: Result = {
        "chunk_id": name_chunk(chunk),
        "title": neutralize(chunk.title or chunk.name),
        "content_preview": make_data_block("chunk", chunk.content[:PREVIEW], document_id=chunk.reading.document_id),
        "chunk_type": chunk.kind,
        "file_name": chunk.reading.document.name,
        "document_id": chunk.reading.document_id,
        "relevance_score": item.score,
    }
    if targets:
        answer["ref_ids"] = [name_chunk(each) for each in targets.list_targets(chunk)]
    return answer


def _describe_expanded(item: ExpandedChunk, expansion: Expansion, cite: str) -> Result:
    chunk = item.chunk
    place = {"document_id": chunk.reading.document_id, "page": chunk.first_page, "line": chunk.first_line}
    answer: Result = {
        "chunk_id": name_chunk(chunk),
        "content": make_data_block("chunk", chunk.content, document_id=chunk.reading.document_id),
        "metadata": {"chunk_type": chunk.kind, "title": neutralize(chunk.title), "address": chunk.address, **place},
        "cite": cite,
        "source": item.source,
        "expansion_depth": item.depth,
        "ref_ids": expansion.list_references(chunk),
    }
    return _add_lists(answer, left_out=list(list_omissions(chunk)))
