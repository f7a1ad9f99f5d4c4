"""What a person asks about several documents, walked over /v0 from the question to the undo."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from documents import bulk, extractions
from documents.models import BulkAction, Document, Extraction, PromptRevision
from tests.agent.chat import Chat, yes
from tests.agent.other_documents import extract, revision  # noqa: F401 - it is a fixture
from tests.agent.turn_rows import in_background
from tests.conftest import ApiClient
from tests.documents.reading_rows import document_with
from tests.scripted_model import Json, Reply, ScriptedModel, calls, says

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("loaded_litellm")]
Script = Callable[[Json], Reply]


@pytest.fixture
def five(actor: Actor) -> list[Document]:
    """Read, and named a1.pdf to a5.pdf."""
    lines = ["Vendor: ACME Tools", "Total: 12.00"]
    return [document_with(actor.organization, lines, name=f"a{number}.pdf", user=actor.user) for number in range(1, 6)]


class Walk:
    """A person's way through the thread of one document, and the workers beside it."""

    def __init__(self, api: ApiClient, document: Document) -> None:
        self.chat, self.api, self.org = Chat(api, document), api, f"/v0/orgs/{document.organization_id}"
        self.call_id = ""

    def ask(self, text: str) -> tuple[Json, Json]:
        """The answer, which waits, and the card of its last call."""
        answer: Json = self.chat.say(text).json()
        self.call_id = answer["tool_calls"][-1]["id"]
        card: Json = self.api.get(f"{self.org}/tool_calls/{self.call_id}").json()
        return answer, card

    def approve(self, turn: Json, beside: Callable[[], object], **arguments: Any) -> Json:
        """All of its calls, the last one with these arguments in the place of its own. The turn sleeps until the job
        that this begins has ended, to which `beside` brings it."""
        *others, last = turn["tool_calls"]
        edited = {"arguments": {**json.loads(last["arguments"]), **arguments}} if arguments else {}
        answers: list[Json] = []
        decisions = [*map(yes, others), yes(last, **edited)]
        asking = in_background(lambda: answers.append(self.chat.approve(turn["turn_id"], *decisions).json()))
        while asking.is_alive() and not BulkAction.objects.exists():
            asking.join(0.02)
        beside()
        asking.join()
        return answers[0]

    def read_job(self) -> Json:
        job: Json = self.api.get(f"{self.org}/documents/bulk/{BulkAction.objects.latest('created_at').pk}").json()
        return job

    def stop(self) -> Json:
        stopped: Json = self.api.post(f"{self.org}/documents/bulk/{self.read_job()['bulk_action_id']}/stop").json()
        return stopped

    def undo(self) -> Json:
        """Of what the card did: the job that this began, worked to its end."""
        answer = self.api.post(f"{self.org}/tool_calls/{self.call_id}/undo")
        assert answer.status_code == 200, answer.json()
        work()
        return self.read_job()


def work() -> None:
    """What workers of jobs do, until they wait for runs."""
    BulkAction.objects.filter(status="queued").update(lease_until=None)
    while bulk.run_next(holder="test"):
        pass


@pytest.fixture
def walk(api_as: Callable[[Actor], ApiClient], actor: Actor, five: list[Document], worker: None) -> Walk:
    return Walk(api_as(actor), five[0])


def find_result(body: Json, tool: str) -> Json:
    names = {call["id"]: call["function"]["name"] for each in body["messages"] for call in each.get("tool_calls") or ()}
    results = [each for each in body["messages"] if each["role"] == "tool" and names[each["tool_call_id"]] == tool]
    result: Json = json.loads(results[-1]["content"])
    return result


def test_compare_this_with_another(
    walk: Walk, five: list[Document], revision: PromptRevision, scripted_model: ScriptedModel
) -> None:
    for document, total in zip(five, (30.5, 31), strict=False):
        extract(document, revision, vendor="ACME", total=total)

    def answer(body: Json) -> Reply:
        (difference,) = find_result(body, "compare_extractions")["differences"]
        return says(f"{difference['path']}: {difference['this']} here, {difference['with']} there.")

    scripted_model.will(
        calls(("find_tools", {"query": "compare"})), calls(("compare_extractions", {"with_document": "a2.pdf"})), answer
    )
    body = walk.chat.say("Compare this with a2.pdf").json()
    assert body["text"] == "total: 30.5 here, 31 there." and body["executed_rounds"]
    tools = [call["name"] for a_round in body["executed_rounds"] for call in a_round["tool_calls"]]
    assert tools[-1] == "compare_extractions" and not BulkAction.objects.exists()


