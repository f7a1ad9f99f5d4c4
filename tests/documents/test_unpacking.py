"""A mail or an archive becomes documents: itself, and one for each file in it."""

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse
from django.utils import timezone

from documents import document_changes
from documents.intake import parts, uploads
from documents.models import UNPACKING_LEASE, Document, Tag
from documents.reading import reading
from tests.documents.mails import make_archive, make_mail
from tests.documents.pdfs_with_files import attach, clip, lock
from tests.documents.reader_files import pdf, text_at

pytestmark = pytest.mark.django_db


def put(actor, name, content, **extra):
    return uploads.store(actor, name=name, content=ContentFile(content, name=name), **extra)


def read_all():
    """Reading, then taking out, until neither finds anything."""
    while reading.read_next(holder="test") or unpack_all():
        pass


def unpack_all():
    waiting = list(Document.objects.filter(unpacking="waiting").values_list("pk", flat=True))
    for document_id in waiting:
        parts.unpack(document_id)
    return bool(waiting)


def names_in(document):
    return [part.name for part in document.list_parts()]


def test_the_files_in_a_mail_become_documents_with_its_tags_and_its_sender_of_uploads(actor):
    tag = Tag.objects.create(organization=actor.organization, name="bills")
    mail = put(actor, "mail.eml", make_mail(("a.txt", b"Total 1.00"), ("../../b.txt", b"Total 2.00")), tag_ids=[tag.pk])
    read_all()
    mail.refresh_from_db()
    assert (mail.unpacking, mail.parts_reason, names_in(mail)) == ("done", "", ["a.txt", "b.txt"])
    for part in mail.list_parts():
        assert (part.state, part.uploaded_by, part.uploaded_by_name) == (
            Document.State.OCR_COMPLETED,
            actor.user,
            mail.uploaded_by_name,
        )
        assert list(part.tags.all()) == [tag]


def test_the_files_in_a_pdf_become_documents_and_a_pdf_without_any_is_not_asked_for(actor):
    invoice = put(actor, "invoice.pdf", attach((b"../../a.txt", b"Total 1.00"), (b"setup.exe", b"MZ\0\0")))
    plain = put(actor, "plain.pdf", pdf([text_at(20, 50, "Nothing is attached to this page")]))
    read_all()
    invoice.refresh_from_db()
    plain.refresh_from_db()
    assert (invoice.unpacking, names_in(invoice)) == ("done", ["a.txt"])
    assert invoice.parts_reason.startswith("Unsupported file extension")
    assert (plain.unpacking, plain.parts_reason) == ("", "")


def test_the_list_says_that_an_invoice_has_a_receipt_clipped_to_it(actor, client, signed_in):
    put(actor, "invoice.pdf", clip((b"receipt.txt", b"Parking 12.50")))
    read_all()
    assert "1 document in it" in signed_in(client, actor).get(reverse("documents", args=[actor.organization.pk])).text


def test_the_files_in_a_locked_pdf_are_taken_out_with_its_password(actor):
    locked = put(actor, "locked.pdf", lock(b"a.txt", b"Total 1.00", "secret"))
    read_all()
    assert names_in(locked) == []
    reading.start(actor, document=locked, password="secret")
    read_all()
    locked.refresh_from_db()
    assert (locked.parts_reason, names_in(locked)) == ("", ["a.txt"])


@pytest.mark.parametrize("name", ["/etc/passwd\\x00.txt", "\x80\x80\u202etxt.exe.txt", "..\\\\..\\\\a.txt"])
def test_a_name_in_a_pdf_leads_nowhere(actor, name):
    whole = put(actor, "whole.pdf", attach((b"\xfe\xff" + name.encode("utf-16-be"), b"Total")))
    read_all()
    whole.refresh_from_db()
    assert [part for part in names_in(whole) if {*"/\\\0\u202e"} & {*part}] == [] and len(names_in(whole)) == 1


def test_taking_them_out_twice_makes_nothing_twice(actor):
    mail = put(actor, "mail.eml", make_mail(("a.txt", b"x")))
    read_all()
    Document.objects.filter(pk=mail.pk).update(unpacking="waiting")
    parts.unpack(mail.pk)
    assert names_in(mail) == ["a.txt"]


def test_reading_again_takes_nothing_out_again(actor):
    mail = put(actor, "mail.eml", make_mail(("a.txt", b"x")))
    read_all()
    reading.start(actor, document=mail)
    read_all()
    assert Document.objects.count() == 2


def test_what_is_no_document_is_named_with_the_reason(actor):
    archive = put(actor, "a.zip", make_archive(("setup.exe", b"MZ\0\0"), ("empty.txt", b""), ("b.txt", b"y")))
    read_all()
    archive.refresh_from_db()
    assert names_in(archive) == ["b.txt"]
    assert archive.parts_reason.splitlines() == [
        "Unsupported file extension .exe: setup.exe.",
        "empty.txt is empty: it has 0 bytes.",
    ]


def test_archives_in_archives_are_followed_three_deep(actor):
    content = make_archive(("deepest.txt", b"x"))
    for level in range(4):
        content = make_archive((f"level{level}.zip", content))
    put(actor, "outermost.zip", content)
    read_all()
    assert set(Document.objects.values_list("name", flat=True)) == {
        "outermost.zip",
        "level3.zip",
        "level2.zip",
        "level1.zip",
    }
    assert Document.objects.get(name="level1.zip").parts_reason.startswith("The files in it were not taken: it came")


