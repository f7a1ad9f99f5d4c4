"""One card about several documents: it lists them, is decided whole or without some, and runs as a job."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from typing import Any

import pytest

from accounts.actor import Actor
from agent.calls import execution
from agent.calls.undo import undo_chain
from agent.cards.argument_choices import list_choices
from agent.models import ToolCall
from agent.toolkit.registry import registry
from agent.tools.documents.name_patterns import build_names
from documents import bulk, document_changes
from documents.definitions import tags
from documents.find import saved_views
from documents.models import BulkAction, Document, Extraction, PromptRevision, Tag
from kit.errors import Conflict
from tests.agent.chain_rows import NEW_TAG, run
from tests.agent.decision_rows import Propose, say
from tests.agent.other_documents import extract, revision  # noqa: F401 - they are fixtures
from tests.agent.tool_documents import Do, document  # noqa: F401 - document is a fixture
from tests.agent.tool_rows import another_document, undo
from tests.documents.bulk.bulk_rows import work
from tests.documents.reading_rows import add_reading


@pytest.fixture
def tag(actor: Actor) -> Tag:
    return tags.create(actor, name="Paid")


@pytest.fixture
def three(actor: Actor, revision: PromptRevision) -> list[Document]:
    """With a date and a vendor each."""
    documents = [another_document(actor, f"scan{number}.pdf") for number in range(3)]
    for number, each in enumerate(documents):
        extract(each, revision, vendor="ACME/Tools", invoice_date=f"2026-01-0{number + 1}")
    return documents


def list_names(documents: list[Document]) -> list[str]:
    return list(
        Document.objects.filter(pk__in=[each.pk for each in documents]).order_by("pk").values_list("name", flat=True)
    )


def finish(call: ToolCall) -> BulkAction:
    assert call.status == "succeeded", call.result
    return work(BulkAction.objects.get(pk=call.result["job_id"]))  # type: ignore[index]


def test_one_card_tags_and_renames_several_by_their_values_and_is_taken_back(
    three: list[Document], tag: Tag, do: Do
) -> None:
    changes = {"add_tags": ["Paid"], "merge_metadata": {"state": "done"}, "name_pattern": "{date} {vendor}"}
    call = do("update_document", documents=[each.name for each in three], **changes)
    assert (call.preview["title"], call.reach) == ("Change 3 documents", "organization")
    shown = {(row["old"], row["new"]) for row in call.preview["changes"]}
    assert ("scan1.pdf", "2026-01-02 ACME Tools.pdf") in shown and len(shown) == 3
    assert call.preview["rows"] == [{"name": "Tags set", "value": "“Paid”"}, {"name": "state", "value": "done"}]
    assert call.preview["effect"].startswith("Changes nothing but these documents.")
    action = finish(call)
    assert (action.done_count, action.left_out_count) == (3, 0)
    assert list_names(three) == [f"2026-01-0{day} ACME Tools.pdf" for day in (1, 2, 3)]
    assert tag.documents.count() == 3 and Document.objects.filter(metadata={"state": "done"}).count() == 3
    document_changes.change_metadata(action_actor(call), document=three[0], key="a", value="b", value_seen=None)
    result = undo(call)
    undone = work(BulkAction.objects.get(pk=result["job_id"]))
    assert (undone.done_count, undone.left_out_count) == (2, 1)
    assert list_names(three)[1:] == ["scan1.pdf", "scan2.pdf"] and tag.documents.get() == three[0]


def test_one_card_sets_the_type_of_several_and_is_taken_back(three: list[Document], do: Do) -> None:
    call = do("update_document", documents=[each.name for each in three], document_type="contract")
    assert call.preview["rows"][0] == {"name": "Type", "value": "Contract"}
    assert finish(call).done_count == 3 and Document.objects.filter(document_type__key="contract").count() == 3
    work(BulkAction.objects.get(pk=undo(call)["job_id"]))
    assert not Document.objects.exclude(document_type=None).exists()
    mixed = do("update_document", documents=[each.name for each in three], document_type="contract", add_tags=["Paid"])
    assert "a call of its own" in mixed.result["error"]


def action_actor(call: ToolCall) -> Actor:
    return execution.actor_for(call)


@pytest.mark.parametrize(
    ("named", "count"),
    [(["tag:paid"], 2), (["filter:Scans"], 3), (["scan0.pdf", "tag:Paid"], 3), (["scan0.pdf"] * 2, 1)],
)
def test_they_are_named_by_a_tag_a_saved_filter_or_themselves_each_once(
    named: list[str], count: int, three: list[Document], tag: Tag, actor: Actor, do: Do
) -> None:
    for each in three[1:]:
        document_changes.change_tags(actor, document=each, add=[tag.pk])
    saved_views.create(actor, name="Scans", query="q=scan")
    call = do("update_document", approve=False, documents=named, merge_metadata={"a": "b"})
    assert len((call.effective or {})["documents"]) == count, call.result
    assert len(call.preview["rows"]) == count + 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"documents": []}, "No document is meant"),
        ({"documents": ["nothing.pdf"]}, "Document not found"),
        ({"documents": ["filter:Mine"]}, "no saved filter 'Mine'"),
        ({"documents": ["scan1.pdf"], "tag_ids": []}, "For several documents give"),
        ({"documents": ["scan1.pdf"], "merge_metadata": {}}, "For several documents give"),
        ({"documents": ["scan1.pdf"], "name_pattern": "{total}"}, "no value 'total'"),
        ({"documents": ["scan1.pdf"], "name_pattern": "Invoice"}, "holds names of values"),
    ],
)
def test_it_says_what_is_wrong_and_changes_nothing(
    arguments: dict[str, Any], sentence: str, three: list[Document], document: Document, do: Do
) -> None:
    call = do("update_document", approve=False, **{"merge_metadata": {"a": "b"}, **arguments})
    assert sentence in (call.result or {})["error"] and call.status == "invalid"


def test_a_name_has_one_dot_before_its_extension(three: list[Document]) -> None:
    assert build_names(three[:1], "{vendor}. ")[three[0].pk] == "ACME Tools.pdf"


def test_a_person_takes_some_out_and_never_ends_at_the_threads_own_document(
    three: list[Document], document: Document, actor: Actor, do: Do
) -> None:
    call = do("delete_document", approve=False, documents=[each.name for each in three])
    assert call.preview["title"] == "Delete 3 documents"
    choices = list_choices(actor, registry.find(call.tool), call.effective or {})["documents"]
    assert choices == [(each.pk, each.name) for each in three]
    with pytest.raises(Exception, match="No document is meant"):
        say(actor, call, arguments={"documents": []})
    say(actor, call, arguments={"documents": [each.pk for each in three[1:]]})
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    assert finish(call).done_count == 2
    assert set(Document.objects.filter(trashed_at=None)) == {document, three[0]}


def test_a_name_that_would_be_another_by_now_asks_again(
    three: list[Document], revision: PromptRevision, actor: Actor, do: Do
) -> None:
    call = do("update_document", approve=False, documents=[three[0].pk], name_pattern="{vendor}")
    say(actor, call)
    three[0].extractions.update(current={"vendor": "Other"})
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    assert call.status == "stale" and not BulkAction.objects.exists()


def test_it_runs_once_though_two_decide_and_it_is_executed_again(
    three: list[Document], tag: Tag, actor: Actor, do: Do
) -> None:
    call = do("update_document", approve=False, documents=[each.pk for each in three], add_tags=["Paid"])
    say(actor, call)
    with pytest.raises(Conflict):
        say(actor, call, key="k2", kind="rejected")
    for _ in range(2):
        execution.execute(call.pk, holder="test")
    action = BulkAction.objects.get()
    document_changes.trash(actor, document=three[0])
    assert (work(action).done_count, action.left_out_count) == (2, 1)
    assert work(action).items.filter(status="done").count() == 2 == tag.documents.count()


def test_it_restores_by_name_what_lies_in_the_trash(three: list[Document], actor: Actor, do: Do) -> None:
    for each in three:
        document_changes.trash(actor, document=each)
    call = do("restore_documents", document="scan0.pdf")
    assert call.preview["title"] == "Restore scan0.pdf" and call.status == "succeeded", call.result
    assert finish(do("restore_documents", documents=["scan1.pdf", three[2].pk])).done_count == 2
    assert Document.objects.filter(trashed_at=None).count() == 4
    undo(call)
    assert Document.objects.get(trashed_at__isnull=False) == three[0]


def test_what_is_not_in_the_trash_is_answered_with_what_is(three: list[Document], actor: Actor, do: Do) -> None:
    document_changes.trash(actor, document=three[1])
    error = (do("restore_documents", document="scan0.pdf").result or {})["error"]
    assert "not found in the trash: 'scan0.pdf'" in error and "scan1.pdf" in error


def test_what_somebody_restored_meanwhile_is_not_restored_again(three: list[Document], actor: Actor, do: Do) -> None:
    document_changes.trash(actor, document=three[1])
    call = do("restore_documents", approve=False, document="scan1.pdf")
    document_changes.restore(actor, document=Document.objects.get(pk=three[1].pk))
    say(actor, call)
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    assert call.status == "failed" and "not found in the trash" in call.result["error"]


def test_the_threads_own_document_comes_back_by_its_own_thread(document: Document, actor: Actor, do: Do) -> None:
    document_changes.trash(actor, document=Document.objects.get(pk=document.pk))
    assert do("restore_documents").status == "succeeded"
    document.refresh_from_db()
    assert document.trashed_at is None


def test_one_card_runs_a_prompt_on_several(
    three: list[Document], revision: PromptRevision, do: Do, settings: Any
) -> None:
    settings.EXTRACTION_MODEL = "offline/rules"
    for each in three:
        add_reading(each, ["Vendor: ACME"])
    call = do("run_extraction", prompt_revid="Invoice", documents=["scan0.pdf", "scan1.pdf"])
    rows = [row["name"] for row in call.preview["rows"]]
    assert rows == ["Prompt", "Estimated cost", "scan0.pdf", "scan1.pdf"]
    assert "Undo withdraws those that nobody has worked on since" in call.preview["effect"]
    earlier = set(Extraction.objects.values_list("pk", flat=True))
    action = finish(call)
    assert (action.kind, action.total_count) == ("run", 2)
    Extraction.objects.filter(status="queued").update(status="completed")
    BulkAction.objects.update(lease_until=None)
    assert work(action).done_count == 2
    undone = work(BulkAction.objects.get(pk=undo(call)["job_id"]))
    assert (undone.kind, undone.done_count) == ("withdraw", 2)
    assert set(Extraction.objects.filter(status="completed").values_list("pk", flat=True)) == earlier


def test_one_document_gets_and_loses_single_tags_beside_those_it_has(
    document: Document, tag: Tag, actor: Actor, do: Do
) -> None:
    old = tags.create(actor, name="Open")
    kept = tags.create(actor, name="Kept")
    document_changes.update(actor, document=document, tag_ids=[old.pk, kept.pk], metadata={"a": "b", "c": "d"})
    call = do("update_document", add_tags=["Paid"], remove_tags=["Open"], merge_metadata={"a": "", "e": "f"})
    assert call.status == "succeeded", call.result
    document.refresh_from_db()
    assert set(document.tags.all()) == {kept, tag} and document.metadata == {"c": "d", "e": "f"}
    undo(call)
    assert set(document.tags.all()) == {kept, old}


def test_a_pattern_keeps_a_long_name_whole_and_shortens_long_values(actor: Actor, revision: PromptRevision) -> None:
    long = another_document(actor, f"{'n' * 120}.pdf")
    extract(long, revision, vendor="v" * 120)
    assert build_names([long], "{name} {vendor}")[long.pk] == f"{'n' * 120} {'v' * 80}.pdf"


def test_undo_waits_for_the_end_of_the_job(three: list[Document], tag: Tag, do: Do) -> None:
    call = do("update_document", documents=[each.pk for each in three], add_tags=["Paid"])
    with pytest.raises(Conflict, match="Stop it first"):
        undo(call)
    action = BulkAction.objects.get(pk=call.result["job_id"])  # type: ignore[index]
    bulk.stop(action_actor(call), action=action)
    assert tag.documents.count() == 0


def test_undo_of_a_chain_says_that_its_documents_are_still_under_way(
    three: list[Document], propose: Propose, actor: Actor
) -> None:
    chain = propose(NEW_TAG, ("update_document", {"documents": [each.pk for each in three], "add_tags": ["Paid"]}))
    for call in chain:
        say(actor, call)
    run(*chain)
    finish(ToolCall.objects.get(pk=chain[1].pk))
    with pytest.raises(Conflict, match="1 of 2 steps were taken back.* when it has ended"):
        undo_chain(actor, call=chain[0], idempotency_key="first")
    work(BulkAction.objects.latest("pk"))
    assert len(undo_chain(actor, call=chain[0], idempotency_key="second")) == 1
    assert not Tag.objects.exists()
