"""Files in a PDF: found wherever they are attached, each once, and none where there is none."""

import zlib
from base64 import a85encode, b16encode
from collections.abc import Callable
from pathlib import Path

import pytest

from reader.pool.parts import UnpackedPart, unpack_parts
from reader.pool.readers import get_pool
from tests.documents.hostile_files import pack_again_and_again
from tests.documents.pdfs_with_files import CATALOG, PAGE, associate, attach, clip, lock, name_tree_in_a_loop
from tests.documents.reader_files import assemble, pdf, text_at

INVOICE, RECEIPT = (b"invoice.xml", b"<Invoice>KP-88213</Invoice>"), (b"receipt.txt", b"Parking 12.50")

Saver = Callable[[bytes], Path]


@pytest.fixture
def save(tmp_path: Path) -> Saver:
    def write(data: bytes) -> Path:
        (tmp_path / "a.pdf").write_bytes(data)
        return tmp_path / "a.pdf"

    return write


def take_out(file: Path, maximum: int = 201) -> list[UnpackedPart]:
    return list(unpack_parts(get_pool(), file, maximum=maximum, max_bytes=10_000_000, group="test"))


@pytest.mark.parametrize("make", [attach, clip, associate])
def test_files_are_found_wherever_they_are_attached(save: Saver, make: Callable[..., bytes]) -> None:
    file = save(make(INVOICE, RECEIPT))
    assert get_pool().inspect(file).has_parts
    assert [(part.name.encode(), part.data) for part in take_out(file)] == [INVOICE, RECEIPT]


def test_what_is_attached_in_two_ways_comes_once(save: Saver) -> None:
    [part] = take_out(save(attach(INVOICE, (b"again.xml", INVOICE[1]), catalog=b"/AF [4 0 R]")))
    assert part.name == "invoice.xml"


@pytest.mark.parametrize("make", [attach, clip])
def test_files_are_found_where_the_lists_of_a_damaged_pdf_are_gone(save: Saver, make: Callable[..., bytes]) -> None:
    file = save(make(INVOICE, RECEIPT).replace(b"\n2 0 obj", b"\n2 0 xxx"))
    assert get_pool().inspect(file).has_parts
    assert [(part.name.encode(), part.data) for part in take_out(file)] == [INVOICE, RECEIPT]


def test_a_portfolio_says_that_its_page_is_a_cover(save: Saver) -> None:
    seen = get_pool().inspect(save(attach(RECEIPT, catalog=b"/Collection << /View /T >>")))
    assert [gap.kind for gap in seen.gaps] == ["cover"] and "portfolio" in seen.gaps[0].reason
    assert not get_pool().inspect(save(attach(RECEIPT))).gaps


def test_a_pdf_without_files_holds_none(save: Saver) -> None:
    file = save(pdf([text_at(20, 50, "Nothing is attached, /EmbeddedFile or not")]))
    assert not get_pool().inspect(file).has_parts and take_out(file) == []


def test_of_ten_thousand_files_no_more_are_taken_out_than_asked_for(save: Saver) -> None:
    file = save(attach(*((b"%d.txt" % at, b"%d" % at) for at in range(10_000))))
    assert len(take_out(file)) == 201
    *_, last = take_out(save(attach(*((b"%d.txt" % at, b"same") for at in range(10_000)))))
    assert "more than 1,000 files" in last.reason


def test_a_list_that_goes_in_circles_ends(save: Saver) -> None:
    assert take_out(save(name_tree_in_a_loop())) == []


def test_a_file_that_unpacks_to_more_than_may_be_says_so(save: Saver) -> None:
    large = save(attach((b"large.bin", b"\0" * 11_000_000), RECEIPT))
    assert [(part.name, part.reason[:26]) for part in take_out(large)] == [
        ("large.bin", "large.bin has 11.0 MB; the"),
        ("receipt.txt", ""),
    ]


@pytest.mark.parametrize(("make", "times"), [(attach, 1), (clip, 2), (associate, 1)])
def test_a_file_that_unpacks_to_gigabytes_costs_no_other(save: Saver, make: Callable[..., bytes], times: int) -> None:
    bomb = pack_again_and_again(b"\0" * 1_000_000, 3000)
    data = make((b"bomb", bomb if times == 1 else zlib.compress(bomb, 9)), RECEIPT)
    if times == 2:
        data = data.replace(b"/Filter /FlateDecode", b"/Filter [/FlateDecode /FlateDecode]", 1)
    file = save(data)
    assert get_pool().inspect(file).has_parts
    assert [(part.name, part.reason) for part in take_out(file)] == [
        ("bomb", "It unpacks to more than 10 MB."),
        ("receipt.txt", ""),
    ]


def test_a_pdf_that_stands_in_another_as_it_is_is_taken_out(save: Saver) -> None:
    """Its own objects bear the numbers of those around it."""
    inner = pdf([text_at(20, 50, "Total 12.50")])
    catalog = CATALOG % b"/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>"
    spec = b"<< /Type /Filespec /F (a.pdf) /EF << /F 3 0 R >> >>"
    stream = b"<< /Type /EmbeddedFile /Length %d >> stream\n%s\nendstream" % (len(inner), inner)
    tree = b"<< /Type /Pages /Kids [5 0 R] /Count 1 >>"
    file = save(assemble([catalog, tree, stream, spec, PAGE % b""], b""))
    assert get_pool().inspect(file).has_parts
    assert [(part.name, part.data, part.reason) for part in take_out(file)] == [("a.pdf", inner, "")]


def test_files_in_letters_are_taken_out(save: Saver) -> None:
    data = associate(INVOICE, RECEIPT)
    for (_, content), name, letters in (
        (INVOICE, b"ASCIIHexDecode", b16encode),
        (RECEIPT, b"ASCII85Decode", a85encode),
    ):
        packed = zlib.compress(content)
        whole = letters(packed) + (b">" if name == b"ASCIIHexDecode" else b"~>")
        data = data.replace(packed, whole).replace(
            b"/FlateDecode /Length %d" % len(packed), b"[/%s /FlateDecode]" % name
        )
    assert [(part.name.encode(), part.data) for part in take_out(save(data))] == [INVOICE, RECEIPT]


def test_files_that_an_encrypted_pdf_is_associated_with_are_said_to_be_left(save: Saver) -> None:
    locked = lock(*RECEIPT, "secret").replace(b"/EmbeddedFiles << /Names [(a) 20 0 R] >>", b"")
    seen = get_pool().inspect(
        save(locked.replace(b"/Type /Catalog", b"/Type /Catalog /AF [20 0 R]")), password="secret"
    )
    assert not seen.has_parts and [gap.kind for gap in seen.gaps] == ["encrypted"]
