import io
from pathlib import Path

import pytest

from reader.encodings import DecodedText
from reader.failures import OverLimit, Unreadable
from reader.kinds import detect_kind
from reader.newest_file import NewestFile
from reader.opening import find_kind
from reader.pages import Limits
from reader.pdf.source import PdfSource
from reader.texts import COLUMNS, ROWS, Pages, decode, make_words, paginate, read_pages
from reader.words import join_text
from tests.documents.reader_files import pdf, text_at


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"\xef\xbb\xbf junk %PDF-1.4", "pdf"),
        (b"\x89PNG\r\n\x1a\n\0\0", "png"),
        (b"\xff\xd8\xff\xe0", "jpeg"),
        (b"II*\0\x08\0\0\0", "tiff"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "webp"),
        (b"GIF89a", "gif"),
        (b"BM\x10\0\0\0\0\0\0\0", "bmp"),
        (b"date;amount\n1;2", "txt"),
        ("Größe".encode("utf-16"), "txt"),
        ("Größe".encode("cp1252"), "txt"),
        (b"From: the office\nAll is well", "txt"),
        (b"\n <!DOCTYPE html><p>", "html"),
        (b'<?xml version="1.0"?>\n<svg viewBox="0 0 1 1"/>', "svg"),
        (b'\xef\xbb\xbf<?xml version="1.0"?><Invoice/>', "xml"),
        (b' {"a": 1}', "json"),
        (b"---\na: 1", "yaml"),
        (b"# ours\nopenapi: 3.0.0\ninfo:\n", "yaml"),
        (b"name: x\nitems:\n  a:\n    b:\n      c: 1\n", "yaml"),
        (b"Seller:\n  ACME Ltd\n  Street 5\nBuyer:\n  Foo Ltd\n", "txt"),
        (b"Items:\n    - a\n        - b\n", "txt"),
        (b'<Invoice xmlns:cbc="urn:x" xmlns="urn:y"><cbc:ID>', "xml"),
        (b"<p>a part of a page", "txt"),
        (b"{\\rtf1 x}", "rtf"),
        (b"\0\0\0\x1cftypheic\0\0\0\0", "heic"),
        (b"\0\0\0\x0cjP  \r\n\x87\n", "jp2"),
        (b"From: a@example.org\r\nMIME-Version: 1.0\r\n\r\nHi", "eml"),
        (b"PK\x03\x04rest", "zip"),
        (b"PK\x03\x04\x14\0\0\0\0\0a.pdf%PDF-1.4", "zip"),
        (b"\xff\xd8\xff\xe1 made from %PDF-1.4", "jpeg"),
        (b"From: a@example.org\r\nMIME-Version: 1.0\r\n\r\n%PDF-1.4", "eml"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"),
    ],
)
def test_it_knows_the_kind_by_the_content(head: bytes, kind: str) -> None:
    assert detect_kind(head) == kind


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        (b"", "The file is empty."),
        (b"%!PS-Adobe-3.0", "PostScript files are not read yet."),
        (b"\0\0\0\x18ftypmp42", "Films and sounds are not read yet."),
        (b"\x7fELF\x02\x01\x01\0\0", "neither PDF, nor picture, nor text"),
    ],
)
def test_it_says_plainly_what_is_not_read(head: bytes, sentence: str) -> None:
    with pytest.raises(Unreadable, match=sentence):
        detect_kind(head)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-8", "cp1252"])
def test_it_decodes_by_mark_then_utf_8_then_cp1252(encoding: str) -> None:
    assert decode("Café – 5 €".encode(encoding)) == "Café – 5 €"


def test_it_takes_nul_in_a_text_for_a_gap_because_postgresql_keeps_none() -> None:
    assert decode(b"total\x0012") == "total 12"


def test_it_wraps_long_lines_at_spaces_and_loses_nothing() -> None:
    text = "wörter " * 40 + "x" * 250
    [lines] = paginate(text, 1)
    assert max(map(len, lines)) <= COLUMNS
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_it_starts_pages_after_sixty_lines_and_at_form_feeds() -> None:
    pages = paginate("\n".join(["line"] * (ROWS + 1)) + "\fnew", 10)
    assert [len(page) for page in pages] == [ROWS, 1, 1]


def test_it_refuses_text_of_too_many_pages() -> None:
    with pytest.raises(OverLimit, match="more than 2 pages"):
        paginate("a\fb\fc", 2)


def test_it_refuses_text_without_any() -> None:
    with pytest.raises(Unreadable, match="no text"):
        paginate("", 2)


def test_it_boxes_words_of_text_in_their_cells() -> None:
    first, second = make_words("ab  cde", 0)
    assert (first.text, second.text) == ("ab", "cde")
    assert (second.x1 - second.x0) / (first.x1 - first.x0) == pytest.approx(1.5)
    assert first.x1 < second.x0


def test_it_refuses_more_characters_than_the_pages_hold() -> None:
    with pytest.raises(OverLimit, match="more than 2 pages"):
        paginate("\t" * (2 * ROWS * (COLUMNS + 2) + 1), 2)


def test_it_breaks_one_endless_line_into_full_rows() -> None:
    [page] = paginate("x" * (COLUMNS * ROWS), 1)
    assert page == ["x" * COLUMNS] * ROWS


def test_it_keeps_the_pages_of_the_newest_text_until_the_file_changes(tmp_path: Path) -> None:
    path, texts = tmp_path / "a.txt", NewestFile[tuple[Pages, DecodedText]]()

    def open_pages() -> Pages:
        with path.open("rb") as file:
            return texts.get(file, (10, ""), lambda: read_pages(file, Limits(100, 10, 1)))[0]

    path.write_text("one")
    first = open_pages()
    assert open_pages() is first
    path.write_text("another")
    assert open_pages() == [["another"]]
    texts.forget()


@pytest.mark.parametrize("front", [b"@PJL SET COPIES=1\n" * 400, b"\xef\xbb\xbfa;b\n1;2\n" * 800])
def test_a_pdf_begins_wherever_a_printer_left_it(front: bytes) -> None:
    file = io.BytesIO(front + pdf([text_at(20, 50, "Total 12.50")]))
    assert find_kind(file) == "pdf"
    source = PdfSource(file, None, Limits(1_000_000, 3, 1_000_000))
    assert join_text(source.read(1, "auto").words) == "Total 12.50"
    assert find_kind(io.BytesIO(front + b"startxref %%EOF")) in ("txt", "csv")
