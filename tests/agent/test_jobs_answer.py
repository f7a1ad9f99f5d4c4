"""A turn that has begun a bulk action sleeps until that ends, and its model reads what came of each document."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from agent.calls import execution, rounds
from agent.calls.jobs import job_ends
from agent.calls.jobs.job_outcomes import describe_job
from agent.calls.outcomes import REST, result_text
from agent.models import Thread, ToolCall, Turn
from agent.policy.deleted_documents import remove_details
from agent.turns import sweep, turn_views, turns
from agent.views.thread.running import build_running
from documents import bulk, document_changes
from documents.definitions import prompts, tags
from documents.models import BulkAction, BulkItem, Document, Extraction, PromptRevision, Reading
from tests.agent.chain_rows import read_again
from tests.agent.decision_rows import Propose, say
from tests.agent.other_documents import extract, revision  # noqa: F401 - they are fixtures
from tests.agent.tool_documents import Do, document  # noqa: F401 - document is a fixture
from tests.agent.tool_rows import another_document, undo
from tests.agent.turn_rows import Work, last_text, now, read_sent_results
from tests.documents.bulk import bulk_rows
from tests.documents.reading_rows import add_reading
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


@pytest.fixture
def two(actor: Actor) -> list[Document]:
    return [another_document(actor, f"scan{number}.pdf") for number in range(2)]


def begin(ask: Any, actor: Actor, work_agent: Work, *replies: Any) -> tuple[Turn, ToolCall]:
    """A turn whose one approved call has begun a job."""
    change = {"documents": ["scan0.pdf", "scan1.pdf"], "merge_metadata": {"state": "done"}}
    turn = ask("Mark both", calls(("update_document", change)), *replies)
    work_agent()
    say(actor, ToolCall.objects.get())
    work_agent()
    return turn, ToolCall.objects.get()


def end_job(call: ToolCall) -> BulkAction:
    assert call.job is not None
    return bulk_rows.work(call.job)


def test_a_turn_sleeps_until_its_job_has_ended_and_wakes_once(
    two: list[Document], ask: Any, actor: Actor, work: Work, scripted_model: ScriptedModel
) -> None:
    turn, call = begin(ask, actor, work, says("Both are marked."))
    assert (now(turn).status, call.status, len(scripted_model.requests)) == ("awaiting_approval", "succeeded", 1)
    assert not turn_views.wait_for(turn.pk, seconds=0).stands_still
    running = build_running(now(turn), [call])
    assert running and (running.doing, running.visited, running.documents) == ("Changing", 0, 2)
    sweep.run_once()
    assert now(turn).status == "awaiting_approval"
    end_job(call)
    for _ in range(2):
        job_ends.record_ends_of(call.job_id)
        sweep.run_once()
    work()
    assert (now(turn).status, last_text(), len(scripted_model.requests)) == ("completed", "Both are marked.", 2)
    (result,) = read_sent_results(scripted_model)
    assert (result["documents"], result["done"], "note" in result) == (2, 2, False)
    assert {row["document"] for row in result["rows"]} == {"scan0.pdf", "scan1.pdf"}


def test_a_process_that_comes_late_changes_nothing_that_the_model_has_read(
    two: list[Document], ask: Any, actor: Actor, work: Work, scripted_model: ScriptedModel
) -> None:
    _, call = begin(ask, actor, work, says("Both are marked."))
    end_job(call)
    late = job_ends.list_ended().select_related("job", "thread__organization").get()
    job_ends.record_ends_of(call.job_id)
    work()
    read = ToolCall.objects.get().result
    job_ends._store(late, {"done": 99})
    assert (ToolCall.objects.get().result, len(scripted_model.requests)) == (read, 2)


def test_a_document_that_is_deleted_as_its_job_ends_is_not_named(
    two: list[Document], ask: Any, actor: Actor, work: Work
) -> None:
    _, call = begin(ask, actor, work, says("Both are marked."))
    end_job(call)
    late = job_ends.list_ended().select_related("job", "thread__organization").get()
    assert late.job
    outcome = describe_job(late.thread, late.job)
    Document.objects.filter(pk=two[0].pk).update(purge_requested_at=timezone.now())
    job_ends._store(late, outcome)
    result = ToolCall.objects.get().result
    assert two[0].name not in str(result) and two[0].pk in str(result) and two[1].name in str(result)


def test_a_person_goes_on_writing_while_a_job_runs_and_reads_its_end_later(
    two: list[Document], ask: Any, actor: Actor, thread: Thread, work: Work, scripted_model: ScriptedModel
) -> None:
    turn, call = begin(ask, actor, work)
    scripted_model.will(says("It goes on."), says("It has ended."))
    turns.start(actor, thread=thread, text="How far?")
    work()
    assert (now(turn).status, last_text()) == ("cancelled", "It goes on.")
    assert "goes on" in read_sent_results(scripted_model)[0]["note"]
    end_job(call)
    sweep.run_once()
    turns.start(actor, thread=thread, text="And now?")
    work()
    assert read_sent_results(scripted_model)[0]["done"] == 2


def test_a_turn_that_is_stopped_leaves_its_job_and_a_stopped_job_wakes_its_turn(
    two: list[Document], ask: Any, actor: Actor, work: Work, scripted_model: ScriptedModel
) -> None:
    turn, call = begin(ask, actor, work, says("It was stopped."))
    assert call.job is not None
    bulk.stop(actor, action=call.job)
    sweep.run_once()
    work()
    assert (now(turn).status, last_text()) == ("completed", "It was stopped.")
    (result,) = read_sent_results(scripted_model)
    assert (result["done"], result["left_out"]) == (0, 2) and "Stopped by" in result["ended_early"]
    assert all("stopped" in row["left_out"] for row in result["rows"])


def test_end_turn_holds_where_the_job_leaves_no_doubt(
    two: list[Document], ask: Any, actor: Actor, work: Work, scripted_model: ScriptedModel
) -> None:
    change = {"documents": ["scan0.pdf", "scan1.pdf"], "merge_metadata": {"state": "done"}}
    turn = ask("Mark both", calls(("update_document", change), ("end_turn", {}), text="Marked."))
    work()
    call = ToolCall.objects.get(tool="update_document")
    say(actor, call)
    work()
    assert now(turn).status == "awaiting_approval"
    call.refresh_from_db()
    end_job(call)
    sweep.run_once()
    work()
    assert (now(turn).status, len(scripted_model.requests)) == ("completed", 1)


def test_what_came_of_many_begins_with_counts_and_the_worst(
    actor: Actor, thread: Thread, revision: PromptRevision
) -> None:
    documents = [another_document(actor, f"scan{number:02}.pdf") for number in range(32)]
    action = BulkAction.objects.create(
        organization=actor.organization, kind="run", status="done", total_count=33, done_count=31, failed_count=1
    )
    for number, each in enumerate(documents):
        item = BulkItem.objects.create(action=action, document=each, status="failed" if number == 31 else "done")
        if number < 31:
            total = None if number == 5 else number + 0.1
            item.runs.add(extract(each, revision, vendor=f"ACME {number % 3}", total=total))
    BulkItem.objects.filter(document=documents[31]).update(reason="The model is away.")
    document_changes.trash(actor, document=documents[0])
    outcome = describe_job(thread, action)
    counts = ("documents", "done", "failed", "deleted_since")
    assert [outcome[name] for name in counts] == [33, 31, 1, 1]
    assert outcome["failed_because"] == [{"reason": "The model is away.", "documents": 1}]
    (summary,) = outcome["key_values"]
    assert summary["fields"] == {
        "vendor": {"filled": 30, "different": 3, "most_frequent": {"ACME 1": 10, "ACME 2": 10, "ACME 0": 10}},
        "total": {"filled": 29, "sum": "462.90", "min": "1.10", "max": "30.10", "empty": 1},
    }
    assert summary["notes"] == ["No value of total in 1 of 30 results."]
    assert outcome["worst"][0]["document"] == "scan31.pdf" and outcome["worst"][0]["failed"] == "The model is away."
    assert len(outcome["worst"]) <= 10 and len(outcome["examples"]) == 5
    rows = {row["document"]: row for row in [*outcome["worst"], *outcome["examples"], *outcome[REST]]}
    assert len(rows) == 32
    assert rows["scan03.pdf"]["values"] == {"vendor": "ACME 0", "total": 3.1} and "values" not in rows["scan00.pdf"]
    call = ToolCall(tool="run_extraction", status="succeeded", wire_id="abcdefghi", result=outcome)
    text = result_text(call)
    assert "scan31.pdf" in text and REST not in text and 'read_result(call_id="abcdefghi", offset=' in text
    kept = remove_details(outcome, documents[7].pk)
    assert isinstance(kept, dict) and "key_values" not in kept and "scan07.pdf" not in str(kept)


def test_tags_of_the_agent_start_their_prompts_and_it_says_which(
    actor: Actor, document: Document, do: Do, settings: Any
) -> None:
    settings.EXTRACTION_MODEL = "offline/rules"
    prompts.create(actor, name="Reader", content="Read.", tags=[tags.create(actor, name="Bills")])
    unread = another_document(actor, "unread.pdf")
    Reading.objects.filter(document=unread).delete()
    call = do("update_document", add_tags=["Bills"])
    assert call.preview["effect"].startswith("“Bills”: Runs “Reader”: 1 run")
    assert call.result["started"] == ["Reader v1"], call.result
    assert do("update_document", document_id=unread.pk, add_tags=["Bills"]).result["starts_when_read"]
    undo(call)
    assert Extraction.objects.get().status == "withdrawn" and not document.tags.exists()


def test_a_run_in_the_same_answer_as_the_tag_that_starts_it_is_not_paid_again(
    actor: Actor, document: Document, propose: Propose, settings: Any
) -> None:
    settings.EXTRACTION_MODEL = "offline/rules"
    prompts.create(actor, name="Reader", content="Read.", tags=[tags.create(actor, name="Bills")])
    both = propose(("update_document", {"add_tags": ["Bills"]}), ("run_extraction", {"prompt_revid": "Reader"}))
    for call in both:
        say(actor, call)
    for _ in range(2):
        for call in reversed(both):
            execution.execute(call.pk, holder="test")
    tagged, ran = read_again(both)
    assert tagged.result and tagged.result["started"] == ["Reader v1"]
    assert ran.status == "failed" and "has begun with its tag" in str(ran.result)
    assert Extraction.objects.count() == 1


def test_a_run_on_several_begins_when_the_steps_before_it_have_run(
    two: list[Document], propose: Propose, actor: Actor, settings: Any
) -> None:
    settings.EXTRACTION_MODEL = "offline/rules"
    for each in two:
        add_reading(each, ["Vendor: ACME"])
    run = ("run_extraction", {"prompt_revid": "Bills", "documents": [each.name for each in two]})
    chain = propose(("create_prompt", {"name": "Bills", "content": "Read bills."}), run)
    for call in chain:
        say(actor, call)
    for _ in range(2):
        for call in reversed(chain):
            execution.execute(call.pk, holder="test")
    assert [call.status for call in read_again(chain)] == ["succeeded", "succeeded"]
    action = BulkAction.objects.get()
    assert (action.kind, action.total_count) == ("run", 2)
    assert rounds.is_behind(read_again(chain)[1]) is False and not read_again(chain)[1].is_over
