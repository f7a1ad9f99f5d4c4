"""One pass over the pages of a document, window by window."""

from __future__ import annotations

from collections.abc import Sequence

from documents.extractions.draft import Note
from documents.extractions.model_requests.extraction_request import ExtractionRequest, Result
from documents.extractions.model_requests.model_answers import LastRow, Truncated, read_cut_answer
from documents.extractions.model_requests.request_messages import NO_PICTURES
from documents.extractions.windowing.merging import WindowResult, merge_parts
from documents.extractions.windowing.poor_pages import PoorPages
from documents.extractions.windowing.windows import WINDOW_TOKENS, WindowPlan
from documents.locate import locate
from documents.locate.leaves import LineHints
from documents.models import Document, LanguageModel, Reading
from documents.reading import page_text
from documents.reading.page_text import MarkedText, make_data_block
from documents.values import add_row_ids, iterate_leaves
from kit.json_types import JsonObject
from llm.client import PICTURE_TOKENS, ModelFailed
from reader.words import unpack

MAX_ANSWERS = 500
"""Of one pass; a budget ends most before."""
OF_THESE_PAGES = ("broken", "context", "refused")
"""Failures that other pages need not have."""


GONE_ON = "The whole rows of the answer were kept, and the rest was asked for."


class WindowedRun:
    """The pages that are still to do, and what those before gave.

    A window whose answer was cut keeps its whole rows, and the next one goes on after the last of them. One that the
    model does not take is halved. A page that gives no answer alone is left out and noted, unless no page gives one.
    `pages` are those to ask for where an earlier run gave the others; without them all.
    """

    def __init__(
        self,
        document: Document,
        source: Reading,
        request: ExtractionRequest,
        metadata: str,
        pages: Sequence[int] = (),
    ) -> None:
        self.document, self.source, self.request, self.metadata = document, source, request, metadata
        self.pages = pages
        self.words = {
            page.number: bytes(page.words)
            for page in source.pages.only("reading", "number", "words").order_by("number")
        }
        self.pictures = PoorPages(source, pages) if request.sees else None
        self.sizes = page_text.estimate_pages(source)
        if self.pictures:
            self.sizes |= {page: self.sizes[page] + PICTURE_TOKENS for page in self.pictures.shown}
        self.plan = WindowPlan(self.sizes, _get_window_tokens(request.model))
        self.raw: list[str] = []
        self.notes: list[Note] = []
        self.seen: set[int] = set()
        self.cut: set[int] = set()
        self.parts: list[WindowResult] = []
        self.failure: ModelFailed | None = None

    def extract(self) -> WindowResult:
        """Raises ModelFailed when no page gave an answer, and whatever is worth another try."""
        rest, after = [page for page in self.sizes if page in self.pages or not self.pages], None
        for _ in range(MAX_ANSWERS):
            window = self.plan.take_window(rest, is_begun=after is not None) if rest else []
            try:
                rest, after = self._answer(window, rest, after)
            except ModelFailed as failure:
                rest, after = self._leave_out(window, rest, failure), None
            if not rest:
                break
        if not self.parts and self.failure:
            raise self.failure
        if self.pictures and self.request.sees:
            self.notes += self.pictures.list_notes()
        return merge_parts(self.parts) if self.request.response_format else _join_texts(self.parts)

    def _answer(self, window: list[int], rest: list[int], after: LastRow | None) -> tuple[list[int], LastRow | None]:
        """The pages that are left then, and the row after which their answer begins."""
        text = page_text.mark_pages(self.source, pages=window, max_tokens=2 * self.plan.max_input)
        document = self._make_document_block(text)
        try:
            part, raw = self._ask(document, text, after)
        except Truncated as error:
            return self._go_on(window, rest, text, error, after)
        self._keep(part, raw, text, text.pages)
        return self.plan.list_rest(rest, window), None

    def _ask(self, document: str, text: MarkedText, after: LastRow | None) -> tuple[WindowResult, str]:
        pictures = self.pictures.draw(text.pages) if self.pictures and self.request.sees else NO_PICTURES
        if self.request.response_format is None:
            answer = self.request.ask_for_text(document, pictures)
            return WindowResult({"text": answer}, {}), answer
        answered = self.request.ask_for_result(document, pictures, after=after)
        self._learn(text.pages, answered, is_begun=after is not None)
        self.notes += answered.notes
        return self._locate(answered.values, text.pages, answered.lines), answered.raw

    def _go_on(
        self, window: list[int], rest: list[int], text: MarkedText, error: Truncated, after: LastRow | None
    ) -> tuple[list[int], LastRow | None]:
        cut = read_cut_answer(error.text) if self.request.response_format else None
        lines = self.request.take_lines(cut.result) if cut else {}
        result, notes = self.request.keep_fitting_fields(cut.result) if cut else ({}, [])
        # Nothing can be gone on after where no row is new, or where the rows are none of the schema's.
        if cut is None or cut.path not in result or after == LastRow(cut.path, cut.last_row):
            if len(window) < 2:
                raise ModelFailed(str(error), code="context") from error
            self.plan.shrink(window)
            return rest, after
        part = self._locate(result, text.pages, lines)
        page = find_page_of_last_row(part, cut.path) or window[0]
        pages = [number for number in window if number <= page]
        if error.is_broken:
            notes = [*notes, {"where": cut.path, "reason": f"{error} {GONE_ON}", "value": None}]
        else:
            self._learn(pages, error, is_begun=after is not None, is_cut=True)
        self.notes += notes
        self._keep(part, error.text, text, pages[:-1])
        return rest[len(pages) - 1 :], LastRow(cut.path, cut.last_row)

    def _learn(self, pages: list[int], answered: Result | Truncated, *, is_begun: bool, is_cut: bool = False) -> None:
        length = {"output": answered.output, "max_output": answered.max_output}
        self.plan.learn(pages, **length, is_begun=is_begun, is_cut=is_cut)

    def _leave_out(self, window: list[int], rest: list[int], failure: ModelFailed) -> list[int]:
        if failure.code not in OF_THESE_PAGES or not (self.parts or self.pages):
            raise failure
        self.failure = failure
        pages = f"Page {window[0]}" if len(window) == 1 else f"Pages {format_spans(window)}"
        self.notes.append({"where": "", "reason": f"{pages}: {failure.sentence}", "value": None})
        return rest[len(window) :]

    def _keep(self, part: WindowResult, raw: str, text: MarkedText, pages: list[int]) -> None:
        """`pages` are those that the part is the whole answer to."""
        self.parts.append(part)
        self.raw.append(raw)
        self.seen.update(pages)
        if text.cut_page:
            self.cut.add(text.cut_page)

    def _make_document_block(self, text: MarkedText) -> str:
        count = self.source.page_count or len(self.sizes)
        attributes: dict[str, object] = {"name": self.document.name, "pages": count}
        if len(text.pages) < count:
            attributes["excerpt"] = f"pages {format_spans(text.pages)} of {count}"
        return "\n".join(filter(None, [self.metadata, make_data_block("document", text, **attributes)]))

    def _locate(self, result: JsonObject, pages: list[int], lines: LineHints) -> WindowResult:
        stored = add_row_ids(result, self.request.schema)
        words = [(number, unpack(self.words[number])) for number in pages]
        places = locate(stored, self.request.schema, words, lines)
        # A later window may have a value where this one has none, and then its place.
        empty = {where for where, value in iterate_leaves(stored) if value in (None, "")}
        return WindowResult(stored, {where: place for where, place in places.items() if where not in empty})


def find_page_of_last_row(part: WindowResult, path: str) -> int:
    """0 when no value of it was found on a page."""
    prefix = f"{path}[{part.result[path][-1]['row_id']}]"
    pages = [place.page for where, place in part.provenance.items() if where.startswith(prefix) and place.page]
    return max(pages, default=0)


def _join_texts(parts: list[WindowResult]) -> WindowResult:
    return WindowResult({"text": "\n\n".join(part.result["text"] for part in parts)}, {})


def _get_window_tokens(model: str) -> int:
    row = LanguageModel.objects.filter(name=model).first()
    room = row.max_input_tokens if row else None
    return min(WINDOW_TOKENS, room // 2) if room else WINDOW_TOKENS


def format_spans(pages: Sequence[int]) -> str:
    """`3`, `3 to 5`, `3 to 5, 9`."""
    spans: list[list[int]] = []
    for page in pages:
        if spans and page == spans[-1][-1] + 1:
            spans[-1].append(page)
        else:
            spans.append([page])
    return ", ".join(f"{span[0]} to {span[-1]}" if len(span) > 1 else f"{span[0]}" for span in spans) or "none"
