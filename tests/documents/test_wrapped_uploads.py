"""Wrapped files through the door: what they hold becomes documents, and what cannot be opened is said."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from documents.models import Document
from tests.documents.reader_files import pdf, text_at
from tests.documents.test_unpacking import names_in, put, read_all
from tests.documents.wrapped_mails import HEAD, encode, encrypt, make_mail_of, make_tnef, sign

pytestmark = pytest.mark.django_db
PAGE = pdf([text_at(10, 10, "KP-88213")])
CALENDAR = b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Review\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
SIGNED_MAIL = encode(
    'Content-Type: application/pkcs7-mime; name="smime.p7m"',
    sign(make_mail_of(encode("Content-Type: application/pdf", PAGE))),
)
ENCRYPTED_MAIL = encode('Content-Type: application/pkcs7-mime; name="smime.p7m"', encrypt(bytes(40)))


def join(part: tuple[str, bytes]) -> bytes:
    return HEAD + part[0].encode() + b"\n" + part[1]


@pytest.mark.parametrize(
    ("name", "content", "parts"),
    [
        ("winmail.dat", make_tnef(("invoice.pdf", PAGE)), ["invoice.pdf"]),
        ("IT1_2.xml.p7m", sign(b"<?xml version='1.0'?><Invoice>1</Invoice>"), ["The signed file.xml"]),
        ("signed.eml", join(SIGNED_MAIL), ["attachment-1.pdf"]),
        ("meeting.ics", CALENDAR, []),
        (
            "invite.eml",
            make_mail_of(encode('Content-Type: text/calendar; name="invite.ics"', CALENDAR)),
            ["invite.ics"],
        ),
        ("bare.csv", "a;Größe\r\n1;2\r\n".encode("utf-16-le"), []),
        ("page.mhtml", b"From: <Saved by Blink>\nMIME-Version: 1.0\nContent-Type: text/html\n\n<p>Total 5</p>", []),
    ],
)
def test_what_it_holds_becomes_documents(actor: Actor, name: str, content: bytes, parts: list[str]) -> None:
    document = put(actor, name, content)
    read_all()
    document.refresh_from_db()
    assert document.state == Document.State.OCR_COMPLETED
    assert sorted(names_in(document)) == parts
    assert not document.parts_reason


def test_an_encrypted_mail_is_listed_as_incomplete(actor: Actor) -> None:
    document = put(actor, "secret.eml", join(ENCRYPTED_MAIL))
    read_all()
    document.refresh_from_db()
    assert document.has_gaps and "Only its receiver can open it" in document.state_reason


def test_a_mail_whose_file_was_not_taken_says_so_in_the_list(actor: Actor, signed_in: Callable[..., Client]) -> None:
    put(actor, "a.eml", make_mail_of(encode('Content-Type: application/octet-stream; name="a.exe"', b"MZ\0\0")))
    read_all()
    page = signed_in(Client(), actor).get(reverse("documents", args=(actor.organization.pk,))).text
    assert "Read, no tag · files in it not taken" in page
