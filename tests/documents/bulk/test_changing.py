"""Many documents named, tagged and described by one bulk action."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry
from documents import bulk
from documents.definitions import prompts, tags
from documents.models import Document
from kit.errors import Invalid
from tests.documents.bulk.bulk_rows import ask, list_reasons, make_documents, make_tag, work
from tests.documents.reading_rows import document_with

pytestmark = pytest.mark.django_db


def test_each_gets_its_name_and_keeps_what_the_action_does_not_speak_of(actor: Actor) -> None:
    documents, tag = make_documents(actor, 3), make_tag(actor)
    Document.objects.update(metadata={"kept": "1", "gone": "2"})
    names = {documents[0].pk: "a.txt", documents[1].pk: "b.txt"}
    action = work(ask(actor, "change", documents, names=names, add_tag_ids=[tag.pk], metadata={"gone": "", "new": "3"}))
    assert action.done_count == 3 and tag.documents.count() == 3
    assert sorted(Document.objects.values_list("name", flat=True)) == ["2.txt", "a.txt", "b.txt"]
    assert all(each.metadata == {"kept": "1", "new": "3"} for each in Document.objects.all())
    undo = work(bulk.undo(actor, action=action))
    assert undo.done_count == 3 and not tag.documents.exists()
    assert sorted(Document.objects.values_list("name", flat=True)) == ["0.txt", "1.txt", "2.txt"]
    assert all(each.metadata == {"kept": "1", "gone": "2"} for each in Document.objects.all())


def test_undo_brings_back_an_empty_text_and_a_tag_without_running_its_prompts(actor: Actor) -> None:
    document, tag = document_with(actor.organization, ["Dear Ann"], user=actor.user), make_tag(actor)
    prompts.create(actor, name="Letter", content="Who writes?", tags=[tag])
    document.tags.add(tag)
    Document.objects.update(metadata={"empty": "", "other": "1"})
    action = work(ask(actor, "change", [document], remove_tag_ids=[tag.pk], metadata={"empty": "x", "new": "y"}))
    assert not tag.documents.exists()
    assert work(bulk.undo(actor, action=action)).done_count == 1
    assert tag.documents.get().metadata == {"empty": "", "other": "1"} and not document.extractions.exists()


def test_undo_knows_what_earlier_versions_kept(actor: Actor) -> None:
    (document,) = make_documents(actor, 1)
    Document.objects.update(metadata={"gone": "2"})
    action = work(ask(actor, "change", [document], metadata={"gone": "", "new": "3"}))
    (item,) = action.items.all()
    item.undo = {**item.undo, "metadata": {"gone": "2", "new": ""}}
    del item.undo["pairs"]
    item.save()
    work(bulk.undo(actor, action=action))
    assert Document.objects.get().metadata == {"gone": "2"}


def test_one_that_is_like_that_already_is_left_out(actor: Actor) -> None:
    documents, tag = make_documents(actor, 2), make_tag(actor)
    documents[1].tags.add(tag)
    action = work(ask(actor, "change", documents, add_tag_ids=[tag.pk]))
    assert sorted(list_reasons(action)) == [("done", ""), ("left_out", "unchanged")]


def test_a_tag_that_was_deleted_ends_it(actor: Actor) -> None:
    documents, tag = make_documents(actor, 2), make_tag(actor)
    action = ask(actor, "change", documents, add_tag_ids=[tag.pk], metadata={"a": "b"})
    tags.delete(actor, tag=tag)
    assert work(action).status == "failed" and "deleted meanwhile" in action.reason
    assert not Document.objects.filter(metadata__has_key="a").exists()


@pytest.mark.parametrize("arguments", [{}, {"colour": "x"}, {"add_tag_ids": ["0" * 24]}, {"names": {"x": "/"}}])
def test_it_refuses_what_it_cannot_do(actor: Actor, arguments: dict[str, object]) -> None:
    with pytest.raises(Invalid):
        ask(actor, "change", make_documents(actor, 1), **arguments)  # type: ignore[arg-type]


def test_its_names_are_in_the_log_of_each_document_and_not_in_that_of_the_action(actor: Actor) -> None:
    (document,) = make_documents(actor, 1)
    action = work(ask(actor, "change", [document], names={document.pk: "a.txt"}))
    (entry,) = AuditEntry.objects.filter(target_id=action.pk, action="asked for")
    assert entry.detail["documents"] == 1 and "a.txt" not in str(entry.detail)
