"""Splitting on the page, and what both sides of it say of each other."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from documents.intake import splitting
from documents.intake.splitting import PartPages
from documents.models import Document
from tests.documents.parts.split_rows import put_whole

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
SignedIn = Callable[[Client, Actor], Client]


@pytest.fixture
def whole(actor: Actor) -> Document:
    return put_whole(actor)


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


def at(name: str, document: Document) -> str:
    return reverse(name, args=[document.organization_id, document.pk])


def names_of(whole: Document) -> list[tuple[str, str]]:
    return [(part.name, part.pages_in_whole) for part in whole.list_parts()]


def test_a_person_marks_where_documents_begin_and_both_pages_name_the_other(page: Client, whole: Document) -> None:
    assert at("document-split", whole) in page.get(at("document", whole)).text
    text = page.get(at("document-split", whole)).text
    assert text.count('class="split-page"') == 5 and 'name="name-1"' in text
    sent = {"begins": ["3", "4"], "name-1": "Invoice", "leave-3": "on", "name-4": ""}
    answer = page.post(at("document-split", whole), sent, follow=True)
    assert "scans.pdf is split into 2 documents." in answer.text
    assert names_of(whole) == [("Invoice.pdf", "pages 1–2"), ("scans, pages 4–5.pdf", "pages 4–5")]
    part = whole.list_parts()[0]
    assert "2 documents in it" in answer.text and at("document", part) in answer.text and "Read, no tag" in answer.text
    assert "Pages 1–2 of" in page.get(at("document", part)).text
    rows = page.get(reverse("documents", args=[whole.organization_id])).text
    assert "PDF, 5 pages, 2 documents in it" in rows and "PDF, 2 pages, pages 4–5 of scans.pdf" in rows


def test_pages_that_are_taken_are_shown_so_and_the_rest_can_be_split_later(
    page: Client, actor: Actor, whole: Document
) -> None:
    splitting.split(actor, document=whole, parts=[PartPages(2, 3, "Middle")])
    text = page.get(at("document-split", whole)).text
    assert text.count("Middle.pdf</a>") == 2 and 'name="begins" value="3"' not in " ".join(text.split())
    page.post(at("document-split", whole), {"begins": ["5"], "leave-5": "on"})
    assert [pages for _, pages in names_of(whole)] == ["page 1", "pages 2–3", "page 4"]


def test_what_was_typed_stays_when_it_is_refused(page: Client, whole: Document) -> None:
    answer = page.post(at("document-split", whole), {"begins": ["3"], "name-3": "x" * 260})
    assert answer.status_code == 400 and "255 is the most" in answer.text and "x" * 260 in answer.text
    assert "would be the whole document" in page.post(at("document-split", whole), {}).text
    assert not names_of(whole)


def test_the_split_is_undone_on_the_page(page: Client, actor: Actor, whole: Document) -> None:
    splitting.split(actor, document=whole, parts=[PartPages(1, 2), PartPages(3, 5)])
    assert at("document-unsplit", whole) in page.get(at("document", whole)).text
    answer = page.post(at("document-unsplit", whole), follow=True)
    assert "The split of scans.pdf is undone: 2 documents went to the trash." in answer.text
    assert at("document-unsplit", whole) not in answer.text


def test_who_may_not_split_is_shown_no_button(
    client: Client, member: Callable[[Role], Actor], signed_in: SignedIn, whole: Document
) -> None:
    page = signed_in(client, member(Role.VIEWER))
    assert at("document-split", whole) not in page.get(at("document", whole)).text
    assert page.get(at("document-split", whole)).status_code == 403
