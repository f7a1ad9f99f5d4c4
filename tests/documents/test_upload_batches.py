"""After the drop: how far the files are, what came first, which are copies, and the next step."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.actor import Actor
from accounts.models import Role
from documents.bulk import working
from documents.definitions import prompts, tags
from documents.intake import upload_batches, uploads
from documents.models import AutoSetup, BulkAction, Document, Extraction, Reading
from documents.views.bulk.strip import list_jobs
from documents.views.uploading.upload_tags import DELETED

pytestmark = pytest.mark.servers

SignedIn = Callable[[Client, Actor], Client]
BEGIN = timezone.now() - timedelta(minutes=5)


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


def store(actor: Actor, name: str, state: str = "ocr_completed", content: str = "") -> Document:
    document = uploads.store(actor, name=name, content=ContentFile((content or name).encode()))
    Document.objects.filter(pk=document.pk).update(state=state)
    if state == "ocr_completed":
        document.readings.update(status=Reading.Status.COMPLETED, prompts_started_at=timezone.now())
    return document


def show(page: Client, actor: Actor, **sent: Any) -> str:
    begin = {"since": BEGIN.isoformat()}
    address = reverse("drop", args=[actor.organization.pk])
    return " ".join(page.get(address, begin | sent, headers={"HX-Request": "true"}).text.split())


def test_it_counts_what_is_read_and_names_the_next_step(page: Client, actor: Actor) -> None:
    assert show(page, actor) == ""
    for name in ("a.txt", "b.txt"):
        store(actor, name)
    store(actor, "c.txt", "uploaded")
    store(actor, "d.txt", "ocr_failed")
    text = show(page, actor)
    assert "2 of 4 read" in text and "1 could not be read" in text and "data-live" in text
    assert "2 of them look like nothing that is set up: tag them, or let the agent suggest fields." in text
    # Of 25 files that were chosen, what is not stored yet counts, and what was not taken too.
    assert "2 of 25 read" in (text := show(page, actor, chosen=25, refused=1)) and "1 not stored" in text
    assert "2 of 4 read" in show(page, actor, chosen=2)
    assert "0 of 25 read" in show(page, actor, chosen=25, since="")
    Document.objects.filter(state="uploaded").update(state="ocr_failed")
    text = show(page, actor)
    assert "<strong>2 read</strong>" in text and "data-live" not in text and "#circle-check" not in text


def test_what_is_tagged_already_is_not_said_to_need_a_tag(page: Client, actor: Actor) -> None:
    store(actor, "a.txt").tags.add(tags.create(actor, name="Bills"))
    assert "No prompt has run on a document like it: give a prompt one of its tags, or let the agent suggest" in show(
        page, actor
    )


def test_what_has_a_prompt_is_asked_for_or_waits_for_its_trigger_needs_no_step(page: Client, actor: Actor) -> None:
    ran, asked, waits = (store(actor, f"{name}.txt") for name in ("ran", "asked", "waits"))
    revision = prompts.create(actor, name="Read", content="Look.")
    Extraction.objects.create(document=ran, number=1, prompt_revision=revision, model="m", status="completed")
    AutoSetup.objects.create(document=asked, requested_by=actor.user)
    waits.readings.update(prompts_started_at=None)
    text = show(page, actor)
    assert "let the agent suggest" not in text and "1 with values" in text and "the agent sets 1 up" in text
    assert reverse("document", args=[actor.organization.pk, ran.pk]) in text
    # The first values are those of the first row of the list that waits.
    newest = store(actor, "newest.txt")
    Extraction.objects.create(document=newest, number=1, prompt_revision=revision, model="m", status="completed")
    for review, first in ((Document.Review.TO_VERIFY, newest), (Document.Review.VERIFIED, ran)):
        Document.objects.filter(pk=ran.pk).update(review=Document.Review.TO_VERIFY)
        Document.objects.filter(pk=newest.pk).update(review=review)
        assert f'href="{reverse("document", args=[actor.organization.pk, first.pk])}">See' in show(page, actor)


def test_one_press_asks_the_agent_about_the_rest_and_a_second_about_nothing(page: Client, actor: Actor) -> None:
    for name in ("a.txt", "b.txt"):
        store(actor, name)
    address, sent = reverse("drop-set-up", args=[actor.organization.pk]), {"since": BEGIN.isoformat()}
    assert "let the agent suggest" not in page.post(address, sent).text
    # The press is said before a worker has come to it.
    text = show(page, actor)
    assert "the agent sets 2 up" in text and "data-live" in text and "let the agent suggest" not in text
    action = BulkAction.objects.get()
    assert (action.kind, action.total_count) == ("set_up", 2)
    while working.run_next(holder="test"):
        pass
    assert AutoSetup.objects.count() == 2
    # The line is done when the setups are, not when they are asked for.
    lines = []
    for done in ([], ["a.txt"], ["a.txt", "b.txt"]):
        AutoSetup.objects.filter(document__name__in=done).update(status=AutoSetup.Status.PROPOSED)
        [line] = list_jobs(actor)
        lines.append((line.is_live, line.is_begun, line.title, line.summary, line.outcome))
    assert lines[0][:4] == (True, False, "Setting up", "0 of 2")
    assert lines[1] == (True, False, "Setting up", "1 of 2", "1 with a proposal")
    assert lines[2] == (False, False, "Set up", "2 of 2 done", "2 with a proposal")
    page.post(address, sent)
    assert BulkAction.objects.count() == 1


def test_it_warns_of_copies_with_a_link_unless_the_organization_keeps_them_silently(page: Client, actor: Actor) -> None:
    first = store(actor, "first.txt", content="same")
    store(actor, "copy.txt", content="same")
    again = store(actor, "again.txt", content="other bytes")
    Document.objects.filter(pk=again.pk).update(same_paper=first)
    text = " ".join(show(page, actor).split())
    assert "copy.txt is the same file as <a" in text and "again.txt is the same paper as <a" in text
    assert reverse("document", args=[actor.organization.pk, first.pk]) in text
    actor.organization.identical_files = "keep"
    actor.organization.save()
    assert "is the same" not in show(page, actor)


def test_it_follows_ones_own_files_of_a_day(page: Client, actor: Actor, member: Callable[[Role], Actor]) -> None:
    store(member(Role.REVIEWER), "theirs.txt")
    old = store(actor, "old.txt")
    Document.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=2))
    assert show(page, actor, since="2001-01-01T00:00:00+00:00") == ""
    assert "Say since when" in show(page, actor, since="yesterday")


def test_it_costs_the_same_for_many(actor: Actor, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    for at in range(8):
        store(actor, f"{at}.txt", content="same")
    with django_assert_max_num_queries(6):
        assert upload_batches.summarize_batch(actor, since=BEGIN)


def test_uploads_get_the_tags_that_are_chosen_and_a_deleted_one_is_said(page: Client, actor: Actor) -> None:
    tag, other = tags.create(actor, name="Invoices"), tags.create(actor, name="Gone")
    prompts.create(actor, name="Read invoices", content="Look.", tags=[tag])
    address = reverse("document-upload", args=[actor.organization.pk])

    def send(*chosen: str) -> Any:
        return page.post(address, {"file": SimpleUploadedFile("a.txt", b"a"), "tag": chosen})

    assert send(tag.pk).status_code == 201
    assert [each.name for each in Document.objects.get().tags.all()] == ["Invoices"]
    tags.delete(actor, tag=other)
    refused = send(tag.pk, other.pk)
    assert (refused.status_code, DELETED in refused.text, Document.objects.count()) == (400, True, 1)
    chips = page.get(reverse("upload-tags", args=[actor.organization.pk]), {"chosen": [tag.pk, other.pk, "no id"]})
    assert "Invoices" in chips.text and "runs “Read invoices” when read" in chips.text and other.pk not in chips.text
    made = page.post(reverse("upload-tags", args=[actor.organization.pk]), {"name": "New"})
    assert made.json() == {"tag_id": actor.organization.tags.get(name="New").pk}
