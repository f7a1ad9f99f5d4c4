"""Steps of long work: kept by the agent, seen and edited by the person, and in the state of every round."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from agent.calls import execution
from agent.calls.leases.claiming import claim_call
from agent.conversation import threads
from agent.conversation.model_input.state import build_state
from agent.models import Event, Thread, ToolCall, Turn
from agent.steps import hash_steps
from kit.errors import Conflict, Denied, Invalid
from tests.agent.conftest import propose_all
from tests.agent.undo_rows import document, thread  # noqa: F401 - fixtures
from tests.conftest import ApiClient
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db
WORK = ["List the contracts", "Read each", "Compare the dates", "Find the gaps", "Ask for what is missing", "Report"]


def read(thread: Thread) -> list[tuple[str, bool]]:
    return [(step["text"], step["done"]) for step in Thread.objects.get(pk=thread.pk).steps]


def keep(thread: Thread, **arguments: object) -> ToolCall:
    """The call of the agent, after it ran."""
    (call,) = propose_all(Thread.objects.get(pk=thread.pk), ("set_steps", arguments), claimed_at=timezone.now())
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    Turn.objects.update(status="completed")
    return call


def state_of(call: ToolCall) -> str:
    return str(build_state(Turn.objects.get(pk=call.turn_id), 10_000)[0]["content"])


def rows(texts: Sequence[str], done: Sequence[str] = ()) -> list[dict[str, object]]:
    return [{"text": text, "done": text in done} for text in texts]


def test_the_agent_keeps_them_without_a_card_and_reads_them_in_each_round(thread: Thread) -> None:
    call = keep(thread, steps=WORK)
    assert (call.status, call.result) == ("succeeded", {"steps": 6, "done": 0})
    call = keep(thread, done=[1, 2])
    assert read(thread)[:3] == [(WORK[0], True), (WORK[1], True), (WORK[2], False)]
    assert "steps, 2 of 6 done:\n1. List the contracts (done)\n2. Read each (done)\n3." in state_of(call)
    keep(thread, steps=[*WORK[1:], "Thank"])
    assert read(thread)[0] == (WORK[1], True) and read(thread)[-1] == ("Thank", False)
    assert Event.objects.filter(thread=thread, kind="steps.changed").count() == 3


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"steps": ["x"] * 31}, "There are 31 steps; 30 is the most"),
        ({"steps": ["x" * 201]}, "A step has 201 characters; 200 is the most"),
        ({"done": [7]}, "There is no step 7: there are 6"),
        ({"done": [0]}, "There is no step 0"),
    ],
)
def test_what_is_too_much_or_not_there_is_refused_and_changes_nothing(
    thread: Thread, arguments: dict[str, object], sentence: str
) -> None:
    keep(thread, steps=WORK)
    call = keep(thread, **arguments)
    assert call.status == "failed" and sentence in str(call.result) and [text for text, _ in read(thread)] == WORK


def test_what_a_person_changed_meanwhile_is_not_overwritten_unseen(thread: Thread, actor: Actor) -> None:
    keep(thread, steps=WORK)
    (call,) = propose_all(Thread.objects.get(pk=thread.pk), ("set_steps", {"done": [1]}), claimed_at=timezone.now())
    threads.write_steps(actor, thread=thread, steps=[{"text": "Only this", "done": False}])
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    assert call.status == "failed" and "changed the steps since" in str(call.result)
    assert read(thread) == [("Only this", False)] and "1. Only this" in state_of(call)


def test_a_claim_that_was_taken_over_sets_nothing(thread: Thread) -> None:
    (call,) = propose_all(thread, ("set_steps", {"steps": WORK}))
    claimed = claim_call(call.pk)
    assert claimed is not None
    ToolCall.objects.filter(pk=call.pk).update(fence=claimed.fence + 1)
    execution.execute_claimed(claimed, holder="late")
    assert read(thread) == []


def test_the_owner_edits_them_on_the_page_and_nobody_else(
    thread: Thread, actor: Actor, member: Callable[[Role], Actor]
) -> None:
    keep(thread, steps=WORK)
    thread.refresh_from_db()
    pages = PageClient()
    pages.force_login(actor.user)
    items = reverse("thread-items", args=(actor.organization.pk, thread.pk))
    page = pages.get(items).content.decode()
    assert "0 of 6 done" in page and ">Read each</textarea>" in page
    address, seen = reverse("thread-steps", args=(actor.organization.pk, thread.pk)), hash_steps(thread)
    form = {"step": ["Read all", "Report", ""], "done": ["0"], "seen": str(seen)}
    assert pages.post(address, form).status_code == 204
    assert read(thread) == [("Read all", True), ("Report", False)]
    assert pages.post(address, form).status_code == 409
    with pytest.raises(Denied, match="This thread is"):
        threads.write_steps(member(Role.ADMIN), thread=thread, steps=[])
    with pytest.raises(Conflict):
        threads.write_steps(actor, thread=thread, steps=[], seen=seen)
    with pytest.raises(Invalid):
        threads.write_steps(actor, thread=thread, steps=[{"text": "x" * 300, "done": False}])


def test_programs_read_and_write_them(thread: Thread, actor: Actor, api_as: Callable[[Actor], ApiClient]) -> None:
    api = api_as(actor)
    for one, base in (
        (thread, f"/v0/orgs/{actor.organization.pk}/documents/{thread.document_id}/chat"),
        (threads.create(actor), f"/v0/orgs/{actor.organization.pk}/chat"),
    ):
        path, written = f"{base}/threads/{one.pk}/steps", rows(WORK, done=WORK[:1])
        assert api.get(path).json() == {"steps": []}
        assert api.put(path, {"steps": written}).json() == {"steps": written} == api.get(path).json()
        assert api.put(path, {"steps": rows(["x"] * 31)}).status_code == 422


def test_signs_that_turn_letters_around_are_left_out(thread: Thread) -> None:
    keep(thread, steps=["Pay \u202e05 RUE\u2066 now\u200b"])
    assert read(thread) == [("Pay 05 RUE now", False)]
