"""Undoing a bulk action takes back what it did and nobody has changed since."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from documents import bulk, document_changes
from documents.models import BulkAction, Document, TypeDecision
from documents.types.catalogue import change_type, find_type
from kit.errors import Conflict, Denied, Invalid
from tests.documents.bulk.bulk_rows import ask, list_reasons, make_documents, make_tag, work

pytestmark = pytest.mark.django_db


def test_undo_takes_the_tag_off_where_this_action_set_it(actor: Actor) -> None:
    documents, tag = make_documents(actor, 4), make_tag(actor)
    documents[0].tags.add(tag)
    action = work(ask(actor, "tag", documents, tag_id=tag.pk))
    for document in documents[1:3]:
        document_changes.change_tags(actor, document=document, remove=[tag.pk])
    document_changes.change_tags(actor, document=documents[2], add=[tag.pk])
    undo = work(bulk.undo(actor, action=action))
    assert (undo.total_count, undo.done_count) == (3, 1)
    assert sorted(list_reasons(undo)) == [("done", ""), ("left_out", "changed_since"), ("left_out", "not_tagged")]
    assert set(Document.objects.filter(tags=tag)) == {documents[0], documents[2]}


def test_undo_sets_the_tag_again_where_it_was_taken_off(actor: Actor) -> None:
    documents, tag = make_documents(actor, 2), make_tag(actor)
    documents[0].tags.add(tag)
    action = work(ask(actor, "untag", documents, tag_id=tag.pk))
    assert list_reasons(action) == [("left_out", "not_tagged"), ("done", "")]
    work(bulk.undo(actor, action=action))
    assert list(Document.objects.filter(tags=tag)) == [documents[0]]


def test_undo_gives_types_back_that_people_had_said_and_leaves_the_others_to_the_rules(actor: Actor) -> None:
    documents, types = (
        make_documents(actor, 5),
        {key: find_type(actor.organization, key) for key in ("letter", "order")},
    )
    for at, key in enumerate(("letter", "order")):
        document_changes.set_type(actor, document=documents[at], document_type=types[key])
    action = work(ask(actor, "type", documents, document_type="Letter"))
    assert sorted(list_reasons(action)) == [*[("done", "")] * 4, ("left_out", "unchanged")]
    assert Document.objects.filter(document_type=types["letter"]).count() == 5
    assert not TypeDecision.objects.filter(is_example=True).exists()
    assert AuditEntry.objects.filter(action="set the type", detail__cause__startswith="bulk").count() == 4
    document_changes.set_type(actor, document=documents[2], document_type=types["order"])
    document_changes.trash(actor, document=documents[3])
    undo = work(bulk.undo(actor, action=action))
    assert sorted(list_reasons(undo)) == [
        ("done", ""),
        ("done", ""),
        ("left_out", "changed_since"),
        ("left_out", "in_trash"),
    ]
    keys = Document.objects.order_by("name").values_list("document_type__key", flat=True)
    assert list(keys) == ["letter", "order", "order", "letter", None]


def test_a_type_of_many_is_one_that_there_is_and_that_is_on(actor: Actor) -> None:
    documents, letter = make_documents(actor, 1), find_type(actor.organization, "letter")
    change_type(actor, document_type=letter, is_on=False)
    for arguments in ({}, {"document_type": "poem"}, {"document_type": "letter"}, {"document_type": ""}):
        with pytest.raises(Invalid):
            ask(actor, "type", documents, **arguments)


def test_undo_restores_from_the_trash_what_still_lies_there_as_it_was(actor: Actor) -> None:
    documents = make_documents(actor, 3)
    action = work(ask(actor, "trash", documents))
    assert not Document.objects.for_org(actor.organization).exists()
    document_changes.restore(actor, document=documents[0])
    document_changes.restore(actor, document=documents[1])
    document_changes.trash(actor, document=documents[1])
    undo = work(bulk.undo(actor, action=action))
    assert set(Document.objects.for_org(actor.organization)) == {documents[0], documents[2]}
    assert sorted(list_reasons(undo)) == [("done", ""), ("left_out", "changed_since"), ("left_out", "changed_since")]


def test_an_undo_can_be_undone_but_for_what_was_changed_since(actor: Actor) -> None:
    documents = make_documents(actor, 2)
    undo = work(bulk.undo(actor, action=work(ask(actor, "trash", documents))))
    document_changes.rename(actor, document=documents[0], name="kept.txt")
    work(bulk.undo(actor, action=undo))
    assert list(Document.objects.for_org(actor.organization)) == [documents[0]]


def test_an_undo_is_made_once_after_the_end_and_by_whoever_asked(actor: Actor, member: Callable[[Role], Actor]) -> None:
    action = ask(actor, "trash", make_documents(actor, 1))
    with pytest.raises(Conflict, match="still under way"):
        bulk.undo(actor, action=action)
    work(action)
    with pytest.raises(Denied, match="Only whoever asked"):
        bulk.undo(member(Role.BUILDER), action=action)
    assert bulk.undo(actor, action=action) == bulk.undo(actor, action=action)


def test_an_undo_that_was_stopped_goes_on_when_it_is_asked_for_again(actor: Actor) -> None:
    documents, tag = make_documents(actor, 4), make_tag(actor)
    action = work(ask(actor, "tag", documents, tag_id=tag.pk))
    undo = bulk.undo(actor, action=action)
    document_changes.change_tags(actor, document=documents[0], remove=[tag.pk])
    document_changes.change_tags(actor, document=documents[0], add=[tag.pk])
    bulk.stop(actor, action=undo)
    action = BulkAction.objects.get(pk=action.pk)
    assert bulk.is_undoable(action) and undo.left_out_count == 4
    assert bulk.undo(actor, action=action) == undo
    assert work(undo).status == "done"
    assert sorted(list_reasons(undo)) == [("done", "")] * 3 + [("left_out", "changed_since")]
    assert list(Document.objects.filter(tags=tag)) == [documents[0]]
    assert not bulk.is_undoable(BulkAction.objects.get(pk=action.pk))


def test_an_undo_that_goes_on_is_of_whoever_asked_last(actor: Actor, member: Callable[[Role], Actor]) -> None:
    builder = member(Role.BUILDER)
    action = work(ask(builder, "trash", make_documents(actor, 2)))
    undo = bulk.undo(builder, action=action)
    builder.user.memberships.all().delete()
    assert work(undo).reason == "Whoever asked for this is no longer a member."
    bulk.undo(actor, action=action)
    assert (work(undo).status, undo.done_count, undo.requested_by) == ("done", 2, actor.user)


def test_an_undo_that_was_undone_itself_does_not_go_on(actor: Actor) -> None:
    action = work(ask(actor, "trash", make_documents(actor, 2)))
    undo = work(bulk.undo(actor, action=action))
    BulkAction.objects.filter(pk=undo.pk).update(status="stopped", done_count=1)
    undo.refresh_from_db()
    work(bulk.undo(actor, action=undo))
    action = BulkAction.objects.get(pk=action.pk)
    assert not bulk.is_undoable(action)
    assert bulk.undo(actor, action=action).status == "stopped"
