"""Undoing a run on many documents withdraws the runs that it began, unless somebody has worked on them since."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Role
from documents import bulk, document_changes, extractions
from documents.bulk.run_results import sum_cost_micros
from documents.definitions import prompts
from documents.extractions import edits
from documents.extractions.reapplied_edits import reapply_edits
from documents.models import BulkAction, Document, Extraction, PromptRevision
from kit.errors import Invalid
from tests.documents.bulk.bulk_rows import add_usage, ask, list_reasons, work
from tests.documents.reading_rows import document_with

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture
def prompt(actor: Actor) -> PromptRevision:
    return prompts.create(actor, name="Letter", content="Who writes?")


def read_documents(actor: Actor, number: int) -> list[Document]:
    return [document_with(actor.organization, ["Dear Ann"], user=actor.user) for _ in range(number)]


def begin(actor: Actor, documents: list[Document], prompt: PromptRevision) -> BulkAction:
    return work(ask(actor, "run", documents, prompt_revid=prompt.pk, again=True))


def end(action: BulkAction) -> BulkAction:
    """As if a model had answered each run that waits."""
    said = {"vendor": "Ben", "total": 1}
    Extraction.objects.filter(status="queued").update(status="completed", result=said, current=said)
    BulkAction.objects.filter(pk=action.pk).update(lease_until=None)
    return work(action)


def run_on(document: Document) -> Extraction:
    return Extraction.objects.filter(document=document).order_by("number")[0]


def list_ends(undo: BulkAction) -> dict[str, str]:
    """The code of each item by its document, "done" where it was taken back."""
    return {item.document_id: item.code or item.status for item in undo.items.all()}


def test_it_takes_back_the_runs_that_it_began_and_leaves_what_they_cost(actor: Actor, prompt: PromptRevision) -> None:
    documents = read_documents(actor, 2)
    end(begin(actor, documents[:1], prompt))
    action = end(begin(actor, documents, prompt))
    newest = extractions.get_newest(documents[0])
    assert newest is not None and newest.number == 2
    add_usage(actor, newest, 7)
    undo = work(bulk.undo(actor, action=BulkAction.objects.get(pk=action.pk)))
    assert list_reasons(undo) == [("done", "")] * 2 and undo.status == "done"
    assert extractions.get_newest(documents[0]) == run_on(documents[0]) != newest
    assert extractions.get_newest(documents[1]) is None
    assert sum_cost_micros([action, undo]) == {action.pk: 7}
    assert not bulk.is_undoable(BulkAction.objects.select_related("undo").get(pk=action.pk))
    assert bulk.undo(actor, action=action) == undo and not bulk.is_undoable(undo)


def test_it_leaves_what_somebody_has_worked_on_since(actor: Actor, prompt: PromptRevision) -> None:
    documents = read_documents(actor, 6)
    action = end(begin(actor, documents, prompt))
    corrected, verified, again, revised, trashed, untouched = documents
    edits.set_path(actor, extraction=run_on(corrected), path="vendor", value="Ann")
    edits.verify(actor, extraction=run_on(verified), where="vendor")
    newer = prompts.save_version(actor, prompt=prompt.prompt, content="Who writes to whom?")
    end(begin(actor, [again], prompt))
    end(begin(actor, [revised], newer))
    document_changes.trash(actor, document=trashed)
    undo = work(bulk.undo(actor, action=BulkAction.objects.get(pk=action.pk)))
    assert list_ends(undo) == {
        corrected.pk: "worked_on",
        verified.pk: "worked_on",
        again.pk: "newer_run",
        revised.pk: "newer_run",
        trashed.pk: "in_trash",
        untouched.pk: "done",
    }
    assert [run.document for run in Extraction.objects.filter(status="withdrawn")] == [untouched]


def test_what_was_corrected_before_and_carried_over_does_not_stand_in_its_way(
    actor: Actor, prompt: PromptRevision
) -> None:
    (document,) = read_documents(actor, 1)
    end(begin(actor, [document], prompt))
    edits.set_path(actor, extraction=run_on(document), path="vendor", value="Ann")
    action = begin(actor, [document], prompt)
    run = document.extractions.get(status="queued")
    run.status, run.result, run.current = Extraction.Status.COMPLETED, {"vendor": "Ben"}, {"vendor": "Ben"}
    run.save()
    reapply_edits(run)
    assert run.current == {"vendor": "Ann"}
    work(bulk.undo(actor, action=end(action)))
    assert extractions.get_newest(document) == run_on(document)


def test_it_leaves_the_runs_of_others(actor: Actor, member: Callable[[Role], Actor], prompt: PromptRevision) -> None:
    documents, colleague = read_documents(actor, 3), member(Role.REVIEWER)
    other = extractions.start(colleague, document=documents[0], prompt_revision=prompt)
    action = begin(actor, documents, prompt)
    theirs = begin(colleague, documents[1:2], prompt)
    end(action), end(theirs)
    undo = work(bulk.undo(actor, action=BulkAction.objects.get(pk=action.pk)))
    assert list_ends(undo) == {documents[1].pk: "shared", documents[2].pk: "done"}
    other.refresh_from_db()
    assert other.status == "completed"
    with pytest.raises(Invalid, match="Nothing that this bulk action did"):
        bulk.undo(colleague, action=BulkAction.objects.get(pk=theirs.pk))


def test_of_a_stopped_action_it_ends_the_run_that_went_on(actor: Actor, prompt: PromptRevision) -> None:
    documents = read_documents(actor, 3)
    action = begin(actor, documents, prompt)
    Extraction.objects.filter(document=documents[0]).update(status="running")
    bulk.stop(actor, action=action)
    undo = work(bulk.undo(actor, action=BulkAction.objects.get(pk=action.pk)))
    assert list_ends(undo) == {documents[0].pk: "done"}
    assert set(Extraction.objects.values_list("status", flat=True)) == {"withdrawn"}


def test_where_every_run_failed_there_is_nothing_to_undo(actor: Actor, prompt: PromptRevision) -> None:
    action = begin(actor, read_documents(actor, 1), prompt)
    Extraction.objects.update(status="failed", reason="No answer.")
    action = end(action)
    assert action.failed_count == 1 and not bulk.is_undoable(action)
    with pytest.raises(Invalid, match="Nothing that this bulk action did"):
        bulk.undo(actor, action=action)
    with pytest.raises(Invalid, match="undo of another"):
        ask(actor, "withdraw", read_documents(actor, 1))
