"""Uploads and the automatic setup on the list of documents."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.actor import Actor
from accounts.models import Organization, Role
from documents import document_changes
from documents.catalog import state
from documents.models import AutoSetup, Document, Page, Proposal, Reading
from tests.documents.listing_pages import (  # noqa: F401 - page, reader_is_there are fixtures
    SignedIn,
    list_of,
    of,
    page,
    reader_is_there,
    store,
)
from tests.page_client import PageClient as Client

Member = Callable[[Role], Actor]


def test_the_samples_come_with_one_press_that_ends_where_the_first_is_set_up(page: Client, actor: Actor) -> None:
    answer = page.post(reverse("document-samples", args=[actor.organization.pk]))
    first = Document.objects.get(name="gen_invoice_101.pdf")
    assert answer.headers["Location"] == reverse("document-agent", args=[actor.organization.pk, first.pk])
    assert AutoSetup.objects.get().document == first
    assert sorted(Document.objects.values_list("name", flat=True)) == [
        "gen_invoice_101.pdf",
        "gen_invoice_104_rot90.pdf",
        "sroie_003.jpg",
    ]


@pytest.mark.parametrize("default", [True, False])
def test_the_option_of_automatic_setup_stands_as_the_organization_has_it(
    page: Client, actor: Actor, default: bool
) -> None:
    Organization.objects.update(auto_setup_default=default)
    option = f'data-auto-setup="{"on" if default else "off"}"{" checked" if default else ""}>'
    assert page.get(list_of(actor)).text.count(option) == 2  # where files drop, before and after the first


@pytest.mark.parametrize(("default", "sent", "is_asked"), [(False, "1", True), (True, "0", False), (True, "", True)])
def test_an_upload_asks_for_automatic_setup_as_its_option_says(
    page: Client, actor: Actor, default: bool, sent: str, is_asked: bool
) -> None:
    Organization.objects.update(auto_setup_default=default)
    file = SimpleUploadedFile("letter.txt", b"Dear Ann", content_type="text/plain")
    page.post(reverse("document-upload", args=[actor.organization.pk]), {"file": file, "auto_setup": sent})
    assert AutoSetup.objects.exists() is is_asked


@pytest.mark.parametrize(("sent", "count"), [({"chosen": "1"}, 1), ({"chosen": "1", "auto_setup": "1"}, 3)])
def test_the_samples_follow_the_option_as_well(page: Client, actor: Actor, sent: dict[str, str], count: int) -> None:
    Organization.objects.update(auto_setup_default=count == 1)
    page.post(reverse("document-samples", args=[actor.organization.pk]), sent)
    assert AutoSetup.objects.count() == count


def test_a_name_that_cannot_be_stays_in_its_field_with_the_sentence(page: Client, actor: Actor) -> None:
    document = store(actor)
    answer = page.post(of("document-rename", document), {"name": "  "})
    assert answer.status_code == 422
    assert "File name is required" in answer.text
    assert page.post(of("document-rename", document), {"name": "note.txt"}).status_code == 200
    document.refresh_from_db()
    assert document.name == "note.txt"


def test_the_trash_offers_undo_and_undo_brings_it_back(page: Client, actor: Actor) -> None:
    document = store(actor)
    answer = page.post(of("document-trash", document), headers={"HX-Request": "true"})
    assert of("document-restore", document) in answer.text
    assert document.name not in page.get(list_of(actor)).text
    answer = page.post(of("document-restore", document), headers={"HX-Request": "true"})
    assert answer.headers["HX-Trigger"] == "documents-changed"
    assert document.name in page.get(list_of(actor)).text


def test_a_viewer_sees_but_is_offered_nothing_to_change(
    client: Client, actor: Actor, member: Member, signed_in: SignedIn
) -> None:
    document = store(actor)
    viewer = signed_in(client, member(Role.VIEWER))
    text = viewer.get(list_of(actor)).text
    assert document.name in text
    assert "Move to trash" not in text
    assert "Upload" not in text.replace("Uploaded", "")
    assert viewer.post(of("document-trash", document)).status_code == 403
    upload = reverse("document-upload", args=[actor.organization.pk])
    assert viewer.post(upload, {"file": SimpleUploadedFile("a.txt", b"a")}).status_code == 403


@pytest.mark.parametrize("name", ["document", "document-row", "document-file", "document-viewer"])
def test_strangers_and_other_organizations_get_not_found(
    client: Client, actor: Actor, stranger: Actor, signed_in: SignedIn, name: str
) -> None:
    document = store(actor)
    outside = signed_in(client, stranger)
    assert outside.get(of(name, document)).status_code == 404
    assert outside.get(reverse(name, args=[stranger.organization.pk, document.pk])).status_code == 404


def test_the_original_is_always_a_download(page: Client, actor: Actor) -> None:
    document = store(actor, "page.txt")
    answer = page.get(of("document-file", document))
    assert answer.headers["Content-Disposition"] == 'attachment; filename="page.txt"'
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert b"".join(answer.streaming_content) == b"Dear Ann"  # type: ignore[attr-defined]


def test_words_of_a_page_are_asked_for_again_until_it_is_recognized(page: Client, actor: Actor) -> None:
    document = store(actor)
    reading = Reading.objects.get()
    Page.objects.create(reading=reading, number=1, width=595, height=842, engine="", words=b"")
    address = reverse("page-words", args=[document.organization_id, document.pk, 1])
    assert page.get(address).json() == {"number": 1, "words": []}
    first = page.get(address, {"reading": reading.pk})
    assert first.headers["Cache-Control"] == "private, no-cache"
    etag = first.headers["ETag"]
    assert page.get(address, {"reading": reading.pk}, headers={"If-None-Match": etag}).status_code == 304
    assert page.get(address.replace("/1/", "/2/")).status_code == 404


def test_no_page_holds_inline_script_or_style(page: Client, actor: Actor) -> None:
    document = store(actor)
    for address in (list_of(actor), of("document", document)):
        answer = page.get(address)
        assert answer.status_code == 200
        assert " style=" not in answer.text
        assert " onclick=" not in answer.text
        assert "hx-on" not in answer.text
        assert "<style" not in answer.text
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


# --- Automatic setup in the list ---


@pytest.fixture
def setup(actor: Actor) -> AutoSetup:
    """A document that has been read and asked for its setup."""
    document = store(actor, "invoice_2.txt")
    Reading.objects.update(status=Reading.Status.COMPLETED, page_count=1, pages_read=1, pages_listed=1)
    state.refresh(document.pk)
    return AutoSetup.objects.create(document=document, requested_by=actor.user)


@pytest.mark.parametrize(
    ("fields", "words", "is_live"),
    [
        ({"status": "queued"}, "Waiting to be set up", True),
        ({"status": "running", "turn_id": "t", "rounds": 1}, "Setting up · round 2", True),
        ({"status": "running"}, "Extracting", True),
        ({"status": "proposed"}, '<span class="chip chip-proposed">Proposed</span>', False),
        ({"status": "failed", "reason": "The key was refused."}, "Setup failed: The key was refused", False),
        ({"status": "skipped", "reason": "There is no text."}, "Not set up: There is no text", False),
        ({"status": "accepted"}, "Read, no tag", False),
        ({"status": "rejected"}, "Read, no tag", False),
    ],
)
def test_a_row_says_how_far_its_setup_is(
    page: Client, setup: AutoSetup, fields: dict[str, object], words: str, is_live: bool
) -> None:
    AutoSetup.objects.update(**fields)
    text = page.get(of("document-row", setup.document)).text
    assert words in text and ("data-live" in text) is is_live


def test_a_look_alike_says_for_which_document_it_waits(page: Client, actor: Actor, setup: AutoSetup) -> None:
    lead = store(actor, "invoice_1.txt")
    setup.proposal = Proposal.objects.create(organization=actor.organization, lead=lead)
    setup.save()
    assert "Waiting for the setup of invoice_1.txt" in page.get(of("document-row", setup.document)).text


def test_a_document_that_is_being_read_says_that_before_its_setup(page: Client, setup: AutoSetup) -> None:
    Document.objects.update(state=Document.State.UPLOADED)
    assert "Waiting to be read" in page.get(of("document-row", setup.document)).text


def test_a_proposal_leads_to_its_card_for_who_decides(
    page: Client, actor: Actor, setup: AutoSetup, member: Member, signed_in: SignedIn
) -> None:
    AutoSetup.objects.update(status="proposed")
    link = f'<a class="wait-btn" href="{of("document-agent", setup.document)}">Proposal</a>'
    assert link in page.get(of("document-row", setup.document)).text
    assert "Proposal waits for you" in page.get(of("document-topbar", setup.document)).text
    reviewer = signed_in(Client(), member(Role.REVIEWER))
    assert "wait-btn" not in reviewer.get(of("document-row", setup.document)).text
    assert "Proposal waits for you" not in reviewer.get(of("document-topbar", setup.document)).text


@pytest.mark.parametrize("part", ["document", "document-topbar", "document-viewer", "document-setup"])
def test_what_a_page_fetches_again_of_a_document_that_went_to_the_trash_is_nothing(
    page: Client, actor: Actor, setup: AutoSetup, part: str
) -> None:
    again = {"HX-Request": "true", "X-Refresh": "true"}
    assert page.get(of(part, setup.document), headers=again).status_code == 200
    document_changes.trash(actor, document=setup.document)
    assert page.get(of(part, setup.document), headers=again).status_code == 204
    assert page.get(of(part, setup.document)).status_code == 404


def test_it_filters_by_proposed(page: Client, actor: Actor, setup: AutoSetup) -> None:
    store(actor, "other.txt")
    AutoSetup.objects.update(status="proposed")
    text = page.get(list_of(actor), {"state": "proposed"}).text
    assert "invoice_2.txt" in text and "other.txt" not in text


def trash_of(actor: Actor) -> str:
    return reverse("trash", args=[actor.organization.pk])


def test_the_trash_shows_what_lies_there_and_gives_it_back(page: Client, actor: Actor) -> None:
    untrashed, trashed = store(actor, "kept.txt"), store(actor, "trashed.txt")
    document_changes.trash(actor, document=trashed)
    assert reverse("trash", args=[actor.organization.pk]) in page.get(list_of(actor)).text
    text = page.get(trash_of(actor)).text
    assert trashed.name in text and untrashed.name not in text
    assert "After 30 days here a document is deleted for good." in text
    assert page.post(of("document-restore", trashed)).headers["Location"] == trash_of(actor)
    assert "The trash is empty" in page.get(trash_of(actor)).text


def test_an_admin_deletes_one_for_good_and_then_all(page: Client, actor: Actor) -> None:
    documents = [store(actor, f"{number}.txt") for number in range(3)]
    for document in documents:
        document_changes.trash(actor, document=document)
    answer = page.post(of("document-delete", documents[0]), follow=True)
    assert f"{documents[0].name} is deleted for good within the next minutes." in answer.text
    assert page.post(of("document-delete", documents[0])).status_code == 404
    answer = page.post(reverse("trash-empty", args=[actor.organization.pk]), follow=True)
    assert "2 documents are deleted for good" in answer.text
    assert Document.objects.to_purge().count() == 3


def test_a_builder_restores_but_does_not_delete_for_good(
    client: Client, member: Member, actor: Actor, signed_in: SignedIn
) -> None:
    document_changes.trash(actor, document=store(actor))
    text = signed_in(client, member(Role.BUILDER)).get(trash_of(actor)).text
    assert "Restore" in text and "Delete for good" not in text and "An admin can delete it earlier." in text


def test_the_trash_is_read_with_few_queries_and_in_parts(
    page: Client, actor: Actor, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    document = store(actor)
    Document.objects.bulk_create(
        Document(
            organization=actor.organization,
            name=f"{number}.txt",
            file=document.file,
            sha256="0",
            size=1,
            trashed_at=document.created_at,
            trashed_by=actor.user,
        )
        for number in range(51)
    )
    with django_assert_max_num_queries(10):
        text = page.get(trash_of(actor)).text
    assert text.count("Restore <span") == 50 and "?shown=100" in text
    assert page.get(f"{trash_of(actor)}?shown=100").text.count("Restore <span") == 51


def test_a_refused_copy_leads_to_the_first_and_a_kept_one_warns_on_its_page(page: Client, actor: Actor) -> None:
    def send(name: str) -> tuple[int, str]:
        file = SimpleUploadedFile(name, b"the same", content_type="text/plain")
        answer = page.post(reverse("document-upload", args=[actor.organization.pk]), {"file": file})
        return answer.status_code, " ".join(answer.text.split())

    send("first.txt")
    send("copy.txt")
    first, copy = (Document.objects.get(name=name) for name in ("first.txt", "copy.txt"))
    assert "Same file as first.txt" in " ".join(page.get(of("document", copy)).text.split())
    Organization.objects.update(identical_files="refuse")
    status, text = send("third.txt")
    assert status == 409 and "third.txt was not stored: it is the same file as first.txt" in text
    assert of("document", first) in text
    Organization.objects.update(identical_files="keep")
    assert send("fourth.txt")[0] == 201
    assert "Same file as" not in page.get(of("document", copy)).text