def test_the_same_for_the_other_four(
    walk: Walk, five: list[Document], revision: PromptRevision, scripted_model: ScriptedModel, settings: Any
) -> None:
    settings.EXTRACTION_MODEL = "offline/rules"

    def run_on_others(body: Json) -> Reply:
        rows = find_result(body, "list_documents")["documents"]
        others = [row["document_name"] for row in rows if not row.get("is_this_document")]
        return calls(("run_extraction", {"prompt_revid": "Invoice", "documents": others}))

    scripted_model.will(calls(("list_documents", {})), run_on_others)
    asked, card = walk.ask("The same for the other four")
    assert len(asked["tool_calls"]) == 1
    assert {f"a{number}.pdf" for number in range(2, 6)} <= {row["name"] for row in card["preview"]["rows"]}

    def run_one_and_stop() -> None:
        bulk.run_next(holder="test")
        assert extractions.run_next(holder="test") and walk.read_job()["can_undo"] is False
        work()
        assert (walk.read_job()["status"], walk.read_job()["done"]) == ("queued", 1)
        stopped = walk.stop()
        assert (stopped["status"], stopped["done"], stopped["left_out"]) == ("stopped", 1, 2)

    def tell(body: Json) -> Reply:
        result = find_result(body, "run_extraction")
        rows = [row.get("values") or row.get("left_out") for row in result["rows"]]
        return says(f"{result['done']} of {result['documents']}: {rows}.")

    scripted_model.will(tell)
    done = walk.approve(asked, run_one_and_stop, documents=[document.pk for document in five[1:4]])
    assert "1 of 3: [{" in done["text"] and "ACME Tools" in done["text"], done
    assert "stopped" in done["text"] and walk.read_job()["total"] == 3
    assert sorted(Extraction.objects.values_list("status", flat=True)) == ["completed", "withdrawn", "withdrawn"]
    undone = walk.undo()
    assert (undone["action"], undone["status"], undone["done"]) == ("withdraw", "done", 1)
    assert not Extraction.objects.filter(status="completed").exists()
    assert not five[4].extractions.exists()


def test_tag_all_from_one_vendor_as_paid_and_rename_them_by_date(
    walk: Walk, five: list[Document], revision: PromptRevision, scripted_model: ScriptedModel
) -> None:
    for number, document in enumerate(five):
        vendor = "ACME Tools" if number < 3 else "Brno Steel"
        extract(document, revision, vendor=vendor, due_date=f"2026-01-0{number + 1}")

    def change_theirs(body: Json) -> Reply:
        theirs = [row["document_name"] for row in find_result(body, "list_documents")["documents"]]
        change = {"documents": theirs, "add_tags": ["Paid"], "name_pattern": "{due_date} ACME"}
        return calls(("create_tag", {"name": "Paid"}), ("update_document", change))

    scripted_model.will(calls(("list_documents", {"where": ["vendor ~ ACME"]})), change_theirs, says("Done."))
    asked, card = walk.ask("Tag all from ACME as paid and rename them by date")
    assert {row["new"] for row in card["preview"]["changes"]} == {f"2026-01-0{day} ACME.pdf" for day in (1, 2, 3)}
    assert walk.approve(asked, work)["text"] == "Done."
    assert (walk.read_job()["status"], walk.read_job()["done"]) == ("done", 3)
    paid = Document.objects.filter(tags__name="Paid").values_list("name", flat=True)
    assert sorted(paid) == [f"2026-01-0{day} ACME.pdf" for day in (1, 2, 3)]
    assert walk.undo()["done"] == 3
    assert not Document.objects.filter(tags__name="Paid").exists()
    assert sorted(Document.objects.values_list("name", flat=True)) == [f"a{number}.pdf" for number in range(1, 6)]
