"""An answer with its sources as a file: Markdown, JSON, or a document for word processors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse

from agent.cards.answer_docx import write_docx, write_markdown, write_paragraph
from agent.citations.checked_answers import NOTHING_READ, UnprovenSentence, get_coverage, list_unproven
from agent.citations.reviewing import Coverage
from agent.citations.statements.checking import State
from agent.conversation.cited_messages import read_message
from agent.conversation.sources import Source
from agent.models import Message
from agent.toolkit.previews import format_count
from kit.timestamps import format_timestamp

FORMATS = {
    "md": "text/markdown; charset=utf-8",
    "json": "application/json",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
NOTHING = "names no words of a document here: it proves nothing"


def build_file(message: Message, root: str) -> AnswerFile:
    """Of an answer with its question. `root` is the address of the installation, for links."""
    thread, answer = message.thread, read_message(message)
    asked = thread.messages.filter(turn=message.turn, role=Message.Role.USER).order_by("number").first()
    texts = [*answer.numbered_unsupported, *answer.numbered_not_checked]
    unproven = zip(texts, list_unproven(message), strict=True)
    return AnswerFile(
        question=asked.join_text() if asked else "",
        answer=answer.numbered,
        asked_at=format_timestamp(message.turn.created_at),
        thread_id=thread.pk,
        sources=answer.sources,
        unproven=[replace(each, text=text) for text, each in unproven],
        coverage=_describe_coverage(get_coverage(message)),
        nothing_read=NOTHING_READ if answer.nothing_read else "",
        addresses={
            each.block_id: root + reverse("place", args=(thread.organization_id, each.block_id))
            for each in answer.sources
            if each.document
        },
    )


def _describe_coverage(coverage: Coverage | None) -> str:
    if coverage is None:
        return ""
    documents = coverage["documents"]
    of = f" of {format_count(documents, 'document')}" if documents is not None else ""
    in_part = coverage.get("in_part", 0)
    part = f" ({in_part:,} in part)" if in_part else ""
    return f"{coverage['cited']:,} cited, {coverage['read']:,} read{of}{part}"


@dataclass(frozen=True)
class AnswerFile:
    """`answer` has [1] in place of block ids; `addresses` are those of the sources, by block id; `unproven` the
    sentences without proof, and those that are not checked."""

    question: str
    answer: str
    asked_at: str
    thread_id: str
    sources: Sequence[Source]
    addresses: dict[str, str]
    unproven: Sequence[UnprovenSentence] = ()
    coverage: str = ""
    nothing_read: str = ""

    def write(self, form: str) -> bytes:
        """`form` is one of FORMATS."""
        return {"md": self._write_markdown, "json": self._write_json, "docx": self._write_docx}[form]()

    def _write_markdown(self) -> bytes:
        listed = [f"{source.number}. {self._describe(source)}" for source in self.sources]
        parts = [f"> {line}" for line in self.question.splitlines()]
        sources = ["## Sources", "\n".join(listed)] if listed else []
        text = "\n\n".join(["\n".join(parts), self.answer, *sources, *self._list_notes()])
        return f"{_disarm(text)}\n".encode()

    def _write_json(self) -> bytes:
        body = {
            "question": self.question,
            "answer": self.answer,
            "asked_at": self.asked_at,
            "thread_id": self.thread_id,
            "unsupported": [each.text for each in self._list(State.UNSUPPORTED)],
            "not_found": [each.missing for each in self._list(State.UNSUPPORTED)],
            "not_checked": [each.text for each in self._list(State.NOT_CHECKED)],
            "not_checked_because": [each.reason for each in self._list(State.NOT_CHECKED)],
            "coverage": self.coverage,
            "nothing_read": bool(self.nothing_read),
            "sources": [
                {
                    "number": source.number,
                    "block_id": source.block_id,
                    "page": source.page,
                    "document_id": source.document.pk if source.document else None,
                    "document_name": source.document.name if source.document else None,
                    "quote": source.quote,
                    "url": self.addresses.get(source.block_id),
                }
                for source in self.sources
            ],
        }
        return json.dumps(body, ensure_ascii=False, indent=2).encode()

    def _write_docx(self) -> bytes:
        return write_docx(self._write_parts())

    def _write_parts(self) -> Iterator[str]:
        yield from (write_paragraph(line, is_bold=True) for line in self.question.splitlines())
        yield from write_markdown(self.answer)
        if self.sources:
            yield write_paragraph("Sources", is_bold=True)
        for each in self.sources:
            address = self.addresses.get(each.block_id, "")
            yield write_paragraph(f"[{each.number}] {self._quote(each)} ", address=address)
        yield from map(write_paragraph, self._list_notes())

    def _list(self, state: State) -> list[UnprovenSentence]:
        return [each for each in self.unproven if each.state is state]

    def _list_notes(self) -> Iterator[str]:
        """What the page says under the answer: why sentences are not supported, and how much was read."""
        for each in self.unproven:
            yield f"{each.word.capitalize()}: “{each.text}” {each.reason}".rstrip()
        if self.nothing_read:
            yield self.nothing_read
        if self.coverage:
            yield self.coverage

    def _describe(self, source: Source) -> str:
        return f"{self._quote(source)} {self.addresses.get(source.block_id, '')}".rstrip()

    def _quote(self, source: Source) -> str:
        if source.document is None:
            return NOTHING
        return f"{source.document.name}, page {source.page}: “{source.quote}”"


def _disarm(markdown: str) -> str:
    """As on the page, addresses are text and pictures are none: a document may have made the model write them."""
    return markdown.replace("<", "&lt;").replace("![", "!\\[").replace("](", "]\\(")
