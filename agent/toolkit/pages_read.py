"""How much of each document the tools of a turn have read: all of it, or some pages."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agent.models import ToolCall
from kit.json_types import JsonObject

PAGE_TOOLS = ("read_document", "read_multiple_documents", "get_document_summary", "get_ocr_text")
SURVEY = "read_all_documents"


@dataclass
class PagesRead:
    """Of one document. `spans`: of each page the first and last lines that were read together."""

    page_count: int = 0
    is_whole: bool = False
    spans: defaultdict[int, list[tuple[int, float]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, row: JsonObject, first_line: int = 1) -> None:
        """What a tool tells of it: it names pages, unless it was read to its end."""
        if "page_count" not in row:
            self.is_whole = True
            return
        self.page_count = row["page_count"] or 0
        following = row.get("next") or {}
        for at, page in enumerate(row.get("pages", ())):
            last = following["from_line"] - 1 if following.get("page_num") == page else math.inf
            self.spans[page].append((1 if at else first_line, last))

    def list_whole_pages(self) -> list[int]:
        return [page for page, spans in sorted(self.spans.items()) if _reaches_end(spans)]

    @property
    def is_in_part(self) -> bool:
        return not self.is_whole and len(self.list_whole_pages()) < self.page_count


def _reaches_end(spans: Iterable[tuple[int, float]]) -> bool:
    end: float = 0
    for first, last in sorted(spans):
        if first <= end + 1:
            end = max(end, last)
    return end == math.inf


def collect(calls: Iterable[ToolCall]) -> Mapping[str, PagesRead]:
    """By document, of calls that have succeeded. A result without an id is about the thread's own, and left out."""
    read: defaultdict[str, PagesRead] = defaultdict(PagesRead)
    for call in calls:
        if call.tool == SURVEY:
            _add_survey(read, call)
            continue
        result: JsonObject = call.result or {}
        first_line = (call.effective or {}).get("from_line") or 1
        for row in result.get("documents", [result]):
            if row.get("document_id"):
                read[row["document_id"]].add(row, first_line)
    return read


def _add_survey(read: defaultdict[str, PagesRead], call: ToolCall) -> None:
    result: JsonObject = call.result or {}
    left_out = {row["document_id"] for row in result.get("not_read", ())}
    in_part = {row["document_id"]: row for row in result.get("in_part", ())}
    for document_id in (call.effective or {}).get("documents") or ():
        if document_id not in left_out:
            read[document_id].add(in_part.get(document_id, {}))
