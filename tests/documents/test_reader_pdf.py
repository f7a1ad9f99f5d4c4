from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from reader.failures import OverLimit, Unreadable
from reader.pages import Limits, PageWords
from reader.pdf.source import PdfSource
from reader.words import Word, join_text
from tests.documents.hostile_files import many_annotations, one_page, stream
from tests.documents.reader_files import DATA, encrypt_pdf, pdf, text_at

LIMITS = Limits(max_bytes=1_000_000, max_pages=3, max_pixels=4_000_000)
LINE = text_at(20, 70, "Nothing here is out of the ordinary")

Opener = Callable[..., PdfSource]


@pytest.fixture
def opened(tmp_path: Path) -> Opener:
    def open_bytes(data: bytes, password: str | None = None) -> PdfSource:
        path = tmp_path / "a.pdf"
        path.write_bytes(data)
        return PdfSource(path.open("rb"), password, LIMITS)

    return open_bytes


def layer_of(source: PdfSource) -> PageWords:
    return source.read(1, "text-layer")


def ink_box(picture: Image.Image) -> tuple[float, float, float, float]:
    """Where the page is not white, in fractions."""
    box = picture.convert("L").point(lambda value: 255 if value < 128 else 0).getbbox()
    assert box
    return box[0] / picture.width, box[1] / picture.height, box[2] / picture.width, box[3] / picture.height


@pytest.mark.parametrize("page", [many_annotations(5001), one_page(stream(b"0 0 1 1 re f " * 300_001))])
def test_it_counts_what_it_draws_as_what_it_reads(opened: Opener, page: bytes) -> None:
    with pytest.raises(OverLimit, match="A page of the PDF has"):
        opened(page).draw(1, 100)


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", ["", "/CropBox [40 20 160 90]", "/CropBox [-50 -50 500 500]"])
def test_it_boxes_words_where_the_page_shows_them(opened: Opener, rotate: int, crop: str) -> None:
    source = opened(pdf([text_at(60, 40, "Word")], page=f"/MediaBox [0 0 200 100] {crop} /Rotate {rotate}"))
    [word] = layer_of(source).words
    ink = ink_box(source.draw(1, 800))
    # The box is the font's line, so it encloses the ink and reaches a little further.
    assert word.x0 - 0.01 <= ink[0] and word.y0 - 0.01 <= ink[1]
    assert word.x1 + 0.01 >= ink[2] and word.y1 + 0.01 >= ink[3]
    assert (word.x1 - word.x0) * (word.y1 - word.y0) < 3 * (ink[2] - ink[0]) * (ink[3] - ink[1])


def list_hidden_texts(page: PageWords) -> list[str]:
    return [word.text for word in page.words if word.hidden]


@pytest.mark.parametrize(
    "trick",
    [
        text_at(20, 40, "obey me", before="1 g"),
        text_at(20, 40, "obey me", before="0.99 0.98 1 rg"),
        text_at(20, 40, "obey me", before="3 Tr"),
        text_at(20, 40, "obey me", size=1),
        text_at(500, 40, "obey me"),
        text_at(20, -40, "obey me"),
        "q 0 g 10 30 150 30 re f Q " + text_at(20, 40, "obey me"),
        text_at(20, 40, "obey me") + "q 1 g 10 30 150 30 re f Q",
        text_at(20, 70, "obey me", before="1 g") + LINE,
    ],
    ids=["white", "nearly-white", "invisible", "tiny", "beside", "below", "black-on-black", "covered", "behind-text"],
)
def test_it_marks_text_that_nobody_sees_as_hidden(opened: Opener, trick: str) -> None:
    page = layer_of(opened(pdf([LINE + trick])))
    assert list_hidden_texts(page) == ["obey", "me"]
    assert join_text(page.words) == "Nothing here is out of the ordinary"


def test_it_takes_white_text_on_a_dark_ground_for_visible(opened: Opener) -> None:
    page = layer_of(opened(pdf([LINE + "q 0.2 g 10 30 150 30 re f Q " + text_at(20, 40, "Unit price", before="1 g")])))
    assert list_hidden_texts(page) == []


def test_it_parts_figures_of_neighbouring_columns(opened: Opener) -> None:
    page = layer_of(opened(pdf(["BT /F1 12 Tf 20 50 Td 20 Tc (00) Tj ET"])))
    assert [word.text for word in page.words] == ["0", "0"]


DRAWING = [text_at(6, 70, "Invoice number KP-88213", size=1.2), text_at(6, 70, "Second page", size=1.2)]


def test_a_page_whose_unit_is_larger_than_a_point_has_its_size_and_its_words(opened: Opener) -> None:
    source = opened(pdf(DRAWING, page="/MediaBox [0 0 59.5 84.2] /UserUnit 10.0"))
    page = source.read(1, "auto")
    assert (page.engine, join_text(page.words)) == ("text-layer", "Invoice number KP-88213")
    assert [round(side) for side in source.sizes[0]] == [595, 842] and source.draw(1, 500).size == (500, 708)
    ink = ink_box(source.draw(1, 800))
    assert page.words[0].x0 - 0.01 <= ink[0] and page.words[0].y0 - 0.01 <= ink[1]


def test_a_page_of_tiny_letters_alone_is_read_from_its_picture(opened: Opener) -> None:
    page = opened(pdf(DRAWING, page="/MediaBox [0 0 59.5 84.2]")).read(1, "auto")
    assert page.engine == "rapidocr" and "KP-88213" in join_text(page.words)


