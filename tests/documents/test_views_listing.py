"""The documents page through its real URLs."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.actor import Actor
from accounts.models import Organization, Role
from documents import document_changes
from documents.catalog import state
from documents.definitions import prompts, schemas
from documents.intake import uploads
from documents.models import AutoSetup, Document, Extraction, Page, PromptRevision, Proposal, Reading
from documents.views.listing import PAGE
from documents.views.rows import READER_AWAY
from kit.processes import heartbeats
from tests.documents.test_likeness import FORMAT
from tests.loaded_rows import size, watch_loaded_rows
from tests.page_client import PageClient as Client

Member = Callable[[Role], Actor]
SignedIn = Callable[[Client, Actor], Client]


def store(actor: Actor, name: str = "letter.txt") -> Document:
    return uploads.store(actor, name=name, content=ContentFile(b"Dear Ann", name=name))


def list_of(actor: Actor) -> str:
    return reverse("documents", args=[actor.organization.pk])


def of(name: str, document: Document) -> str:
    return reverse(name, args=[document.organization_id, document.pk])


@pytest.fixture(autouse=True)
def reader_is_there() -> None:
    heartbeats.record_heartbeat("reading", "test")


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


def test_it_invites_to_drop_files_while_there_are_none(page: Client, actor: Actor) -> None:
    answer = page.get(list_of(actor))
    assert "Drop your first documents here" in answer.text
    assert "Try with 3 samples" in answer.text


def test_it_lists_the_newest_first_with_their_states_in_words(page: Client, actor: Actor) -> None:
    older, newer = store(actor, "older.txt"), store(actor, "newer.txt")
    Reading.objects.filter(document=older).update(status=Reading.Status.FAILED, reason="It is locked.")
    state.refresh(older.pk)
    text = page.get(list_of(actor)).text
    assert text.index(newer.name) < text.index(older.name)
    assert "Could not be read: It is locked" in text
    assert "Waiting to be read" in text


@pytest.mark.parametrize("reading_status", ["queued", "reading"])
def test_a_row_says_that_the_reader_is_away_until_it_is_back(page: Client, actor: Actor, reading_status: str) -> None:
    document = store(actor)
    Reading.objects.update(status=reading_status, page_count=3)
    state.refresh(document.pk)
    heartbeats.forget("reading")
    assert READER_AWAY in page.get(list_of(actor)).text and READER_AWAY in page.get(of("document", document)).text
    heartbeats.record_heartbeat("reading", "test")
    assert READER_AWAY not in page.get(list_of(actor)).text


def test_it_says_which_page_is_being_read(page: Client, actor: Actor) -> None:
    document = store(actor)
    Reading.objects.update(status=Reading.Status.READING, page_count=3, pages_read=1, pages_listed=1)
    state.refresh(document.pk)
    answer = page.get(of("document-row", document))
    assert "Reading page 2 of 3" in answer.text
    assert "data-live" in answer.text


def test_a_row_that_rests_is_not_live(page: Client, actor: Actor) -> None:
    document = store(actor)
    Reading.objects.update(status=Reading.Status.COMPLETED, page_count=1, pages_read=1, pages_listed=1)
    state.refresh(document.pk)
    assert "data-live" not in page.get(of("document-row", document)).text


def test_it_finds_by_name_whatever_the_case(page: Client, actor: Actor) -> None:
    store(actor, "Übersicht.txt"), store(actor, "invoice.txt")
    text = page.get(list_of(actor), {"q": "übers"}, headers={"HX-Request": "true"}).text
    assert "Übersicht.txt" in text
    assert "invoice.txt" not in text
    assert "<html" not in text


def test_the_head_counts_what_is_shown_and_all_with_thousands_marked(page: Client, actor: Actor) -> None:
    rows = [Document(organization=actor.organization, name=f"{n}.txt", size=1, file="none") for n in range(1001)]
    Document.objects.bulk_create(rows)
    store(actor, "kyoto.txt")
    assert '<span class="faint num" id="count">1,002</span>' in page.get(list_of(actor)).text
    part = page.get(list_of(actor), {"q": "kyoto"}, headers={"HX-Request": "true"}).text
    assert '<span class="faint num" id="count" hx-swap-oob="true">1 of 1,002</span>' in part


def test_a_list_that_is_fetched_again_stays_as_long_as_it_was(page: Client, actor: Actor) -> None:
    rows = [Document(organization=actor.organization, name=f"{n}.txt", size=1, file="none") for n in range(PAGE * 2)]
    Document.objects.bulk_create(rows)
    again = page.get(list_of(actor), {"shown": str(PAGE + 10)}, headers={"HX-Request": "true"})
    assert (len(again.context["rows"]), bool(again.context["more_after"])) == (PAGE + 10, True)


@pytest.mark.parametrize(("has_prompt", "words"), [(False, "Read, no tag"), (True, "Extracting")])
def test_nobody_waits_for_a_summary(page: Client, actor: Actor, has_prompt: bool, words: str) -> None:
    document = store(actor)
    prompt = prompts.create(actor, name="Letter", content="Take out the values.")
    Reading.objects.update(status="completed", page_count=1, pages_read=1, pages_listed=1)
    Extraction.objects.create(
        document=document,
        number=1,
        reading=document.readings.first(),
        status="running",
        prompt_revision=prompt if has_prompt else None,
    )
    state.refresh(document.pk)
    assert f'title="{words}"' in page.get(of("document-row", document)).text


def test_a_summary_stands_on_the_page_of_its_document(page: Client, actor: Actor) -> None:
    document = store(actor)
    Reading.objects.update(status="completed", page_count=1, pages_read=1, pages_listed=1)
    Extraction.objects.create(
        document=document,
        number=1,
        reading=document.readings.first(),
        status="completed",
        current={"text": "A letter to Ann."},
    )
    state.refresh(document.pk)
    assert "A letter to Ann." in page.get(of("document", document)).text


@pytest.mark.parametrize(
    ("reason", "code", "lasts", "primary"),
    [
        ("E-mails are not read yet.", "", True, "Upload another file"),
        ("The file is a PDF that needs a password.", "password_missing", True, "Read with this password"),
        ("The reader stopped. It was tried 3 times.", "", False, "Read again"),
    ],
)
def test_the_filled_button_of_a_failure_is_what_helps(
    page: Client, actor: Actor, reason: str, code: str, lasts: bool, primary: str
) -> None:
    failed = store(actor, "failed.eml")
    Reading.objects.update(status=Reading.Status.FAILED, reason=reason, reason_code=code, is_permanent=lasts)
    state.refresh(failed.pk)
    tab = page.get(of("document", failed), headers={"HX-Request": "true"}).text
    assert re.findall(r'class="btn btn-primary"[^>]*>([^<]+)<', tab) == [primary]
    inbox = page.get(reverse("inbox", args=[actor.organization.pk]), {"item": f"unread-{failed.pk}"}).text
    assert re.findall(r"data-approve>([^<]+?) <", inbox) == [primary]


def test_it_filters_by_state(page: Client, actor: Actor) -> None:
    failed = store(actor, "failed.txt")
    store(actor, "waiting.txt")
    Reading.objects.filter(document=failed).update(status=Reading.Status.FAILED, reason="It is locked.")
    state.refresh(failed.pk)
    text = page.get(list_of(actor), {"state": "failed"}).text
    assert "failed.txt" in text
    assert "waiting.txt" not in text


def test_it_shows_more_without_repeating_a_document(page: Client, actor: Actor) -> None:
    for number in range(PAGE + 2):
        Document.objects.create(organization=actor.organization, name=f"{number}.txt", sha256="", size=1, file="none")
    first = page.get(list_of(actor))
    last = first.context["more_after"]
    second = page.get(list_of(actor), {"before": last.pk}, headers={"HX-Request": "true"})
    seen = [row.document.name for answer in (first, second) for row in answer.context["rows"]]
    assert seen == [f"{number}.txt" for number in reversed(range(PAGE + 2))]


def test_the_list_costs_the_same_queries_however_long_it_is(
    page: Client, actor: Actor, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(6):
        store(actor, f"{number}.txt")
    with django_assert_max_num_queries(14):
        page.get(list_of(actor))


LONG = "x" * 50_000


@pytest.fixture
def often_run(actor: Actor) -> list[Document]:
    """Documents with seven runs each, of which the sixth is a summary and the last has failed, and as many readings."""
    schema = schemas.create(actor, name="Letter", response_format=FORMAT)
    prompt = prompts.create(actor, name="Letter", content=LONG, schema_revision=schema)
    documents = [store(actor, f"{number}.txt") for number in range(3)]
    for document in documents:
        document.readings.update(status="completed", pages_read=1, pages_listed=1, page_count=1)
        for number in range(2, 7):
            Reading.objects.create(
                document=document, number=number, status="completed", pages_read=2, pages_listed=2, page_count=number
            )
        Reading.objects.create(document=document, number=7, status="reading")
        Document.objects.filter(pk=document.pk).update(state="llm_completed")
        for number in range(1, 8):
            Extraction.objects.create(
                document=document,
                number=number,
                reading=document.readings.first(),
                status="completed" if number < 7 else "failed",
                prompt_revision=prompt if number != 6 else None,
                schema_revision=schema,
                raw=LONG,
                current={"total": f"{number}", "text": LONG},
                provenance={"total": {"state": "exact", "note": LONG}},
            )
    return documents


def test_the_list_fetches_one_run_and_two_readings_of_a_document(
    page: Client, actor: Actor, often_run: list[Document]
) -> None:
    with watch_loaded_rows(Extraction) as runs, watch_loaded_rows(Reading) as readings:
        answer = page.get(list_of(actor))
    assert (len(runs), {run["number"] for run in runs}) == (3, {5})
    assert (len(readings), {reading["number"] for reading in readings}) == (6, {6, 7})
    assert size(runs) < 3 * 2.1 * len(LONG)
    assert [row.kind[:12] for row in answer.context["rows"]] == ["TXT, 6 pages"] * 3
    assert [row.tally.uncertain for row in answer.context["rows"]] == [1] * 3


def test_the_page_of_a_document_fetches_what_one_run_brought(page: Client, often_run: list[Document]) -> None:
    with watch_loaded_rows(Extraction) as runs, watch_loaded_rows(PromptRevision) as prompt_revisions:
        answer = page.get(of("document", often_run[0]))
    extraction = answer.context["runs"].shown
    assert (extraction.number, extraction.current["total"], len(answer.context["runs"].all)) == (5, "5", 7)
    assert sum("current" in run for run in runs) == 2  # for the values, and for what the list says of them
    assert size(runs) < 4.2 * len(LONG) and size(prompt_revisions) < 3 * len(LONG)


def test_the_page_of_a_document_shows_the_run_that_is_asked_for(page: Client, often_run: list[Document]) -> None:
    document = often_run[0]
    third = document.extractions.get(number=3)
    answer = page.get(of("document", document), {"run": third.pk})
    assert answer.context["runs"].shown == third and answer.context["reading"] == third.reading
    assert page.get(of("document", document), {"run": "0" * 24}).context["runs"].shown.number == 5


def test_an_upload_answers_with_its_row(page: Client, actor: Actor) -> None:
    file = SimpleUploadedFile("letter.txt", b"Dear Ann")
    answer = page.post(reverse("document-upload", args=[actor.organization.pk]), {"file": file})
    assert answer.status_code == 201
    assert f'id="document-{Document.objects.get().pk}"' in answer.text


def test_a_refused_upload_is_a_sentence(page: Client, actor: Actor) -> None:
    file = SimpleUploadedFile("tool.exe", b"MZ")
    address = reverse("document-upload", args=[actor.organization.pk])
    answer = page.post(address, {"file": file}, headers={"HX-Request": "true"})
    assert answer.status_code == 400
    assert "Unsupported file extension .exe" in answer.text
    assert not Document.objects.exists()


def test_the_samples_come_with_one_press(page: Client, actor: Actor) -> None:
    page.post(reverse("document-samples", args=[actor.organization.pk]))
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


@pytest.mark.parametrize(("sent", "count"), [({"chosen": "1"}, 0), ({"chosen": "1", "auto_setup": "1"}, 3)])
def test_the_samples_follow_the_option_as_well(page: Client, actor: Actor, sent: dict[str, str], count: int) -> None:
    Organization.objects.update(auto_setup_default=not count)
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


def test_words_of_a_page_are_asked_for_again_and_sent_once(page: Client, actor: Actor) -> None:
    document = store(actor)
    reading = Reading.objects.get()
    Page.objects.create(reading=reading, number=1, width=595, height=842, engine="text", words=b"")
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
