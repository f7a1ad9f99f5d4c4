"""Computing time of reading: counted, bounded for each document, and shared between organizations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from agent.conversation.model_input.document_blocks import _show_document
from documents import extractions
from documents.catalog import state
from documents.intake import uploads
from documents.models import Document, Reading, ReadingShare
from documents.reading import gaps, lanes, reading, reading_shares, slices
from documents.reading.lanes import Lane
from kit.errors import Invalid
from reader.pool.process import ComputingTime
from reader.pool.readers import ReaderPool
from tests.documents.hostile_files import make_nested_forms
from tests.documents.reader_files import pdf

pytestmark = [pytest.mark.django_db, pytest.mark.flows]
# Some tenths of a second to draw, so that all of them take longer than a slice.
SLOW_PAGE = "0 0 200 100 re f " * 30_000 + "BT /F1 12 Tf 20 70 Td (Total 12.50) Tj ET"


def put(actor: Actor, name: str, content: bytes = b"Total 12.50") -> Document:
    return uploads.store(actor, name=name, content=ContentFile(content, name=name))


def read_all() -> None:
    while reading.read_next(holder="test"):
        pass


@pytest.fixture
def half_read(actor: Actor, settings: pytest.FixtureRequest) -> Document:
    """Of its twenty pages the first one took all the computing time that there is."""
    settings.READING_LIMIT_SECONDS = 0
    document = put(actor, "long.txt", "\n".join(f"line {number}" for number in range(20 * 60)).encode())
    read_all()
    document.refresh_from_db()
    return document


def test_a_document_beyond_its_computing_time_keeps_what_was_read(half_read: Document) -> None:
    row = half_read.readings.get()
    assert (row.status, row.pages_read, row.page_count) == ("completed", 1, 20)
    assert list(row.pages.values_list("number", flat=True)) == [1]
    assert half_read.state == Document.State.OCR_COMPLETED
    assert half_read.state_reason == (
        "Pages 2 to 20 were not read: reading may take 0 seconds of computing for one document, and the others took "
        "0. Upload the rest as a document of its own."
    )


@pytest.mark.parametrize(
    ("read", "sentence"),
    [
        ([1, 2], "Page 3 was not read: "),
        ([2], "Pages 1 and 3 were not read: "),
        ([1, 3, 5, 9], "Pages 2, 4 and 6 to 8 were not read: "),
        (range(1, 29, 2), "Pages 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 and 3 more were not read: "),
    ],
)
def test_it_names_the_pages_that_were_left_out(read: Sequence[int], sentence: str) -> None:
    row = Reading(page_count=max(3, *read) if len(read) > 2 else 3)
    assert gaps.describe_unread_pages(row, read).startswith(sentence)


def test_a_document_that_ends_in_time_has_nothing_to_say(actor: Actor, settings: pytest.FixtureRequest) -> None:
    settings.READING_LIMIT_SECONDS = 0
    document = put(actor, "short.txt")
    read_all()
    document.refresh_from_db()
    assert (document.state, document.state_reason) == ("ocr_completed", "")


def test_its_reading_goes_on_from_rows_and_not_from_a_new_budget(actor: Actor, settings: pytest.FixtureRequest) -> None:
    document = put(actor, "long.txt", "\n".join(f"line {number}" for number in range(50 * 60)).encode())
    assert reading.read_next(holder="test")
    limit = settings.READING_LIMIT_SECONDS * 1000
    Reading.objects.update(computing_ms=limit)
    read_all()
    row = document.readings.get()
    assert (row.status, row.pages_read) == ("completed", slices.PAGES_A_SLICE)
    assert row.computing_ms >= limit and "took 5,400." in row.reason


def test_the_pages_say_what_was_left_out(
    half_read: Document, client: Client, actor: Actor, signed_in: Callable[[Client, Actor], Client]
) -> None:
    page = signed_in(client, actor)
    html = page.get(reverse("document", args=[half_read.organization_id, half_read.pk])).text
    assert '<p class="left-out small" id="left-out" role="status">Pages 2 to 20 were not read' in html
    assert "20 pages, 1 of them read" in page.get(reverse("documents", args=[half_read.organization_id])).text


def test_the_agent_is_told_what_was_left_out(half_read: Document, actor: Actor) -> None:
    block, _ = _show_document(half_read, None, 1000)
    assert 'note="Pages 2 to 20 were not read' in block and 'pages="20"' in block


@pytest.mark.django_db(transaction=True)
def test_an_extraction_covers_the_pages_that_were_read(actor: Actor, half_read: Document) -> None:
    draft = extractions.prepare(actor, document=half_read, prompt_revision=None)
    assert (draft.coverage, draft.page_count) == ([1], 20)


@pytest.mark.django_db(transaction=True)
def test_a_later_state_still_names_the_pages_that_were_left_out(actor: Actor, half_read: Document) -> None:
    extractions.store(actor, draft=extractions.prepare(actor, document=half_read, prompt_revision=None))
    document = state.refresh(half_read.pk)
    assert document.state == "llm_completed" and document.state_reason.startswith("Pages 2 to 20 were not read")


def test_what_a_reader_computed_counts_also_when_it_died(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(make_nested_forms())
    pool, time = ReaderPool(1), ComputingTime()
    try:
        with pytest.raises(Invalid):
            pool.read(tmp_path / "a.pdf", [1], time=time)
    finally:
        pool.close()
    assert time.milliseconds > 50


def test_a_slow_document_gives_way_as_soon_as_its_time_is_over(actor: Actor, stranger: Actor) -> None:
    slow = put(actor, "slow.pdf", pdf([SLOW_PAGE] * 9))
    put(actor, "quick.txt")
    other = put(stranger, "other.txt")
    before = timezone.now()
    reading.read_next(holder="test")
    row = slow.readings.get()
    assert row.status == "queued" and 1 <= row.pages_read < 9 and row.computing_ms >= slices.SLICE_MS[Lane.TEXTS]
    assert row.queued_at >= before + timedelta(milliseconds=row.computing_ms)  # later by what it took
    [share] = ReadingShare.objects.all()
    assert share.next_at_ms - share.began_at_ms == row.computing_ms
    assert lanes.list_runnable(Lane.TEXTS)[0].document == other


def take_turns(costs: dict[str, int], turns: int) -> Counter[str]:
    """Each organization has always something to read, of which a slice takes so many milliseconds."""
    spent: Counter[str] = Counter()
    for _ in range(turns):
        organization_id = lanes.list_runnable(Lane.TEXTS)[0].document.organization_id
        reading_shares.begin_slice(organization_id)
        reading_shares.charge(organization_id, costs[organization_id])
        spent[organization_id] += costs[organization_id]
    return spent


def test_organizations_share_the_computing_time_and_not_the_slices(actor: Actor, stranger: Actor) -> None:
    put(actor, "slow.txt")
    put(stranger, "quick.txt")
    slow, quick = actor.organization.pk, stranger.organization.pk
    spent = take_turns({slow: 50_000, quick: 1000}, 160)
    assert abs(spent[slow] - spent[quick]) <= 50_000


def test_who_had_nothing_to_read_saves_nothing_up(actor: Actor, stranger: Actor) -> None:
    put(actor, "slow.txt")
    busy, new = actor.organization.pk, stranger.organization.pk
    take_turns({busy: 10_000}, 30)
    put(stranger, "new.txt")
    assert lanes.list_runnable(Lane.TEXTS)[0].document.organization_id == new
    spent = take_turns({busy: 10_000, new: 10_000}, 10)
    assert abs(spent[busy] - spent[new]) <= 10_000
