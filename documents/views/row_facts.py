"""Facts that rows of the documents list tell beside the document itself, loaded with a constant number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from documents import extractions
from documents.models import AutoSetup, Document, Extraction, FieldEdit, HeldRun, Reading, Verification
from documents.reading.lanes import explain_wait
from documents.values.open_value import OpenValue
from documents.views.value_counts import EditedPlaces, ValueCounts, count_values
from kit.processes import heartbeats

State = Document.State
WAITS_FOR_ROOM = "Waiting until the disk has room; nothing is lost"
READER_AWAY = "The reader is not running; nothing is lost"


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
    held_runs: list[HeldRun] = field(default_factory=list)

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


def load_facts_of(document: Document) -> Facts:
    return load_facts([document])[document.pk]


def load_facts(documents: Sequence[Document]) -> dict[str, Facts]:
    """Facts of each, by its key."""
    facts = _load_facts([document.pk for document in documents])
    _note_absence(documents, facts)
    _note_runs(documents, facts)
    return facts


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
    for held_run in HeldRun.objects.filter_waiting().filter(document__in=document_ids).select_related("prompt"):
        facts[held_run.document_id].held_runs.append(held_run)
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
