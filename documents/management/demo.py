"""Believable rows in any number, to look at and to measure with.

Every document shares one stored file, one of the samples, and what was read in it. Nothing here waits for a worker: all
states are final ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from random import Random

from django.core.files import File
from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from documents.catalog.tag_order import refresh_first_tag
from documents.index.values.indexing import list_metadata_values, list_values, make_metadata_rows, make_rows
from documents.intake.uploads import SAMPLES_DIR
from documents.locate import locate
from documents.management.demo_definitions import FIELDS, make_prompts, make_schemas, make_tags
from documents.models import (
    CurrentValue,
    Document,
    Extraction,
    MetadataPair,
    Page,
    PromptRevision,
    Reading,
    ReasonCode,
    Tag,
    Verification,
)
from documents.storage.stored_files import UPLOADS
from documents.values import ValuePlace
from kit import events
from kit.ids import new_id
from kit.rows import statistics
from kit.rows.models import fold_case
from reader.pool.answers import PageReading
from reader.pool.readers import get_pool
from reader.words import pack

SAMPLE = SAMPLES_DIR / "gen_invoice_101.pdf"
# What stands in the sample, under the names of the fields that the demo's schemas ask for.
VALUES = {"vendor": "Ostrava Tools s.r.o.", "invoice_number": "INV-2025-49883", "total": 17116.55}
BATCH = 2000
# The larger, the fewer documents have the last tags.
RARER = 8
DAYS = 730
KINDS = ("Invoice", "Receipt", "Delivery note", "Order", "Contract", "Statement", "Reminder", "Credit note")
COMPANIES = (
    "Ostrava Tools",
    "Müller & Söhne",
    "Delmar Logistics",
    "Åkerlund AB",
    "Café Ñandú",
    "Northwind",
    "Łódź Paper",
    "Blue Harbor",
    "Fernández Hermanos",
    "Kyoto Optics",
    "Greenfield Dairy",
    "Zürich Print",
)
PEOPLE = (
    "Ana Ruiz",
    "Ben Okafor",
    "Chloé Martin",
    "Dmitri Volkov",
    "Elif Kaya",
    "Grace Lee",
    "Jonas Weber",
    "Mei Tanaka",
)
DEPARTMENTS = ("purchasing", "sales", "legal", "service")
FAILED_READING, FAILED_RUN = "The file is locked with a password.", "The model gave no answer that fits the schema."
State = Document.State
STATES = {State.LLM_COMPLETED: 80, State.OCR_COMPLETED: 10, State.LLM_FAILED: 6, State.OCR_FAILED: 4}
REASONS = {State.OCR_FAILED: FAILED_READING, State.LLM_FAILED: FAILED_RUN}


@dataclass(frozen=True)
class _Shared:
    """What all documents of one call have in common."""

    actor: Actor
    random: Random
    file: str
    page: PageReading
    text: str
    words: bytes
    provenance: dict[str, ValuePlace]
    tags: Sequence[Tag]
    revisions: Sequence[PromptRevision]
    today: datetime


@dataclass
class _Batch:
    documents: list[Document] = field(default_factory=list)
    pairs: list[MetadataPair] = field(default_factory=list)
    tags: list[Document.tags.through] = field(default_factory=list)  # type: ignore[name-defined]
    readings: list[Reading] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    extractions: list[Extraction] = field(default_factory=list)
    values: list[CurrentValue] = field(default_factory=list)
    verifications: list[Verification] = field(default_factory=list)

    @transaction.atomic
    def save(self) -> None:
        Document.objects.bulk_create(self.documents)
        MetadataPair.objects.bulk_create(self.pairs)
        Document.tags.through.objects.bulk_create(self.tags)
        refresh_first_tag(Document.objects.filter(pk__in=[document.pk for document in self.documents]))
        Reading.objects.bulk_create(self.readings)
        Page.objects.bulk_create(self.pages)
        Extraction.objects.bulk_create(self.extractions)
        CurrentValue.objects.bulk_create(self.values)
        Verification.objects.bulk_create(self.verifications)


def seed_rows(
    actor: Actor, *, documents: int, prompt_revisions: int = 2000, tags: int = 200, seed: int = 1
) -> Iterator[int]:
    """Makes the rows and gives the number of documents made so far, batch by batch. The same seed, the same rows.

    Called again it adds to what is there. Needs Role.ADMIN.
    """
    actor.require(Role.ADMIN)
    random = Random(seed)  # noqa: S311 - nothing here is a secret
    new_tags = make_tags(actor, count=tags, random=random)
    schemas = make_schemas(actor, revisions=prompt_revisions)
    revisions = make_prompts(actor, revisions=prompt_revisions, schemas=schemas, tags=new_tags, random=random)
    shared = _prepare_shared(actor, random, new_tags, revisions)
    for done in range(0, documents, BATCH):
        upto = min(done + BATCH, documents)
        _make_batch(shared, range(done + 1, upto + 1)).save()
        yield upto
    events.publish(events.organization_group(actor.organization.pk), "documents.changed")
    statistics.refresh()


def _prepare_shared(actor: Actor, random: Random, tags: Sequence[Tag], revisions: Sequence[PromptRevision]) -> _Shared:
    page = get_pool().read(SAMPLE, [1])[0]
    with SAMPLE.open("rb") as content:
        stored = UPLOADS.save(f"documents/{actor.organization.pk}/{new_id()}", File(content))
    today = datetime.combine(timezone.now().date(), time(), UTC)
    locations = locate(VALUES, {"type": "object", "properties": FIELDS}, [(1, page.words)])
    provenance = {where: place.as_json() for where, place in locations.items()}
    words = pack(page.words)
    return _Shared(actor, random, stored, page, page.text, words, provenance, tags, revisions, today)


def _make_batch(shared: _Shared, numbers: range) -> _Batch:
    batch = _Batch()
    for number in numbers:
        document = _make_document(shared, number)
        batch.documents.append(document)
        batch.pairs += MetadataPair.all_of(document)
        batch.values += make_metadata_rows(document, list_metadata_values(document))
        batch.tags += _make_tag_links(shared, document)
        reading = _make_reading(document)
        batch.readings.append(reading)
        if reading.status == Reading.Status.COMPLETED:
            batch.pages.append(_make_page(shared, reading))
        if document.state in (State.LLM_COMPLETED, State.LLM_FAILED) and shared.revisions:
            batch.extractions.append(_make_extraction(shared, reading))
            batch.values += _make_values(shared, batch.extractions[-1])
            batch.verifications += _make_verifications(shared, batch.extractions[-1])
    return batch


def _make_document(shared: _Shared, number: int) -> Document:
    random, actor = shared.random, shared.actor
    uploaded = shared.today - timedelta(seconds=random.randrange(DAYS * 86_400))
    name = f"{random.choice(KINDS)} {uploaded:%Y-%m-%d} {random.choice(COMPANIES)} {number:06}.pdf"
    state = _choose_state(shared)
    return Document(
        organization=actor.organization,
        name=name,
        name_folded=fold_case(name),
        created_at=uploaded,
        # Of the name: with the file's own, the sample uploaded for real would be a duplicate of all of these.
        sha256=hashlib.sha256(name.encode()).hexdigest(),
        size=SAMPLE.stat().st_size,
        media_type="application/pdf",
        file=shared.file,
        state=state,
        state_reason=REASONS.get(state, ""),
        state_code=_get_state_code(state),
        metadata=_make_metadata(random),
        uploaded_by=actor.user,
        uploaded_by_name=random.choice(PEOPLE),
        trashed_at=shared.today if random.random() < 0.02 else None,
    )


def _choose_state(shared: _Shared) -> State:
    state = shared.random.choices(list(STATES), list(STATES.values()))[0]
    return state if shared.revisions or state == State.OCR_FAILED else State.OCR_COMPLETED


def _get_state_code(state: str) -> str:
    return ReasonCode.PASSWORD_MISSING if state == State.OCR_FAILED else ""


def _make_metadata(random: Random) -> dict[str, str]:
    metadata = {"department": random.choice(DEPARTMENTS)} if random.random() < 0.6 else {}
    return metadata | ({"batch": str(random.randrange(5000))} if random.random() < 0.3 else {})


def _make_tag_links(shared: _Shared, document: Document) -> list[Document.tags.through]:  # type: ignore[name-defined]
    """None to three; the first tags are the popular ones, and the last are on a handful of documents."""
    count = len(shared.tags)
    picks = {int(shared.random.expovariate(RARER) * count) for _ in range(shared.random.randrange(4))}
    chosen = [shared.tags[pick] for pick in sorted(picks) if pick < count]
    return [Document.tags.through(document_id=document.pk, tag_id=tag.pk) for tag in chosen]


def _make_reading(document: Document) -> Reading:
    failed = document.state == State.OCR_FAILED
    return Reading(
        document=document,
        number=1,
        engine="" if failed else "pdf-text",
        settings={"engine": "auto"},
        status=Reading.Status.FAILED if failed else Reading.Status.COMPLETED,
        reason=FAILED_READING if failed else "",
        reason_code=_get_state_code(document.state),
        page_count=None if failed else 1,
        pages_read=0 if failed else 1,
        pages_listed=0 if failed else 1,
        created_at=document.created_at,
        queued_at=document.created_at,
        finished_at=document.created_at,
        prompts_started_at=document.created_at,
    )


def _make_page(shared: _Shared, reading: Reading) -> Page:
    page = shared.page
    return Page(
        reading=reading,
        number=1,
        width=page.width,
        height=page.height,
        rotation=page.rotation,
        text=shared.text,
        confidence=page.confidence / 100,
        engine=page.engine,
        words=shared.words,
        created_at=reading.created_at,
    )


def _make_extraction(shared: _Shared, reading: Reading) -> Extraction:
    document, revision = reading.document, shared.random.choice(shared.revisions)
    common = {
        "document": document,
        "number": 1,
        "reading": reading,
        "prompt_revision": revision,
        "model": "offline/rules",
        "schema_revision_id": revision.schema_revision_id,
        "page_count": 1,
        "created_at": document.created_at,
        "finished_at": document.created_at,
        "values_indexed_at": document.created_at,
    }
    if document.state == State.LLM_FAILED:
        return Extraction(status=Extraction.Status.FAILED, reason=FAILED_RUN, **common)
    done, places = Extraction.Status.COMPLETED, _choose_places(shared)
    return Extraction(status=done, result=VALUES, current=VALUES, provenance=places, coverage=[1], **common)


def _make_values(shared: _Shared, extraction: Extraction) -> list[CurrentValue]:
    return make_rows(extraction, shared.actor.organization.pk, list_values(extraction))


def _choose_places(shared: _Shared) -> dict[str, ValuePlace]:
    """Of one in six documents a value stays without a place on the page."""
    unsure = shared.random.choice(list(VALUES)) if shared.random.random() < 1 / 6 else ""
    return {where: place for where, place in shared.provenance.items() if where != unsure}


def _make_verifications(shared: _Shared, extraction: Extraction) -> list[Verification]:
    """Of every second document, by the one who seeds."""
    if extraction.status == Extraction.Status.FAILED:
        return []
    is_verified = shared.random.random() >= 0.5
    extraction.document.review = Document.Review.VERIFIED if is_verified else Document.Review.TO_VERIFY
    if not is_verified:
        return []
    return [Verification(extraction=extraction, user=shared.actor.user, created_at=extraction.created_at)]
