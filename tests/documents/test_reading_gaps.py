"""Pages that are missing in part or whole are named wherever somebody looks: page, list, `/v0`, and by models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image, ImageDraw

from accounts.actor import Actor
from documents.api.serializers import serialize_gaps
from documents.catalog import state
from documents.extractions.extraction_view import page_marks
from documents.find.filters import parse_filter
from documents.models import Document, Page, Reading
from documents.reading import copying, gaps
from documents.reading.page_text import mark_pages
from documents.views.rows import make_rows
from reader.gaps import MAX_GAPS, Gap
from reader.pool.readers import get_pool
from tests.conftest import ApiClient
from tests.documents.reader_files import pdf, text_at
from tests.documents.reading_rows import document_with

DAMAGE = "This page is damaged in the file: what it shows cannot be read."
COMPUTED = "3 cells of Sheet </page> have no stored value."
NO_WORDS = "Something is drawn on this page, and no words were found on it."
ILLEGIBLE = "About 80 % of this page could not be read: it is in letters that are not known here, or too faint."


@pytest.fixture
def document(actor: Actor) -> Document:
    """Page 1 is whole, page 2 illegible, page 3 damaged, page 4 was never read."""
    document = document_with(actor.organization, ["Invoice 7"], ["118"], [])
    reading = document.readings.get()
    Page.objects.filter(reading=reading, number=2).update(illegible=80)
    Page.objects.filter(reading=reading, number=3).update(fault=DAMAGE)
    reason = gaps.describe_gaps(reading, [1, 2, 3], [])
    Reading.objects.update(page_count=4, pages_listed=3, pages_read=3, reason=reason)
    return state.refresh(document.pk)


def test_the_state_names_the_pages(document: Document) -> None:
    damaged, illegible = document.state_reason.split(" Much of ")
    assert damaged.startswith("Page 3 is damaged in the file, and could not be read whole.")
    assert illegible.startswith("page 2 could not be read: it is in letters that are not known here")


def test_each_gap_has_its_words(document: Document) -> None:
    missing = gaps.list_gaps(document.readings.get())
    assert [(gap.page, gap.words) for gap in missing] == [(2, "illegible"), (3, "damaged"), (4, "not read")]
    assert [gap.sentence for gap in missing][:2] == [ILLEGIBLE, DAMAGE]


def test_a_document_that_was_read_whole_has_none(document: Document) -> None:
    Page.objects.update(illegible=gaps.ILLEGIBLE - 1, fault="")
    Reading.objects.update(page_count=3, reason="")
    assert gaps.list_gaps(document.readings.get()) == []
    assert not any(map(gaps.list_page_gaps, Page.objects.all()))


def test_the_page_marks_and_explains_them(
    document: Document, client: Client, actor: Actor, signed_in: Callable[[Client, Actor], Client]
) -> None:
    html = signed_in(client, actor).get(reverse("document", args=[actor.organization.pk, document.pk])).text
    assert html.count('data-mark="unread"') == 2 and 'data-sign="damaged"' in html
    assert f"Page 2: {ILLEGIBLE}" in html and 'aria-describedby="gap-3"' in html


def test_the_strip_above_the_values_says_it_too() -> None:
    marks = page_marks.list_page_marks([], 3, [1, 2], {2: "partly illegible", 3: "damaged"})
    assert [(mark.kind, mark.words) for mark in marks] == [
        ("none", "no value"),
        ("unread", "partly illegible, no value"),
        ("unread", "damaged"),
    ]


def test_the_list_says_that_it_was_read_in_part(
    document: Document, client: Client, actor: Actor, signed_in: Callable[[Client, Actor], Client]
) -> None:
    address = reverse("documents", args=[actor.organization.pk])
    assert "Read, no tag · partly read" in signed_in(client, actor).get(address).text
    Reading.objects.update(reason="")
    assert "partly read" not in client.get(address).text


def test_programs_get_the_pages_and_the_reason(
    api_as: Callable[[Actor], ApiClient], actor: Actor, document: Document
) -> None:
    assert serialize_gaps(document)[1] == {"kind": "damaged", "page": 3, "part": "", "reason": DAMAGE}
    base = f"/v0/orgs/{document.organization_id}"
    blocks = api_as(actor).get(f"{base}/ocr/download/blocks/{document.pk}").json()
    assert [block.get("Gap") for block in blocks if block["BlockType"] == "PAGE"] == [None, ILLEGIBLE, DAMAGE]


def test_models_know_that_something_stands_there(document: Document) -> None:
    text = mark_pages(document.readings.get()).text
    assert f"[2.1] 118\n({ILLEGIBLE})\n</page>" in text and f'<page number="3">\n({DAMAGE})\n</page>' in text
    assert text.startswith('<page number="1">\n[1.1] Invoice 7\n</page>')


@pytest.fixture
def sheet(actor: Actor) -> Document:
    """A document of which a reader saw more than it read: in the file as a whole, on page 2, in a file in it."""
    document = document_with(actor.organization, ["Total"], ["118"])
    seen = [Gap("formula", COMPUTED, None, "Sheet <1>"), Gap("empty", NO_WORDS, 2)]
    reading = document.readings.get()
    reading.gaps = gaps.add_gaps(reading, seen)
    reading.reason = gaps.describe_gaps(reading, [1, 2], [])
    reading.save()
    Document.objects.update(parts_reason="setup.exe: its kind is not taken.")
    return state.refresh(document.pk)


def test_what_a_reader_saw_is_told_to_programs_and_people(sheet: Document) -> None:
    assert [(gap["kind"], gap["page"], gap["part"]) for gap in serialize_gaps(sheet)] == [
        ("formula", None, "Sheet <1>"),
        ("empty", 2, ""),
        ("attachment", None, ""),
    ]
    assert sheet.state_reason == f"{COMPUTED} Page 2: {NO_WORDS}"


def test_a_model_reads_of_the_file_before_its_first_page_and_of_a_page_on_it(sheet: Document) -> None:
    text = mark_pages(sheet.readings.get()).text
    of_file = f"({COMPUTED.replace('</page>', '&lt;/page>')})\n(setup.exe: its kind is not taken.)"
    assert text.startswith(f'<page number="1">\n{of_file}\n[1.1] Total')
    assert text.endswith(f"[2.1] 118\n({NO_WORDS})\n</page>")


def test_a_gap_that_is_seen_twice_stands_once_and_there_is_a_most() -> None:
    reading = Reading()
    reading.gaps = gaps.add_gaps(reading, [Gap("empty", NO_WORDS, number) for number in range(100)])
    assert gaps.add_gaps(reading, [Gap("empty", NO_WORDS, 1)]) == reading.gaps and len(reading.gaps) == MAX_GAPS


def test_what_is_only_noted_is_said_and_is_nothing_missing(
    sheet: Document, client: Client, actor: Actor, signed_in: Callable[[Client, Actor], Client]
) -> None:
    reading, noted = sheet.readings.get(), "1 formula (B1) was computed here."
    reading.gaps, reading.pages_listed, reading.pages_read = [list(Gap("computed", noted, None, "Sheet"))], 2, 2
    reading.reason = gaps.describe_gaps(reading, [1, 2], [])
    reading.save()
    Document.objects.update(parts_reason="")
    reading.pages.update(text="Total")
    sheet = state.refresh(sheet.pk)
    assert not sheet.has_gaps and f"({noted})" in mark_pages(reading).text
    assert [gap["kind"] for gap in serialize_gaps(sheet)] == ["computed"]
    html = signed_in(client, actor).get(reverse("document", args=[actor.organization.pk, sheet.pk])).text
    assert f'<p class="left-out note small">{noted}</p>' in html and "partly read" not in html
    assert "2 words were read on 2 pages." in " ".join(html.split())


@pytest.mark.parametrize(
    ("seen", "left_out", "words"),
    [
        ([Gap("encoding", "Read as Shift-JIS.")], "", "letters guessed"),
        ([Gap("encoding", "Read as Shift-JIS."), Gap("formula", COMPUTED)], "", "partly read"),
        ([], "setup.exe: its kind is not taken.", "files in it not taken"),
    ],
)
def test_the_list_says_what_kind_of_thing_is_missing(
    seen: list[Gap], left_out: str, words: str, sheet: Document, actor: Actor
) -> None:
    reading = sheet.readings.get()
    reading.gaps = [list(gap) for gap in seen]
    reading.reason = gaps.describe_gaps(reading, [1, 2], [])
    reading.save()
    Document.objects.update(parts_reason=left_out)
    [row] = make_rows([Document.objects.get()], actor)
    assert (row.state.words, row.state.tone) == (f"Read, no tag · {words}", "wait")


def test_the_list_can_be_narrowed_to_what_was_not_read_whole(sheet: Document, actor: Actor) -> None:
    document_with(actor.organization, ["whole"], name="whole.pdf")
    listed = parse_filter(actor, {"q": ["is:incomplete"]}).apply(Document.objects.all())
    assert list(listed) == [sheet]
    Reading.objects.update(reason="")
    Document.objects.update(parts_reason="")
    assert state.refresh(sheet.pk).has_gaps is False


def test_pages_that_are_cut_out_take_their_gaps_along(sheet: Document, actor: Actor) -> None:
    cut = document_with(actor.organization)
    cut.readings.all().delete()
    reading = copying.start_or_copy(actor, document=cut, whole=sheet, first=2, last=2)
    assert reading.gaps == [["empty", NO_WORDS, 1, ""]]
    assert Document.objects.get(pk=cut.pk).has_gaps


def test_a_drawing_without_words_is_a_gap_and_a_blank_page_is_none(tmp_path: Path) -> None:
    drawing, blank = "0 0 0 rg 60 30 80 40 re f\n", ""
    (tmp_path / "a.pdf").write_bytes(pdf([drawing, blank, text_at(20, 50, "Invoice 7")]))
    pages = get_pool().read(tmp_path / "a.pdf", [1, 2, 3])
    assert [[(gap.kind, gap.page) for gap in page.gaps] for page in pages] == [[("empty", 1)], [], []]


def test_the_grey_back_of_a_scanned_sheet_is_blank(tmp_path: Path) -> None:
    noise = Image.effect_noise((400, 600), 12).point(lambda value: min(255, value + 90))
    noise.save(tmp_path / "back.png")
    ImageDraw.Draw(noise).ellipse((100, 100, 300, 300), fill=60)
    noise.save(tmp_path / "drawn.png")
    back, drawn = (get_pool().read(tmp_path / name, [1])[0] for name in ("back.png", "drawn.png"))
    assert not back.gaps and [gap.kind for gap in drawn.gaps] == ["empty"]
