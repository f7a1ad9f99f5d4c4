"""What a durable round trip asks of the database, from the message to the final text: it must not rise unseen."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from agent.calls import decisions, execution
from agent.conversation import threads
from agent.models import ToolCall, Turn
from agent.turns import loop, turns
from documents.models import Document
from tests.scripted_model import ScriptedModel, calls, says

# With the begin and the end of transactions and savepoints. It was 214. PostgreSQL also locks rows one by one.
# Four of them say which tools the two requests offer.
# One a round looks whether the document is long: then it is offered other tools.
# One for each call of the model adds it to the sums of its day.
# Four keep the focus of the thread.
MOST_STATEMENTS, MOST_LOCKS = 159, 3
MOST_WRITES_OF_THE_THREAD = 5
INNER = {"type": "object", "properties": {"a": {"type": "string", "description": "A."}}, "required": ["a"]}
FORMAT = {"type": "json_schema", "json_schema": {"name": "a", "schema": INNER}}


def make_trip(actor: Actor, document: Document, model: ScriptedModel, *, name: str) -> Turn:
    model.will(calls(("create_schema", {"name": name, "response_format": FORMAT})), says("Done."))
    turn = turns.start(actor, thread=threads.create(actor, document=document), text="Make a schema")
    loop.run_round(turn.pk, holder="test")
    joined = ("thread__owner", "thread__organization", "thread__document", "turn")  # as the routes do
    call = ToolCall.objects.select_related(*joined).get(turn=turn)
    face = {"version": call.version, "shown_hash": call.shown_hash, "idempotency_key": "once"}
    decisions.decide(actor, call=call, kind="approved", **face)
    execution.execute(call.pk, holder="test")
    loop.run_round(turn.pk, holder="test")
    return turn


@pytest.mark.django_db(transaction=True)
def test_a_round_trip_asks_no_more_of_the_database_than_it_did(
    actor: Actor, document: Document, scripted_model: ScriptedModel
) -> None:
    make_trip(actor, document, scripted_model, name="First")  # which makes the budget and whatever else is made once
    with CaptureQueriesContext(connection) as queries:
        turn = make_trip(actor, document, scripted_model, name="Second")
    turn.refresh_from_db()
    assert turn.status == Turn.Status.COMPLETED
    statements = [query["sql"] for query in queries]
    most = MOST_STATEMENTS + (MOST_LOCKS if connection.features.has_select_for_update else 0)
    assert len(statements) <= most, "\n".join(statements)
    written = [sql for sql in statements if sql.startswith('UPDATE "agent_thread"')]
    assert len(written) <= MOST_WRITES_OF_THE_THREAD, "\n".join(written)
