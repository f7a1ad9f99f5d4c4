"""The rows of the documents list, put together with a constant number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from accounts.actor import Actor
from documents import extractions
from documents.autosetup import lookalikes
from documents.find.field_conditions import FieldCondition
from documents.models import AutoSetup, Document, Extraction, FieldEdit, Reading, Verification
from documents.reading.gaps import describe_in_words
from documents.reading.lanes import explain_wait
from documents.values.open_value import OpenValue
from documents.views.find.row_values import RowValue, load_row_values
from documents.views.value_counts import EditedPlaces, ValueCounts, count_values
from kit import formats
from kit.processes import heartbeats

State = Document.State
Setup = AutoSetup.Status
WAITS_FOR_ROOM = "Waiting until the disk has room; nothing is lost"
READER_AWAY = "The reader is not running; nothing is lost"
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

    @property
    def is_live(self) -> bool:
        """Something is still under way, so the row will change by itself."""
        return self.state.tone == "run"

    @property
    def waits(self) -> bool:
        """A person has to look."""
        return self.value_counts.total > 0 and self.document.state == State.LLM_COMPLETED and self.state.tone != "done"


@dataclass
class Facts:
    """What a row needs to know beside the document itself. `extraction` is the newest run of a prompt somebody made:
    the default prompt's summary holds nothing to verify, and nobody waits for it. `setup` is the automatic one, when it
    was asked for."""

    setup: AutoSetup | None = None
    readings: list[Reading] = field(default_factory=list)
    extraction: Extraction | None = None
    verified: set[str] = field(default_factory=set)
    edited: EditedPlaces = field(default_factory=EditedPlaces)
    waits_because: str = ""
    is_extracting: bool = False
    part_count: int = 0

    @property
    def value_counts(self) -> ValueCounts:
        if self.extraction is None or self.extraction.current is None:
            return ValueCounts()
        return count_values(self.extraction, self.verified, self.edited)

    @property
    def may_succeed(self) -> bool:
        """Whether what failed in its reading was not the file's fault."""
        return bool(self.readings) and not (self.readings[0].is_permanent or self.readings[0].reason_code)

    @property
    def seen(self) -> Reading | None:
        """The newest reading that has a first page to show."""
        return next((reading for reading in self.readings if reading.pages_listed), None)


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
    facts = _load_facts([document.pk for document in documents])
    _note_absence(documents, facts)
    _note_runs(documents, facts)
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
            return _note_gaps(_describe_checking(facts), document, facts)
        case _:
            return _note_gaps(StateWords(_describe_unrun(document)), document, facts)


def _describe_unrun(document: Document) -> str:
    if prompt := lookalikes.find_alike(document):
        return lookalikes.describe_alike(prompt)
    return "Read, not extracted" if document.tags.all() else "Read, no tag"


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


def load_facts_of(document: Document) -> Facts:
    facts = _load_facts([document.pk])
    _note_absence([document], facts)
    _note_runs([document], facts)
    return facts[document.pk]


def _note_absence(documents: Sequence[Document], facts: dict[str, Facts]) -> None:
    unread = [document.pk for document in documents if document.state in (State.UPLOADED, State.OCR_PROCESSING)]
    reason = _explain_absence() if unread else ""
    for document_id in unread:
        facts[document_id].waits_because = reason


def _explain_absence() -> str:
    if heartbeats.is_away("reading"):
        return READER_AWAY
    return WAITS_FOR_ROOM if explain_wait() else ""


def _note_runs(documents: Sequence[Document], facts: dict[str, Facts]) -> None:
    busy = [document.pk for document in documents if document.state == State.LLM_PROCESSING]
    if not busy:
        return
    under_way = Q(status__in=[Extraction.Status.QUEUED, Extraction.Status.RUNNING], prompt_revision__isnull=False)
    for document_id in Extraction.objects.filter(under_way, document__in=busy).values_list("document_id", flat=True):
        facts[document_id].is_extracting = True


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


def _load_facts(document_ids: Iterable[str]) -> dict[str, Facts]:
    facts: dict[str, Facts] = defaultdict(Facts)
    for reading in _list_readings(document_ids).order_by("-number"):
        facts[reading.document_id].readings.append(reading)
    owners: dict[str, Facts] = {}
    for extraction in extractions.list_newest_runs(document_ids):
        owners[extraction.pk] = facts[extraction.document_id]
        facts[extraction.document_id].extraction = extraction
    for setup in AutoSetup.objects.filter(document__in=document_ids).select_related("proposal__lead"):
        facts[setup.document_id].setup = setup
    parts = Document.objects.filter(parent__in=document_ids, trashed_at=None).order_by().values("parent")
    for group in parts.annotate(count=Count("pk")):
        facts[str(group["parent"])].part_count = group["count"]
    marks = Verification.objects.filter(extraction__in=list(owners), cleared_at=None)
    for mark in marks.only("extraction_id", "where", "created_at"):
        facts_of_mark = owners[mark.extraction_id]
        if mark.where or not (facts_of_mark.extraction and facts_of_mark.extraction.overtakes(mark)):
            facts_of_mark.verified.add(mark.where)
    _note_edits(owners)
    return facts


def _note_edits(owners: dict[str, Facts]) -> None:
    edits = FieldEdit.objects.filter(extraction__in=list(owners))
    for extraction_id, where, carried_from in edits.values_list("extraction_id", "where", "carried_from"):
        edited = owners[extraction_id].edited
        (edited.carried if carried_from else edited.places).add(where)
    changed = [extraction_id for extraction_id, facts in owners.items() if facts.edited.places]
    for extraction_id, result in Extraction.objects.filter(pk__in=changed).values_list("pk", "result"):
        owners[extraction_id].edited.result = OpenValue(result)


def _list_readings(document_ids: Iterable[str]) -> QuerySet[Reading]:
    """Of each document the newest reading, the newest that has a page to show, and the newest that knows how many."""
    newest = Reading.objects.filter(document=OuterRef("document")).order_by("-number").values("pk")
    kinds = (newest, newest.filter(pages_listed__gt=0), newest.filter(page_count__gt=0))
    telling = [Q(pk=Subquery(kind[:1])) for kind in kinds]
    return Reading.objects.filter(telling[0] | telling[1] | telling[2], document__in=document_ids)
