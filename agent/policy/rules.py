"""Rules: standing answers for a tool. Made on a card or on the rules page, revoked there, never edited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from agent.models import Rule, Thread, ToolCall, Turn
from agent.outside.catalog import find_tool, list_tools
from agent.policy import policy_context
from agent.policy.active_rules import ADMINS_SCOPES, EVERY_TOOL, ActiveRule
from agent.policy.permissions import Verdict
from agent.policy.policy_context import Policy
from agent.policy.rule_trials.rule_effects import explain_no_effect
from agent.policy.rule_trials.suggested_rules import suggest_rules
from agent.toolkit.registry import Reach
from agent.toolkit.tool_kinds import Category
from kit import events
from kit.errors import Conflict, Denied, Invalid

Scope = Rule.Scope
Kind = Rule.Verdict
SCOPES = (Scope.THREAD, Scope.USER, Scope.ORGANIZATION, Scope.MCP)
MAX_DAYS = 366
ONLY_ADMINS = "Only a rule that an admin makes for the whole organization lets this run without asking."
ONLY_OWNER = "Only the thread's owner and admins can let this always run."


@dataclass(frozen=True)
class Offers:
    """The scopes in which "always allow" would spare the actor this card; `why_none` when there is none."""

    scopes: tuple[str, ...]
    why_none: str = ""


@dataclass(frozen=True)
class RuleRow:
    """A rule as its page shows it. `verdict`, `where` and `occasion` complete "Change a field …"."""

    rule: Rule
    tool: str
    verdict: str
    where: str
    occasion: str
    may_revoke: bool


OCCASION_WORDS = {
    Rule.Occasion.ANY: "",
    Rule.Occasion.ALONE: "when the agent works on its own",
    Rule.Occasion.ASKED: "when a person asked the agent",
}
VERDICT_WORDS = {Kind.ALLOW: "always runs", Kind.ASK: "always asks", Kind.DENY: "never runs"}


def list_rules(actor: Actor) -> list[RuleRow]:
    names = {name: words for name, words, _ in tools_to_rule(actor)}
    return [
        RuleRow(
            rule,
            names.get(rule.tool, rule.tool),
            VERDICT_WORDS[Kind(rule.verdict)],
            _where(actor, rule),
            OCCASION_WORDS[Rule.Occasion(rule.occasion)],
            not why_not_revoke(actor, rule),
        )
        for rule in list_visible(actor)
    ]


def _where(actor: Actor, rule: Rule) -> str:
    if rule.scope == Scope.ORGANIZATION:
        return f"for everybody in {actor.organization.name}"
    if rule.scope == Scope.MCP:
        return "for MCP clients"
    if rule.scope == Scope.USER and rule.user:
        return "in your threads" if rule.user_id == actor.user.pk else f"in {rule.user.shown_name}'s threads"
    return "in the thread"


def list_visible(actor: Actor) -> QuerySet[Rule]:
    """The rules that concern the actor: their own, those of their threads, the organization's. Admins see all.

    `last_used` is when one last allowed or denied a call.
    """
    rows = policy_context.filter_in_force(filter_concerning(actor))
    rows = rows.select_related("thread__document", "user", "created_by")
    return rows.annotate(last_used=Max("decisions__created_at")).order_by("-created_at")


def filter_concerning(actor: Actor) -> QuerySet[Rule]:
    """Also those that are no longer in force."""
    rows = Rule.objects.for_org(actor.organization)
    if actor.may(Role.ADMIN):
        return rows
    mine = Q(scope=Scope.USER, user=actor.user) | Q(scope=Scope.THREAD, thread__owner=actor.user)
    return rows.filter(mine | Q(scope__in=ADMINS_SCOPES))


def find_offers(actor: Actor, *, call: ToolCall, policy: Policy) -> Offers:
    """Where an "always allow" of this actor would have let the card run. `policy` is that of the card's thread."""
    if not call.reach:
        return Offers((), "")  # it ended before it was judged
    helping = tuple(scope for scope in SCOPES if _simulate_rule(policy, call, scope).outcome == "allow")
    mine = tuple(scope for scope in helping if not _why_not(actor, scope, policy.thread))
    if mine or not helping:
        return Offers(mine, "" if mine else _simulate_rule(policy, call, _admins_scope(call)).why)
    return Offers((), ONLY_ADMINS if set(helping) <= set(ADMINS_SCOPES) else ONLY_OWNER)


def _admins_scope(call: ToolCall) -> str:
    return Scope.MCP if call.turn.origin == Turn.Origin.MCP else Scope.ORGANIZATION


def _simulate_rule(policy: Policy, call: ToolCall, scope: str) -> Verdict:
    supposed = ActiveRule("", scope, Kind.ALLOW, call.tool)
    return policy.judge(
        find_tool(policy.thread.organization_id, call.tool).as_called(call.effective or {}),
        call.turn,
        reach=Reach(call.reach),
        actor=policy.owner,
        arguments=call.effective or {},
        call=call,
        also=[supposed],
    )


def find_or_allow(actor: Actor, *, scope: str, tool: str, thread: Thread, days: int | None) -> Rule:
    """The rule that lets this tool run, inside the caller's transaction: the one in force, or a new one."""
    rule = _build_rule(actor, ActiveRule("", scope, Kind.ALLOW, tool), thread, days)
    return _find_same(rule) or _write(actor, rule)


