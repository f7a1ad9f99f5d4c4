"""PDFs that are broken somewhere: their good pages are kept, and the others say what is wrong."""

import io
import zlib

import pytest
from django.core.files.base import ContentFile
from PIL import Image

from accounts.actor import Actor
from documents.intake import uploads
from documents.reading import pages, reading
from reader.failures import Unreadable
from reader.pages import Limits
from reader.pdf import damage, structure
from reader.pdf.source import PdfSource
from reader.words import join_text
from tests.documents.pdfs_with_files import attach
from tests.documents.reader_files import assemble, encrypt_pdf, image_object, objects_of, text_at

LIMITS = Limits(max_bytes=1_000_000, max_pages=20, max_pixels=4_000_000)
PAGES = [text_at(20, 40, f"Page number {number} of the invoice") for number in (1, 2, 3)]
TREE, SECOND_CONTENT, SECOND_PAGE, DRAWN, RESOURCES = 1, 5, 6, 9, 10
WHOLE = ["Page number 1 of the invoice", "Page number 2 of the invoice", "Page number 3 of the invoice"]


def make_pdf(changes: dict[int, bytes] | None = None) -> bytes:
    objects, trailer = objects_of([page.encode() for page in PAGES], "/MediaBox [0 0 200 100]", ())
    objects += [b"null", b"null"]
    for index, content in (changes or {}).items():
        objects[index] = content
    return assemble(objects, trailer)


def pack_objects() -> bytes:
    """With its pages in an object stream, as most programs write them, and cut before the table of its objects."""
    objects, _ = objects_of([page.encode() for page in PAGES], "/MediaBox [0 0 200 100]", ())
    packed = {number: objects[number - 1] for number in (1, 2, 5, 7, 9)}
    places, body = [], b""
    for number, content in packed.items():
        places.append(b"%d %d" % (number, len(body)))
        body += content + b" "
    head = b" ".join(places) + b" "
    inner = zlib.compress(head + body)
    kept = [b"%d 0 obj\n%b\nendobj\n" % (number, objects[number - 1]) for number in (3, 4, 6, 8)]
    stream = b"<< /Type /ObjStm /N 5 /First %d /Filter /FlateDecode >> stream\n%b\nendstream" % (len(head), inner)
    return b"%PDF-1.7\n" + b"".join(kept) + b"10 0 obj\n" + stream + b"\nendobj\n"


def read_all(data: bytes) -> list[tuple[str, str]]:
    """Text and fault of each page."""
    source = PdfSource(io.BytesIO(data), None, LIMITS)
    read = [source.read(number, "text-layer") for number in range(1, len(source.sizes) + 1)]
    return [(join_text(page.words), page.fault) for page in read]


def list_kids(*numbers: int) -> bytes:
    return b"<< /Type /Pages /Kids [%b] /Count 3 >>" % b" ".join(b"%d 0 R" % number for number in numbers)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({SECOND_PAGE: b"null"}, damage.LOST),
        ({TREE: list_kids(5, 99, 9)}, damage.LOST),
        ({SECOND_PAGE: b"<< garbage"}, damage.BROKEN),
        ({SECOND_CONTENT: b"null"}, damage.BROKEN),
        ({SECOND_CONTENT: b"<< /Filter /FlateDecode /Length 9 >> stream\nxxxxxxxxx\nendstream"}, damage.BROKEN),
    ],
    ids=["no page", "not in the tree", "garbled page", "no content", "garbled content"],
)
def test_the_good_pages_are_kept_and_the_broken_one_says_so(changes: dict[int, bytes], fault: str) -> None:
    assert read_all(make_pdf(changes)) == [(WHOLE[0], ""), ("", fault), (WHOLE[2], "")]


def test_a_blank_page_is_not_damaged() -> None:
    blank = {SECOND_CONTENT: b"<< /Length 0 >> stream\n\nendstream"}
    assert [fault for _, fault in read_all(make_pdf(blank))] == ["", "", ""]


def compress(content: bytes) -> bytes:
    # Without a checksum, as some programs leave it.
    data = zlib.compress(content, 1)[:-4]
    return b"<< /Filter /FlateDecode /Length %d >> stream\n%b\nendstream" % (len(data), data)


LINES = b"".join(text_at(20, 90 - line, f"Line {line * 7919} of {line * 31}", size=2).encode() for line in range(80))


