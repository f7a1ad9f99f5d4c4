"""The arguments of a call on PostgreSQL, whose jsonb would sort the fields of a schema that the agent proposes."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.actor import Actor
from agent.calls import execution
from agent.conversation import threads
from agent.models import ToolCall
from documents.models import Schema
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import say
from tests.documents.proposal_rows import response_format
from tests.migrated import migrate_to_newest

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
# jsonb sorts by length and then by letters.
FIELDS = ["vendor", "number", "total", "tax"]
BEFORE = ("agent", "0001_squashed_0023_outside_servers")


def propose_schema(actor: Actor) -> ToolCall:
    thread = threads.create(actor, document=None)
    (call,) = propose_all(thread, ("create_schema", {"name": "Bill", "response_format": response_format(*FIELDS)}))
    return ToolCall.objects.get(pk=call.pk)


def list_fields(arguments: dict[str, Any]) -> list[str]:
    return list(arguments["response_format"]["json_schema"]["schema"]["properties"])


def test_a_proposed_schema_keeps_the_order_of_its_fields(actor: Actor) -> None:
    call = propose_schema(actor)
    assert list_fields(call.proposed) == list_fields(call.effective) == FIELDS
    say(actor, call)
    execution.execute(call.pk, holder="test")
    assert list(Schema.objects.get().revisions.get().json_schema["properties"]) == FIELDS


def test_the_migration_changes_no_value_of_earlier_calls(actor: Actor) -> None:
    call = propose_schema(actor)
    columns = ("proposed", "decided", "effective", "preview", "result", "inverse")
    earlier = {name: getattr(call, name) for name in columns}
    try:
        MigrationExecutor(connection).migrate([BEFORE])
    finally:
        migrate_to_newest()
    call.refresh_from_db()
    assert {name: getattr(call, name) for name in columns} == earlier
    assert (call.decided, call.result) == (None, None)
