"""Undo and jobs over MCP: a program reaches its own alone, once, and reads the end of what it began."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from typing import Any

import pytest

from accounts.actor import Actor
from agent.calls import execution
from agent.calls.jobs import job_ends
from agent.mcp import call_results, requests
from agent.mcp.requests import Caller
from agent.models import ToolCall
from documents.models import BulkAction, Document
from kit.errors import Invalid, NotFound
from tests.agent.decision_rows import say
from tests.agent.test_mcp_tools import call, caller, with_token  # noqa: F401 - caller is a fixture
from tests.agent.tool_documents import document  # noqa: F401 - document is a fixture
from tests.documents.bulk import bulk_rows
from tests.documents.find.searches import add_document

pytestmark = pytest.mark.django_db


def decide_and_run(actor: Actor, waiting: ToolCall) -> ToolCall:
    say(actor, waiting)
    execution.execute(waiting.pk, holder="test")
    waiting.refresh_from_db()
    return waiting


def test_undo_waits_for_a_person_and_takes_back_once_what_its_own_client_did(
    caller: Caller, actor: Actor, document: Document, stranger: Actor
) -> None:
    """By id, number or words: nothing of another client or organization, nothing twice, nothing after it is undone."""
    named = {"document_id": document.pk, "metadata": {"state": "done"}}
    done = decide_and_run(actor, requests.begin(caller, "update_document", named).calls.get())
    assert done.status == "succeeded"
    others = [Caller(with_token(stranger), "Desk 1.0"), Caller(with_token(actor), "Desk 1.0")]
    for other in others:
        for change in ("", "1", done.pk, "metadata"):
            refused = call(other, "undo_change", change=change)
            assert refused["isError"] and "taken back" in refused["content"][0]["text"]
            assert document.name not in refused["content"][0]["text"]
        assert call(other, "get_decision", call_id=done.pk)["isError"]
    first = requests.begin(caller, "undo_change", {}).calls.get()
    second = requests.begin(caller, "undo_change", {"change": done.pk, "idempotency_key": "again"}).calls.get()
    assert {first.status, second.status} == {"pending"} and call_results.describe_call(first, first.turn)["link"]
    assert decide_and_run(actor, first).status == "succeeded"
    second.refresh_from_db()
    if second.status == "pending":
        decide_and_run(actor, second)
    assert second.status in ("failed", "stale", "cancelled", "superseded")
    assert ToolCall.objects.filter(undoes=done).count() == 1
    assert call(caller, "undo_change", change=done.pk)["isError"]
    document.refresh_from_db()
    assert document.metadata == {}


def test_a_client_reads_what_became_of_its_job_and_nobody_else_does(
    caller: Caller, actor: Actor, document: Document, stranger: Actor
) -> None:
    second = add_document(actor.organization, "second.pdf", ["Total 5"])
    change = {"documents": [document.pk, second.pk], "merge_metadata": {"state": "done"}}
    begun = decide_and_run(actor, requests.begin(caller, "update_document", change).calls.get())
    assert begun.status == "succeeded" and begun.job is None

    def look(by: Caller = caller) -> dict[str, Any]:
        return dict(requests.look_up(by, {"call_id": begun.pk}))

    assert look()["result"]["job"] == "under way"
    bulk_rows.work(BulkAction.objects.get())
    job_ends.record_ends_of(BulkAction.objects.get().pk)
    ended = look()["result"]
    assert (ended["job"], ended["documents"], ended["done"], len(ended["rows"])) == ("ended", 2, 2, 2)
    for other in (Caller(with_token(stranger), "Desk 1.0"), Caller(with_token(actor), "Desk 1.0")):
        with pytest.raises(NotFound):
            look(other)
    again = requests.begin(caller, "update_document", change).calls.get()
    assert again.pk != begun.pk and BulkAction.objects.count() == 1


def test_a_client_reads_a_long_job_to_its_last_document(caller: Caller, actor: Actor, document: Document) -> None:
    names = [f"scan{number}.pdf" for number in range(24)]
    several = [add_document(actor.organization, ["Total 5"], name=name).pk for name in names]
    change = {"documents": [document.pk, *several], "merge_metadata": {"state": "done"}}
    begun = decide_and_run(actor, requests.begin(caller, "update_document", change).calls.get())

    def look(**further: int) -> dict[str, Any]:
        return dict(requests.look_up(caller, {"call_id": begun.pk, **further})["result"])

    assert look(from_document=1) == {"job": "under way", "documents": 25, "done": 0}
    bulk_rows.work(BulkAction.objects.get())
    first = look()
    assert f'get_decision(call_id="{begun.pk}", from_document=1)' in first["more"] and first["further_documents"] == 20
    one, two = look(from_document=1), look(from_document=21)
    assert "from_document=21" in one["more"] and "more" not in two and one["job"] == two["job"] == "ended"
    assert {row["document"] for row in one["rows"] + two["rows"]} == {document.name, *names}
    assert (len(one["rows"]), len(two["rows"])) == (20, 5)
    with pytest.raises(Invalid, match="25 documents"):
        look(from_document=26)
    single = decide_and_run(actor, requests.begin(caller, "create_tag", {"name": "New"}).calls.get())
    with pytest.raises(Invalid, match="began no job"):
        requests.look_up(caller, {"call_id": single.pk, "from_document": 1})
