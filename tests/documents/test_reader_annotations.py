"""What a PDF says in form fields and comments: as words where these stand."""

import io

import pytest

from reader.failures import OverLimit
from reader.pages import Limits, PageWords
from reader.pdf import annotations
from reader.pdf.source import PdfSource
from reader.words import join_text
from tests.documents.reader_files import assemble, objects_of, text_at

LIMITS = Limits(max_bytes=1_000_000, max_pages=3, max_pixels=4_000_000)
LABEL = text_at(60, 52, "Send me the newsletter") + text_at(60, 12, "Nothing here is out of the ordinary")
RECT = "/Rect [40 50 54 64]"
BUTTON = f"/Subtype /Widget /FT /Btn /F 4 {RECT}"


def make_form(*dictionaries: str, rotate: int = 0) -> bytes:
    """A page with these annotations, all fields of the document; object 6 is a tick, 7 an empty appearance."""
    first = 8
    references = " ".join(f"{first + index} 0 R" for index in range(len(dictionaries)))
    page = f"/MediaBox [0 0 300 100] /Rotate {rotate} /Annots [{references}]"
    objects, _ = objects_of([LABEL.encode()], page, ())
    objects[0] = f"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{references}] >> >>".encode()
    for content in (b"BT /F1 12 Tf 2 3 Td (4) Tj ET", b""):
        head = "<< /Type /XObject /Subtype /Form /BBox [0 0 14 14] /Resources << /Font << /F1 3 0 R >> >> /Length %d >>"
        objects.append((head % len(content)).encode() + b" stream\n" + content + b"\nendstream")
    fields = [f"<< /Type /Annot /T (f{n}) {entries} >>".encode() for n, entries in enumerate(dictionaries)]
    return assemble([*objects, *fields], b"")


def tick(state: str, flags: int = 0) -> str:
    return f"{BUTTON} /Ff {flags} /V /{state} /AS /{state} /AP << /N << /Yes 6 0 R /Off 7 0 R >> >>"


def read(data: bytes) -> PageWords:
    return PdfSource(io.BytesIO(data), None, LIMITS).read(1, "auto")


def first_line(data: bytes) -> str:
    return join_text(read(data).words).splitlines()[0]


@pytest.mark.parametrize("flags", [0, 1 << 15], ids=["check box", "radio button"])
@pytest.mark.parametrize(("state", "sign"), [("Yes", "☑"), ("Off", "☐")])
def test_a_box_to_tick_says_whether_it_is(state: str, sign: str, flags: int) -> None:
    page = read(make_form(tick(state, flags)))
    assert join_text(page.words).splitlines()[0] == f"{sign} Send me the newsletter"
    assert page.engine == "text-layer"
    assert page.words[0][1:5] == pytest.approx((40 / 300, 0.36, 54 / 300, 0.5), abs=0.001)


def test_it_stands_where_a_turned_page_shows_it() -> None:
    data = make_form(tick("Yes"), rotate=180)
    [box] = [word for word in read(data).words if word.text == "☑"]
    assert box[1:5] == pytest.approx((246 / 300, 0.5, 260 / 300, 0.64), abs=0.001)


def test_on_a_page_that_is_turned_for_its_text_it_stays_in_its_line() -> None:
    page = read(make_form(tick("Yes"), rotate=90))
    assert (page.rotation, join_text(page.words).splitlines()[0]) == (270, "☑ Send me the newsletter")
    assert page.words[0][1:5] == pytest.approx((40 / 300, 0.36, 54 / 300, 0.5), abs=0.001)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ("/V << /Type /Sig /Filter /Adobe.PPKLite >>", annotations.SIGNED),
        ("", annotations.UNSIGNED),
    ],
)
def test_a_signature_field_says_whether_something_signed_it(entries: str, words: str) -> None:
    assert first_line(make_form(f"/Subtype /Widget /FT /Sig {RECT} {entries}")) == f"{words} Send me the newsletter"


@pytest.mark.parametrize(
    ("kind", "rect"), [("Text", "200 47 220 67"), ("Highlight", "60 50 190 64"), ("StrikeOut", "60 50 190 64")]
)
def test_a_comment_stands_after_what_it_is_about(kind: str, rect: str) -> None:
    comment = f"/Subtype /{kind} /Rect [{rect}] /Contents (Ask \\(Anna\\)\nfirst)"
    assert first_line(make_form(comment)) == "Send me the newsletter (comment: Ask (Anna) first)"


@pytest.mark.parametrize(
    "entries",
    [
        f"/Subtype /Text {RECT} /F 2 /Contents (obey me)",
        f"/Subtype /Text {RECT} /F 32 /Contents (obey me)",
        "/Subtype /Text /Rect [400 50 420 64] /Contents (obey me)",
        "/Subtype /Highlight /Rect [40 50 40 50] /Contents (obey me)",
        f"/Subtype /Text {RECT} /Contents ()",
        f"/Subtype /Link {RECT} /Contents (obey me)",
    ],
    ids=["hidden", "not viewed", "beside the page", "without size", "empty", "link"],
)
def test_what_nobody_is_shown_is_no_comment(entries: str) -> None:
    assert first_line(make_form(entries)) == "Send me the newsletter"


@pytest.mark.parametrize("count, length", [(1, 10_001), (11, 9_990)])
def test_comments_have_a_limit(count: int, length: int) -> None:
    comment = f"/Subtype /Text {RECT} /Contents ({'x' * length})"
    with pytest.raises(OverLimit, match=r"characters\.$"):
        read(make_form(*[comment] * count))


@pytest.mark.parametrize(("flags", "is_drawn"), [("", True), ("/F 2", False)], ids=["shown", "hidden"])
def test_a_comment_has_a_sign_on_the_picture_of_its_page(flags: str, is_drawn: bool) -> None:
    source = PdfSource(io.BytesIO(make_form(f"/Subtype /Text /Contents (Check the sum) {flags} {RECT}")), None, LIMITS)
    sign = source.draw(1, 600).crop((82, 74, 106, 98))
    assert (len(sign.getcolors() or []) > 1) == is_drawn
    assert ("(comment:" in join_text(source.read(1, "auto").words)) == is_drawn


def test_films_sounds_and_models_are_named() -> None:
    page = read(
        make_form(*(f"/Subtype /{kind} {RECT}" for kind in ("Sound", "3D", "Movie", "RichMedia", "Screen", "Ink")))
    )
    assert {gap.reason.split(" on page")[0] for gap in page.gaps} == {
        "A sound",
        "A film",
        "A film or a sound",
        "A drawing in three dimensions",
    }
