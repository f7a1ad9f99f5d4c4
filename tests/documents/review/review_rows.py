"""Documents with values that nobody has verified, and pages that walk through them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from documents.models import Document, Extraction, Prompt, PromptRevision, Reading

HTMX = {"HX-Request": "true"}


def make_revision(actor: Actor) -> PromptRevision:
    prompt = Prompt.objects.create(organization=actor.organization, name="Bill", created_by=actor.user)
    prompt.latest = PromptRevision.objects.create(prompt=prompt, number=1, content="Read it.", created_by=actor.user)
    prompt.save()
    return prompt.latest


def make_documents(actor: Actor, names: Sequence[str]) -> list[Document]:
    """Extracted documents, each older than the one before it: so they stand in the list."""
    revision, now = make_revision(actor), timezone.now()
    return [_make_document(actor, name, revision, now - timedelta(minutes=at)) for at, name in enumerate(names)]


def get_run(document: Document) -> Extraction:
    return document.extractions.get()


def address_of(name: str, document: Document, *more: str) -> str:
    return reverse(name, args=[document.organization_id, document.pk, *more])


def verify_address(document: Document) -> str:
    return address_of("extraction-verify", document, get_run(document).pk)


def _make_document(actor: Actor, name: str, revision: PromptRevision, created_at: timezone.datetime) -> Document:
    document = Document.objects.create(
        organization=actor.organization,
        name=name,
        sha256="1" * 64,
        size=1,
        file="none",
        media_type="text/plain",
        state=Document.State.LLM_COMPLETED,
        review=Document.Review.TO_VERIFY,
        uploaded_by=actor.user,
        created_at=created_at,
    )
    reading = Reading.objects.create(document=document, number=1, status="completed", page_count=1, pages_read=1)
    Extraction.objects.create(
        document=document,
        number=1,
        reading=reading,
        prompt_revision=revision,
        model="offline/rules",
        status=Extraction.Status.COMPLETED,
        result={"text": name},
        current={"text": name},
        coverage=[1],
        page_count=1,
        finished_at=created_at,
    )
    return document
