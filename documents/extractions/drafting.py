"""Asks the model, window by window, and locates what it said. Nothing here writes to the database but the money."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from django.conf import settings

from accounts.actor import Actor
from accounts.models import Role
from documents.backends.llm import BudgetAccount, ModelFailed
from documents.backends.words import unpack
from documents.definitions import prompts
from documents.extractions.draft import ExtractionDraft, Note
from documents.extractions.extraction_request import ExtractionRequest, Truncated
from documents.extractions.windows import WINDOW_TOKENS, Part, merge_parts, split_into_windows, split_window
from documents.locate import locate
from documents.model_access import models_catalogue, spending
from documents.models import Document, LanguageModel, PromptRevision, Reading, Revision
from documents.reading import page_text, reading
from documents.reading.page_text import MarkedText, make_data_block
from documents.values import add_row_ids
from kit.errors import Invalid
from kit.json_types import JsonObject

MAX_SPLITS = 6


def prepare(
    actor: Actor,
    *,
    document: Document,
    prompt_revision: PromptRevision | None,
    model: str = "",
    cancelled: Callable[[], bool] | None = None,
    account: BudgetAccount | None = None,
) -> ExtractionDraft:
    """Calls the model; stores nothing. Without a prompt revision the default prompt, a summary, is asked.

    Raises Invalid (not read, model unusable), ModelFailed, OutOfBudget, Cancelled. Never inside a transaction.
    """
    actor.require(Role.REVIEWER)
    account = account or spending.BudgetAccount(actor.organization, "extraction", document.pk, actor.user)
    chosen = choose_model(document, prompt_revision, model)
    return make_draft(document, prompt_revision, model=chosen, account=account, cancelled=cancelled)


def choose_model(document: Document, prompt_revision: PromptRevision | None, model: str = "") -> str:
    """The model that runs: the one asked for, else the prompt's, else the organization's. Raises Invalid."""
    name = model or (prompt_revision.model if prompt_revision else "")
    chosen = models_catalogue.resolve(name, default=settings.EXTRACTION_MODEL)
    models_catalogue.check_usable(chosen)
    return chosen


def require_reading(document: Document) -> Reading:
    """The newest completed reading. Raises Invalid when there is none, or nothing in it."""
    newest = reading.get_newest(document)
    if newest is None:
        raise Invalid(f"{document.name} has not been read yet, so nothing can be taken out of it.", code="not_read")
    return newest


def make_draft(
    document: Document,
    prompt_revision: PromptRevision | None,
    *,
    model: str,
    account: BudgetAccount,
    cancelled: Callable[[], bool] | None = None,
) -> ExtractionDraft:
    source = require_reading(document)
    schema_revision = prompt_revision.schema_revision if prompt_revision else None
    request = ExtractionRequest(
        model=model,
        instructions=prompt_revision.content if prompt_revision else prompts.DEFAULT_CONTENT,
        response_format=schema_revision.response_format if schema_revision else None,
        is_proposed=_is_proposed(prompt_revision),
        account=account,
        cancelled=cancelled,
    )
    run = _WindowedRun(document, source, request, _format_metadata(document, prompt_revision))
    part = run.extract()
    return ExtractionDraft(
        document_id=document.pk,
        reading_id=source.pk,
        prompt_revision_id=prompt_revision.pk if prompt_revision else None,
        schema_revision_id=schema_revision.pk if schema_revision else None,
        model=model,
        raw="\n".join(run.raw),
        result=part.result,
        provenance={where: location.as_json() for where, location in part.provenance.items()},
        coverage=sorted(run.seen - run.cut),
        page_count=source.page_count or len(run.sizes),
        notes=run.notes,
        cost_micros=request.spent.cost_micros,
        prompt_tokens=request.spent.prompt_tokens,
        completion_tokens=request.spent.completion_tokens,
    )


def _is_proposed(prompt_revision: PromptRevision | None) -> bool:
    """Whether some of what the run is asked with has been accepted by nobody."""
    used = (prompt_revision, prompt_revision.schema_revision) if prompt_revision else ()
    return any(revision is not None and revision.status != Revision.Status.ACCEPTED for revision in used)


class _WindowedRun:
    """One pass over the pages: the windows still to do, and what they gave."""

    def __init__(self, document: Document, source: Reading, request: ExtractionRequest, metadata: str) -> None:
        self.document, self.source, self.request, self.metadata = document, source, request, metadata
        self.words = {
            page.number: bytes(page.words) for page in source.pages.only("number", "words").order_by("number")
        }
        self.sizes = page_text.estimate_pages(source)
        self.max_tokens = _get_window_tokens(request.model)
        self.raw: list[str] = []
        self.notes: list[Note] = []
        self.seen: set[int] = set()
        self.cut: set[int] = set()

    def extract(self) -> Part:
        waiting = deque(split_into_windows(self.sizes, self.max_tokens) or [[]])
        parts: list[Part] = []
        splits = 0
        while waiting:
            window = waiting.popleft()
            try:
                parts.append(self._extract_window(window))
            except Truncated as error:
                splits += 1
                if len(window) < 2 or splits > MAX_SPLITS:
                    raise ModelFailed(str(error), code="context") from error
                waiting.extendleft(reversed(split_window(window)))
        return merge_parts(parts) if self.request.response_format else _join_texts(parts)

    def _extract_window(self, window: list[int]) -> Part:
        text = page_text.mark_pages(self.source, pages=window, max_tokens=2 * self.max_tokens)
        document = self._make_document_block(text)
        if self.request.response_format is None:
            answer = self.request.ask_for_text(document)
            part, raw = Part({"text": answer}, {}), answer
        else:
            result, raw, notes = self.request.ask_for_result(document)
            part = self._locate(result, text.pages)
            self.notes += notes
        self.raw.append(raw)
        self.seen.update(text.pages)
        if text.cut:
            self.cut.update(text.pages[-1:])
        return part

    def _make_document_block(self, text: MarkedText) -> str:
        count = self.source.page_count or len(self.sizes)
        attributes: dict[str, object] = {"name": self.document.name, "pages": count}
        if len(text.pages) < count:
            attributes["excerpt"] = f"pages {_format_span(text.pages)} of {count}"
        return "\n".join(filter(None, [self.metadata, make_data_block("document", text, **attributes)]))

    def _locate(self, result: JsonObject, pages: list[int]) -> Part:
        stored = add_row_ids(result, self.request.schema)
        words = [(number, unpack(self.words[number])) for number in pages]
        return Part(stored, locate(stored, self.request.schema, words))


def _join_texts(parts: list[Part]) -> Part:
    return Part({"text": "\n\n".join(part.result["text"] for part in parts)}, {})


def _get_window_tokens(model: str) -> int:
    row = LanguageModel.objects.filter(name=model).first()
    room = row.max_input_tokens if row else None
    return min(WINDOW_TOKENS, room // 2) if room else WINDOW_TOKENS


def _format_metadata(document: Document, prompt_revision: PromptRevision | None) -> str:
    """What the prompt includes of the document's metadata, as data."""
    keys = (prompt_revision.include or {}).get("metadata_keys") if prompt_revision else None
    lines = [f"{key}: {document.metadata[key]}" for key in keys or () if key in document.metadata]
    return make_data_block("metadata", "\n".join(lines)) if lines else ""


def _format_span(pages: list[int]) -> str:
    return f"{pages[0]} to {pages[-1]}" if pages else "none"
