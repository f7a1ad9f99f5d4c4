"""Standing answers: who may make which, what they change from then on, and how they end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from agent.calls import execution, standing_approval
from agent.conversation import threads
from agent.models import Decision, Rule, Thread, ToolCall, Turn
from agent.policy import rules
from agent.policy.active_rules import EVERY_TOOL, ActiveRule
from agent.policy.policy_context import Policy
from agent.policy.rule_trials.rule_simulation import simulate_rule
from agent.policy.rules import ONLY_ADMINS, ONLY_OWNER
from kit.errors import Conflict, Denied, Invalid
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import Propose

pytestmark = pytest.mark.django_db
Member = Callable[[Role], Actor]


def find_offers(actor: Actor, call: ToolCall) -> rules.Offers:
    return rules.find_offers(actor, call=call, policy=Policy(call.thread))


def again(thread: Thread, *requests: tuple[str, dict[str, Any]]) -> list[ToolCall]:
    """The same asked in the next turn."""
    Turn.objects.update(status="completed")
    return propose_all(thread, *requests)


@pytest.mark.parametrize("scope", ["thread", "user", "organization"])
def test_always_allow_approves_this_card_and_spares_the_next(actor: Actor, propose: Propose, scope: str) -> None:
    (call,) = propose(("note", {"text": "one"}))
    rule = standing_approval.allow_always(actor, call=call, scope=scope)
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    assert call.status == "succeeded" and call.decisions.get().user == actor.user

    (spared,) = again(call.thread, ("note", {"text": "two"}))
    assert (spared.status, spared.decisions.get().rule) == ("approved", rule)
    assert rules.list_visible(actor).get().last_used == spared.decisions.get().created_at
    assert list(AuditEntry.objects.filter(target_id=rule.pk).values_list("action", flat=True)) == ["made"]


def test_a_second_click_makes_no_second_rule(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "one"}))
    first, second = (
        standing_approval.allow_always(actor, call=call, scope="user", idempotency_key="click") for _ in range(2)
    )
    assert first == second and Rule.objects.count() == Decision.objects.count() == 1


def test_a_card_that_was_lost_to_another_makes_no_rule(actor: Actor, member: Member, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "one"}))
    stale = {"version": call.version, "shown_hash": "0" * 64}
    with pytest.raises(Conflict):
        standing_approval.allow_always(actor, call=call, scope="user", **stale)  # type: ignore[arg-type]
    assert not Rule.objects.exists()
    call.refresh_from_db()
    assert call.status == "pending"


def test_a_card_whose_time_is_over_makes_no_rule(actor: Actor, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "x"}))
    ToolCall.objects.update(expires_at=timezone.now())
    call.refresh_from_db()
    with pytest.raises(Conflict, match="time to decide this card is over"):
        standing_approval.allow_always(actor, call=call, scope="user")
    call.refresh_from_db()
    assert call.status == "expired" and not Rule.objects.exists()


def test_it_is_offered_only_where_it_would_help(actor: Actor, member: Member, propose: Propose) -> None:
    plain, shared, out = propose(
        ("note", {"text": "x"}), ("note", {"text": "x", "key": "shared"}), ("send", {"to": "x"})
    )
    builder = member(Role.BUILDER)
    assert find_offers(actor, plain).scopes == ("thread", "user", "organization")
    assert find_offers(actor, shared).scopes == ("organization",)
    assert find_offers(builder, shared) == rules.Offers((), ONLY_ADMINS)
    assert find_offers(actor, out).scopes == ()
    assert (
        find_offers(actor, out).why_none
        == "It acts outside DocRouter. This turn has read a document, so it always asks."
    )


def test_a_rule_that_asks_is_named_instead_of_an_offer(actor: Actor, propose: Propose) -> None:
    rules.create_rule(actor, scope="organization", tool="note", verdict="ask")
    (call,) = propose(("note", {"text": "x"}))
    assert find_offers(actor, call).why_none == "A rule of the organization asks before this tool runs."
    with pytest.raises(Invalid, match="would change nothing"):
        standing_approval.allow_always(actor, call=call, scope="thread")


def test_rules_of_others_threads_are_for_their_owner_and_admins(member: Member, propose: Propose) -> None:
    (call,) = propose(("note", {"text": "x"}))
    builder, other_admin = member(Role.BUILDER), member(Role.ADMIN)
    assert find_offers(builder, call) == rules.Offers((), ONLY_OWNER)
    for scope in ("thread", "user", "organization"):
        with pytest.raises(Denied):
            standing_approval.allow_always(builder, call=call, scope=scope)
    assert find_offers(other_admin, call).scopes == ("thread", "organization")


def test_a_rule_of_one_person_holds_in_their_threads_alone(member: Member, actor: Actor, thread: Thread) -> None:
    rules.create_rule(actor, scope="user", tool="note", verdict="deny")
    theirs = threads.create(member(Role.BUILDER), document=thread.document)
    assert propose_all(thread, ("note", {"text": "x"}))[0].status == "denied"
    assert propose_all(theirs, ("note", {"text": "x"}))[0].status == "pending"


def test_a_rule_that_asks_makes_a_read_wait_as_a_card(actor: Actor, propose: Propose) -> None:
    rules.create_rule(actor, scope="user", tool="look", verdict="ask")
    (call,) = propose(("look", {"word": "x"}))
    assert (call.status, call.preview["title"]) == ("pending", "Look something up")
    assert call.why_asks == "A rule of the thread's owner asks before this tool runs."


@pytest.mark.parametrize("end", ["revoked", "expired"])
def test_what_has_ended_no_longer_counts(actor: Actor, propose: Propose, end: str) -> None:
    rule = rules.create_rule(actor, scope="organization", tool="*", verdict="deny", days=7)
    (call,) = propose(("note", {"text": "x"}))
    assert call.status == "denied"
    if end == "revoked":
        rules.revoke_rule(actor, rule=rule)
    else:
        Rule.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert again(call.thread, ("note", {"text": "x"}))[0].status == "pending"
    assert not rules.list_visible(actor).exists()


def test_an_approved_call_stops_when_its_rule_is_revoked_before_it_runs(actor: Actor, propose: Propose) -> None:
    Rule.objects.create(organization=actor.organization, scope="user", user=actor.user, tool="note", verdict="allow")
    (call,) = propose(("note", {"text": "x"}))
    assert call.status == "approved"
    rules.revoke_rule(actor, rule=Rule.objects.get())
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    assert call.status == "stale" and call.replaced_by.get().status == "pending"


@pytest.mark.parametrize(
    ("scope", "revoker", "allowed"),
    [
        ("organization", Role.BUILDER, False),
        ("organization", Role.ADMIN, True),
        ("user", Role.BUILDER, False),
        ("user", Role.ADMIN, True),
    ],
)
def test_who_revokes_a_rule(actor: Actor, member: Member, scope: str, revoker: Role, allowed: bool) -> None:
    rule = rules.create_rule(actor, scope=scope, tool="*", verdict="ask")
    other = member(revoker)
    assert rules.list_visible(other).filter(pk=rule.pk).exists() is (allowed or scope == "organization")
    if allowed:
        assert rules.revoke_rule(other, rule=rule).revoked_by == other.user
        with pytest.raises(Conflict):
            rules.revoke_rule(other, rule=rule)
    else:
        with pytest.raises(Denied):
            rules.revoke_rule(other, rule=rule)


@pytest.mark.parametrize(
    ("rule", "error"),
    [
        ({"scope": "organization", "tool": "note", "verdict": "ask"}, Denied),
        ({"scope": "user", "tool": "note", "verdict": "ask", "days": 0}, Invalid),
        ({"scope": "thread", "tool": "note", "verdict": "ask"}, Denied),
    ],
)
def test_what_nobody_below_admin_may_make(
    member: Member, thread: Thread, rule: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        rules.create_rule(member(Role.BUILDER), **rule)


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ({"tool": EVERY_TOOL}, "names one tool"),
        ({"tool": "look"}, "runs without asking already"),
        ({"tool": "send"}, "Only a rule of an admin"),
        ({"tool": "note", "occasion": "alone"}, "Automatic setup only"),
    ],
)
def test_no_rule_is_made_that_would_allow_nothing(actor: Actor, thread: Thread, rule: dict[str, str], why: str) -> None:
    with pytest.raises(Invalid, match=why):
        rules.create_rule(actor, **{"scope": "user", "verdict": "allow"} | rule)
    assert not Rule.objects.exists()


def test_a_rule_that_allows_spares_the_next_card_and_gives_way_to_one_that_asks(actor: Actor, thread: Thread) -> None:
    rules.create_rule(actor, scope="user", tool="note", verdict="allow")
    assert propose_all(thread, ("note", {"text": "x"}))[0].status == "approved"
    rules.create_rule(actor, scope="organization", tool="note", verdict="ask")
    assert again(thread, ("note", {"text": "x"}))[0].status == "pending"
    with pytest.raises(Invalid, match="A rule of the organization asks"):
        rules.create_rule(actor, scope="user", tool="note", verdict="allow", occasion="asked")


def test_the_same_rule_is_not_made_twice(actor: Actor, thread: Thread) -> None:
    rules.create_rule(actor, scope="user", tool="note", verdict="ask")
    with pytest.raises(Conflict, match="in force already"):
        rules.create_rule(actor, scope="user", tool="note", verdict="ask", days=5)
    with pytest.raises(Conflict, match="in force already"):
        rules.create_rule(actor, scope="user", tool="note", verdict="ask", occasion="asked")


def test_a_rule_that_is_being_made_says_what_it_would_have_stopped(
    actor: Actor, member: Member, propose: Propose
) -> None:
    (call,) = propose(("note", {"text": "one"}))
    standing_approval.allow_always(actor, call=call, scope="user")
    execution.execute(call.pk, holder="test")
    (spared,) = again(call.thread, ("note", {"text": "two"}))
    execution.execute(spared.pk, holder="test")

    def count(who: Actor = actor, **changed: str) -> tuple[int, int]:
        drafted = {"rule_id": "", "scope": "user", "tool": "note", "verdict": "deny"} | changed
        simulation = simulate_rule(who, ActiveRule(**drafted))
        return simulation.cards, simulation.unasked

    assert (count(), count(tool=EVERY_TOOL), count(tool="send")) == ((1, 1), (1, 1), (0, 0))
    asks = simulate_rule(actor, ActiveRule("", "user", "ask", "note"))
    assert (asks.last, asks.cards, asks.changed, asks.approved, asks.alone) == (spared, 1, 0, 1, 0)
    assert simulate_rule(actor, ActiveRule("", "user", "deny", "note")).changed == 1
    assert (count(verdict="ask"), count(scope="mcp")) == ((1, 1), (0, 0))
    assert (count(occasion="asked"), count(occasion="alone")) == ((1, 1), (0, 0))
    other = member(Role.BUILDER)
    assert (count(other), count(other, scope="organization")) == ((0, 0), (1, 1))
    Thread.objects.update(private=True)
    assert count(other, scope="organization") == (0, 0)
    ToolCall.objects.update(finished_at=timezone.now() - timedelta(days=91))
    assert count() == (1, 0)
