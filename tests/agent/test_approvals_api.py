"""The list of what waits, one call, a decision by ETag, and an undo, over /v0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Member, Organization, Role, User
from agent.calls import execution
from agent.conversation import threads
from agent.models import Rule, ToolCall, Turn
from agent.policy import agent_settings
from documents import document_changes
from documents.models import Document, Tag
from tests.agent.conftest import propose_all
from tests.conftest import ApiClient

Propose = Callable[..., list[ToolCall]]
ApiAs = Callable[[Actor], ApiClient]
NOTE = ("note", {"text": "x"})
pytestmark = pytest.mark.django_db


def at(call: ToolCall, rest: str = "") -> str:
    return f"/v0/orgs/{call.thread.organization_id}/tool_calls/{call.pk}{rest}"


def list_cards(api: ApiClient, actor: Actor, query: str = "") -> Any:
    return api.get(f"/v0/orgs/{actor.organization.pk}/approvals{query}").json()


def test_it_lists_every_card_that_waits_with_what_it_shows(
    api_as: ApiAs, actor: Actor, document: Document, propose: Propose
) -> None:
    first, second, read = propose(NOTE, ("send", {"to": "x"}), ("look", {"word": "x"}))
    body = list_cards(api_as(actor), actor)
    assert (body["total_count"], body["skip"]) == (2, 0)
    cards = body["approvals"]
    assert [card["call_id"] for card in cards] == [first.pk, second.pk]
    card = cards[0]
    assert (card["document_id"], card["document_name"]) == (document.pk, "invoice.pdf")
    assert (card["tool"], card["title"], card["arguments"]["text"]) == ("note", "Write a note", "x")
    assert card["may_decide"] is True and card["why_asks"] and card["expires_at"].endswith("Z")
    assert card["etag"] == f'"1.{first.shown_hash}"' and card["owner"] == "Admin"
    assert len(list_cards(api_as(actor), actor, "?limit=1&skip=1")["approvals"]) == 1
    assert list_cards(api_as(actor), actor, f"?document_id={read.pk}")["approvals"] == []
    assert (
        list_cards(api_as(actor), actor, f"?document_id={document.pk}&thread_id={first.thread_id}")["total_count"] == 2
    )


def test_the_cards_of_a_chain_say_so(api_as: ApiAs, actor: Actor, propose: Propose) -> None:
    tag, change = propose(("create_tag", {"name": "Paid"}), ("update_document", {"add_tags": ["Paid"]}))
    first, second = list_cards(api_as(actor), actor)["approvals"]
    chain_id = f"{tag.turn_id}.1.0"
    assert first["chain"] == {"id": chain_id, "step": 1, "builds_on": []}
    assert second["chain"] == {"id": chain_id, "step": 2, "builds_on": [1]}
    ToolCall.objects.filter(pk=change.pk).update(preview={"problem": "It does not fit."})
    second = list_cards(api_as(actor), actor)["approvals"][1]
    assert (second["may_decide"], second["may_reject"], second["why_not"]) == (False, True, "It does not fit.")


def test_it_says_what_a_member_lacks_to_decide(
    api_as: ApiAs, actor: Actor, member: Callable[[Role], Actor], propose: Propose
) -> None:
    propose(NOTE)
    viewer = member(Role.VIEWER)
    (card,) = list_cards(api_as(viewer), actor)["approvals"]
    assert card["may_decide"] is False and "reviewer" in card["why_not"]


TRASHED = "The document of this thread is in the trash. Restore it first."


def test_the_card_of_a_trashed_document_cannot_be_decided_until_it_is_restored(
    api_as: ApiAs, actor: Actor, document: Document, propose: Propose
) -> None:
    (call,) = propose(NOTE)
    api = api_as(actor)
    document_changes.trash(actor, document=document)
    for card in (*list_cards(api, actor)["approvals"], api.get(at(call)).json()):
        assert (card["may_decide"], card["why_not"]) == (False, TRASHED)
    refused = api.post(at(call, "/decision"), {"kind": "approved"}, headers={"If-Match": "*"})
    assert (refused.status_code, refused.json()["detail"]) == (403, TRASHED)
    document.refresh_from_db()
    document_changes.restore(actor, document=document)
    (card,) = list_cards(api, actor)["approvals"]
    assert (card["may_decide"], card["why_not"]) == (True, "")
    approved = api.post(at(call, "/decision"), {"kind": "approved"}, headers={"If-Match": "*"})
    assert approved.status_code == 200


def test_nor_can_a_card_while_the_agent_is_stopped_or_when_its_time_is_over(
    api_as: ApiAs, actor: Actor, document: Document, propose: Propose
) -> None:
    propose(NOTE)
    fresh = propose_all(threads.create(actor, document=document), NOTE)[0]
    ToolCall.objects.exclude(pk=fresh.pk).update(expires_at=timezone.now())
    api = api_as(actor)
    late, waiting = list_cards(api, actor)["approvals"]
    assert late["may_decide"] is False and late["why_not"].startswith("The time to decide this card is over")
    assert waiting["may_decide"] is True
    Organization.objects.filter(pk=actor.organization.pk).update(agent_stopped=True)
    stopped = [card for card in list_cards(api, actor)["approvals"] if card["call_id"] == fresh.pk]
    assert [(card["may_decide"], card["why_not"]) for card in stopped] == [
        (False, "An admin has stopped the agent in this organization."),
    ]


def deny(call: ToolCall, actor: Actor, **more: Any) -> None:
    about = {"scope": "organization", "tool": call.tool, "verdict": "deny", **more}
    Rule.objects.create(organization=actor.organization, created_by=actor.user, **about)


STATES: dict[str, Callable[[ToolCall, Actor], object]] = {
    "nothing": lambda call, actor: None,
    "a rule of the organization": lambda call, actor: deny(call, actor),
    "a rule of its thread": lambda call, actor: deny(call, actor, scope="thread", thread=call.thread),
    "a rule of another thread": lambda call, actor: deny(call, actor, scope="thread", thread=threads.create(actor)),
    "a rule of its owner": lambda call, actor: deny(call, actor, scope="user", user=actor.user),
    "a rule of another person": lambda call, actor: deny(
        call, actor, scope="user", user=User.objects.create(email="o@x")
    ),
    "a rule for every tool": lambda call, actor: deny(call, actor, tool="*"),
    "a rule that is over": lambda call, actor: deny(call, actor, expires_at=timezone.now()),
    "a tool that was taken away": lambda call, actor: agent_settings.change(actor, disabled_tools=[call.tool]),
    "an agent that was stopped": lambda call, actor: Organization.objects.update(agent_stopped=True),
    "a document in the trash": lambda call, actor: Document.objects.update(trashed_at=timezone.now()),
    "a card that is overdue": lambda call, actor: ToolCall.objects.update(expires_at=timezone.now()),
    "a card that was decided": lambda call, actor: ToolCall.objects.update(status="rejected"),
    "a card that was withdrawn": lambda call, actor: ToolCall.objects.update(status="cancelled"),
    "a call that never became a card": lambda call, actor: ToolCall.objects.update(status="invalid", reach=""),
    "an owner who left": lambda call, actor: Member.objects.filter(user=call.thread.owner).delete(),
    "an owner who became a viewer": lambda call, actor: Member.objects.filter(user=call.thread.owner).update(
        role=Role.VIEWER
    ),
    "a turn whose client may do less": lambda call, actor: Turn.objects.update(role_ceiling=Role.VIEWER),
}
HINDERS_NOBODY = {"nothing", "a rule of another thread", "a rule of another person", "a rule that is over"}
HINDERS_REJECTING = {
    "a card that is overdue",
    "a card that was decided",
    "a card that was withdrawn",
    "an owner who left",
    "an owner who became a viewer",
    "a call that never became a card",
}


@pytest.mark.parametrize(
    ("state", "role"),
    [*((state, Role.REVIEWER) for state in STATES), ("nothing", Role.VIEWER), ("nothing", Role.ADMIN)],
)
def test_what_it_says_of_a_card_is_what_a_decision_answers(
    state: str, role: Role, api_as: ApiAs, actor: Actor, member: Callable[[Role], Actor], propose: Propose
) -> None:
    (call,) = propose(NOTE)
    other = member(role)
    STATES[state](call, actor)
    api = api_as(other)
    card = api.get(at(call)).json()
    is_asked = role is not Role.VIEWER
    assert card["may_decide"] == (is_asked and state in HINDERS_NOBODY)
    assert card["may_reject"] == (is_asked and state not in HINDERS_REJECTING)
    in_list = [each for each in list_cards(api, other)["approvals"] if each["may_decide"]]
    assert bool(in_list) == card["may_decide"]
    for kind, may in (("approved", card["may_decide"]), ("rejected", card["may_reject"])):
        point = transaction.savepoint()
        answer = api.post(at(call, "/decision"), {"kind": kind}, headers={"If-Match": "*"})
        assert (answer.status_code == 200) == may, answer.json()
        if kind == "approved" and card["why_not"]:
            assert answer.json()["detail"] == card["why_not"]
        transaction.savepoint_rollback(point)


def test_the_page_offers_what_a_decision_would_take(
    actor: Actor, propose: Propose, document: Document, django_assert_max_num_queries: Any
) -> None:
    (call,) = propose(NOTE)
    client = Client()
    client.force_login(actor.user)
    address = reverse("document-agent", args=[actor.organization.pk, document.pk])
    assert f'id="approve-{call.pk}"' in client.get(address).content.decode()
    deny(call, actor)
    html = client.get(address).content.decode()
    assert f'id="approve-{call.pk}"' not in html and f'id="reject-{call.pk}"' in html
    assert "A rule of the organization denies this tool." in html


def test_cards_of_private_threads_and_of_other_organizations_are_not_listed(
    api_as: ApiAs, actor: Actor, stranger: Actor, member: Callable[[Role], Actor], tools: Any
) -> None:
    private = threads.create(actor, private=True)
    propose_all(private, NOTE)
    assert list_cards(api_as(actor), actor)["total_count"] == 1
    assert list_cards(api_as(member(Role.ADMIN)), actor)["total_count"] == 0
    assert list_cards(api_as(stranger), stranger)["total_count"] == 0


def test_the_list_needs_no_query_more_for_a_further_card(
    api_as: ApiAs, actor: Actor, document: Document, propose: Propose, django_assert_max_num_queries: Any
) -> None:
    propose(NOTE)
    api = api_as(actor)
    with CaptureQueriesContext(connection) as one:
        list_cards(api, actor)
    propose_all(threads.create(actor, document=document), NOTE, ("note", {"text": "y"}), ("note", {"text": "z"}))
    with django_assert_max_num_queries(len(one)):
        assert list_cards(api, actor)["total_count"] == 4


def test_one_call_has_its_card_and_an_etag(api_as: ApiAs, actor: Actor, propose: Propose) -> None:
    (call,) = propose(NOTE)
    answer = api_as(actor).get(at(call))
    body = answer.json()
    assert answer["ETag"] == body["etag"] == f'"1.{call.shown_hash}"'
    assert (body["status"], body["decision"], body["result"], body["may_undo"]) == ("pending", None, None, False)
    assert body["newest_call_id"] == call.pk


def test_a_decision_names_the_card_by_its_etag(api_as: ApiAs, actor: Actor, propose: Propose) -> None:
    (call,) = propose(NOTE)
    api = api_as(actor)
    old = api.post(at(call, "/decision"), {"kind": "approved"}, headers={"If-Match": '"1.old"'})
    assert old.status_code == 412 and call.shown_hash in old.json()["detail"]
    broken = api.post(at(call, "/decision"), {"kind": "approved"}, headers={"If-Match": "1.old"})
    assert (broken.status_code, broken.json()["code"]) == (400, "if_match")
    etag = api.get(at(call))["ETag"]
    decided = api.post(at(call, "/decision"), {"kind": "approved"}, headers={"If-Match": etag})
    assert decided.status_code == 200 and decided.json()["kind"] == "approved"
    late = api.post(at(call, "/decision"), {"kind": "rejected"}, headers={"If-Match": etag})
    assert late.status_code == 409 and late.json()["winner"]["kind"] == "approved"
    assert api.get(at(call)).json()["decision"] == decided.json()
    assert api.post(at(call, "/decision"), {}, headers={"If-Match": "*"}).status_code == 422


def test_the_same_idempotency_key_gives_the_same_decision(api_as: ApiAs, actor: Actor, propose: Propose) -> None:
    (call,) = propose(NOTE)
    api, sent = api_as(actor), {"kind": "rejected", "reason": "No."}
    headers = {"If-Match": "*", "Idempotency-Key": "once"}
    first, second = (api.post(at(call, "/decision"), sent, headers=headers) for _ in range(2))
    assert (first.status_code, first.json()) == (200, second.json())
    too_long = api.post(at(call, "/decision"), sent, headers={**headers, "Idempotency-Key": "x" * 101})
    assert too_long.status_code == 422


def test_an_approval_may_carry_arguments(api_as: ApiAs, actor: Actor, propose: Propose) -> None:
    (call,) = propose(NOTE)
    sent = {"kind": "approved", "arguments": {"text": "mine"}}
    answer = api_as(actor).post(at(call, "/decision"), sent, headers={"If-Match": "*"})
    assert answer.json()["edited"] is True
    call.refresh_from_db()
    assert (call.decided, call.effective["text"]) == ({"text": "mine"}, "mine")


def test_what_ran_is_taken_back(api_as: ApiAs, actor: Actor, propose: Propose) -> None:
    (call,) = propose(("create_tag", {"name": "urgent"}))
    api = api_as(actor)
    assert api.post(at(call, "/undo")).status_code == 400
    api.post(at(call, "/decision"), {"kind": "approved"}, headers={"If-Match": "*"})
    execution.execute(call.pk, holder="test")
    assert Tag.objects.filter(name="urgent").exists() and api.get(at(call)).json()["may_undo"] is True
    headers = {"Idempotency-Key": "once"}
    first, second = (api.post(at(call, "/undo"), headers=headers) for _ in range(2))
    assert (first.status_code, first.json()["undoes"], first.json()) == (200, call.pk, second.json())
    assert not Tag.objects.filter(name="urgent").exists()
    body = api.get(at(call)).json()
    assert (body["may_undo"], body["undone_by"]) == (False, first.json()["call_id"])
    assert api.post(at(call, "/undo")).status_code == 409


def test_the_calls_of_another_organization_are_not_found(
    api_as: ApiAs, stranger: Actor, propose: Propose, member: Any
) -> None:
    (call,) = propose(NOTE)
    api = api_as(stranger)
    for path in (at(call), f"/v0/orgs/{call.thread.organization_id}/turns/{call.turn_id}/log"):
        elsewhere = path.replace(call.thread.organization_id, stranger.organization.pk)
        assert api.get(elsewhere).status_code == 404
    viewer = api_as(member(Role.VIEWER))
    assert viewer.get(at(call)).status_code == 200 and viewer.post(at(call, "/undo")).status_code == 403


@pytest.mark.parametrize("rest", ["", "/decision", "/undo"])
def test_a_malformed_id_is_not_found(api_as: ApiAs, actor: Actor, rest: str) -> None:
    path = f"/v0/orgs/{actor.organization.pk}/tool_calls/nonsense{rest}"
    api = api_as(actor)
    answer = api.post(path, {}) if rest else api.get(path)
    assert (answer.status_code, answer.json()) == (404, {"detail": "Tool call not found"})
