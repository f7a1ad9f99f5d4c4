"""The rows of the documents list, put together with a constant number of queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from accounts.actor import Actor
from documents.autosetup import lookalikes
from documents.find.field_conditions import FieldCondition
from documents.models import AutoSetup, Document, Prompt, Reading
from documents.reading.gaps import describe_in_words
from documents.views.find.row_values import RowValue, load_row_values
from documents.views.row_facts import Facts, load_facts
from documents.views.value_counts import ValueCounts
from kit import formats

State = Document.State
Setup = AutoSetup.Status
PICTURES = {"png", "jpg", "jpeg", "webp", "gif", "bmp"}


@dataclass(frozen=True)
class StateWords:
    """What a state is called, its colour (run, wait, done, fail or none) and its icon, or none for a spinner."""

    words: str
    tone: str = ""
    icon: str = "circle"
    is_proposed: bool = False


@dataclass(frozen=True)
class DocumentRow:
    document: Document
    state: StateWords
    kind: str
    uploaded_by: str
    value_counts: ValueCounts
    thumbnail: Reading | None
    values: Sequence[RowValue] = ()
    may_succeed: bool = False
    alike: Prompt | None = None
    """The prompt in force that it looks to be for, where nothing has run on it."""

    @property
    def is_live(self) -> bool:
        """Something is still under way, so the row will change by itself."""
        return self.state.tone == "run"

    @property
    def waits(self) -> bool:
        """A person has to look."""
        return self.value_counts.total > 0 and self.document.state == State.LLM_COMPLETED and self.state.tone != "done"


def list_documents(actor: Actor) -> QuerySet[Document, Document]:
    return add_related(Document.objects.for_org(actor.organization)).order_by("-created_at", "-pk")


def add_related(rows: QuerySet[Document, Document]) -> QuerySet[Document, Document]:
    """With what a row shows of them beside themselves."""
    related = rows.select_related("document_type", "type_decision__decided_by", "sketch__alike_prompt")
    related = related.select_related("duplicate_of", "same_paper", "parent")
    return related.prefetch_related("tags").defer("sketch__words", "sketch__layout")


def make_rows(
    documents: Sequence[Document], actor: Actor, comparisons: Sequence[FieldCondition] = ()
) -> list[DocumentRow]:
    """With the values that the list is narrowed by, each named by one of the `comparisons`."""
    facts = load_facts(documents)
    stored = {key: each.extraction.current for key, each in facts.items() if each.extraction}
    values = load_row_values(documents, comparisons, stored)
    return [make_row(document, facts[document.pk], actor, values.get(document.pk, ())) for document in documents]


def make_row(document: Document, facts: Facts, actor: Actor, values: Sequence[RowValue] = ()) -> DocumentRow:
    mine = document.uploaded_by_id == actor.user.pk and document.uploaded_by_name == actor.user.shown_name
    return DocumentRow(
        document=document,
        state=describe_state(document, facts),
        kind=_describe_kind(document, facts),
        uploaded_by="You" if mine else document.uploaded_by_name,
        value_counts=facts.value_counts,
        thumbnail=facts.seen,
        values=values,
        may_succeed=document.state == State.OCR_FAILED and facts.may_succeed,
        alike=_find_alike_in_force(document, facts),
    )


def describe_state(document: Document, facts: Facts) -> StateWords:
    if setup := _describe_setup(document, facts):
        return setup
    reason = document.state_reason.rstrip(".")
    match document.state:
        case State.UPLOADED:
            return StateWords(facts.waits_because or "Waiting to be read", "run", "")
        case State.OCR_PROCESSING:
            return StateWords(facts.waits_because or _describe_progress(facts), "run", "")
        case State.OCR_FAILED:
            return StateWords(f"Could not be read: {reason}", "fail", "circle-alert")
        case State.LLM_PROCESSING if facts.is_extracting:
            return StateWords("Extracting", "run", "")
        case State.LLM_FAILED:
            return StateWords(f"Extraction failed: {reason}", "fail", "circle-alert")
        case State.LLM_COMPLETED | State.LLM_PROCESSING if facts.extraction:
            return _note_held(_note_gaps(_describe_checking(facts), document, facts), facts)
        case _ if facts.held_runs:
            return _note_gaps(StateWords(_describe_held(facts), "wait", "hand"), document, facts)
        case _:
            return _note_gaps(StateWords(_describe_unrun(document)), document, facts)


def _describe_held(facts: Facts) -> str:
    names = [held_run.prompt.name for held_run in facts.held_runs]
    return f"{names[0]} is held" if len(names) == 1 else f"{len(names)} prompts are held"


def _note_held(state: StateWords, facts: Facts) -> StateWords:
    return StateWords(f"{state.words} · {_describe_held(facts)}", "wait", "hand") if facts.held_runs else state


def _describe_unrun(document: Document) -> str:
    if prompt := lookalikes.find_alike(document):
        return lookalikes.describe_alike(prompt)
    return "Read, not extracted" if document.tags.all() else "Read, no tag"


def _find_alike_in_force(document: Document, facts: Facts) -> Prompt | None:
    is_at_rest = document.state in (State.OCR_COMPLETED, State.LLM_COMPLETED)
    if not is_at_rest or facts.extraction or facts.setup or facts.held_runs:
        return None
    prompt = lookalikes.find_alike(document)
    return prompt if prompt and prompt.latest_id else None


def _note_gaps(state: StateWords, document: Document, facts: Facts) -> StateWords:
    """Whoever looks at the values has to know that something is missing; whoever verified them has seen it."""
    gaps = "" if state.tone == "done" else describe_in_words(document, facts.readings)
    icon = "circle-alert" if not state.tone else state.icon
    return StateWords(f"{state.words} · {gaps}", "wait", icon) if gaps else state


def _describe_setup(document: Document, facts: Facts) -> StateWords | None:
    """While its setup goes on or waits, once it is read; and why there is none, until somebody extracts otherwise."""
    setup = facts.setup
    if setup is None or document.state in (State.UPLOADED, State.OCR_PROCESSING, State.OCR_FAILED):
        return None
    reason = setup.reason.rstrip(".")
    match setup.status:
        case Setup.QUEUED | Setup.RUNNING:
            return StateWords(_describe_setup_under_way(setup), "run", "")
        case Setup.PROPOSED:
            return StateWords("Proposed", is_proposed=True)
        case Setup.FAILED if not facts.extraction:
            return StateWords(f"Setup failed: {reason}", "fail", "circle-alert")
        case Setup.SKIPPED if not facts.extraction:
            return StateWords(f"Not set up: {reason}", icon="circle-alert")
    return None


def _describe_setup_under_way(setup: AutoSetup) -> str:
    proposal = setup.proposal
    if setup.status == Setup.RUNNING:
        return f"Setting up · round {setup.rounds + 1}" if setup.turn_id else "Extracting"
    if proposal is None:
        return "Waiting to be set up"
    if proposal.lead_id in (None, setup.document_id):
        return "Setting up"
    return f"Waiting for the setup of {proposal.lead.name if proposal.lead else 'a document like it'}"


def _describe_progress(facts: Facts) -> str:
    reading = facts.readings[0] if facts.readings else None
    if reading is None or not reading.page_count:
        return "Reading"
    return f"Reading page {min(reading.pages_read + 1, reading.page_count)} of {reading.page_count}"


def _describe_checking(facts: Facts) -> StateWords:
    if "" in facts.verified:
        return StateWords("Verified", "done", "circle-check")
    value_counts = facts.value_counts
    if doubts := value_counts.describe_doubts():
        return StateWords(doubts, "wait", value_counts.icon)
    return StateWords("To verify")


def _describe_kind(document: Document, facts: Facts) -> str:
    parts = [document.extension.upper() or "File"]
    known = next((reading for reading in facts.readings if reading.page_count), None)
    if known and known.page_count:
        parts.append("1 page" if known.page_count == 1 else f"{formats.format_number(known.page_count)} pages")
        if known.is_partial and known.pages_read < known.page_count:
            parts.append(f"{formats.format_number(known.pages_read)} of them read")
    parts += _describe_relations(document, facts)
    if document.duplicate_of:
        parts.append(f"same file as {document.duplicate_of.name}")
    elif document.known_paper:
        parts.append(f"same paper as {document.known_paper.name}")
    return ", ".join(parts)


def _describe_relations(document: Document, facts: Facts) -> Iterator[str]:
    """What came in it or was cut out of it, and what it came in itself."""
    if facts.part_count:
        yield "1 document in it" if facts.part_count == 1 else f"{facts.part_count} documents in it"
    if place := document.place_in_whole:
        yield place
