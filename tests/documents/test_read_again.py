"""What failed without the file's fault is offered to be read again in one press, in the list, the inbox and over /v0."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from documents import bulk
from documents.catalog import state
from documents.models import Document, Reading
from tests.agent.test_pages import as_member
from tests.documents.listing_pages import list_of, page, reader_is_there, store  # noqa: F401 - fixtures
from tests.page_client import PageClient as Client

pytestmark = pytest.mark.django_db
TIME, MEMORY = (
    "Reading the file used more computing time than it may.",
    "The file needs more memory than reading may use.",
)
OWN_FAULT = "The file is damaged: its pages cannot be found."


def fail(actor: Actor, name: str, reason: str, *, is_permanent: bool = False) -> Document:
    document = store(actor, name)
    Reading.objects.filter(document=document).update(status="failed", reason=reason, is_permanent=is_permanent)
    return state.refresh(document.pk)


def press(page: Client, document: Document) -> str:
    return f'hx-post="{reverse("document-read", args=[document.organization_id, document.pk])}"'


def test_files_that_readers_died_of_before_are_offered_again(page: Client, actor: Actor) -> None:
    dead = [fail(actor, f"{at}.txt", reason, is_permanent=True) for at, reason in enumerate((TIME, MEMORY))]
    damaged = fail(actor, "damaged.txt", OWN_FAULT, is_permanent=True)
    mail = store(actor, "mail.eml")
    refusal = f"The files in it were not taken: {TIME}"
    Document.objects.filter(pk=mail.pk).update(unpacking="done", parts_reason=refusal)
    import_module("documents.migrations.0056_read_again").offer_again(apps, None)
    rows = {row.document.pk: row for row in page.get(list_of(actor)).context["rows"]}
    assert [rows[each.pk].may_succeed for each in (*dead, damaged)] == [True, True, False]
    mail.refresh_from_db()
    assert (mail.unpacking, mail.parts_reason) == ("waiting", "")


def test_one_press_in_the_list_reads_it_again(page: Client, actor: Actor, member) -> None:
    failed = fail(actor, "a.txt", TIME)
    text = page.get(list_of(actor)).text
    assert text.count(press(page, failed)) == 2 and 'data-bulk-start="retry"' in text  # in the row, and in its menu
    assert press(page, failed) not in as_member(member, Role.VIEWER).get(list_of(actor)).text
    page.post(reverse("document-read", args=[actor.organization.pk, failed.pk]), headers={"HX-Request": "true"})
    assert failed.readings.get(number=2).status == "queued"
    assert press(page, failed) not in page.get(list_of(actor)).text


def test_the_cause_in_the_file_is_offered_in_the_menu_alone(page: Client, actor: Actor) -> None:
    damaged = fail(actor, "a.txt", OWN_FAULT, is_permanent=True)
    assert page.get(list_of(actor)).text.count(press(page, damaged)) == 1


def test_all_that_failed_are_read_again_by_one_action(page: Client, actor: Actor) -> None:
    for name in ("a.txt", "b.txt"):
        fail(actor, name, TIME)
    page.post(reverse("bulk-actions", args=[actor.organization.pk]), {"action": "retry", "all": "1", "query": ""})
    while bulk.run_next(holder="test"):
        pass
    assert Reading.objects.filter(number=2, status="queued").count() == 2


def test_a_program_reads_a_failed_text_again(actor: Actor, api_as) -> None:
    failed = fail(actor, "a.txt", TIME)
    client = api_as(actor)
    [job] = client.get(f"/v0/orgs/{actor.organization.pk}/jobs?status=failed").json()["jobs"]
    [action] = job["actions"]
    assert action["name"] == "retry"
    assert client.post(action["path"]).status_code == 200
    assert failed.readings.get(number=2).status == "queued"
