"""What a model reads of a document that a person names with @: what it is, its values, and how its text begins."""

from __future__ import annotations

import json
from dataclasses import replace

from agent.citations.aliases import print_lines
from agent.models import Thread
from agent.toolkit.reading_on import name_call
from documents import extractions
from documents.models import Document
from documents.reading.page_text import MarkedText, mark_pages, neutralize
from documents.reading.reading import get_newest
from documents.values import strip_row_ids

MAX_VALUES = 4000
# All that one message names share the first, and each has at least the other.
MAX_TOKENS, MIN_TOKENS = 5500, 300


def describe_document(document: Document, thread: Thread, *, share: int = 1) -> MarkedText:
    """Safe for a data block. `share`: how many documents share the room for text."""
    reading = get_newest(document)
    tags = ", ".join(f"{tag.name} ({tag.pk})" for tag in document.tags.all())
    lines = [
        f'[Document: "{document.name}"]',
        f"document_id: {document.pk}",
        f"State: {document.get_state_display()}",
        f"Tags: {tags or 'none'}",
        f"Pages: {reading.page_count if reading else 'not read yet'}",
        *_list_values(document),
    ]
    head = neutralize("\n".join(lines))
    if reading is None:
        return MarkedText(head, [])
    excerpt = print_lines(thread, reading, mark_pages(reading, max_tokens=max(MIN_TOKENS, MAX_TOKENS // share)))
    reads_on = name_call(excerpt, document.pk, reading.page_count or 0)
    return replace(excerpt, text="\n".join(filter(None, [head, "Text:", excerpt.text, reads_on])))


def _list_values(document: Document) -> list[str]:
    extraction = extractions.get_newest_or_summary(document)
    if extraction is None:
        return []
    text = json.dumps(strip_row_ids(extraction.current), ensure_ascii=False)
    cut = f"{text[:MAX_VALUES]}… (cut; get_extraction_result gives more)" if len(text) > MAX_VALUES else text
    return [f"Values ({extraction.pk}): {cut}"]
