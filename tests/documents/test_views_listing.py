"""The documents page through its real URLs."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.actor import Actor
from documents.catalog import state
from documents.definitions import prompts, schemas
from documents.models import Document, Extraction, PromptRevision, Reading
from documents.views.listing import PAGE
from documents.views.row_facts import READER_AWAY
from kit.processes import heartbeats
from tests.documents.listing_pages import (  # noqa: F401 - page, reader_is_there are fixtures
    list_of,
    of,
    page,
    reader_is_there,
    store,
)
from tests.documents.test_similarity import FORMAT
from tests.loaded_rows import size, watch_loaded_rows
from tests.page_client import PageClient as Client


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
        ("The file is a PDF that needs a password.", "password_missing", True, "Unlock"),
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
    with django_assert_max_num_queries(20):
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
    assert [row.value_counts.uncertain for row in answer.context["rows"]] == [1] * 3


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
