"""Mails whose files are wrapped, cut, unnamed, or written in an encoding that their headers deny."""

import base64
import io

import pytest

from reader.bundles import eml, wrapped
from reader.failures import Unreadable
from reader.kinds import detect_kind
from reader.pages import Limits
from tests.documents.laid_out import lay_out, list_rows
from tests.documents.reader_files import pdf, text_at
from tests.documents.wrapped_mails import HEAD, encode, encrypt, make_mail_of, make_tnef, sign

LIMITS = Limits(2_000_000, 1, 1)
PAGE = pdf([text_at(10, 10, "KP-88213")])
PLAIN = ("Content-Type: text/plain\n", b"hello")


def take_out(data: bytes) -> dict[str, bytes]:
    return {part.name: part.load() for part in eml.list_parts(io.BytesIO(data), LIMITS)}


def test_attachments_without_a_name_are_named_by_what_they_are() -> None:
    parts = [encode("Content-Type: application/pdf", PAGE), encode("Content-Type: text/csv", b"a;b\n1;2\n")]
    assert take_out(make_mail_of(PLAIN, *parts)) == {"attachment-1.pdf": PAGE, "attachment-2.csv": b"a;b\n1;2\n"}


@pytest.mark.parametrize("name", ["scan", "Rechnung 14.03.2026", "scan.bin"])
def test_a_name_without_an_extension_gets_one_by_the_content(name: str) -> None:
    headers = f'Content-Type: application/octet-stream\nContent-Disposition: attachment; filename="{name}"'
    assert list(take_out(make_mail_of(PLAIN, encode(headers, PAGE)))) == [f"{name}.pdf"]


def test_a_pdf_with_an_id_is_an_attachment_and_no_picture_of_the_text() -> None:
    part = encode("Content-Type: application/pdf; name=a.pdf\nContent-ID: <1>\nContent-Disposition: inline", PAGE)
    assert take_out(make_mail_of(PLAIN, part)) == {"a.pdf": PAGE}


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_base64_that_was_cut_gives_what_is_there_and_says_so(cut: int) -> None:
    mail = make_mail_of(PLAIN, encode('Content-Type: application/pdf; name="cut.pdf"', PAGE + b"12", cut=cut))
    [data] = take_out(mail).values()
    assert data.startswith(b"%PDF") and (PAGE + b"12").startswith(data) and len(data) > len(PAGE) - 4
    [gap] = lay_out(mail).gaps
    assert gap.reason == "“cut.pdf” arrived cut short: as much as is there was taken. Ask for it again."


def test_what_is_no_base64_is_damaged_and_never_a_text() -> None:
    mail = make_mail_of(
        PLAIN, ('Content-Type: application/pdf; name="a.pdf"\nContent-Transfer-Encoding: base64\n', b"!?# " * 9)
    )
    with pytest.raises(Unreadable, match="its base64 is broken"):
        take_out(mail)


def test_files_and_text_that_outlook_packed_are_taken_out() -> None:
    packed = encode(
        "Content-Type: application/ms-tnef; name=winmail.dat", make_tnef(("invoice 1.pdf", PAGE), text=b"see it")
    )
    assert take_out(make_mail_of(packed)) == {"invoice 1.pdf": PAGE}
    assert "see it" in list_rows(make_mail_of(packed))
    assert "see it" not in list_rows(make_mail_of(PLAIN, packed))


def test_compressed_rich_text_of_outlook_is_read() -> None:
    # The example of [MS-OXRTFCP] 4.1.
    rtf = bytes.fromhex("2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232")
    rtf += bytes.fromhex("0af32068656c090020627705b06c647d0a800fa0")
    assert list_rows(make_tnef(rtf=rtf)) == ["hello world"]


def test_packed_files_alone_are_a_bundle_too() -> None:
    data = make_tnef(("invoice.pdf", PAGE))
    assert list_rows(data) == ["Files in it", "Name | Size", "invoice.pdf | 1 kB"]
    assert [part.name for part in wrapped.list_parts(io.BytesIO(data), LIMITS)] == ["invoice.pdf"]


@pytest.mark.parametrize("is_open", [False, True])
def test_a_signed_mail_is_read_through_its_signature(is_open: bool) -> None:
    inner = make_mail_of(
        ("Content-Type: text/plain\n", b"Total 1,734.56"), encode("Content-Type: application/pdf", PAGE)
    )
    headers = 'Content-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"'
    part, content = encode(headers, sign(inner, is_open=is_open))
    mail = HEAD + part.encode() + b"\n" + content
    assert "Total 1,734.56" in list_rows(mail)
    assert take_out(mail) == {"attachment-1.pdf": PAGE}


