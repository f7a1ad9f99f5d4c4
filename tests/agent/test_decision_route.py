from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Role
from agent.models import ToolCall
from tests.conftest import ApiClient

Propose = Callable[..., list[ToolCall]]
ApiAs = Callable[[Actor], ApiClient]


def path(call: ToolCall) -> str:
    return f"/v0/orgs/{call.thread.organization_id}/tool_calls/{call.pk}/decision"


def build_body(call: ToolCall, kind: str = "approved", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "version": call.version, "shown_hash": call.shown_hash, **more}


def test_it_decides_a_card_as_it_was_shown(api_as: ApiAs, actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    answer = api_as(actor).post(path(call), build_body(call, reason="Right."))
    assert answer.status_code == 200
    body = answer.json()
    assert body.pop("at").endswith("Z")
    assert body == {
        "call_id": call.pk,
        "version": 1,
        "kind": "approved",
        "by": "Admin",
        "reason": "Right.",
        "edited": False,
    }
    call.refresh_from_db()
    assert call.status == "approved"


def test_it_answers_409_with_the_winning_decision(
    api_as: ApiAs, actor: Actor, member: Callable[[Role], Actor], propose: Propose
) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    assert api_as(actor).post(path(call), build_body(call, "rejected")).status_code == 200
    late = api_as(member(Role.ADMIN)).post(path(call), build_body(call))
    assert late.status_code == 409
    winner = late.json()["winner"]
    assert (winner["kind"], winner["by"], winner["call_id"]) == ("rejected", "Admin", call.pk)
    assert winner["at"][-1] == "Z"
    assert late.json()["detail"] == "This card has been decided already."


def test_it_gives_the_same_decision_again_for_the_same_key(api_as: ApiAs, actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    sent = build_body(call, idempotency_key="click-1")
    first, second = (api_as(actor).post(path(call), sent) for _ in range(2))
    assert (first.status_code, first.json()) == (200, second.json())


def test_it_answers_409_to_a_used_key_with_another_decision(api_as: ApiAs, actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    api = api_as(actor)
    assert api.post(path(call), build_body(call, idempotency_key="click-1")).status_code == 200
    other = api.post(path(call), build_body(call, "rejected", idempotency_key="click-1"))
    assert (other.status_code, other.json()["winner"]["kind"]) == (409, "approved")
    assert "used for another decision" in other.json()["detail"]


def test_it_decides_nothing_that_never_became_a_card(api_as: ApiAs, actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": 5}))
    assert (call.status, call.reach) == ("invalid", "")
    answer = api_as(actor).post(path(call), build_body(call, shown_hash="0" * 64))
    assert (answer.status_code, answer.json()["winner"]["kind"]) == (409, "invalid")


@pytest.mark.parametrize("wrong", [{"kind": "maybe"}, {"version": 0}, {"version": None}, {"arguments": "x"}])
def test_it_refuses_a_decision_that_is_not_one(api_as: ApiAs, actor: Actor, propose: Propose, wrong: Any) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    assert api_as(actor).post(path(call), build_body(call) | wrong).status_code == 422
    call.refresh_from_db()
    assert call.status == "pending"


def test_it_asks_what_was_shown_unless_if_match_says_so(api_as: ApiAs, actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    api = api_as(actor)
    refused = api.post(path(call), {"kind": "approved"})
    assert refused.status_code == 422
    assert [fault["loc"] for fault in refused.json()["detail"]] == [["body", "version"], ["body", "shown_hash"]]
    etag = api.get(path(call).removesuffix("/decision"))["ETag"]
    assert api.post(path(call), {"kind": "approved"}, headers={"If-Match": etag}).status_code == 200


def test_it_knows_no_call_of_another_organization(api_as: ApiAs, stranger: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "hello"}))
    elsewhere = path(call).replace(call.thread.organization_id, stranger.organization.pk)
    answer = api_as(stranger).post(elsewhere, build_body(call))
    assert (answer.status_code, answer.json()) == (404, {"detail": "Tool call not found"})
