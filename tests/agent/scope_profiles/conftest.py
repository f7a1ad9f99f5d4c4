"""A profile for invoices and receipts, and a delivery note beside an invoice."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.actor import Actor
from agent.conversation import threads
from agent.models import ScopeProfile, Thread, Turn
from agent.turns import turns
from documents.models import Document
from documents.types import catalogue, telling
from tests.agent.turn_rows import Ask
from tests.documents.find.searches import add_document
from tests.scripted_model import ScriptedModel


def set_type(actor: Actor, document: Document, key: str) -> None:
    telling.set_type(actor, document=document, document_type=catalogue.find_type(actor.organization, key))


@pytest.fixture
def profile(actor: Actor) -> ScopeProfile:
    return ScopeProfile.objects.create(
        organization=actor.organization,
        mode="strict",
        sentence="Suppliers' invoices and receipts: what was bought, for how much, due when.",
        types=["invoice", "receipt"],
    )


@pytest.fixture
def note(actor: Actor) -> Document:
    """A delivery note whose words must not be said, beside an invoice."""
    invoice = add_document(actor.organization, ["Invoice 77 for copper pipes, 300 EUR"], name="pipes.pdf")
    set_type(actor, invoice, "invoice")
    row = add_document(actor.organization, ["Delivered: 12 copper pipes to dock ZEBRA"], name="Pole extension")
    set_type(actor, row, "delivery note")
    return row


@pytest.fixture
def question(actor: Actor, scripted_model: ScriptedModel, tools: object) -> Ask:
    """A message in a thread about no document."""

    def start(text: str, *replies: Any, **more: Any) -> Turn:
        scripted_model.will(*replies)
        thread = Thread.objects.filter(document=None).first() or threads.create(actor)
        return turns.start(actor, thread=thread, text=text, **more)

    return start
