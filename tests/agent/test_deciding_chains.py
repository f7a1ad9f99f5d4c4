"""Chains of calls, decided together or step by step, edited and run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Role
from agent.calls import bulk_decisions, decisions, undo
from agent.calls.bulk_decisions import DecisionRequest
from agent.calls.chains import members
from agent.models import Thread, ToolCall, Turn
from agent.views.thread import thread_page
from documents.definitions import prompts, schemas
from documents.models import Document, Prompt, PromptRevision, Schema, SchemaRevision, Tag
from kit.errors import Conflict, Invalid
from tests.agent.chain_rows import NEW_PROMPT, NEW_SCHEMA, NEW_TAG, TAG_IT, read_again, run, statuses
from tests.agent.decision_rows import Propose, faces, say
from tests.agent.inbox_pages import badge, keys, read_inbox
from tests.agent.test_pages import address
from tests.agent.tool_rows import FORMAT, change_format
from tests.agent.undo_rows import SCHEMA
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db
Member = Callable[[Role], Actor]
KINDS = ("plan", "card", "chain_undo")


def test_one_press_decides_the_chain_and_each_step_runs_once_in_its_order(propose: Propose, actor: Actor) -> None:
    chain = propose(NEW_SCHEMA, NEW_PROMPT)
    skipped = decisions.decide_all(
        actor, thread=chain[0].thread, kind="approved", cards=faces(*chain), idempotency_key="k"
    )
    run(chain[1], chain[0], chain[1], chain[0])
    assert skipped == [] and statuses(chain) == ["succeeded", "succeeded"]
    revision = PromptRevision.objects.get()
    assert revision.schema_revision_id == SchemaRevision.objects.get().pk
    assert [call.fence for call in chain] == [1, 1]
    assert [call.decisions.get().user for call in chain] == [actor.user, actor.user]


def test_a_rejected_step_supersedes_what_builds_on_it_and_nothing_else(propose: Propose, actor: Actor) -> None:
    calls = propose(NEW_SCHEMA, NEW_PROMPT, NEW_TAG)
    say(actor, calls[1], key="k0")
    say(actor, calls[0], "rejected", reason="Not now")
    assert statuses(calls) == ["rejected", "superseded", "pending"]
    assert calls[1].result == {"reason": "It builds on step 1 (create_schema), which was rejected."}
    run(calls[1])
    assert not Prompt.objects.exists()


def test_a_rejected_last_step_leaves_the_others(propose: Propose, actor: Actor) -> None:
    schema, prompt = propose(NEW_SCHEMA, NEW_PROMPT)
    say(actor, prompt, "rejected")
    say(actor, schema)
    run(schema)
    assert statuses([schema, prompt]) == ["succeeded", "rejected"]


def test_a_step_that_fails_takes_along_what_builds_on_it(propose: Propose, actor: Actor) -> None:
    chain = propose(NEW_SCHEMA, NEW_PROMPT)
    turn = Turn.objects.get()
    decisions.decide_all(actor, thread=chain[0].thread, kind="approved", cards=faces(*chain), idempotency_key="k")
    schemas.create(actor, name="Invoice", response_format=SCHEMA)
    run(*chain)
    turn.refresh_from_db()
    assert statuses(chain) == ["failed", "superseded"]
    assert chain[1].result == {"reason": "It builds on step 1 (create_schema), which failed."}
    assert turn.status == "queued"


def test_a_chain_that_nobody_decided_in_time_ends_whole(propose: Propose, actor: Actor) -> None:
    chain = propose(NEW_SCHEMA, NEW_PROMPT)
    say(actor, chain[1])
    ToolCall.objects.filter(pk=chain[0].pk).update(expires_at="2020-01-01T00:00Z")
    decisions.expire_overdue(chain[0].turn)
    assert statuses(chain) == ["expired", "superseded"]
    run(chain[1])
    assert not Prompt.objects.exists()


def test_of_two_who_decide_the_chain_each_step_has_one_winner(propose: Propose, actor: Actor, member: Member) -> None:
    chain, other = propose(NEW_SCHEMA, NEW_PROMPT), member(Role.ADMIN)
    thread, seen = chain[0].thread, faces(*chain)
    assert decisions.decide_all(actor, thread=thread, kind="approved", cards=seen, idempotency_key="k") == []
    skipped = decisions.decide_all(other, thread=thread, kind="rejected", cards=seen, idempotency_key="l")
    assert len(skipped) == 2 and all("approved by" in each.why for each in skipped)


# --- Edited ---


def test_an_edited_name_stays_what_the_later_step_uses(propose: Propose, actor: Actor) -> None:
    tag, change = propose(NEW_TAG, TAG_IT)
    say(actor, tag, arguments={"name": "Settled"})
    before = change.shown_hash
    read_again([change])
    assert "Settled" in str(change.preview) and "problem" not in change.preview
    say(actor, change)
    run(tag, change)
    assert statuses([tag, change]) == ["succeeded", "succeeded"] and before
    assert list(Document.objects.get().tags.values_list("name", flat=True)) == ["Settled"]


def test_a_later_step_that_no_longer_fits_says_so_and_waits(propose: Propose, actor: Actor, do: Any) -> None:
    do("create_schema", name="Invoice", response_format=FORMAT)
    field = {"type": "string", "description": "x"}
    first, second = propose(
        ("update_schema", {"schema_id": "Invoice", "set": {"a": field}}),
        ("update_schema", {"schema_id": "Invoice", "rename": {"a": "b"}}),
    )
    seen_hash = second.shown_hash
    say(actor, first, arguments={"schema_id": "Invoice", "response_format": change_format(c=field)})
    read_again([second])
    assert second.status == "pending"
    assert second.preview["problem"].startswith("Step 1 was edited, and this does not fit what it is now:")
    assert second.shown_hash != seen_hash
    with pytest.raises(Invalid, match="Step 1 was edited"):
        say(actor, second)
    run(first)
    say(actor, second, arguments={"schema_id": "Invoice", "rename": {"c": "d"}}, key="k3")
    run(second)
    assert statuses([first, second]) == ["succeeded", "succeeded"]
    assert "d" in SchemaRevision.objects.order_by("-number")[0].json_schema["properties"]


def test_an_approved_step_asks_again_where_an_edit_before_it_changes_what_it_does(
    propose: Propose, actor: Actor, do: Any
) -> None:
    do("create_schema", name="Invoice", response_format=FORMAT)
    field = {"type": "string", "description": "x"}
    first, second = (("update_schema", {"schema_id": "Invoice", "set": {name: field}}) for name in ("a", "b"))
    chain = propose(first, second)
    say(actor, chain[1])
    say(actor, chain[0], arguments={"schema_id": "Invoice", "response_format": change_format(c=field)})
    fresh = ToolCall.objects.get(replaces=chain[1])
    assert statuses(chain) == ["approved", "stale"] and (fresh.status, fresh.version) == ("pending", 2)
    say(actor, fresh)
    run(chain[1], fresh, chain[0], fresh)
    assert statuses([chain[0], fresh]) == ["succeeded", "succeeded"]
    fields = SchemaRevision.objects.order_by("-number")[0].json_schema["properties"]
    assert {"b", "c"} <= fields.keys() and "a" not in fields


def test_an_approved_step_stays_so_where_an_edit_changes_nothing_for_it(propose: Propose, actor: Actor) -> None:
    chain = propose(NEW_TAG, TAG_IT)
    say(actor, chain[1])
    say(actor, chain[0], arguments={"name": "Settled"})
    assert statuses(chain) == ["approved", "approved"]


def test_the_step_of_a_chain_is_edited_on_top_of_those_before_it(propose: Propose, actor: Actor) -> None:
    schema, prompt = propose(NEW_SCHEMA, NEW_PROMPT)
    say(actor, prompt, arguments={**NEW_PROMPT[1], "content": "Take every value."})
    say(actor, schema)
    run(schema, prompt)
    assert statuses([schema, prompt]) == ["succeeded", "succeeded"]
    assert PromptRevision.objects.get().content == "Take every value."
    assert members.list_steps(prompt)[1].decided


def test_a_tag_of_the_chain_is_there_when_the_last_step_has_run(propose: Propose, actor: Actor) -> None:
    chain = propose(NEW_TAG, TAG_IT)
    for call in chain:
        say(actor, call)
    run(*chain)
    assert Document.objects.get().tags.get() == Tag.objects.get()


# --- As people and clients see it ---


def test_the_page_presents_the_steps_as_one_chain(propose: Propose, actor: Actor, thread: Thread) -> None:
    schema, prompt, tag = propose(NEW_SCHEMA, NEW_PROMPT, NEW_TAG)
    head, first, second, alone = list_cards(actor, thread)
    assert (head.name, head.steps, head.waiting) == ("Chain", 2, 2)
    assert head.sentence == "Each builds on those before it. Approve all at once, or decide each step."
    assert [(card.position, card.uses, card.takes_along) for card in (first, second, alone)] == [
        ("Step 1 of 2", "", "step 2"),
        ("Step 2 of 2", "step 1", ""),
        ("3 of 3", "", ""),
    ]
    say(actor, prompt)
    _, _, second, _ = list_cards(actor, thread)
    assert second.outcome.endswith("It runs after step 1.") and not second.running
    say(actor, schema, "rejected")
    head, _, second, _ = list_cards(actor, thread)
    assert head.sentence == "1 rejected · 1 superseded"
    assert (second.outcome, second.problem) == (
        "Superseded.",
        "It builds on step 1 (create_schema), which was rejected.",
    )
    assert tag.status == "pending"


def list_cards(actor: Actor, thread: Thread) -> list[Any]:
    fresh = Thread.objects.select_related("owner", "organization").get(pk=thread.pk)
    return [item for item in thread_page.build_conversation(fresh, actor).items if item.kind in KINDS]


@pytest.mark.parametrize("rejected", [(False, True), (True, True)])
def test_a_client_decides_the_steps_in_one_request(propose: Propose, actor: Actor, rejected: tuple[bool, bool]) -> None:
    chain = propose(NEW_SCHEMA, NEW_PROMPT)
    requests: list[DecisionRequest] = [
        {"call_id": call.pk, "approved": not no, "arguments": None, "reason": "No"}
        for call, no in zip(chain, rejected, strict=True)
    ]
    assert bulk_decisions.decide_all(actor, turn=chain[0].turn, requests=requests) == []
    assert statuses(chain) == ["rejected" if no else "approved" for no in rejected]


def test_a_client_edits_one_step_and_approves_the_next_in_one_request(propose: Propose, actor: Actor) -> None:
    chain = propose(NEW_TAG, TAG_IT)
    edit = {"name": "Settled"}
    requests: list[DecisionRequest] = [
        {"call_id": chain[0].pk, "approved": True, "arguments": edit, "reason": None},
        {"call_id": chain[1].pk, "approved": True, "arguments": None, "reason": None},
    ]
    bulk_decisions.decide_all(actor, turn=chain[0].turn, requests=requests)
    run(*chain)
    assert statuses(chain) == ["succeeded", "succeeded"] and Tag.objects.get().name == "Settled"


def test_a_step_that_an_earlier_edit_changed_is_not_approved_unseen(propose: Propose, actor: Actor) -> None:
    chain = propose(NEW_TAG, TAG_IT)
    edit: DecisionRequest = {"call_id": chain[0].pk, "approved": True, "arguments": {"name": "Settled"}, "reason": None}
    rest: DecisionRequest = {"call_id": chain[1].pk, "approved": True, "arguments": None, "reason": None}
    bulk_decisions.decide_all(actor, turn=chain[0].turn, requests=[edit])
    with pytest.raises(Conflict, match="Step 2 is another since step 1 was edited"):
        bulk_decisions.decide_all(actor, turn=chain[0].turn, requests=[rest])
    assert statuses(chain) == ["approved", "pending"]
    bulk_decisions.decide_all(actor, turn=chain[0].turn, requests=[{**rest, "approved": False}])
    assert statuses(chain) == ["approved", "rejected"]


def test_the_chain_of_another_organization_is_out_of_reach(propose: Propose, stranger: Actor) -> None:
    chain = propose(NEW_SCHEMA, NEW_PROMPT)
    shown = [f"{face.call_id}:{face.version}:{face.shown_hash}" for face in faces(*chain)]
    sent = {"kind": "approved", "idempotency_key": "k", "card": shown}
    client = PageClient()
    client.force_login(stranger.user)
    assert client.post(address("thread-decide-all", stranger, chain[0].thread_id), sent).status_code == 404
    assert statuses(chain) == ["pending", "pending"]


def test_the_inbox_has_one_row_for_a_chain_and_shows_its_steps(propose: Propose, actor: Actor) -> None:
    calls = propose(NEW_SCHEMA, NEW_PROMPT, NEW_TAG)
    client = PageClient()
    client.force_login(actor.user)
    html = read_inbox(client, actor, f"item=card-{calls[0].pk}")
    assert keys(html) == [f"card-{calls[0].pk}", f"card-{calls[2].pk}"] and badge(client, actor) == "2"
    assert "Create schema “Invoice”, and 1 more step" in html and "Approve 2 steps" in html
    assert "Chain of 2 steps" in html and "Step 2 of 2" in html
    say(actor, calls[0])
    html = read_inbox(client, actor, f"item=card-{calls[1].pk}")
    assert keys(html) == [f"card-{calls[1].pk}", f"card-{calls[2].pk}"]
    assert "more step" not in html and "Approve 2 steps" not in html


# --- Taken back ---


def test_a_chain_is_taken_back_from_its_end(propose: Propose, actor: Actor, thread: Thread) -> None:
    chain = propose(NEW_SCHEMA, NEW_PROMPT)
    decisions.decide_all(actor, thread=thread, kind="approved", cards=faces(*chain), idempotency_key="k")
    run(*chain)
    _, first, second, end = list_cards(actor, thread)
    assert (first.may_undo, first.no_undo, second.may_undo) == (False, "Changed again below: undo that first.", True)
    assert (end.kind, end.steps) == ("chain_undo", chain)
    undone = undo.undo_chain(actor, call=chain[0], idempotency_key="u")
    assert [call.undoes_id for call in undone] == [chain[1].pk, chain[0].pk]
    assert not Schema.objects.filter(trashed_at=None).exists() and not Prompt.objects.filter(trashed_at=None).exists()
    assert undo.undo_chain(actor, call=chain[0], idempotency_key="u") == undone
    with pytest.raises(Invalid, match="No step of this chain"):
        undo.undo_chain(actor, call=chain[0], idempotency_key="v")
    assert len(list_cards(actor, thread)) == 3


def test_a_step_that_somebody_changed_since_stops_the_undo(propose: Propose, actor: Actor) -> None:
    chain = propose(NEW_TAG, TAG_IT, NEW_SCHEMA, NEW_PROMPT)
    for call in chain:
        say(actor, call)
    run(*chain)
    prompt = Prompt.objects.get()
    prompts.save_version(actor, prompt=prompt, content="Mine.", base=prompt.latest)
    with pytest.raises(Conflict, match="Step 2 stays"):
        undo.undo_chain(actor, call=chain[2], idempotency_key="u")
    assert Schema.objects.filter(trashed_at=None).exists()
    assert len(undo.undo_chain(actor, call=chain[0], idempotency_key="w")) == 2
    assert not Tag.objects.exists()
