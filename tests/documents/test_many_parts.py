"""An upload that becomes many documents is asked for once, by its number, before anything of it is stored."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.actor import Actor
from documents.intake import uploads
from documents.intake.many_parts import CODE, MAX_UNASKED
from documents.models import Document
from kit.errors import Conflict
from tests.conftest import ApiClient
from tests.documents.mails import NOSTREAM, OleFile, make_archive, make_mail
from tests.documents.pdfs_with_files import attach
from tests.documents.test_unpacking import names_in, put, read_all

pytestmark = pytest.mark.django_db


def make_files(number: int, text: str = "Total") -> list[tuple[str, bytes]]:
    return [(f"{at}.txt", f"{text} {at}".encode()) for at in range(number)]


def make_portfolio(*files: tuple[str, bytes]) -> bytes:
    return attach(*((name.encode(), data) for name, data in files))


@pytest.mark.parametrize(("name", "make"), [("a.zip", make_archive), ("a.eml", make_mail), ("a.pdf", make_portfolio)])
def test_more_than_a_few_are_taken_once_somebody_has_said_so(
    actor: Actor, name: str, make: Callable[..., bytes]
) -> None:
    content = make(*make_files(MAX_UNASKED + 1))
    with pytest.raises(Conflict, match=f"{name} holds 21 files, and each becomes a document") as refused:
        put(actor, name, content)
    assert refused.value.code == CODE and not Document.objects.exists()
    many = put(actor, name, content, unpack_many=True)
    read_all()
    assert len(names_in(many)) == 21
    few = put(actor, f"few {name}", make(*make_files(MAX_UNASKED, "few")))
    read_all()
    assert len(names_in(few)) == MAX_UNASKED


def make_long_archive() -> bytes:
    """With the end of a list of 4 GB and more before the other, which says nothing then."""
    short, end = make_archive(*make_files(MAX_UNASKED + 1)), struct.Struct("<4s4H2IH")
    sign, *_, number, size, start, _ = end.unpack(short[-end.size :])
    long = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, number, number, size, start)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, len(short) - end.size, 1)
    lies = end.pack(sign, 0, 0, 0, 0, 0, 0, 0)
    return short[: -end.size] + long + locator + lies


def make_folded_mail() -> bytes:
    mail = make_mail(*make_files(MAX_UNASKED + 1))
    return mail.replace(b"Content-Disposition: attachment", b"Content-Disposition:\r\n\tattachment")


def make_apple_mail() -> bytes:
    mail = make_mail(*make_files(MAX_UNASKED + 1))
    return mail.replace(b"Content-Disposition: attachment", b"Content-Disposition: inline")


def make_mail_of_mails() -> bytes:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "a@example.com", "Forwarded"
    mail.set_content("x")
    for at in range(MAX_UNASKED + 1):
        inner = EmailMessage()
        inner.set_content(str(at))
        mail.add_attachment(inner)
    return mail.as_bytes().replace(b"Content-Disposition: attachment\n", b"")


def make_message() -> bytes:
    ole = OleFile()
    ole.add_entry("Root Entry", 5, child=1)
    for at in range(MAX_UNASKED + 1):
        ole.add_entry(f"__attach_version1.0_#{at:08X}", 1, right=at + 2 if at < MAX_UNASKED else NOSTREAM)
    return ole.pack()


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("long.zip", make_long_archive),
        ("folded.eml", make_folded_mail),
        ("apple.eml", make_apple_mail),
        ("mails.eml", make_mail_of_mails),
        ("a.msg", make_message),
    ],
)
def test_no_other_form_of_the_same_goes_unasked(actor: Actor, name: str, make: Callable[[], bytes]) -> None:
    content = make()
    with pytest.raises(Conflict, match=f"{name} holds 21 files"):
        put(actor, name, content)
    many = put(actor, name, content, unpack_many=True)
    read_all()
    assert len(names_in(many)) == (0 if name == "a.msg" else MAX_UNASKED + 1)  # an outline of a message alone


def test_pictures_in_the_text_of_a_mail_do_not_count(actor: Actor) -> None:
    mail = make_mail(*make_files(MAX_UNASKED + 9))
    shown = mail.replace(b"Content-Disposition: attachment", b"Content-ID: <a>\nContent-Disposition: inline")
    shown = shown.replace(b"application/octet-stream", b"image/png")
    document = put(actor, "a.eml", shown)
    read_all()
    assert names_in(document) == []


def test_the_sentence_is_one_for_people_and_programs_get_the_field(
    actor: Actor, api_as: Callable[..., ApiClient], signed_in: Callable[..., Client]
) -> None:
    content = make_archive(*make_files(MAX_UNASKED + 1))
    page = signed_in(Client(), actor).post(
        f"/orgs/{actor.organization.pk}/documents/upload", {"file": SimpleUploadedFile("a.zip", content)}
    )
    assert "holds 21 files" in page.text and "unpack_many" not in page.text and "API" not in page.text
    file = {"name": "a.zip", "content": base64.b64encode(content).decode()}
    answer = api_as(actor).post(f"/v0/orgs/{actor.organization.pk}/documents", {"documents": [file]})
    assert answer.status_code == 409 and "unpack_many: true" in answer.text


def test_one_between_two_pieces_of_a_file_counts(actor: Actor) -> None:
    attached = b"\nContent-Disposition: attachment\n"
    before = b"From: a@example.com\n".ljust(File.DEFAULT_CHUNK_SIZE - 10, b"x")
    with pytest.raises(Conflict, match="holds 21 files"):
        put(actor, "a.eml", before + attached * (MAX_UNASKED + 1))


def test_folders_and_what_systems_add_do_not_count(actor: Actor) -> None:
    added = [(f"__MACOSX/{at}.txt", b"x") for at in range(30)] + [(f"folder {at}/", b"") for at in range(30)]
    assert put(actor, "a.zip", make_archive(*make_files(MAX_UNASKED), *added)).pk


@pytest.mark.parametrize("content", [b"PK\x05\x06", b"PK\x03\x04" + b"x" * 100, b"PK\x05\x06" + b"\xff" * 18])
def test_what_is_no_whole_archive_is_left_to_the_reader(actor: Actor, content: bytes) -> None:
    assert uploads.store(actor, name="a.zip", content=ContentFile(b"PK\x03\x04" + content, name="a.zip")).pk


def test_what_is_nested_comes_unasked_up_to_the_same_number(actor: Actor) -> None:
    inner = [(f"{at}.zip", make_archive(*make_files(9, f"{at}"))) for at in range(4)]
    outer = put(actor, "outer.zip", make_archive(*inner))
    read_all()
    assert Document.objects.exclude(pk=outer.pk).count() == MAX_UNASKED
    reasons = "".join(Document.objects.values_list("parts_reason", flat=True))
    assert "the others were not taken. Upload them by themselves." in reasons


def test_over_the_api_it_is_asked_for_by_a_field(actor: Actor, api_as: Callable[[Actor], ApiClient]) -> None:
    api, path = api_as(actor), f"/v0/orgs/{actor.organization.pk}/documents"
    content = make_archive(*make_files(30))
    sent = {"name": "a.zip", "content": base64.b64encode(content).decode()}
    refused = api.post(path, {"documents": [sent]})
    assert (refused.status_code, "30 files" in refused.json()["detail"]) == (409, True)
    assert api.post(path, {"documents": [{**sent, "unpack_many": True}]}).status_code == 200

    def send_form(**more: Any) -> Any:
        return api.post(f"{path}/multipart", {"file": SimpleUploadedFile("b.zip", content), **more}, format="multipart")

    assert send_form().status_code == 409 and "unpack_many" in send_form().json()["detail"]
    assert send_form(unpack_many="true").status_code == 200
    assert json.loads(send_form(unpack_many="maybe").content)["detail"].startswith("unpack_many must be true or false")


def test_on_the_page_a_button_takes_them_all(
    actor: Actor, client: Client, signed_in: Callable[[Client, Actor], Client]
) -> None:
    page, path = signed_in(client, actor), f"/orgs/{actor.organization.pk}/documents/upload"
    content = make_archive(*make_files(21))
    asked = page.post(path, {"file": SimpleUploadedFile("a.zip", content), "unpack_many": ""})
    assert asked.status_code == 409 and "data-unpack-many" in asked.content.decode()
    taken = page.post(path, {"file": SimpleUploadedFile("a.zip", content), "unpack_many": "1"})
    assert taken.status_code == 201
