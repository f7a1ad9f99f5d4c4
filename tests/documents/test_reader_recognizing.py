import pytest
from PIL import Image

from reader.ocr.lines import OcrLine, OcrWord, Point
from reader.ocr.recognition import Attempt, choose_attempt, measure_slope, rotate_picture
from reader.ocr.strips import StripRecognizer, list_strips
from reader.ocr.word_boxes import join_pieces, make_line, split_by_length
from reader.pdf.text_layer import TextLayer, is_garbled
from reader.pdf.word_merge import merge_words
from reader.words import HIDDEN, OCR, Word

Pieces = list[tuple[str, float, list[list[float]]]]


def quad(x0: float, y0: float, x1: float, y1: float) -> list[Point]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def piece(text: str, x0: float, x1: float) -> tuple[str, float, list[list[float]]]:
    return text, 0.9, [list(point) for point in quad(x0, 0, x1, 10)]


class OneLineEngine:
    """Reads a single line that runs to the right once the page was turned by `upright`."""

    def __init__(self, upright: int, reads_left_turned_well: bool = False) -> None:
        self.upright = upright
        self.seen: list[int] = []
        self.well = {upright} | ({0} if reads_left_turned_well else set())

    def find_lines(self, picture: Image.Image) -> list[OcrLine]:
        rotation = next(r for r in (0, 90, 180, 270) if rotate_picture(MARKED, r).tobytes() == picture.tobytes())
        self.seen.append(rotation)
        flat = (rotation - self.upright) % 180 == 0
        box = quad(0, 0, 40, 8) if flat else quad(0, 0, 8, 40)
        return [OcrLine("line", 0.97 if rotation in self.well else 0.6, box, [])]


MARKED = Image.new("L", (3, 2))
MARKED.putpixel((0, 0), 255)


@pytest.mark.parametrize(
    ("engine", "tried"),
    [
        (OneLineEngine(0), [0]),
        (OneLineEngine(90), [0, 90]),
        (OneLineEngine(180), [0, 180]),
        (OneLineEngine(270), [0, 90, 270]),
        (OneLineEngine(270, reads_left_turned_well=True), [0, 270]),
    ],
)
def test_it_finds_which_way_up_a_page_is_with_few_attempts(engine: OneLineEngine, tried: list[int]) -> None:
    best = choose_attempt(MARKED, engine)
    assert (best.rotation, engine.seen) == (engine.upright, tried)
    assert best.size == ((2, 3) if engine.upright in (90, 270) else (3, 2))


def test_it_takes_the_slope_from_long_lines() -> None:
    skewed = [OcrLine("long", 1, [(0, y), (400, y + 20), (400, y + 40), (0, y + 20)], []) for y in (0, 100, 200)]
    short = OcrLine("1", 1, [(0, 0), (10, 9), (10, 19), (0, 10)], [])
    assert measure_slope(Attempt(0, (400, 800), [*skewed, short])) == pytest.approx(0.05 / 2)


def test_it_puts_single_characters_together_to_the_words_of_the_line() -> None:
    pieces: Pieces = [piece("Caf", 0, 30), piece("é", 30, 40), piece("5", 50, 60)]
    first, second = join_pieces(["Café", "5"], pieces)
    assert (first.text, first.box, second.box) == ("Café", (0, 0, 40, 10), (50, 0, 60, 10))


@pytest.mark.parametrize("pieces", [[], [piece("Caf", 0, 30)], [piece("Café5", 0, 60)]])
def test_it_shares_the_line_out_by_length_when_the_pieces_do_not_add_up(pieces: Pieces) -> None:
    line = make_line("Café 5", 0.9, quad(0, 0, 60, 10), pieces)
    assert [(word.text, word.box) for word in line.words] == [("Café", (0, 0, 40, 10)), ("5", (50, 0, 60, 10))]


def test_it_shares_a_slanted_line_out_along_its_edge() -> None:
    words = split_by_length(["ab", "ab"], 1.0, [(0, 0), (50, 50), (50, 60), (0, 10)])
    assert words[0].box == (0, 0, 20, 30)
    assert words[1].box == (30, 30, 50, 60)


