"""Documents that a message names with @: what the model gets of them, who may, and what it makes of the turn."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from agent.conversation import mentions, threads
from agent.conversation.mentioned_documents import describe_document
from agent.conversation.mentions import Mention
from agent.models import Thread, ToolCall
from agent.turns import turns
from agent.views.thread import chips
from documents.definitions import tags
from documents.models import Document, Extraction
from documents.reading.page_text import estimate_tokens
from kit.ids import new_id
from reader.words import Word, pack
from tests.agent.conftest import propose_all
from tests.agent.tool_documents import document  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db


def name(*documents: Document) -> list[Mention]:
    return [{"type": "document", "id": each.pk} for each in documents]


@pytest.fixture
def without(actor: Actor, tools: Any) -> Thread:
    return threads.create(actor)


def one(thread: Thread, document: Document) -> str:  # noqa: F811
    (block,) = mentions.build_blocks(thread, name(document))
    return block


def test_a_document_is_given_with_its_tags_values_and_text(actor: Actor, without: Thread, document: Document) -> None:  # noqa: F811
    document.tags.add(tags.create(actor, name="supplier"))
    Extraction.objects.create(document=document, number=1, status="completed", model="m", current={"total": 12})
    block = one(without, document)
    assert block.startswith(f'<data kind="mention" type="document" id="{document.pk}">\n[Document: "invoice.pdf"]\n')
    for words in (f"document_id: {document.pk}", "supplier (", '{"total": 12}', "Pages: 2", "Ostrava Tools"):
        assert words in block
    assert '<page number="1">' in block and block.count("</data>") == 1


def test_one_that_is_not_read_yet_says_so(without: Thread, document: Document) -> None:  # noqa: F811
    document.readings.all().delete()
    assert "Pages: not read yet" in one(without, document)


def test_what_is_in_the_trash_or_belongs_to_others_is_missing(
    stranger: Actor,
    without: Thread,
    document: Document,  # noqa: F811
) -> None:
    assert "[Document: missing]" in one(threads.create(stranger), document)
    Document.objects.filter(pk=document.pk).update(trashed_at=timezone.now())
    assert "[Document: missing]" in one(without, document) and "Ostrava" not in one(without, document)
    document.pk = new_id()
    assert "[Document: missing]" in one(without, document)


def test_many_share_the_room_for_text(document: Document, thread: Thread) -> None:  # noqa: F811
    lines = [Word(f"word{at}", 0.1, at / 3000, 0.2, (at + 0.5) / 3000, line=at) for at in range(3000)]
    document.readings.get().pages.update(words=pack(lines))
    alone, shared = describe_document(document, thread), describe_document(document, thread, share=20)
    assert estimate_tokens(alone.text) < 6200 and estimate_tokens(shared.text) < 500
    assert alone.cut and shared.cut and "word0" in shared.text


def test_a_turn_that_names_one_has_read_a_document_and_so_have_those_after_it(
    actor: Actor,
    without: Thread,
    document: Document,  # noqa: F811
) -> None:
    assert not turns.start(actor, thread=without, text="Hello").tainted
    assert turns.start(actor, thread=without, text="And this?", mentions=name(document)).tainted
    assert turns.start(actor, thread=without, text="Well?").tainted


def test_it_is_offered_by_its_name_the_newest_first(actor: Actor, stranger: Actor, document: Document) -> None:  # noqa: F811
    newer = Document.objects.create(
        organization=actor.organization, name="Invoice 2.pdf", sha256="1" * 64, size=1, media_type="", file="none"
    )
    offers = mentions.find_offers(actor, "INVOICE")["offers"]
    assert [offer["id"] for offer in offers if offer["type"] == "document"] == [newer.pk, document.pk]
    assert mentions.find_offers(stranger, "invoice")["offers"] == []


def test_its_chip_leads_to_it(actor: Actor, without: Thread, document: Document) -> None:  # noqa: F811
    turns.start(actor, thread=without, text="Look at @invoice.pdf", mentions=name(document))
    message = without.messages.get()
    (chip,) = chips.build_chips(without, [message])[message.pk]
    assert chip.url == reverse("document", args=[actor.organization.pk, document.pk]) and chip.label == "invoice.pdf"


def test_a_change_of_the_threads_document_asks_once_another_was_named(
    actor: Actor,
    thread: Thread,
    document: Document,  # noqa: F811
) -> None:
    other = Document.objects.create(
        organization=actor.organization, name="Other.pdf", sha256="1" * 64, size=1, media_type="", file="none"
    )
    threads.set_mode(actor, thread=thread, mode="auto")
    turns.start(actor, thread=thread, text="This @invoice.pdf", mentions=name(document))
    assert change(thread).status == "approved"
    turns.start(actor, thread=thread, text="As in @Other.pdf", mentions=name(other))
    call = change(thread)
    assert call.status == "pending" and call.why_asks.startswith("This thread has also read “Other.pdf”")


def change(thread: Thread) -> ToolCall:
    """What the model asks for in a turn of its own, once the thread's last one is over."""
    thread.turns.update(status="completed")
    (call,) = propose_all(thread, ("note", {"text": "x"}))
    thread.turns.update(status="completed")
    Thread.objects.filter(pk=thread.pk).update(last_message=thread.messages.count())
    return call