DRAWS = {
    SECOND_CONTENT: b"<< /Length 9 >> stream\nq 90 0 0 90 0 0 cm /X Do Q\nendstream",
    SECOND_PAGE: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 6 0 R /Resources 11 0 R >>",
    RESOURCES: b"<< /Font << /F1 3 0 R >> /XObject << /X 10 0 R >> >>",
}
FORM = compress(LINES).replace(b"<<", b"<< /Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources 11 0 R", 1)
PICTURE = image_object(Image.effect_noise((80, 80), 60))


@pytest.mark.parametrize(
    ("place", "stream", "others"),
    [(SECOND_CONTENT, compress(LINES), {}), (DRAWN, FORM, DRAWS), (DRAWN, PICTURE, DRAWS)],
    ids=["content", "form", "picture"],
)
def test_a_page_that_shows_only_a_part_says_so(place: int, stream: bytes, others: dict[int, bytes]) -> None:
    """The file is whole but for the middle of one stream, of which the first part can be shown."""
    cut = stream[: len(stream) * 6 // 10] + b"\nendstream"
    for content, fault in ((stream, ""), (cut, damage.CUT)):
        assert [fault for _, fault in read_all(make_pdf(others | {place: content}))] == ["", fault, ""]


@pytest.mark.parametrize("tree", [b"null", b"<< /Type /Pages >>"], ids=["no tree", "a tree without pages"])
def test_pages_are_found_without_their_tree(tree: bytes) -> None:
    assert [text for text, _ in read_all(make_pdf({TREE: tree}))] == WHOLE


@pytest.mark.parametrize(("share", "count"), [(0.5, 1), (0.6, 2), (0.8, 3)])
def test_a_file_that_breaks_off_keeps_the_pages_before(share: float, count: int) -> None:
    data = make_pdf()
    read = read_all(data[: int(len(data) * share)])
    assert [text for text, _ in read] == WHOLE[:count]
    assert [fault for _, fault in read] == [*[""] * (count - 1), damage.LAST]


def test_pages_in_an_object_stream_are_found() -> None:
    assert [text for text, _ in read_all(pack_objects())] == WHOLE


def test_what_is_encrypted_is_not_put_together_again() -> None:
    data = encrypt_pdf(PAGES[0], "secret")
    assert structure.rebuild(structure.Structure(data)) == b""


@pytest.mark.parametrize("data", [b"%PDF-1.7\n1 0 obj\n<< /Type /Page", b"%PDF-1.7\n" + b"9 0 obj " * 50])
def test_where_no_page_is_left_the_file_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable, match="The file is damaged: it starts like a PDF"):
        PdfSource(io.BytesIO(data), None, LIMITS)


def test_trees_that_name_themselves_end() -> None:
    loop = make_pdf({TREE: b"<< /Type /Pages /Count 3 /Kids [2 0 R 5 0 R 7 0 R 2 0 R] >>"})
    assert structure.Structure(loop).pages == [5, 7, 9]


@pytest.mark.django_db
def test_a_damaged_page_is_there_with_a_picture_and_counted_in_the_state(actor: Actor) -> None:
    data = make_pdf({SECOND_PAGE: b"null"})
    document = uploads.store(actor, name="a.pdf", content=ContentFile(data))
    while reading.read_next(holder="test"):
        pass
    document.refresh_from_db()
    damaged = document.readings.get().pages.select_related("reading__document").get(number=2)
    assert (document.state, damaged.fault, damaged.text) == ("ocr_completed", damage.LOST, "")
    assert document.state_reason.startswith("Page 2 is damaged in the file, and could not be read whole.")
    with pages.draw_image(damaged, 160) as picture:
        assert len(picture.read()) > 100


@pytest.mark.parametrize("length", [900, 2000, 4000])
def test_text_in_front_of_a_pdf_is_skipped(length: int) -> None:
    source = PdfSource(io.BytesIO(b"HTTP/1.1 200 OK\n" * (length // 16) + make_pdf()), None, LIMITS)
    assert [join_text(source.read(number, "auto").words) for number in (1, 2, 3)] == WHOLE


def test_a_damaged_pdf_behind_a_locked_one_is_not_said_to_be_locked() -> None:
    """PDFium keeps the reason of the last failure, and gives it again for a failure without one."""
    with pytest.raises(Unreadable, match="needs a password"):
        PdfSource(io.BytesIO(encrypt_pdf(PAGES[0], "secret")), None, LIMITS)
    broken = attach((b"receipt.txt", b"Parking 12.50")).replace(b"\n2 0 obj", b"\n2 0 xxx")
    assert len(PdfSource(io.BytesIO(broken), None, LIMITS).sizes) == 1
