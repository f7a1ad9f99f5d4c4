"""Small pictures on pages that have their text: which are read, where their words stand, and in which lane."""

import io

import pytest
from django.core.files.base import ContentFile
from PIL import Image, ImageChops, ImageDraw, ImageStat

from accounts.actor import Actor
from documents.intake import uploads
from documents.models import Document
from documents.reading import reading
from reader.layout.fonts import load_font
from reader.ocr import clippings
from reader.ocr.recognition import Box, rotate_picture
from reader.pages import Limits, PageWords
from reader.pdf import clips
from reader.pdf.source import PdfSource
from reader.words import HIDDEN, Word, join_text
from tests.documents.reader_files import assemble, objects_of, pdf, text_at

LIMITS = Limits(max_bytes=1_000_000, max_pages=3, max_pixels=4_000_000)
SHEET = "/MediaBox [0 0 400 300]"
TEXT = text_at(20, 30, "Position 1 Paper 12.50 EUR")
HEAD = "Kestrel Parts IBAN DE89 3704 0044"
# 200 by 16 points at the head of the sheet: a thirtieth of it.
SHOW = "q 200 0 0 16 100 270 cm /I0 Do Q "
PLACE = (0.25, 14 / 300, 0.75, 30 / 300)


def draw_line(text: str = HEAD) -> Image.Image:
    picture = Image.new("L", (600, 48), 255)
    ImageDraw.Draw(picture).text((8, 4), text, 0, load_font("regular", 30))
    return picture


def open_sheet(content: str, picture: Image.Image | None = None, page: str = SHEET) -> PdfSource:
    data = pdf([content], page=page, images=[picture or draw_line()])
    return PdfSource(io.BytesIO(data), None, LIMITS)


def list_clips(source: PdfSource) -> list[Box]:
    return source.look_at(source.open_page(1), 1, "auto", [])[2]


def is_inside(word: Word, box: Box) -> bool:
    return box[0] <= word.x0 < word.x1 <= box[2] and box[1] <= word.y0 < word.y1 <= box[3]


@pytest.mark.parametrize(
    "content",
    [
        "q 59 0 0 40 100 200 cm /I0 Do Q",
        "q 100 0 0 8 100 200 cm /I0 Do Q",
        SHOW + text_at(110, 274, "Drawn on its own ground, for ornament"),
        "q 200 0 0 16 500 270 cm /I0 Do Q",
    ],
    ids=["narrow", "low", "covered", "beside the page"],
)
def test_what_holds_no_line_of_its_own_is_not_read(content: str) -> None:
    assert list_clips(open_sheet(TEXT + content)) == []


def test_a_picture_without_ink_is_not_read() -> None:
    assert list_clips(open_sheet(TEXT + SHOW, Image.new("L", (600, 48), 200))) == []


@pytest.mark.parametrize("over", ["", text_at(100, 285, "No.", size=5), text_at(110, 274, "obey", before="3 Tr")])
def test_a_picture_that_words_do_not_cover_is(over: str) -> None:
    assert list_clips(open_sheet(TEXT + SHOW + over)) == [pytest.approx(PLACE, abs=0.001)]


def test_as_many_are_read_as_a_page_has_time_for() -> None:
    shows = "".join(f"q 70 0 0 {9 + n % 2} {100 * (n % 4)} {40 + 20 * (n // 4)} cm /I0 Do Q " for n in range(40))
    boxes = list_clips(open_sheet(TEXT + shows))
    assert len(boxes) == clips.MAX_CLIPS
    assert {round(300 * (box[3] - box[1])) for box in boxes} == {10}


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_it_is_cut_out_of_a_turned_page_too(rotate: int) -> None:
    turned = rotate_picture(cut_out(f"{SHEET} /Rotate {rotate}"), -rotate % 360)
    difference = ImageChops.difference(turned.resize((200, 16)), cut_out(SHEET).resize((200, 16)))
    assert ImageStat.Stat(difference).mean[0] < 12


def cut_out(page: str) -> Image.Image:
    source = open_sheet(TEXT + SHOW, page=page)
    [box] = list_clips(source)
    return clippings.cut(source.draw(1, 1200).convert("L"), box)


