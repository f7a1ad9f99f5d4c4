"""Mails and archives: their pages, and the files in them."""

import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from kit.errors import Invalid
from reader.bundles import archive, eml, msg
from reader.bundles.parts import BundlePart
from reader.failures import Unreadable
from reader.pages import Limits
from reader.pool.parts import unpack_parts
from reader.pool.readers import ReaderPool
from tests.documents.laid_out import lay_out, list_addresses, list_rows
from tests.documents.mails import make_archive, make_mail, make_message

LIMITS = Limits(2_000_000, 1, 1)


def take_out(list_parts: Callable[[BinaryIO, Limits], Iterator[BundlePart]], data: bytes) -> dict[str, bytes]:
    return {part.name: part.load() for part in list_parts(io.BytesIO(data), LIMITS)}


@pytest.mark.parametrize(
    ("body", "code_page"),
    [
        (("1000001E", "Сумма 12.50 руб".encode("cp1251")), 1251),
        (("1000001E", "Сумма 12.50 руб".encode("koi8-r")), 20866),
        (("1000001E", "Сумма 12.50 руб".encode("cp1251")), 0),
        (("10130102", "<meta charset=koi8-r><p>Сумма 12.50 руб</p>".encode("koi8-r")), 0),
        (
            (
                "10090102",
                bytes(8) + b"MELA" + bytes(4) + rb"{\rtf1\ansi\ansicpg1251 \'d1\'f3\'ec\'ec\'e0 12.50 \'f0\'f3\'e1}",
            ),
            0,
        ),
    ],
)
def test_an_outlook_message_is_read_in_each_form_of_its_text(body: tuple[str, bytes], code_page: int) -> None:
    data = make_message("Счёт", "", ("a.txt", b"x"), body=body, code_page=code_page)
    assert any("Сумма 12.50 руб" in row for row in list_rows(data))
    is_guess = body[0].endswith("1E") and not code_page
    assert [gap.kind for gap in lay_out(data).gaps] == ["encoding"] * is_guess


def test_a_mail_is_its_headers_its_text_and_a_list_of_its_attachments() -> None:
    data = make_mail(("Größe.pdf", b"x" * 3000), ("b.csv", b"1;2"))
    assert list_rows(data) == [
        "Rechnung für Mai",
        "From: Müller <m@example.com>",
        "To: ap@example.org",
        "Invoice",
        "Total 12.50",
        "Attachments",
        "\u2022 Größe.pdf (3 kB)",
        "\u2022 b.csv (1 kB)",
    ]
    assert list_addresses(data)["ap@example.org"] == "To"
    assert take_out(eml.list_parts, data) == {"Größe.pdf": b"x" * 3000, "b.csv": b"1;2"}


def test_a_mail_in_a_mail_is_one_of_its_files() -> None:
    inner = make_mail(subject="inner").replace(b"\n", b"\r\n")
    data = b'From: a@b.c\nMIME-Version: 1.0\nMessage-ID: <1>\nContent-Type: multipart/mixed; boundary="x"\n\n--x\n'
    data += b"Content-Type: message/rfc822\n\n" + inner + b"\n--x--\n"
    [(name, content)] = take_out(eml.list_parts, data).items()
    assert name == "inner.eml" and b"Total 12.50" in content


def test_headers_and_texts_that_lie_about_their_encoding_are_read_as_far_as_it_goes() -> None:
    data = b"From: =?x-none?b?!!!?=\nMessage-ID: <1>\nSubject: =?utf-8?q?=ff=fe?= x\nContent-Type: text/plain; charset=none\n\ntext \xff"
    assert list_rows(data)[-1].startswith("text")


def test_an_outlook_message_is_read_with_its_attachment() -> None:
    data = make_message("Subject line", "The text says 12.50", ("a.txt", b"attached"))
    assert list_rows(data) == [
        "Subject line",
        "From: Ada",
        "To: ap@example.org",
        "Date: 2026-03-03 20:00 UTC",
        "The text says 12.50",
        "Attachments",
        "\u2022 a.txt (4 kB)",
    ]
    assert take_out(msg.list_parts, data)["a.txt"].startswith(b"attached")


def test_an_invitation_of_outlook_says_when_and_where() -> None:
    rows = list_rows(make_message("Review", "Come", ("a.txt", b"x"), place="Room 4"))
    assert [row for row in rows if row.startswith(("Start", "End", "Place"))] == [
        "Start: 2026-03-04 21:00 UTC",
        "End: 2026-03-04 22:00 UTC",
        "Place: Room 4",
    ]
    assert not [row for row in list_rows(make_message("Review", "Come", ("a.txt", b"x"))) if row.startswith("Start")]


def test_an_archive_is_a_list_of_its_files() -> None:
    data = make_archive(("bills/a.pdf", b"x" * 2000), ("__MACOSX/._a", b""), ("bills/.DS_Store", b""), ("b.txt", b"y"))
    assert list_rows(data) == ["2 files", "Name | Size", "bills/a.pdf | 2 kB", "b.txt | 1 kB"]
    assert take_out(archive.list_parts, data) == {"bills/a.pdf": b"x" * 2000, "b.txt": b"y"}


def test_a_file_that_unpacks_to_far_more_than_it_takes_is_left_out() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("bomb.txt", bytes(1_000_001))
    with pytest.raises(Unreadable, match="unpacks to more than 200 times its size"):
        take_out(archive.list_parts, data.getvalue())


def test_an_empty_archive_says_so() -> None:
    with pytest.raises(Unreadable, match="The archive holds no files"):
        lay_out(make_archive())


@pytest.fixture(scope="module")
def pool() -> Iterator[ReaderPool]:
    reader_pool = ReaderPool(1)
    yield reader_pool
    reader_pool.close()


def test_a_reader_hands_the_files_over_in_several_answers(pool: ReaderPool, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for number in range(150):
            packed.writestr(f"{number}.txt", str(number))
    parts = list(unpack_parts(pool, path, maximum=120, max_bytes=1_000_000, group=""))
    assert [part.data.decode() for part in parts] == [str(number) for number in range(120)]


def test_a_reader_says_why_a_file_cannot_be_taken_out(pool: ReaderPool, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(make_archive(("big.txt", bytes(3_000_000)), ("small.txt", b"y")))
    first, second = unpack_parts(pool, path, maximum=9, max_bytes=1_000_000, group="")
    assert (first.data, first.reason) == (b"", "big.txt has 3.0 MB; the limit is 1 MB.")
    assert (second.data, second.reason) == (b"y", "")


def test_a_file_that_holds_none_is_refused(pool: ReaderPool, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(Invalid, match="holds no other files"):
        list(unpack_parts(pool, tmp_path / "a.txt", maximum=9, max_bytes=100, group=""))


def test_a_mail_to_hundreds_of_people_names_all_and_one_to_thousands_says_that_it_does_not() -> None:
    for count, kinds in ((900, []), (9000, ["attachment"])):
        people = ",\n ".join(f"Ada Lovelace {at} <ada{at}@example.org>" for at in range(count))
        data = f"From: a@b.c\nMIME-Version: 1.0\nTo: {people}\n\ntext".encode()
        assert [gap.kind for gap in lay_out(data).gaps] == kinds
        assert any(f"ada{count - 1}@example.org" in row for row in list_rows(data)) == (not kinds)
