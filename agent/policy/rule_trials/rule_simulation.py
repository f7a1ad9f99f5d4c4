"""Tells what a rule would have decided on past calls, beside what people did decide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from accounts.actor import Actor
from accounts.models import Member, Role
from agent.models import Decision, Rule, Thread, ToolCall, Turn
from agent.outside.catalog import find_tool
from agent.policy import agent_settings, policy_context
from agent.policy.active_rules import EVERY_TOOL, ActiveRule
from agent.policy.permissions import PERSONS_WORD, Case, evaluate
from agent.policy.rule_trials.past_cards import (
    DAYS,
    MAX_CARDS,
    PastCard,
    find_decisions,
    is_concerned,
    list_cards,
    list_unasked,
)
from agent.toolkit.registry import Reach, Tool
from agent.toolkit.tool_kinds import Access

MAX_LINKS = 10
MAX_COUNTED = 1000
"""Calls without a person that are counted; the page says "1,000 or more" from there on."""
# Recorded reasons begin so where a card rested on more than its own row.
_READ_ELSEWHERE, _CREATED, _TAINTED = "This thread has also read ", "A turn creates ", "has read a document"


@dataclass
class Simulation:
    """`changed` of the past `cards` would have run unseen, or been refused. A rule that asks changes no card.

    `approved`, `edited` and `rejected` are what people decided on those, or on all cards where none is changed.
    `is_cut`: there are older cards in these days, at which nobody looked. `unasked` counts calls that ran without a
    person and would not have, `last` is the newest; `alone` of them nobody could have been asked about.
    """

    rule: ActiveRule
    cards: int = 0
    changed: int = 0
    approved: int = 0
    edited: list[str] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    days: int = DAYS
    is_cut: bool = False
    unasked: int = 0
    alone: int = 0
    last: ToolCall | None = None

    @property
    def scope(self) -> str:
        return self.rule.scope

    @property
    def is_allowance(self) -> bool:
        return self.rule.verdict == Rule.Verdict.ALLOW

    @property
    def is_denial(self) -> bool:
        return self.rule.verdict == Rule.Verdict.DENY

    @property
    def is_refusal_alone(self) -> bool:
        """A rule that asks where nobody is there to answer."""
        return self.rule.verdict == Rule.Verdict.ASK and self.rule.occasion == Rule.Occasion.ALONE

    @property
    def still_ask(self) -> int:
        return self.cards - self.changed

    @property
    def doubted(self) -> int:
        return len(self.edited) + len(self.rejected)

    @property
    def hidden(self) -> int:
        return max(0, self.doubted - MAX_LINKS)

    @property
    def is_unasked_cut(self) -> bool:
        return self.unasked >= MAX_COUNTED

    @property
    def links(self) -> list[ToolCall]:
        """The calls that people edited or rejected, the newest first, up to MAX_LINKS."""
        ids = [*self.rejected, *self.edited]
        rows = ToolCall.objects.filter(pk__in=ids).select_related("thread__organization")
        return list(rows.order_by("-created_at")[:MAX_LINKS])


def simulate_allow(actor: Actor, *, scopes: Sequence[str], tool: str, thread: Thread | None = None) -> list[Simulation]:
    """One for each scope, over the cards of the last DAYS days in threads that the actor may see."""
    rules = [ActiveRule("", scope, Rule.Verdict.ALLOW, tool) for scope in scopes]
    return _simulate_all(actor, rules, tool, thread)


def join_simulations(simulations: Sequence[Simulation]) -> Simulation:
    """The widest of them, with what people edited and rejected in the reach of any: none has to hold the others."""
    widest = max(simulations, key=lambda each: each.changed)
    edited = dict.fromkeys(call for each in simulations for call in each.edited)
    rejected = dict.fromkeys(call for each in simulations for call in each.rejected)
    return replace(widest, edited=[*edited], rejected=[*rejected], cards=max(each.cards for each in simulations))


def simulate_rule(actor: Actor, rule: ActiveRule) -> Simulation:
    """Looks at the last DAYS days of threads that the actor may see."""
    (simulation,) = _simulate_all(actor, [rule], rule.tool, None)
    rows = list_unasked(actor, rule)
    simulation.unasked = rows.order_by()[:MAX_COUNTED].count()
    if simulation.unasked:
        simulation.alone = rows.filter(turn__origin=Turn.Origin.HEADLESS).order_by()[:MAX_COUNTED].count()
        simulation.last = rows.select_related("thread__organization").order_by("-finished_at").first()
    return simulation


def _simulate_all(actor: Actor, rules: Sequence[ActiveRule], tool: str, thread: Thread | None) -> list[Simulation]:
    cards, decided = list(list_cards(actor, tool)), find_decisions(actor, tool)
    judge = None if tool == EVERY_TOOL else _Judge(actor, find_tool(actor.organization.pk, tool))
    simulations = []
    for rule in rules:
        concerned = [card for card in cards if is_concerned(card, rule, actor, thread)]
        simulations.append(_simulate(judge, rule, concerned, decided))
        simulations[-1].is_cut = len(cards) >= MAX_CARDS
    return simulations


def _simulate(
    judge: _Judge | None, rule: ActiveRule, cards: Sequence[PastCard], decided: dict[str, tuple[str, bool]]
) -> Simulation:
    simulation, changed = Simulation(rule, len(cards)), _list_changed(judge, rule, cards)
    simulation.changed = len(changed)
    for card in cards if rule.verdict == Rule.Verdict.ASK else changed:
        kind, is_edited = decided.get(card.call_id, ("", False))
        simulation.approved += kind == Decision.Kind.APPROVED and not is_edited
        if kind == Decision.Kind.REJECTED:
            simulation.rejected.append(card.call_id)
        elif is_edited:
            simulation.edited.append(card.call_id)
    return simulation


def _list_changed(judge: _Judge | None, rule: ActiveRule, cards: Sequence[PastCard]) -> Sequence[PastCard]:
    if rule.verdict == Rule.Verdict.ALLOW:
        return [card for card in cards if judge and judge.allows(card, rule)]
    return cards if rule.verdict == Rule.Verdict.DENY else ()


class _Judge:
    """Policy as of today, with a rule supposed; it reads nothing a card."""

    def __init__(self, actor: Actor, tool: Tool) -> None:
        self.actor, self.tool = actor, tool
        self.disabled = agent_settings.effective_settings(actor.organization).disabled_tools
        rows = policy_context.filter_in_force(Rule.objects.for_org(actor.organization))
        self.rules: dict[str, list[ActiveRule]] = defaultdict(list)
        for rule in rows:
            self.rules[rule.thread_id or rule.user_id or ""].append(policy_context.to_active_rule(rule))
        members = Member.objects.filter(organization=actor.organization).values_list("user", "role")
        self.roles = {user: Role(role) for user, role in members}

    def allows(self, card: PastCard, supposed: ActiveRule) -> bool:
        """The facts that the row does not keep are taken from why it asked then."""
        role = self.roles.get(card.owner_id)
        if role is None or not card.access or not card.reach:
            return False
        ceiling = Role(card.role_ceiling or role)
        in_force = (*self.rules[""], *self.rules[card.thread_id], *self.rules[card.owner_id])
        is_client = card.origin == Turn.Origin.MCP
        created = 1 if card.why_asks.startswith(_CREATED) else 0
        case = Case(
            tool=self.tool.name,
            access=Access(card.access),
            reach=Reach(card.reach),
            needed_role=self.tool.needed_role,
            role=ceiling if role.covers(ceiling) else role,
            mode=Thread.Mode.ASK if is_client else card.mode,
            tainted=card.is_tainted or _TAINTED in card.why_asks,
            rules=[*in_force, supposed],
            stopped=False,
            organization=self.actor.organization.name,
            origin=card.origin,
            disabled=self.tool.name in self.disabled,
            off=self.tool.off,
            needs_person=self.tool.needs_person or card.why_asks.startswith(PERSONS_WORD),
            created=created,
            max_created=created or None,
            read_elsewhere="another document" if card.why_asks.startswith(_READ_ELSEWHERE) else "",
        )
        return evaluate(case).outcome == "allow"