def test_an_encrypted_mail_says_so() -> None:
    part, content = encode('Content-Type: application/pkcs7-mime; name="smime.p7m"', encrypt(bytes(40)))
    [gap] = lay_out(HEAD + part.encode() + b"\n" + content).gaps
    assert gap.kind == "encrypted" and "Only its receiver can open it" in gap.reason


def test_a_signed_invoice_is_taken_out_of_its_signature() -> None:
    invoice = b"<?xml version='1.0'?><Invoice>1</Invoice>"
    part = encode('Content-Type: application/pkcs7-mime; name="IT1_2.xml.p7m"', sign(invoice))
    assert take_out(make_mail_of(PLAIN, part)) == {"IT1_2.xml": invoice}
    [alone] = wrapped.list_parts(io.BytesIO(sign(invoice)), LIMITS)
    assert (alone.name, alone.load()) == ("The signed file.xml", invoice)


@pytest.mark.parametrize("charset", ["us-ascii", "iso-8859-1"])
def test_headers_that_lie_of_their_letters_lose_none(charset: str) -> None:
    text = "Grüße „5 €“"
    mail = HEAD.replace(b"Papers", text.encode()) + f"Content-Type: text/plain; charset={charset}\n\n".encode()
    assert list_rows(mail + text.encode())[::3] == [text, text]
    assert text in list_rows(mail + text.encode("cp1252"))


def test_a_russian_mail_without_a_charset_is_read_and_says_so() -> None:
    mail = HEAD + b"Content-Type: text/plain\n\n" + "Сумма счёта за месяц".encode("koi8-r")
    assert "Сумма счёта за месяц" in list_rows(mail)
    [gap] = lay_out(mail).gaps
    assert gap.kind == "encoding" and "KOI8" in gap.reason


def test_a_saved_page_shows_its_text() -> None:
    page = 'From: <Saved by Blink>\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary="B"\n\n--B\n'
    page += "Content-Type: text/html\nContent-Location: https://a.example/\n\n<p>Total 5</p>\n--B\n"
    page += "Content-Type: text/css\nContent-Location: https://a.example/a.css\n\np {}\n--B--\n"
    assert "Total 5" in list_rows(page.encode())
    assert take_out(page.encode()) == {}


def test_a_calendar_alone_is_its_entries() -> None:
    rows = list_rows(
        b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Review\r\nDTSTART:20260314T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR"
    )
    assert rows == ["Invitation: Review", "Start: 2026-03-14 10:00 UTC"]


def test_a_packed_file_that_breaks_off_says_so() -> None:
    whole = make_tnef(("a.txt", b"x" * 99), text=b"Total 12.50")
    assert not lay_out(whole).gaps
    for data in (whole[:-90], make_mail_of(PLAIN, encode("Content-Type: application/ms-tnef", whole[:-90]))):
        [gap] = lay_out(data).gaps
        assert gap.kind == "attachment" and "breaks off" in gap.reason


def test_a_mail_encrypted_by_pgp_says_so() -> None:
    body = "--B\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--B\nContent-Type: text/plain\n\nxyz\n--B--"
    mail = f"{HEAD.decode()}Content-Type: multipart/encrypted; boundary=B\n\n{body}\n"
    assert [gap.kind for gap in lay_out(mail.encode()).gaps] == ["encrypted"]
    assert take_out(mail.encode()) == {}


@pytest.mark.parametrize("kind", ["text/enriched", "multipart/mixed"])
def test_the_only_text_of_a_mail_is_read_whatever_it_is_called(kind: str) -> None:
    mail = f"{HEAD.decode()}Content-Type: {kind}\n\n<bold>Total 12.50</bold>\n"
    assert any("Total 12.50" in row for row in list_rows(mail.encode()))


@pytest.mark.parametrize("head", [b"", b"-----BEGIN PKCS7-----\n", b"-----BEGIN CMS-----\n"])
def test_signed_data_in_letters_is_taken_out(head: bytes) -> None:
    data = head + base64.encodebytes(sign(b"<a>FatturaPA 12.50</a>"))
    [part] = wrapped.list_parts(io.BytesIO(data), LIMITS)
    assert detect_kind(data) == "signed" and part.load() == b"<a>FatturaPA 12.50</a>"