def test_more_files_than_may_be_are_left_out_and_that_is_said(actor):
    archive = put(actor, "a.zip", make_archive(*((f"{number}.exe", b"x") for number in range(205))), unpack_many=True)
    read_all()
    archive.refresh_from_db()
    lines = archive.parts_reason.splitlines()
    assert len(lines) == parts.MAX_NAMED + 1 and lines[-1] == "181 more were not taken."


def test_files_that_are_too_much_together_are_left_out(actor, settings):
    settings.MAX_UPLOAD_MB = 1
    archive = put(actor, "a.zip", make_archive(*((f"{number}.txt", b"\0" * 950_000) for number in range(6))))
    Document.objects.update(unpacking="waiting")
    parts.unpack(archive.pk)
    archive.refresh_from_db()
    assert archive.parts_reason.endswith(
        "The files in this upload have more than 4 MB together; the others were not taken. Upload them by themselves."
    )


def test_files_in_archives_in_an_archive_count_together(actor, settings):
    """Each of them fits by itself; packed, a hundred take no more room than one."""
    settings.MAX_UPLOAD_MB = 1
    # To read what is no picture takes no time.
    inner = [(f"{at}.zip", make_archive(("a.png", b"\x89PNG\r\n\x1a\n" + bytes([at]) * 900_000))) for at in range(8)]
    archive = put(actor, "a.zip", make_archive(*inner))
    read_all()
    together = sum(Document.objects.exclude(pk=archive.pk).values_list("size", flat=True))
    assert together <= parts.MAX_UPLOADS_TOGETHER * 1024 * 1024
    reasons = Document.objects.filter(parent=archive).values_list("parts_reason", flat=True)
    assert sum("more than 4 MB together" in reason for reason in reasons) == 4


def test_no_upload_takes_the_key_of_a_file_in_an_archive(actor, api_as):
    archive = put(actor, "a.zip", make_archive(("a.txt", b"Total 1")))
    address, form = f"/v0/orgs/{actor.organization.pk}/documents/multipart", {"file": ContentFile(b"2", name="b.txt")}
    headers = {"Idempotency-Key": f"part 1 of {archive.pk}"}
    assert api_as(actor).post(address, form, format="multipart", headers=headers).status_code == 200
    read_all()
    assert names_in(archive) == ["a.txt"]


def test_a_mail_in_the_trash_is_left_alone(actor):
    mail = put(actor, "mail.eml", make_mail(("a.txt", b"x")))
    while reading.read_next(holder="test"):
        pass
    document_changes.trash(actor, document=mail)
    parts.unpack(mail.pk)
    assert Document.objects.count() == 1


def test_files_of_a_mail_are_documents_of_their_own(actor):
    mail = put(actor, "mail.eml", make_mail(("a.txt", b"x"), ("b.txt", b"y")))
    read_all()
    first, second = mail.list_parts()
    document_changes.trash(actor, document=first)
    assert names_in(mail) == ["b.txt"]
    Document.objects.filter(pk=mail.pk).delete()
    second.refresh_from_db()
    assert (second.parent, second.trashed_at) == (None, None)


def test_both_pages_name_the_other(actor, client, signed_in):
    mail = put(actor, "mail.eml", make_mail(("a.txt", b"x"), ("b.exe", b"MZ")))
    read_all()
    signed_in(client, actor)
    [part] = mail.list_parts()
    page = client.get(reverse("document", args=(actor.organization.pk, mail.pk))).content.decode()
    assert reverse("document", args=(actor.organization.pk, part.pk)) in page and "extension .exe: b.exe" in page
    page = client.get(reverse("document", args=(actor.organization.pk, part.pk))).content.decode()
    assert f'href="{reverse("document", args=(actor.organization.pk, mail.pk))}">mail.eml</a>' in page


def test_the_api_names_parent_and_parts(actor, api_as):
    mail = put(actor, "mail.eml", make_mail(("a.txt", b"x")))
    read_all()
    [part] = mail.list_parts()
    path, client = f"/v0/orgs/{actor.organization.pk}/documents", api_as(actor)
    whole = client.get(f"{path}/{mail.pk}?include_content=false").json()
    told = {"document_id": part.pk, "document_name": "a.txt", "state": "ocr_completed"}
    assert whole["parts"] == [told | {"first_page": None, "last_page": None}] and whole["parent_id"] is None
    assert client.get(f"{path}/{part.pk}?include_content=false").json()["parent_id"] == mail.pk
    assert client.get(f"{path}/{mail.pk}/file?file_type=pdf")["Content-Type"] == "application/pdf"


def test_what_somebody_is_unpacking_is_unpacked_by_nobody_else(actor):
    mail = put(actor, "mail.eml", make_mail(("a.txt", b"x")))
    Document.objects.filter(pk=mail.pk).update(unpacking="waiting")
    assert UNPACKING_LEASE.claim(Document.objects.get(pk=mail.pk))
    parts.unpack(mail.pk)
    parts.unpack_waiting()
    assert Document.objects.get(pk=mail.pk).unpacking == "working" and not names_in(mail)
    Document.objects.update(unpacking_lease_until=timezone.now())
    parts.unpack_waiting()
    parts.unpack(mail.pk)
    assert Document.objects.get(pk=mail.pk).unpacking == "done" and names_in(mail) == ["a.txt"]
