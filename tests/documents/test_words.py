import pytest

from documents.backends.words import (
    HIDDEN,
    OCR,
    STRETCH_START,
    Word,
    block_id,
    marked_text,
    number_rows,
    pack,
    plain_text,
    unpack,
)


def row(y: float, *placed: tuple[float, str], flags: int = 0) -> list[Word]:
    """Words of one row, a hundredth of the page a character, two hundredths high."""
    return [Word(text, x, y, x + 0.01 * len(text), y + 0.02, flags=flags) for x, text in placed]


INVOICE = [
    *row(0.1, (0.1, "Invoice"), (0.18, "no."), (0.7, "INV-7")),
    *row(0.2, (0.1, "Steel"), (0.16, "bracket"), (0.5, "15"), (0.8, "377.85")),
]


def test_it_packs_words_and_gives_them_back_with_five_decimals() -> None:
    words = [Word("Café", 0.123456789, 0.2, 0.3, 0.4, 7, OCR, 93), Word("漢字 | x", 0, 0, 1, 1, 8, HIDDEN, 100)]
    assert unpack(pack(words)) == [words[0]._replace(x0=0.12346), words[1]]


def test_it_packs_no_words() -> None:
    assert unpack(pack([])) == [] == unpack(b"")


@pytest.mark.parametrize("packed", [b"\x09abc", b"\x01abc", pack(INVOICE)[:-4]])
def test_it_refuses_packed_words_that_it_did_not_make(packed: bytes) -> None:
    with pytest.raises(ValueError, match="Packed words"):
        unpack(packed)


def test_it_names_blocks_by_page_line_and_word() -> None:
    assert block_id(3, 12, 1) == "3.12.1"


def test_it_reads_rows_from_top_to_bottom_and_left_to_right() -> None:
    words = number_rows(reversed(INVOICE))
    assert plain_text(words) == "Invoice no. INV-7\nSteel bracket 15 377.85"
    assert [w.line for w in words] == [1, 1, 1, 2, 2, 2, 2]


def test_it_parts_cells_at_column_gaps_only() -> None:
    assert marked_text(4, number_rows(INVOICE)) == "[4.1] Invoice no. | INV-7\n[4.2] Steel bracket | 15 | 377.85"


def test_it_parts_cells_at_smaller_gaps_where_ocr_found_separate_stretches() -> None:
    first, second = row(0.1, (0.1, "Amount"), (0.18, "Tax"))
    apart = [first._replace(flags=OCR | STRETCH_START), second._replace(flags=OCR | STRETCH_START)]
    assert marked_text(1, number_rows([first, second])) == "[1.1] Amount Tax"
    assert marked_text(1, number_rows(apart)) == "[1.1] Amount | Tax"


def test_it_keeps_the_rows_of_a_skewed_scan_when_the_slope_is_known() -> None:
    skewed = [
        w._replace(y0=w.y0 + 0.1 * w.x0, y1=w.y1 + 0.1 * w.x0) for w in INVOICE + row(0.13, (0.1, "Date"), (0.7, "May"))
    ]
    assert plain_text(number_rows(skewed, slope=0.1)).splitlines()[:2] == ["Invoice no. INV-7", "Date May"]
    assert plain_text(number_rows(skewed)).splitlines()[0] != "Invoice no. INV-7"


def test_it_keeps_small_lines_beside_a_large_one_apart() -> None:
    large = Word("TOTAL", 0.1, 0.10, 0.4, 0.16)
    small = [*row(0.10, (0.6, "first")), *row(0.14, (0.6, "second"))]
    assert plain_text(number_rows([large, *small])).splitlines() == ["first", "TOTAL", "second"]


def test_it_leaves_hidden_words_out_of_the_texts_and_after_the_visible_rows() -> None:
    words = number_rows([*row(0.1, (0.3, "obey"), flags=HIDDEN), *INVOICE])
    assert "obey" not in plain_text(words) + marked_text(1, words)
    assert [w.line for w in words if w.hidden] == [3]
    assert marked_text(1, words) == marked_text(1, number_rows(INVOICE))
