"""The next steps after the first verified document: shown while they are not done, and dismissed by each for themselves."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import invitations
from documents.definitions import prompts
from documents.extractions import edits
from documents.models import Document, Prompt
from documents.review.next_steps import list_next_steps
from tests.documents.review.review_rows import get_run, make_documents

pytestmark = pytest.mark.django_db
SignedIn = Callable[[Client, Actor], Client]
HTMX = {"HX-Request": "true"}


def names(actor: Actor) -> list[str]:
    return [step.name for step in list_next_steps(actor)]


@pytest.fixture
def prompt(actor: Actor) -> Prompt:
    return prompts.create(actor, name="Receipt", content="Read it.").prompt


@pytest.fixture
def verified(actor: Actor, prompt: Prompt) -> Document:
    [document] = make_documents(actor, ["a.txt"])
    Prompt.objects.exclude(pk=prompt.pk).update(trashed_at=prompt.created_at)
    edits.verify(actor, extraction=get_run(document))
    return document


def test_nothing_is_suggested_before_a_document_is_verified(actor: Actor, prompt: Prompt) -> None:
    assert names(actor) == []


def test_each_is_there_until_it_is_done(actor: Actor, verified: Document, member: Callable[[Role], Actor]) -> None:
    assert names(actor) == ["tag", "upload", "invite", "key"] or not actor.user.is_superuser
    actor.user.is_superuser = True
    assert names(actor) == ["tag", "upload", "invite", "key"]
    make_documents(actor, [f"{number}.txt" for number in range(9)])
    Prompt.objects.exclude(name="Receipt").update(trashed_at=verified.created_at)
    invitations.invite(actor, email="ann@example.com", role=Role.REVIEWER)
    assert names(actor) == ["tag", "key"]
    assert names(member(Role.REVIEWER)) == [] and names(member(Role.VIEWER)) == []


def test_one_press_tags_the_prompt_and_one_dismisses_for_oneself(
    actor: Actor, verified: Document, client: Client, signed_in: SignedIn, member: Callable[[Role], Actor]
) -> None:
    page, other = signed_in(client, actor), member(Role.BUILDER)
    inbox = " ".join(page.get(reverse("inbox", args=(actor.organization.pk,))).text.split())
    assert re.search(r'id="next-steps"[^>]*>.*Run “Receipt” by tag', inbox)
    dismiss = reverse("next-step-dismiss", args=(actor.organization.pk,))
    assert "Upload 10" not in page.post(dismiss, {"step": "upload"}, headers=HTMX).text
    assert "upload" not in names(actor) and "upload" in names(other)
    page.post(reverse("next-step-tag", args=(actor.organization.pk,)), headers=HTMX)
    prompt = Prompt.objects.get(name="Receipt")
    assert prompt.latest and [tag.name for tag in prompt.latest.tags.all()] == ["Receipt"]
    assert "tag" not in names(actor)
