"""What a model is shown of the document of its thread before it asks, and, in automatic setup, of what is like it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from agent.citations.aliases import print_lines
from agent.models import Thread, Turn
from agent.policy.policy_context import candidates_of
from agent.scope_profiles.applied.foreign_documents import ForeignDocument
from agent.toolkit.reading_on import name_call
from documents.autosetup import lookalikes, siblings
from documents.models import Document, Proposal
from documents.reading.page_text import MarkedText, make_data_block, mark_pages
from documents.reading.reading import get_newest

EXCERPT_TOKENS = 2000
# Of an automatic setup, which has to know the whole document; its siblings share as much as one excerpt has.
STUDIED_TOKENS = 8000
MAX_CANDIDATE = 8000
UNREAD = (
    "It is being read at the moment. Its text will stand here as soon as it has been: until then say that it is "
    "coming, and guess nothing."
)
UNREADABLE = "It could not be read, so there is no text. A person sees why on its page, and can have it read again."


def build_blocks(turn: Turn, budget: int, *, hidden: Mapping[str, ForeignDocument] | None = None) -> list[str]:
    """Blocks of data: the document, and for a headless turn what fits and what looks alike, each in one of its own.

    Of a `hidden` document the sentence that says why alone.
    """
    document = turn.thread.document
    if document is None:
        return []
    if hidden and document.pk in hidden:
        return [make_data_block("document", f"{hidden[document.pk].sentence} Nothing of it is shown to you.")]
    if turn.origin != Turn.Origin.HEADLESS:
        return [_show_document(document, turn.thread, min(EXCERPT_TOKENS, budget // 6))[0]]
    block, text = _show_document(document, None, min(STUDIED_TOKENS, budget // 3))
    proposal = Proposal.objects.filter(members__turn_id=turn.pk).first()
    if proposal is not None and text is not None:
        siblings.add_pages_read(proposal, text.whole_pages)
    return [block, *_build_candidates(turn), *_build_siblings(turn, min(EXCERPT_TOKENS, budget // 6))]


def _show_document(document: Document, thread: Thread | None, max_tokens: int) -> tuple[str, MarkedText | None]:
    """The block, and what of the pages stands in it; None while there is nothing to read.

    In a `thread` its lines have block ids.
    """
    reading = get_newest(document)
    about: dict[str, object] = {"name": document.name, "file_type": document.media_type}
    about["pages"] = reading.page_count if reading else 0
    if place := document.place_in_whole:
        about["place"] = place
    if thread is not None and (alike := lookalikes.describe_unrun(document)):
        about["alike"] = alike[0]
        if alike[1].latest_id:  # what is proposed runs on nothing else
            about["alike_prompt_id"] = alike[1].pk
    if reading is None:
        unread = UNREADABLE if document.state == Document.State.OCR_FAILED else UNREAD
        return make_data_block("document", unread, **about), None
    if reading.is_partial:
        about["note"] = reading.reason
    text = mark_pages(reading, max_tokens=max_tokens)
    if thread is not None:
        text = print_lines(thread, reading, text)
    if reads_on := name_call(text):
        about["cut"] = reads_on
    return make_data_block("document", text, **about), text


def _build_candidates(turn: Turn) -> list[str]:
    """Accepted definitions whose documents look like this one, to choose from."""
    return [
        make_data_block(
            "candidates",
            json.dumps(revision.schema_revision.response_format, ensure_ascii=False)[:MAX_CANDIDATE],
            prompt=revision.prompt.name,
            prompt_id=revision.prompt_id,
            prompt_revid=revision.pk,
            schema=revision.schema_revision.schema.name,
            schema_id=revision.schema_revision.schema_id,
        )
        for revision in candidates_of(turn)
        if revision.schema_revision
    ]


def _build_siblings(turn: Turn, max_tokens: int) -> list[str]:
    """Documents that look alike, in short."""
    rows, blocks = siblings.list_siblings(turn.thread_id), []
    for row in rows:
        if reading := get_newest(row.document):
            text = mark_pages(reading, max_tokens=max_tokens // len(rows))
            siblings.add_pages_read(row, text.whole_pages)
            blocks.append(make_data_block("sibling", text, name=row.document.name, pages=reading.page_count))
    return blocks
