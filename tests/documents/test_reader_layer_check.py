"""Text layers that say something else than the page shows."""

import io

import pytest

from reader.pages import Limits
from reader.pdf import layer_check
from reader.pdf.source import PdfSource
from reader.words import HIDDEN, Word, join_text, number_rows
from tests.documents.reader_files import DATA, shift_letters

LIMITS = Limits(max_bytes=1_000_000, max_pages=3, max_pixels=4_000_000)
LINES = (
    "Kestrel Parts Limited, 12 Harbour Road",
    "Invoice number INV-2026-0118 of 12 March",
    "Grey paper for the printer in the office",
    "Total to be paid within thirty days 1,240.50",
)
SIZE = 600.0, 800.0


def open_lines(shift: int) -> PdfSource:
    return PdfSource(io.BytesIO(shift_letters(LINES, shift)), None, LIMITS)


def make_words(text: str, *, flags: int = 0, moved: float = 0.0) -> list[Word]:
    """A line each of one word, all letters as wide as any other."""
    return [
        Word(word, 0.1 + moved, 0.02 * at, 0.1 + moved + 0.01 * len(word), 0.02 * at + 0.015, flags=flags)
        for at, word in enumerate(text.split())
    ]


@pytest.mark.parametrize("shift", [1, 3, 13])
def test_letters_that_stand_for_others_look_odd(shift: int) -> None:
    source = open_lines(shift)
    assert layer_check.is_odd(source.read(1, "text-layer").words, source.sizes[0])


def test_the_text_of_real_pages_does_not() -> None:
    for path in DATA.rglob("*.pdf"):
        source = PdfSource(io.BytesIO(path.read_bytes()), None, LIMITS)
        assert not layer_check.is_odd(source.read(1, "text-layer").words, source.sizes[0]), path.name


@pytest.mark.parametrize(
    ("text", "is_odd"),
    [
        ("Kontoauszug Überweisung Gegenkonto Empfänger Verwendungszweck Buchungsdatum Wertstellung", False),
        ("Příjemce faktury zboží množství částka celkem dodavatel odběratel splatnost účet", False),
        ("Lpoupbvt{vh Vcfsxfjtvoh Hfhfolpoup Fnqgbfohfs Wfsxfoevoht{xfdl Cvdivohtebuvn Xfsutufmmvoh", True),
        ("Счёт-фактура поставщик покупатель наименование количество стоимость товаров", False),
        ("XK-118 PRT-2200 BBX-7711 GTR-5123", False),
    ],
)
def test_few_vowels_look_odd_where_there_are_many_latin_letters(text: str, is_odd: bool) -> None:
    assert layer_check.has_odd_letters(make_words(text)) == is_odd


def test_letters_of_one_width_are_not_odd_and_those_of_no_plan_are() -> None:
    names = " ".join(LINES).replace(",", "")
    assert not layer_check.has_odd_widths(make_words(names), SIZE)
    ragged = [word._replace(x1=word.x0 + 0.02 + 0.01 * (at * 7 % 10)) for at, word in enumerate(make_words(names))]
    assert layer_check.has_odd_widths(ragged, SIZE)


@pytest.mark.parametrize(
    ("layer", "seen", "differs"),
    [
        ("Lftusfm Qbsut Mjnjufe", "Kestrel Parts Limited", True),
        ("Kestrel Parts Limited", "KESTREL Part$ Limitcd", False),
        ("Кестрель Партс Лимитед", "Kectpejib IIaptc JImrTeA", False),
        ("Lftusfm Qbsut", "Kestrel Parts", False),
    ],
    ids=["other words", "misread ones", "letters that OCR does not know", "too few to tell"],
)
def test_it_differs_where_sure_words_of_the_picture_are_others(layer: str, seen: str, differs: bool) -> None:
    assert layer_check.differs(make_words(layer), make_words(seen)) == differs


def test_words_elsewhere_and_hidden_ones_contradict_nothing() -> None:
    seen = make_words("Kestrel Parts Limited")
    assert not layer_check.differs(make_words("Lftusfm Qbsut Mjnjufe", moved=0.5), seen)
    assert not layer_check.differs(make_words("Lftusfm Qbsut Mjnjufe", flags=HIDDEN), seen)


def test_the_fullest_lines_are_compared() -> None:
    words = number_rows(make_words("a Kestrel bb Limitedness ccc"))
    tops = [box[1] for box in layer_check.choose_samples(words)]
    assert tops == pytest.approx([0.06 - 0.0045, 0.02 - 0.0045])


def test_a_wrong_layer_waits_for_the_scans_and_gives_way_to_what_is_shown() -> None:
    source = open_lines(1)
    first = source.read_text(1, "auto")
    assert first and first.engine == "" and "Lftusfm" in join_text(first.words)
    page = source.read(1, "auto")
    assert (page.engine, join_text(page.words)) == ("rapidocr", "\n".join(LINES))


def test_a_right_layer_and_one_that_was_asked_for_do_not_wait() -> None:
    right, wrong = open_lines(0).read_text(1, "auto"), open_lines(1).read_text(1, "text-layer")
    assert right and wrong and right.engine == wrong.engine == "text-layer"