@pytest.mark.parametrize("unit", ["0", "-4", "1e9", "99999999999999999999", "(x)", "<< >>", "900"])
def test_a_unit_that_makes_no_sense_is_a_point_and_a_large_one_draws_no_more_pixels(opened: Opener, unit: str) -> None:
    source = opened(pdf([LINE], page=f"/MediaBox [0 0 14000 14000] /UserUnit {unit}"))
    assert source.sizes[0][0] == (14000 * 900 if unit == "900" else 14000)
    assert source.draw(1, 300).width == 300 and source.read(1, "text-layer").words


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (text_at(20, 50, "I N V O I C E 4711"), "INVOICE 4711"),
        (text_at(20, 50, "INVOICE", before="5 Tc"), "INVOICE"),
        (text_at(20, 50, "T O T A L   D U E"), "TOTAL DUE"),
        (text_at(20, 50, "D A T E and A B C"), "DATE and A B C"),
        (text_at(20, 50, "A B C D E F G"), "A B C D E F G"),
        (text_at(20, 50, "Y N Y Y N N Y"), "Y N Y Y N N Y"),
        (text_at(20, 50, "1 2 3 4 5 6 7"), "1 2 3 4 5 6 7"),
        (text_at(20, 50, "Plan A or I"), "Plan A or I"),
        ("".join(text_at(20 + 25 * at, 50, letter) for at, letter in enumerate("XVLCDM")), "X V L C D M"),
    ],
)
def test_it_joins_letters_that_stand_apart(opened: Opener, content: str, words: str) -> None:
    assert join_text(layer_of(opened(pdf([content]))).words) == words


def test_a_page_of_letters_that_stand_apart_is_read_in_time(opened: Opener) -> None:
    line = "q r s t x " * 10
    page = layer_of(opened(pdf(["".join(text_at(0, 99 - at / 10, line, size=3) for at in range(900))])))
    assert page.words


def test_it_reads_what_was_filled_into_a_form(opened: Opener) -> None:
    appearance = (
        "/Annots [<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /F 4 /Rect [20 20 120 40] /AP << /N 8 0 R >> >>]"
    )
    data = pdf([LINE], page=f"/MediaBox [0 0 200 100] {appearance}", images=[])
    form = "BT /F1 12 Tf 2 4 Td (Filled in) Tj ET"
    stream = (
        f"8 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F1 3 0 R >> >>"
        f" /Length {len(form)} >> stream\n{form}\nendstream\nendobj\n"
    )
    # Without a cross-reference table PDFium looks for the objects itself.
    body = data[: data.index(b"xref\n")] + stream.encode() + b"trailer << /Root 1 0 R /Size 9 >>\n"
    assert "Filled in" in join_text(layer_of(opened(body)).words)


def test_it_finds_short_and_garbled_text_layers_unusable(opened: Opener) -> None:
    source = opened(pdf([LINE, text_at(20, 40, "Page 2")]))
    assert source.read(1, "auto").engine == "text-layer"
    assert [w.text for w in source.read(2, "text-layer").words] == ["Page", "2"]


def test_it_does_not_call_ocr_for_a_blank_page(opened: Opener) -> None:
    page = opened(pdf([""])).read(1, "auto")
    assert (page.words, page.engine) == ([], "text-layer")


def test_it_limits_pages(opened: Opener) -> None:
    with pytest.raises(OverLimit, match="has 4 pages; the limit is 3"):
        opened(pdf([LINE] * 4))


def test_it_keeps_pictures_of_huge_pages_within_the_pixel_limit(opened: Opener) -> None:
    source = opened(pdf([LINE], page="/MediaBox [0 0 14400 14400]"))
    picture = source.draw(1, 100_000)
    assert picture.width * picture.height <= LIMITS.max_pixels * 1.01


def test_it_opens_an_encrypted_file_with_its_password_only(opened: Opener) -> None:
    data = encrypt_pdf(LINE, "secret")
    with pytest.raises(Unreadable, match=r"^The file is a PDF that needs a password\.$"):
        opened(data)
    with pytest.raises(Unreadable, match=r"^The password does not open this PDF\.$"):
        opened(data, "guess")
    assert join_text(layer_of(opened(data, "secret")).words) == "Nothing here is out of the ordinary"


@pytest.mark.parametrize("data", [b"%PDF-1.7\n", pdf([LINE])[:120], pdf([]), b"%PDF-1.7\n" + bytes(range(256)) * 50])
def test_it_calls_broken_and_empty_files_damaged(opened: Opener, data: bytes) -> None:
    with pytest.raises(Unreadable, match=r"^The file is damaged: .+\.$") as caught:
        opened(data)
    assert caught.value.suspect


def test_it_reads_the_words_of_a_real_invoice_in_rows() -> None:
    page = layer_of(PdfSource((DATA / "gen_invoice_101.pdf").open("rb"), None, LIMITS))
    lines = join_text(page.words).splitlines()
    assert "SKU Description Qty Unit price Amount" in lines
    assert "B6390 Packing tape 6-pack 10 234.05 2,340.50" in lines
    assert all(0 <= v <= 1 for word in page.words for v in word[1:5])


def test_it_reads_both_the_text_and_a_large_picture_of_text(opened: Opener) -> None:
    picture = Image.new("L", (600, 150), 255)
    ImageDraw.Draw(picture).text((30, 40), "SCANNED 4711", fill=0, font_size=64)
    source = opened(pdf([LINE + "q 160 0 0 40 20 10 cm /I0 Do Q"], images=[picture]))
    page = source.read(1, "auto")
    assert page.engine == "text-layer+rapidocr"
    assert join_text(page.words) == "Nothing here is out of the ordinary\nSCANNED 4711"


def test_words_are_tuples_of_plain_values(opened: Opener) -> None:
    [word, *_] = layer_of(opened(pdf([LINE]))).words
    assert isinstance(word, Word)
    assert [type(value) for value in word] == [str, float, float, float, float, int, int, int, str, str, int]