def word(text: str, x0: float, flags: int = 0) -> Word:
    return Word(text, x0, 0.1, x0 + 0.1, 0.12, flags=flags)


def test_it_adds_only_words_of_the_picture_that_the_text_layer_lacks() -> None:
    merged = merge_words([word("Total", 0.1)], [word("Tota1", 0.105, OCR), word("4711", 0.5, OCR)], 0.0)
    assert [(w.text, w.flags, w.line) for w in merged] == [("Total", 0, 1), ("4711", OCR, 1)]


def test_it_drops_the_invisible_text_of_a_searchable_scan_but_keeps_what_hides_behind_it() -> None:
    layer = [word("Tota1", 0.1, HIDDEN), word("obey", 0.3, HIDDEN), word("me", 0.6, HIDDEN)]
    merged = merge_words(layer, [word("Total", 0.1, OCR), word("amount", 0.3, OCR)], 0.0)
    assert [(w.text, w.hidden) for w in merged] == [("Total", False), ("amount", False), ("obey", True), ("me", True)]


@pytest.mark.parametrize("character", ["\ufffd", "\ue012", "\x03", "\U000f1234"])
def test_it_counts_characters_that_say_nothing(character: str) -> None:
    assert is_garbled(character)


@pytest.mark.parametrize(
    ("characters", "garbled", "usable"), [(15, 0, False), (16, 0, True), (100, 10, True), (100, 11, False)]
)
def test_it_uses_a_text_layer_of_sixteen_readable_characters(characters: int, garbled: int, usable: bool) -> None:
    assert TextLayer([], characters, garbled).usable is usable


class MarkEngine:
    """Reads every black run along the long side of a picture as one line, named by its length."""

    def __init__(self) -> None:
        self.lengths: list[int] = []

    def find_lines(self, picture: Image.Image) -> list[OcrLine]:
        upright = picture.height > picture.width
        self.lengths.append(max(picture.size))
        column = picture.crop((0, 0, 1, picture.height) if upright else (0, 0, picture.width, 1)).tobytes()
        ocr_lines, start = [], None
        for place, value in enumerate([*column, 255]):
            if value == 0 and start is None:
                start = place
            elif value and start is not None:
                box = (0, start, 10, place) if upright else (start, 0, place, 10)
                text = str(place - start)
                ocr_lines.append(OcrLine(text, 1.0, quad(*box), [OcrWord(text, box, 1.0)]))
                start = None
        return ocr_lines


@pytest.mark.parametrize("upright", [True, False])
def test_it_reads_every_line_of_a_till_roll_once_and_where_it_stands(upright: bool) -> None:
    roll, expected = Image.new("L", (10, 237) if upright else (237, 10), 255), []
    for start in range(0, 230, 4):
        roll.paste(0, (0, start, 10, start + 2) if upright else (start, 0, start + 2, 10))
        expected.append(start)
    engine = MarkEngine()
    lines = StripRecognizer(engine).find_lines(roll)
    assert [line.quad[0][1 if upright else 0] for line in lines] == expected
    assert [line.words[0].box[1 if upright else 0] for line in lines] == expected
    assert {line.text for line in lines} == {"2"}
    assert max(engine.lengths) <= 25


@pytest.mark.parametrize("length", [401, 570, 571, 1000, 2399])
def test_strips_cover_the_whole_and_own_each_place_once(length: int) -> None:
    parts = list(list_strips(length, 100))
    assert parts[0][0] == 0 and parts[-1][1] == length
    assert all(start <= own_start or index == 0 for index, (start, _, own_start, _) in enumerate(parts))
    assert [part[3] for part in parts[:-1]] == [part[2] for part in parts[1:]]


def test_it_reads_pictures_of_ordinary_shape_in_one() -> None:
    engine = MarkEngine()
    StripRecognizer(engine).find_lines(Image.new("L", (10, 40), 255))
    assert engine.lengths == [40]
