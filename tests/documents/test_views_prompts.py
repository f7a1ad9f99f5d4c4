"""The pages of prompts through their real URLs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.actor import Actor
from accounts.models import Role
from documents.definitions import prompts, schemas, tags
from documents.intake import uploads
from documents.models import Document, Extraction, Prompt, Reading
from tests.documents.checked_invoice import SUM, make_prompt, store_invoice
from tests.rows import FORMAT

SignedIn = Callable[[Client, Actor], Client]


def at(name: str, actor: Actor, *ids: str) -> str:
    return reverse(name, args=[actor.organization.pk, *ids])


def read_document(actor: Actor, name: str = "letter.txt") -> Document:
    document = uploads.store(actor, name=name, content=ContentFile(b"Dear Ann", name=name))
    Reading.objects.filter(document=document).update(
        status=Reading.Status.COMPLETED, page_count=1, pages_read=1, pages_listed=1
    )
    return document


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


def test_it_makes_a_prompt_with_its_schema_and_tags(page: Client, actor: Actor) -> None:
    revision = schemas.create(actor, name="Invoice", response_format=FORMAT, descriptions=False)
    tag = tags.create(actor, name="bills")
    form = {"name": "Reader", "content": "Read it.", "schema_revision": revision.pk, "model": "", "tags": [tag.pk]}
    answer = page.post(at("prompt-new", actor), form)
    latest = Prompt.objects.get().latest
    assert latest is not None
    assert answer["Location"] == at("prompt", actor, latest.prompt_id)
    assert (latest.schema_revision, list(latest.tags.all())) == (revision, [tag])
    text = page.get(answer["Location"]).text
    assert "Read it." in text
    assert "bills" in text


def test_it_keeps_what_was_typed_when_the_name_is_taken(page: Client, actor: Actor) -> None:
    prompts.create(actor, name="Reader", content="Read it.")
    tag = tags.create(actor, name="bills")
    answer = page.post(at("prompt-new", actor), {"name": "reader", "content": "A long text.", "tags": [tag.pk]})
    assert answer.status_code == 422
    assert "There is a prompt named “Reader” already" in answer.text
    assert "A long text." in answer.text
    assert f'value="{tag.pk}" checked' in answer.text


def test_it_offers_no_tag_or_schema_of_another_organization(page: Client, actor: Actor, stranger: Actor) -> None:
    theirs = schemas.create(stranger, name="Theirs", response_format=FORMAT, descriptions=False)
    tag = tags.create(stranger, name="classified")
    text = page.get(at("prompt-new", actor)).text
    assert "Theirs" not in text
    assert "classified" not in text
    form = {"name": "Mine", "content": "Read it."}
    for more in ({"schema_revision": theirs.pk}, {"tags": [tag.pk]}):
        assert page.post(at("prompt-new", actor), form | more).status_code == 422
    assert not Prompt.objects.for_org(actor.organization).exists()


def test_a_new_version_keeps_the_schema_version_it_has_and_shows_what_changed(page: Client, actor: Actor) -> None:
    old = schemas.create(actor, name="Invoice", response_format=FORMAT, descriptions=False)
    schemas.save_version(actor, schema=old.schema, response_format=FORMAT, descriptions=False, always=True)
    first = prompts.create(actor, name="Reader", content="Read it.\nSlowly.", schema_revision=old)
    address = at("prompt-edit", actor, first.prompt_id)
    assert "Invoice, version 1" in page.get(address).text
    form = {"name": "Reader", "content": "Read it.\nQuickly.", "schema_revision": old.pk, "seen": first.pk}
    text = page.post(address, form, follow=True).text
    assert '<div class="cutout">Slowly.</div><div class="add">Quickly.</div>' in text
    latest = Prompt.objects.get().latest
    assert latest is not None
    assert (latest.number, latest.schema_revision) == (2, old)


def test_a_browsers_line_ends_make_no_new_version(page: Client, actor: Actor) -> None:
    first = prompts.create(actor, name="Reader", content="Read it.\nSlowly.\n")
    form = {"name": "Renamed", "content": "Read it.\r\nSlowly.\r\n", "seen": first.pk}
    page.post(at("prompt-edit", actor, first.prompt_id), form)
    prompt = Prompt.objects.get()
    assert (prompt.name, prompt.revisions.count()) == ("Renamed", 1)


def test_it_refuses_to_go_over_a_version_that_was_not_seen(page: Client, actor: Actor) -> None:
    first = prompts.create(actor, name="Reader", content="One.")
    newer = prompts.save_version(actor, prompt=first.prompt, content="Two.")
    form = {"name": "Reader", "content": "Three.", "seen": first.pk}
    refused = page.post(at("prompt-edit", actor, first.prompt_id), form)
    assert refused.status_code == 422
    assert "Three." in refused.text
    assert f'name="seen" value="{newer.pk}"' in refused.text


def test_it_tries_a_version_on_a_document_and_stays(page: Client, actor: Actor) -> None:
    revision = prompts.create(actor, name="Reader", content="Read it.")
    document = read_document(actor)
    assert "letter.txt" in page.get(at("prompt", actor, revision.prompt_id)).text
    form = {"document": document.pk, "revision": revision.pk}
    answer = page.post(at("prompt-try", actor, revision.prompt_id), form)
    run = Extraction.objects.get()
    assert run.prompt_revision == revision
    assert answer["Location"] == f"{at('prompt', actor, revision.prompt_id)}?version=1&tried={run.pk}#tried"
    waiting = page.get(answer["Location"]).text
    assert "Running on letter.txt" in waiting and at("prompt-tried", actor, revision.prompt_id, run.pk) in waiting


def test_values_and_failing_checks_of_a_try_come_to_the_page(page: Client, actor: Actor, stranger: Actor) -> None:
    revision = make_prompt(actor, [SUM])
    run = store_invoice(actor, revision, "bad.pdf", subtotal=135)
    text = page.get(at("prompt-tried", actor, revision.prompt_id, run.pk)).text
    assert "Ran on bad.pdf" in text and "every 2s" not in text and "2 rows" in text
    assert "2 lines add up to 35.00; Subtotal says 135.00." in text
    other = prompts.create(actor, name="Other", content="Read it.")
    assert "bad.pdf" not in page.get(at("prompt-tried", actor, other.prompt_id, run.pk)).text
    elsewhere = prompts.create(stranger, name="Theirs", content="Read it.")
    assert page.get(at("prompt-tried", actor, elsewhere.prompt_id, run.pk)).status_code == 404
    run.document.trashed_at = timezone.now()
    run.document.save()
    assert "bad.pdf" not in page.get(at("prompt-tried", actor, revision.prompt_id, run.pk)).text


def test_a_viewer_cannot_try_it(
    client: Client, actor: Actor, member: Callable[[Role], Actor], signed_in: SignedIn
) -> None:
    revision = prompts.create(actor, name="Reader", content="Read it.")
    viewer = signed_in(client, member(Role.VIEWER))
    assert "Try on a document" not in viewer.get(at("prompt", actor, revision.prompt_id)).text


def test_it_goes_to_the_trash_and_comes_back(page: Client, actor: Actor) -> None:
    revision = prompts.create(actor, name="Reader", content="Read it.")
    assert "1 prompt in the trash" in page.post(at("prompt-trash", actor, revision.prompt_id), follow=True).text
    page.post(at("prompt-restore", actor, revision.prompt_id))
    assert page.get(at("prompt", actor, revision.prompt_id)).status_code == 200


def test_it_lists_prompts_in_a_constant_number_of_queries(
    page: Client, actor: Actor, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    tag = tags.create(actor, name="bills")
    for number in range(4):
        prompts.create(actor, name=f"Prompt {number}", content="Read it.", tags=[tag])
    with django_assert_max_num_queries(11):
        assert page.get(at("prompts", actor)).text.count(">bills<") == 4


def test_it_offers_the_newest_documents_that_are_read_and_finds_others(page: Client, actor: Actor) -> None:
    prompt = prompts.create(actor, name="Reader", content="Read it.").prompt
    for number in range(10):
        read_document(actor, f"letter {number}.txt")
    uploads.store(actor, name="letter unread.txt", content=ContentFile(b"Dear Ann", name="unread.txt"))
    text = page.get(at("prompt", actor, prompt.pk)).text
    assert text.count('name="document"') == 8
    assert "letter 9.txt" in text
    assert "letter 0.txt" not in text
    assert "unread" not in text
    html = page.get(at("prompt-documents", actor), {"q": "LETTER 0"}).text
    assert (html.count('name="document"'), "letter 0.txt" in html, "<html" in html) == (1, True, False)
    assert "has “unread” in its name" in page.get(at("prompt-documents", actor), {"q": "unread"}).text


def test_an_old_version_is_made_the_newest_again(page: Client, actor: Actor) -> None:
    first = prompts.create(actor, name="Reader", content="Read it.")
    second = prompts.save_version(actor, prompt=first.prompt, content="Read it well.")
    address = at("prompt-return", actor, first.prompt_id)
    assert page.post(address, {"number": "1", "seen": second.pk}).status_code == 302
    latest = Prompt.objects.get().latest
    assert latest and (latest.number, latest.content) == (3, "Read it.")
