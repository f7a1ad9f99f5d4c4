"""Before a tool may always run: what that would have decided on past cards, and rules offered after many approvals."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from agent.calls import decisions
from agent.models import Decision, Rule, Thread, ToolCall, Turn
from agent.policy import rules
from agent.policy.rule_trials.rule_simulation import simulate_allow
from agent.policy.rule_trials.suggested_rules import FEWEST_APPROVALS, suggest_rules
from kit.errors import Conflict
from tests.agent.decision_rows import Propose
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db
SCOPES = ("thread", "user", "organization")


def decide(actor: Actor, call: ToolCall, kind: Any = "approved", **more: Any) -> Decision:
    return decisions.decide(
        actor, call=call, kind=kind, version=1, shown_hash=call.shown_hash, idempotency_key=call.pk, **more
    )


def simulate(actor: Actor, thread: Thread, tool: str = "note") -> dict[str, tuple[int, int, int, int]]:
    done = simulate_allow(actor, scopes=SCOPES, tool=tool, thread=thread)
    return {each.scope: (each.cards, each.changed, len(each.edited), len(each.rejected)) for each in done}


def notes(number: int) -> list[tuple[str, dict[str, Any]]]:
    return [("note", {"text": str(at)}) for at in range(number)]


def test_it_says_what_people_edited_and_rejected_of_what_would_have_run(
    actor: Actor, member: Callable[[Role], Actor], propose: Propose
) -> None:
    calls = propose(*notes(5), ("send", {"to": "somebody"}))
    decide(actor, calls[0])
    decide(actor, calls[1], arguments={"text": "other"})
    decide(actor, calls[2], "rejected")
    thread = calls[0].thread
    assert simulate(actor, thread) == dict.fromkeys(SCOPES, (5, 5, 1, 1))
    assert simulate(actor, thread, "send")["user"] == (1, 0, 0, 0)  # it leaves for others, so it asks all the same
    (one,) = simulate_allow(actor, scopes=["user"], tool="note")
    assert [call.pk for call in one.links] == [calls[2].pk, calls[1].pk]

    other = member(Role.BUILDER)
    assert simulate(other, thread)["user"] == (0, 0, 0, 0) and simulate(other, thread)["organization"][0] == 5
    Thread.objects.update(private=True)
    assert simulate(other, thread)["organization"][0] == 0
    ToolCall.objects.update(created_at=timezone.now() - timedelta(days=91))
    assert simulate(actor, thread)["user"] == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("why", "scope", "allowed"),
    [
        ("Changes wait for a person in this thread.", "user", 1),
        ("It is a person's word, so it always asks.", "organization", 0),
        ("This thread has also read b.pdf, so a change of this document asks.", "user", 0),
        ("This thread has also read b.pdf, so a change of this document asks.", "organization", 1),
        ("A turn creates 10 things without asking, and this is number 11.", "organization", 0),
    ],
)
def test_it_takes_what_the_row_does_not_keep_from_why_the_card_asked(
    actor: Actor, propose: Propose, why: str, scope: str, allowed: int
) -> None:
    (call,) = propose(*notes(1))
    ToolCall.objects.update(why_asks=why)
    assert simulate(actor, call.thread)[scope][1] == allowed


def test_a_rule_in_force_that_asks_or_denies_goes_before(actor: Actor, propose: Propose) -> None:
    (call,) = propose(*notes(1))
    for verdict in ("ask", "deny"):
        rule = rules.create_rule(actor, scope="user", tool="note", verdict=verdict)
        assert simulate(actor, call.thread)["organization"][1] == 0
        rules.revoke_rule(actor, rule=rule)
    assert simulate(actor, call.thread)["organization"][1] == 1


def test_many_approvals_in_a_row_are_offered_as_a_rule(actor: Actor, propose: Propose) -> None:
    calls = propose(*notes(FEWEST_APPROVALS + 1))
    for call in calls[: FEWEST_APPROVALS - 1]:
        decide(actor, call)
    assert not suggest_rules(actor)
    with pytest.raises(Conflict):
        rules.allow_suggested(actor, tool="note")
    decide(actor, calls[-2])
    (suggested,) = suggest_rules(actor)
    assert (suggested.tool, suggested.approvals, suggested.simulation.doubted) == ("note", FEWEST_APPROVALS, 0)
    client = PageClient()
    client.force_login(actor.user)
    page = client.get(f"/orgs/{actor.organization.pk}/rules").text
    assert f"You approved the last {FEWEST_APPROVALS} of these cards without a change." in page
    assert f"<b>{FEWEST_APPROVALS + 1} would have run unseen</b>" in page
    client.post(f"/orgs/{actor.organization.pk}/rules/suggested", {"tool": "note"})
    assert Rule.objects.values_list("scope", "tool", "verdict").get() == ("user", "note", "allow")
    assert not suggest_rules(actor)
    Rule.objects.update(revoked_at=timezone.now())
    decide(actor, calls[-1], "rejected")
    assert not suggest_rules(actor)


def test_a_card_shows_it_before_anything_is_saved(actor: Actor, propose: Propose) -> None:
    calls = propose(*notes(2))
    decide(actor, calls[0], arguments={"text": "other"})
    client = PageClient()
    client.force_login(actor.user)
    page = " ".join(client.get(f"/orgs/{actor.organization.pk}/calls/{calls[1].pk}/simulation").text.split())
    assert page.count("<b>would have run unseen</b>") == page.count("People edited 1 and rejected 0 of those:") == 1
    assert re.search(r'value="thread" *> *<span> *in this thread *</span> *<span class="small quiet num">2 of 2<', page)
    assert not Rule.objects.exists() and Turn.objects.count() == 1


def test_the_form_allows_only_what_it_has_shown(actor: Actor, propose: Propose) -> None:
    """Two cards were edited: the page says so before, and saves nothing that it did not say."""
    calls = propose(*notes(3))
    for call in calls[:2]:
        decide(actor, call, arguments={"text": "other"})
    client, sent = PageClient(), {"scope": "organization", "tool": "note", "verdict": "allow", "asker": "asked"}
    client.force_login(actor.user)
    new = f"/orgs/{actor.organization.pk}/rules/new"
    unseen = client.post(new, sent)
    assert unseen.status_code == 422 and "Read below what this rule would have let run" in unseen.text
    page = " ".join(client.get(f"/orgs/{actor.organization.pk}/rules/trial", sent).text.split())
    assert "<b>3 would have run unseen</b>" in page and "People edited 2 and rejected 0 of those:" in page
    assert page.count(f"?thread={calls[0].thread_id}") == 2 and "Add rule anyway" in page
    (key,) = re.findall(r'name="simulated" value="([^"]+)"', page)
    assert client.post(new, sent | {"scope": "user", "simulated": key}).status_code == 422
    assert not Rule.objects.exists()
    assert client.post(new, sent | {"simulated": key}).status_code == 302
    made = Rule.objects.values_list("scope", "tool", "verdict", "occasion").get()
    assert made == ("organization", "note", "allow", "asked")
    alone = sent | {"asker": "alone", "verdict": "ask"}
    assert "nobody to ask" in client.get(f"/orgs/{actor.organization.pk}/rules/trial", alone).text
    refused = client.get(f"/orgs/{actor.organization.pk}/rules/trial", sent | {"tool": "look"}).text
    assert "This runs without asking already." in refused and "Add rule" not in refused
