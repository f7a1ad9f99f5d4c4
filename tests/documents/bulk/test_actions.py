"""Bulk actions: what they do to each document, what they leave out, and how they end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry, Member, Role
from accounts.services import tokens
from documents import bulk, document_changes
from documents.bulk.kinds import ActionOver
from documents.bulk.working import enter_as_requester
from documents.models import Document
from kit.errors import Conflict, Denied, Invalid, NotFound
from tests.documents.bulk.bulk_rows import ask, list_reasons, make_documents, make_tag, work

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def test_it_tags_each_document_once_and_says_which_it_left_out(actor: Actor) -> None:
    documents, tag = make_documents(actor, 4), make_tag(actor)
    documents[1].tags.add(tag)
    action = ask(actor, "tag", documents, tag_id=tag.pk)
    document_changes.trash(actor, document=documents[2])
    work(action)
    assert (action.status, action.total_count) == ("done", 4)
    assert (action.done_count, action.left_out_count, action.failed_count) == (2, 2, 0)
    assert {document.name for document in Document.objects.filter(tags=tag)} == {"0.txt", "1.txt", "3.txt"}
    assert sorted(list_reasons(action)) == [
        ("done", ""),
        ("done", ""),
        ("left_out", "in_trash"),
        ("left_out", "tagged"),
    ]
    assert AuditEntry.objects.filter(action="changed", target_kind="document").count() == 2


def test_what_is_selected_is_settled_when_it_is_asked_for(actor: Actor) -> None:
    tag = make_tag(actor)
    make_documents(actor, 3)
    rows = Document.objects.for_org(actor.organization).filter(name_folded__contains=".txt")
    action = bulk.create(actor, kind="tag", arguments={"tag_id": tag.pk}, documents=rows)
    make_documents(actor, 2)
    assert work(action).done_count == 3
    assert Document.objects.filter(tags=tag).count() == 3


def test_documents_of_others_are_never_selected(actor: Actor, stranger: Actor) -> None:
    tag = make_tag(actor)
    [foreign], [mine] = make_documents(stranger, 1), make_documents(actor, 1)
    action = ask(actor, "tag", [foreign, mine], tag_id=tag.pk)
    assert (work(action).total_count, foreign.tags.count()) == (1, 0)
    with pytest.raises(Invalid, match="No document is selected"):
        ask(actor, "tag", [foreign], tag_id=tag.pk)
    with pytest.raises(NotFound, match="Tag not found"):
        ask(stranger, "tag", [foreign], tag_id=tag.pk)


def test_a_key_is_of_one_person_and_one_request(actor: Actor, member: Callable[[Role], Actor]) -> None:
    rows = Document.objects.for_org(actor.organization)
    make_documents(actor, 2)
    builder, sent = member(Role.BUILDER), {"action": "trash"}
    keys = [
        bulk.make_request_key(actor, sent, "k"),
        bulk.make_request_key(actor, sent, "k"),
        bulk.make_request_key(builder, {"action": "restore"}, "k"),
    ]
    first, second, other = [bulk.create(actor, kind="trash", documents=rows, request_key=key) for key in keys]
    assert first == second != other and first.items.count() == 2
    with pytest.raises(Conflict, match="came with another request"):
        bulk.find_by_key(actor, bulk.make_request_key(actor, {"action": "restore"}, "k"))
    assert bulk.make_request_key(actor, sent, "") is None


def test_a_tag_that_is_deleted_meanwhile_ends_the_action_with_a_sentence(actor: Actor) -> None:
    tag = make_tag(actor)
    action = ask(actor, "tag", make_documents(actor, 3), tag_id=tag.pk)
    tag.delete()
    work(action)
    assert (action.status, action.reason) == ("failed", "The tag Invoices was deleted meanwhile.")
    assert list_reasons(action) == [("left_out", "tag_deleted")] * 3 and action.left_out_count == 3


@pytest.mark.parametrize(("lowered", "code"), [(Role.VIEWER, "role"), (None, "not_a_member")])
def test_who_may_no_longer_do_it_does_nothing_more(
    actor: Actor, member: Callable[[Role], Actor], lowered: Role | None, code: str
) -> None:
    reviewer, tag = member(Role.REVIEWER), make_tag(actor)
    action = ask(reviewer, "tag", make_documents(actor, 2), tag_id=tag.pk)
    rows = Member.objects.filter(user=reviewer.user)
    rows.update(role=lowered) if lowered else rows.delete()
    assert work(action).status == "failed" and list_reasons(action) == [("left_out", code)] * 2
    assert not Document.objects.filter(tags=tag).exists()


def test_a_role_that_may_not_do_it_once_may_not_do_it_many_times(actor: Actor, member: Callable[[Role], Actor]) -> None:
    documents, tag = make_documents(actor, 1), make_tag(actor)
    with pytest.raises(Denied):
        ask(member(Role.VIEWER), "tag", documents, tag_id=tag.pk)
    with pytest.raises(Denied):
        ask(member(Role.REVIEWER), "trash", documents)


def test_a_token_does_no_more_than_its_ceiling_while_workers_do_it_and_when_it_ends_it(actor: Actor) -> None:
    reviewer, viewer = (limit(actor, role) for role in (Role.REVIEWER, Role.VIEWER))
    action = ask(reviewer, "tag", make_documents(actor, 1), tag_id=make_tag(actor).pk)
    assert enter_as_requester(action, Role.REVIEWER).role == Role.REVIEWER
    with pytest.raises(ActionOver):
        enter_as_requester(action, Role.BUILDER)
    for change in (bulk.stop, bulk.undo, bulk.dismiss):
        with pytest.raises(Denied):
            change(viewer, action=action)


def limit(actor: Actor, role: Role) -> Actor:
    token, _ = tokens.create(actor.user, name="k", role_ceiling=role)
    return Actor(actor.user, actor.organization, token.limit(actor.role), token)


@pytest.mark.parametrize(
    ("kind", "arguments", "sentence"),
    [
        ("explode", {}, "There is no bulk action 'explode'"),
        ("tag", {}, "needs tag_id"),
        ("tag", {"tag_id": 7}, "needs tag_id"),
        ("trash", {"tag_id": "x"}, "takes no tag_id"),
    ],
)
def test_it_refuses_what_makes_no_sense(actor: Actor, kind: str, arguments: dict[str, str], sentence: str) -> None:
    with pytest.raises(Invalid, match=sentence):
        ask(actor, kind, make_documents(actor, 1), **arguments)


def test_a_stop_leaves_the_rest_out_and_keeps_what_was_done(actor: Actor, member: Callable[[Role], Actor]) -> None:
    tag = make_tag(actor)
    action = ask(actor, "tag", make_documents(actor, 3), tag_id=tag.pk)
    with pytest.raises(Denied, match="Only whoever asked"):
        bulk.stop(member(Role.BUILDER), action=action)
    bulk.stop(actor, action=action)
    assert work(action).status == "stopped" and list_reasons(action) == [("left_out", "stopped")] * 3
    assert action.left_out_count == 3 and not Document.objects.filter(tags=tag).exists()
    with pytest.raises(Conflict, match="ended already"):
        bulk.stop(actor, action=action)


def test_one_action_of_an_organization_is_worked_on_at_a_time(actor: Actor, stranger: Actor) -> None:
    first = ask(actor, "trash", make_documents(actor, 1))
    second, other = ask(actor, "trash", make_documents(actor, 1)), ask(stranger, "trash", make_documents(stranger, 1))
    assert bulk.working._claim() == first
    assert list(bulk.working.list_runnable()) == [other]
    other.delete()
    assert not bulk.run_next(holder="test")
    second.refresh_from_db()
    assert second.status == "queued"
