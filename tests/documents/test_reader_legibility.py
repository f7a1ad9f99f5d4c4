"""Lines whose letters the engine does not know, and pages that consist of them."""

import io

import pytest
from django.core.files.base import ContentFile
from PIL import Image, ImageDraw

from documents.intake import uploads
from documents.reading import reading
from reader.layout.fonts import load_font
from reader.ocr.legibility import measure_illegible
from reader.ocr.lines import OcrLine, OcrWord

RUSSIAN = ("Счёт-фактура № 118 от 12 марта", "Поставщик: ООО Северный ветер", "Итого к оплате: 12 450,00 рублей")


def line(text: str, length: float, height: float = 20, *, upright: bool = False) -> OcrLine:
    width, height = (height, length) if upright else (length, height)
    return OcrLine(text, 0.96, [(0, 0), (width, 0), (width, height), (0, height)], [])


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("Invoice number 118 of 12 March", 300),
        ("Total  12.50", 150),
        ("发票号码一一八", 140),
        ("4", 20),
        ("", 30),
        ("WMWM", 50),
        ("a = 3 α + β", 110),
    ],
)
def test_honest_lines_are_legible(text: str, length: float) -> None:
    assert measure_illegible([line(text, length)] * 3) == 0


@pytest.mark.parametrize(
    ("text", "length"), [("- 118 12 2026", 420), ("", 300), ("Tιμολγιο αριθμ 118", 180), ("0", 400)]
)
def test_lines_far_wider_than_their_letters_are_not(text: str, length: float) -> None:
    assert measure_illegible([line(text, length)] * 3) == 100


def test_the_measure_is_the_part_of_the_length() -> None:
    long = "Invoice number 118 of 12 March"
    lines = [line("", 100), line("", 100), line(long, 300), line(long, 300)]
    assert measure_illegible(lines) == 100 * 200 // 800


VIETNAMESE = [
    "CNG HÒA XÃ HI CHÙ NGHÎA VIT NAM",
    "Hóa đơn giá tr gia tăng s 118 ngày 12 tháng 3",
    "Đa chi: 25 đưng Nguyn Trãi, qun 1, thành ph Hồ Chí Minh",
    "Tng cng tiên thanh toán: 12.450.000 đồng",
    "Ngưi mua hàng ký và ghi rõ h tên",
    "Total amount 12.450.000",
]
WITH_VOWELS = [
    "Hóa đơn giá trị gia tăng số 118",
    "Địa chỉ: 25 đường Nguyễn Trãi, thành phố Hồ Chí Minh",
    "Người mua hàng ký và ghi rõ họ tên",
]
SLAVIC = ["Trg kralja Tomislava, krv, smrt, vrh, prst", "Račun broj 118, đački dom, Kč, hl. m."]
ROMANIAN = ["SC Nord SRL, Str. Mihai Viteazu nr. 5, bl. C", "Număr de ordine, până la data, fără TVA"]


@pytest.mark.parametrize(
    ("texts", "illegible"), [(VIETNAMESE, 90), (WITH_VOWELS, 0), (SLAVIC, 0), (ROMANIAN, 0), (VIETNAMESE[:1], 0)]
)
def test_vietnamese_whose_vowels_are_dropped_is_not_readable(texts: list[str], illegible: int) -> None:
    assert measure_illegible([line(text, 10 * len(text)) for text in texts]) == pytest.approx(illegible, abs=3)


YORUBA = ["ìwé owó fún jà tí a rà ní j kta", "Àpap owó tí máa san j gbrún mta", "Total 12.450"]
IGBO = [("gw maka ihe nd a zr", (38, 56, 42, 26, 14, 44)), ("bch ztara b gw", (60, 70, 14, 38)), ("Total", (70,))]
ABBREVIATED = [
    ("12 pcs of 4 kg mm", (28, 44, 28, 14, 28, 40)),
    ("hrs SDN BHD 2x", (40, 70, 70, 50)),
    ("Krk prst", (42, 54)),
]
PORTUGUESE = ["Não há nada à venda", "é só isso, avó", "Pé de maçã até lá"]


def line_of(text: str, widths: tuple[int, ...]) -> OcrLine:
    """Each word with the room that it takes."""
    words = [OcrWord(word, (0, 0, width, 20), 0.99) for word, width in zip(text.split(), widths, strict=True)]
    return OcrLine(text, 0.99, [(0, 0), (9 * len(text), 0), (9 * len(text), 20), (0, 20)], words)


@pytest.mark.parametrize(("lines", "illegible"), [(IGBO, 88), (ABBREVIATED, 0)])
def test_words_whose_vowels_were_dropped_leave_their_room(
    lines: list[tuple[str, tuple[int, ...]]], illegible: int
) -> None:
    assert measure_illegible([line_of(*each) for each in lines]) == pytest.approx(illegible, abs=3)


@pytest.mark.parametrize(("texts", "illegible"), [(YORUBA, 83), (PORTUGUESE, 0), (YORUBA[2:] * 3, 0)])
def test_yoruba_without_its_dotted_vowels_is_not_readable(texts: list[str], illegible: int) -> None:
    assert measure_illegible([line(text, 10 * len(text)) for text in texts]) == pytest.approx(illegible, abs=3)


def test_a_line_that_stands_upright_is_measured_along_it() -> None:
    assert measure_illegible([line("Invoice number 118 of 12 March", 300, upright=True)] * 2) == 0


def test_a_single_line_without_letters_may_be_a_signature() -> None:
    assert measure_illegible([line("", 300), line("Total due", 100)]) == 0


@pytest.mark.django_db
def test_a_russian_scan_says_that_it_could_not_be_read(actor) -> None:
    document = uploads.store(actor, name="a.png", content=ContentFile(draw_lines(RUSSIAN)))
    while reading.read_next(holder="test"):
        pass
    document.refresh_from_db()
    page = document.readings.get().pages.get()
    assert page.illegible > 50 and page.confidence < 0.5
    assert document.state_reason.startswith(
        "Much of page 1 could not be read: it is in letters that are not known here"
    )


def draw_lines(lines: tuple[str, ...]) -> bytes:
    picture, data = Image.new("RGB", (800, 260), "white"), io.BytesIO()
    for number, text in enumerate(lines):
        ImageDraw.Draw(picture).text((30, 30 + 70 * number), text, 0, load_font("regular", 34))
    picture.save(data, "PNG")
    return data.getvalue()