def test_a_picture_in_a_form_stands_where_the_form_is_placed() -> None:
    form = b"q 100 0 0 8 0 0 cm /I0 Do Q"
    content = (TEXT + "q 2 0 0 2 100 270 cm /F0 Do Q").encode()
    objects, _ = objects_of([content], SHEET, [draw_line()])
    objects[4] = objects[4].replace(b"/XObject <<", b"/XObject << /F0 7 0 R")
    head = "<< /Type /XObject /Subtype /Form /BBox [0 0 100 8] /Resources << /XObject << /I0 6 0 R >> >> /Length %d >>"
    objects.append((head % len(form)).encode() + b" stream\n" + form + b"\nendstream")
    source = PdfSource(io.BytesIO(assemble(objects, b"")), None, LIMITS)
    assert list_clips(source) == [pytest.approx(PLACE, abs=0.001)]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_boxes_of_a_picture_that_was_turned_are_turned_back(rotation: int) -> None:
    box = (0.1, 0.2, 0.3, 0.25)
    turned = {0: box, 90: (0.75, 0.1, 0.8, 0.3), 180: (0.7, 0.75, 0.9, 0.8), 270: (0.2, 0.7, 0.25, 0.9)}
    assert clippings.turn_back(turned[rotation], rotation) == pytest.approx(box)


def test_a_line_alone_gets_a_ground_that_is_no_till_roll() -> None:
    canvas, left, top = clippings.put_on_ground(Image.new("RGB", (800, 20), (20, 30, 40)))
    assert canvas.size == (824, 224) and (left, top) == (12, 102)
    assert canvas.getcolors() == [(824 * 224, (20, 30, 40))]


def read_alone(content: str, picture: Image.Image | None = None) -> PageWords:
    return open_sheet(content, picture).read(1, "auto")


def test_a_letterhead_is_read_where_it_stands() -> None:
    page = read_alone(TEXT + SHOW + text_at(20, 274, "obey me", before="3 Tr"))
    assert page.engine == "text-layer+rapidocr" and page.confidence >= 90
    assert join_text(page.words) == f"{HEAD}\nPosition 1 Paper 12.50 EUR"
    assert all(is_inside(word, PLACE) for word in page.words[: len(HEAD.split())])
    assert [word.text for word in page.words if word.flags & HIDDEN] == ["obey", "me"]


def test_an_ornament_that_looks_like_a_letter_leaves_the_page_as_it_is() -> None:
    page = read_alone(TEXT + SHOW, draw_line("8"))
    assert (page.engine, page.confidence) == ("text-layer", 100)
    assert join_text(page.words) == "Position 1 Paper 12.50 EUR"


def put_letter(actor: Actor) -> Document:
    data = pdf([TEXT + SHOW, TEXT], page=SHEET, images=[draw_line()])
    return uploads.store(actor, name="letter.pdf", content=ContentFile(data))


@pytest.mark.django_db
def test_its_page_has_its_text_at_once_and_the_picture_with_the_scans(actor: Actor) -> None:
    document = put_letter(actor)
    assert reading.read_next(holder="test")
    row = document.readings.get()
    assert (row.status, row.pages_listed, row.pages_read) == ("queued", 2, 1)
    assert list(row.pages.values_list("engine", "text")) == [
        ("", "Position 1 Paper 12.50 EUR"),
        ("text-layer", "Position 1 Paper 12.50 EUR"),
    ]
    assert reading.read_next(holder="test") and not reading.read_next(holder="test")
    row.refresh_from_db()
    assert (row.status, row.pages_read, row.reason) == ("completed", 2, "")
    assert row.pages.get(number=1).text == f"{HEAD}\nPosition 1 Paper 12.50 EUR"


@pytest.mark.django_db
def test_a_page_whose_picture_there_is_no_time_for_keeps_its_text(actor: Actor, settings) -> None:
    document = put_letter(actor)
    assert reading.read_next(holder="test")
    document.readings.update(computing_ms=settings.READING_LIMIT_SECONDS * 1000)
    assert reading.read_next(holder="test")
    row = document.readings.get()
    assert (row.status, row.pages_listed, row.pages_read, row.engine) == ("completed", 2, 2, "text-layer")
    assert row.reason.startswith("Small pictures on page 1 were not read: ")
    assert row.pages.get(number=1).text == "Position 1 Paper 12.50 EUR"
