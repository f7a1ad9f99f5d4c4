"""Naming the words that prove an answer."""

from __future__ import annotations

from agent.citations import citing
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments


def _summarize(arguments: Arguments, result: Result) -> str:
    return f"[{arguments.get('citation_number')}] “{str(result.get('cited_text', ''))[:60]}”"


@tool(
    category="document",
    access="read",
    title="Cite a source",
    icon="i-locate-fixed",
    summary=_summarize,
    is_rare=True,
)
def cite_source(context: ToolContext, cited_text: str, block_id: str, citation_number: int) -> Result:
    """Binds a number in brackets, such as [1], in your answer to words of a document: people open and see them.

    cited_text: the words, as the line has them
    block_id: of the line in which they begin, such as D1:2.14; only of what was read in this conversation
    citation_number: 1 to 99
    """
    row = citing.cite(context.turn, number=citation_number, block_id=block_id, cited_text=cited_text)
    return {
        "citation_number": row.number,
        "document_id": row.reading.document_id,
        "page": row.page,
        "block_id": row.block_id,
        "cited_text": row.cited_text,
        "box": row.box,
    }