@transaction.atomic
def allow_suggested(actor: Actor, *, tool: str, days: int | None = None) -> Rule:
    """Make the suggested rule for one's own threads. Raises Conflict where it is suggested no more."""
    if tool not in {each.tool for each in suggest_rules(actor)}:
        raise Conflict("This rule is suggested no more: it is in force, or a card was edited or rejected since.")
    return _write(actor, _build_rule(actor, ActiveRule("", Scope.USER, Kind.ALLOW, tool), None, days))


@transaction.atomic
def create_rule(
    actor: Actor,
    *,
    scope: str,
    tool: str,
    verdict: str,
    occasion: str = Rule.Occasion.ANY,
    thread: Thread | None = None,
    days: int | None = None,
) -> Rule:
    """Raises Denied without the right, Conflict when the same is in force, Invalid for one that would allow nothing."""
    if tool != EVERY_TOOL:
        tool = find_tool(actor.organization.pk, tool).name
    require_right(actor, scope, thread)
    drafted = ActiveRule("", scope, verdict, tool, occasion)
    if verdict == Kind.ALLOW and (why := explain_no_effect(actor, drafted)):
        raise Invalid(f"This rule would allow nothing. {why}")
    rule = _build_rule(actor, drafted, thread, days)
    if earlier := _find_same(rule):
        raise Conflict("This rule is in force already.", winner={"rule_id": earlier.pk})
    return _write(actor, rule)


@transaction.atomic
def revoke_rule(actor: Actor, *, rule: Rule) -> Rule:
    """Ends the rule for every call from now on. Raises Denied without the right, Conflict when it has ended."""
    if why := why_not_revoke(actor, rule):
        raise Denied(why)
    now = timezone.now()
    if not Rule.objects.filter(pk=rule.pk, revoked_at=None).update(revoked_at=now, revoked_by=actor.user):
        raise Conflict("This rule has been revoked already.")
    rule.revoked_at, rule.revoked_by = now, actor.user
    audit.record(actor, "revoked", rule, tool=rule.tool, verdict=rule.verdict, scope=rule.scope)
    _publish_change(rule)
    return rule


def why_not_revoke(actor: Actor, rule: Rule) -> str:
    is_own = actor.user.pk in (rule.user_id, rule.created_by_id) or _owns(actor, rule.thread)
    if actor.may(Role.ADMIN) or (is_own and rule.scope not in ADMINS_SCOPES):
        return ""
    return "Only admins revoke this rule."


def require_right(actor: Actor, scope: str, thread: Thread | None) -> None:
    """Raises Denied when the actor may make no rule of this scope."""
    if why := _why_not(actor, scope, thread):
        raise Denied(why)


def _why_not(actor: Actor, scope: str, thread: Thread | None) -> str:
    """Why the actor may not make a rule of this scope; empty for one who may."""
    if scope not in Scope.values:
        return f"There is no scope {scope!r}. The scopes are {', '.join(Scope.values)}."
    if scope in ADMINS_SCOPES:
        return "" if actor.may(Role.ADMIN) else "Only admins make rules for the organization."
    if scope == Scope.USER:
        own = thread is None or _owns(actor, thread)
        return "" if own else "A rule of yours holds in your own threads, and this one is somebody else's."
    if thread is None:
        return "Say which thread is meant."
    return "" if _owns(actor, thread) or actor.may(Role.ADMIN) else "Only its owner and admins make rules for a thread."


def _owns(actor: Actor, thread: Thread | None) -> bool:
    return thread is not None and thread.owner_id == actor.user.pk


def _build_rule(actor: Actor, drafted: ActiveRule, thread: Thread | None, days: int | None) -> Rule:
    return Rule(
        organization=actor.organization,
        scope=drafted.scope,
        tool=drafted.tool,
        verdict=drafted.verdict,
        occasion=drafted.occasion,
        created_by=actor.user,
        thread=thread if drafted.scope == Scope.THREAD else None,
        user=actor.user if drafted.scope == Scope.USER else None,
        expires_at=_read_expiry(days),
    )


def _read_expiry(days: int | None) -> datetime | None:
    if days is None:
        return None
    if not 1 <= days <= MAX_DAYS:
        raise Invalid(f"A rule holds 1 to {MAX_DAYS} days, or until it is revoked.")
    return timezone.now() + timedelta(days=days)


def _find_same(rule: Rule) -> Rule | None:
    """A rule in force that says the same for at least as long."""
    about = {name: getattr(rule, name) for name in ("organization", "scope", "tool", "verdict", "thread", "user")}
    lasting = Q(expires_at=None)
    occasions = {Rule.Occasion.ANY, rule.occasion}
    if rule.expires_at:
        lasting |= Q(expires_at__gte=rule.expires_at)
    return policy_context.filter_in_force(Rule.objects.filter(lasting, occasion__in=occasions, **about)).first()


def _write(actor: Actor, rule: Rule) -> Rule:
    rule.save(force_insert=True)
    audit.record(actor, "made", rule, tool=rule.tool, verdict=rule.verdict, scope=rule.scope)
    _publish_change(rule)
    return rule


def _publish_change(rule: Rule) -> None:
    events.publish(events.organization_group(rule.organization_id), "rule.changed", rule_id=rule.pk)


def tools_to_rule(actor: Actor) -> Iterator[tuple[str, str, Category]]:
    """(name, words, category) of every tool a rule can name."""
    yield EVERY_TOOL, "every tool, even to read", Category.HELP
    for tool in list_tools(actor.organization.pk):
        yield tool.name, tool.title, tool.category
