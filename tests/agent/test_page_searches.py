"""The agent searches pages for the values it proposes and stores, but never while it holds a lock."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from agent.calls import execution, undo
from agent.conversation import threads
from agent.models import Thread, ToolCall
from agent.toolkit.registry import Registry
from agent.turns import turns
from documents import extractions
from documents.definitions import prompts, schemas
from documents.extractions import ExtractionDraft, edits
from documents.models import Document, Extraction
from tests.agent.decision_rows import say
from tests.agent.undo_rows import SCHEMA
from tests.documents.page_searches import watch_searches
from tests.documents.reading_rows import document_with
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = pytest.mark.django_db(transaction=True)
VENDOR = ("update_extraction_field", {"path": "vendor", "value": "Ostrava Tools"})
TOTAL = ("update_extraction_field", {"path": "total", "value": 31.25})


@pytest.fixture
def document(actor: Actor) -> Document:
    return document_with(actor.organization, ["Ostrava Tools | INV-7", "Total | 31.25", "Tools | 20.50"])


@pytest.fixture
def extraction(actor: Actor, document: Document) -> Extraction:
    schema = schemas.create(actor, name="Invoice", response_format=SCHEMA)
    prompt = prompts.create(actor, name="Invoice", content="Read it.", schema_revision=schema)
    reading = document.readings.get()
    draft = ExtractionDraft(
        document.pk, reading.pk, prompt.pk, schema.pk, "none", "", {"vendor": "Tools", "total": 2}, {}, [1], 1
    )
    return extractions.store(actor, draft=draft)


@pytest.fixture
def thread(actor: Actor, document: Document, extraction: Extraction, tools: Registry) -> Thread:
    return threads.create(actor, document=document)


@pytest.fixture
def cards(
    actor: Actor, thread: Thread, scripted_model: ScriptedModel, work: Callable[[], None]
) -> Callable[..., list[ToolCall]]:
    """`cards(VENDOR, TOTAL)`: what stands after a round in which the model asks for that."""

    def ask(*requests: tuple[str, dict[str, object]], mode: str = "ask") -> list[ToolCall]:
        Thread.objects.update(mode=mode)
        scripted_model.will(calls(*requests), says("Done."))
        turns.start(actor, thread=thread, text="Correct it.")
        work()
        return list(ToolCall.objects.order_by("position"))

    return ask


def test_a_card_is_proposed_run_and_taken_back_with_no_search_in_a_transaction(
    cards: Callable[..., list[ToolCall]], actor: Actor, extraction: Extraction
) -> None:
    with watch_searches() as depths:
        vendor, total = cards(VENDOR, TOTAL)
        assert depths == [0, 0, 0]  # for what the model reads, and one for each card: none to simulate it
        for card in (vendor, total):
            say(actor, card)
            execution.execute(card.pk, holder="test")
        assert depths == [0] * 5
        undo.undo_call(actor, call=ToolCall.objects.get(pk=total.pk), idempotency_key="click")
        assert depths == [0] * 6
        undo.undo_call(actor, call=ToolCall.objects.get(pk=total.pk), idempotency_key="click")
    assert depths == [0] * 6
    assert vendor.preview["crop"]["page"] == total.preview["crop"]["page"] == 1
    extraction.refresh_from_db()
    assert extraction.current == {"vendor": "Ostrava Tools", "total": 2}
    assert extraction.provenance["vendor"]["words"] == "Ostrava Tools"
    assert extraction.provenance["total"]["state"] == "not_located"


def test_a_plan_is_tried_with_no_search_in_a_transaction(
    cards: Callable[..., list[ToolCall]], extraction: Extraction
) -> None:
    with watch_searches() as depths:
        steps = cards(VENDOR, TOTAL, mode="plan")
    assert depths == [0] * 4  # the model reads twice
    assert [step.status for step in steps] == ["pending", "pending"]
    assert all(step.preview["crop"]["page"] == 1 for step in steps)


def test_an_edit_while_it_searches_is_neither_lost_nor_given_a_stale_proof(
    cards: Callable[..., list[ToolCall]], actor: Actor, extraction: Extraction
) -> None:
    (card,) = cards(TOTAL)
    say(actor, card)
    others = [lambda: edits.set_path(actor, extraction=extraction, path="vendor", value="Nobody")]
    with watch_searches(lambda: others and others.pop()()) as depths:
        execution.execute(card.pk, holder="test")
    card.refresh_from_db()
    extraction.refresh_from_db()
    assert card.status == "succeeded" and depths == [0, 0, 0]
    assert extraction.current == {"vendor": "Nobody", "total": 31.25}
    assert extraction.provenance["vendor"]["state"] == "not_located"
    assert extraction.provenance["total"]["words"] == "31.25"


def test_an_edit_of_the_same_value_while_it_searches_brings_the_card_back(
    cards: Callable[..., list[ToolCall]], actor: Actor, extraction: Extraction
) -> None:
    (card,) = cards(TOTAL)
    say(actor, card)
    others = [lambda: edits.set_path(actor, extraction=extraction, path="total", value=5)]
    with watch_searches(lambda: others and others.pop()()):
        execution.execute(card.pk, holder="test")
    card.refresh_from_db()
    fresh = card.replaced_by.get()
    assert (card.status, fresh.status, fresh.preview["crop"]["page"]) == ("stale", "pending", 1)
    assert fresh.preview["change"]["old"] == "5"
