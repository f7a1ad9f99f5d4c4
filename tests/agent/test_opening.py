"""Showing a document to the person who asks for it."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from agent.calls import execution
from agent.citations.aliases import note_read
from agent.conversation import threads
from agent.turns import loop, turns
from tests.documents.reading_rows import document_with
from tests.scripted_model import MODEL, ScriptedModel, calls

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_place_that_is_cited_in_the_same_answer_is_opened_whichever_call_is_taken_up_first(
    actor: Actor, scripted_model: ScriptedModel
) -> None:
    invoice = document_with(actor.organization, ["Invoice 7"], name="acme.pdf")
    thread = threads.create(actor, document=None)
    note_read(thread, invoice.readings.get(), {1: [1]})
    cites = ("cite_source", {"cited_text": "Invoice 7", "block_id": "D1:1.1", "citation_number": 1})
    scripted_model.will(calls(cites, ("open_document", {"citation_number": 1, "reason": "to see"})))
    turn = turns.start(actor, thread=thread, text="Open the invoice", model=MODEL)
    loop.run_round(turn.pk, holder="test")
    cited, opened = turn.calls.order_by("position")
    for call in (opened, cited, opened):
        execution.execute(call.pk, holder="test")
    opened.refresh_from_db()
    assert (opened.status, opened.result["document_id"]) == ("succeeded", invoice.pk)
