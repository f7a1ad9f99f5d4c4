"""The list of documents as a member reads it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse

from accounts.actor import Actor
from documents.intake import uploads
from documents.models import Document
from kit.processes import heartbeats
from tests.page_client import PageClient as Client

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
