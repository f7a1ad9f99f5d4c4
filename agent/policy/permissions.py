"""Whether a tool call runs, asks or is refused. A pure function: the same facts give the same answer everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from accounts.actor import RIGHT_SENTENCE
from accounts.models import Role
from agent.models import Rule, Thread, Turn
from agent.policy.active_rules import ADMINS_SCOPES, EVERY_TOOL, OCCASIONS, ActiveRule
from agent.toolkit.registry import Reach
from agent.toolkit.tool_kinds import READS, Access

Outcome: TypeAlias = Literal["allow", "ask", "plan", "deny"]
STOPPED = "An admin has stopped the agent in this organization."
IN_TRASH = "The document of this thread is in the trash. Restore it first."
# How often automatic setup extracts again with what it has changed.
MAX_REFINEMENTS = 2
REFINED = "This has been refined twice, which is the most. Say what you made and what is uncertain."
# What a headless turn may do besides reading, each only within its document; and what of the result it then owns.
HEADLESS_TOOLS: Mapping[str, tuple[str, ...]] = {
    "create_schema": ("schema_id", "schema_revid"),
    "create_prompt": ("prompt_id", "prompt_revid"),
    "run_extraction": ("extraction_id",),
}
COSTS = "It costs money."
PERSONS_WORD = "It is a person's word, so it always asks."
NO_PERSON = "It is a person's word, and nobody is there to give it."
COSTS_NOTHING = "It runs a model, which costs nothing here."
OWN_WORDS = "a look-up in the person's own words"


@dataclass(frozen=True)
class Case:
    """`role` is the lowest of those who answer for the call: the thread's owner and, once there is one, the decider.

    `auto_approved` are the tools that the turn's client approved beforehand; "*" stands for all of them.
    `is_own`: all that the call would change was made by this very turn. `created` counts what the turn's earlier calls
    created or are about to; `max_created` is how much runs without a person, None for a call that creates nothing.
    `is_refined`: automatic setup has extracted as often with its own definitions as it may. `disabled`: an admin has
    taken the tool away; `off`: why it cannot be used now. `is_in_trash`: the thread's document is in the trash.
    `read_elsewhere` names what else the model had read when it asked for a change of that document. `needs_person`: it
    is a person's word. `foreign`: of a tool that only fetches, in a person's own turn, what its request would send
    besides that person's words; empty for nothing, None of every other call. `writes_thread`: a read that keeps
    something in the thread.
    """

    tool: str
    access: Access
    reach: Reach
    needed_role: Role
    role: Role
    mode: str
    tainted: bool
    rules: Sequence[ActiveRule] = ()
    stopped: bool = False
    organization: str = "the organization"
    auto_approved: Sequence[str] = ()
    origin: str = Turn.Origin.CHAT
    is_own: bool = False
    created: int = 0
    max_created: int | None = None
    is_refined: bool = False
    disabled: bool = False
    off: str = ""
    is_in_trash: bool = False
    read_elsewhere: str = ""
    needs_person: bool = False
    foreign: str | None = None
    writes_thread: bool = False

    @property
    def is_consequential(self) -> bool:
        beyond = self.reach is Reach.ORGANIZATION and self.access not in READS
        return beyond or self.access in (Access.DESTRUCTIVE, Access.EXTERNAL)


@dataclass(frozen=True)
class Verdict:
    """`why` is one line for the card or for the model; `allowed_by` names what let it run without a person.

    `mode` is the thread's where that decided, else "headless" or "client"; empty for a rule
    and for the person's own words.
    """

    outcome: Outcome
    why: str = ""
    allowed_by: str = ""
    rule_id: str = ""
    mode: str = ""


def evaluate(case: Case) -> Verdict:
    """First answer of: any deny, any ask, a person's word, a look-up in the person's words, consequence after
    untrusted text or after another document's, too much created, any allow, the mode.

    What none of them speaks of is denied. Plan mode makes a step of each change, and a headless turn has nobody to ask:
    no rule makes more of either. What a client approved beforehand counts as the weakest allow.
    """
    matching = _match_rules(case)
    return (
        refuse(case)
        or _judge_headless(case, matching)
        or _plan_change(case)
        or _apply_rules(matching, Rule.Verdict.ASK)
        or _check_person(case)
        or _allow_own_words(case)
        or _check_taint(case, matching)
        or _check_read_elsewhere(case, matching)
        or _check_outside(case, matching)
        or _check_excess(case)
        or _apply_rules(matching, Rule.Verdict.ALLOW)
        or _apply_client_approval(case)
        or _apply_mode(case)
        or Verdict("deny", "No rule and no mode allows this call.")
    )


def refuse(case: Case) -> Verdict | None:
    """A denial that no approval of a person lifts."""
    return _check_bars(case) or _apply_rules(_match_rules(case), Rule.Verdict.DENY)


def _match_rules(case: Case) -> list[ActiveRule]:
    return [rule for rule in case.rules if rule.tool in (case.tool, EVERY_TOOL) and _holds_here(case, rule)]


def _holds_here(case: Case, rule: ActiveRule) -> bool:
    """What people allow the agent they allow no program from outside; what they forbid it they forbid both."""
    if rule.occasion and case.origin not in OCCASIONS[rule.occasion]:
        return False
    if case.origin != Turn.Origin.MCP:
        return rule.scope != Rule.Scope.MCP
    return rule.scope == Rule.Scope.MCP or rule.verdict != Rule.Verdict.ALLOW


def _check_bars(case: Case) -> Verdict | None:
    if case.disabled:
        return Verdict("deny", f"An admin of {case.organization} has taken {case.tool} from the agent.")
    if case.off:
        return Verdict("deny", case.off)
    if case.is_in_trash and case.access not in READS:
        return Verdict("deny", IN_TRASH)
    if case.stopped:
        return Verdict("deny", STOPPED)
    if not case.role.covers(case.needed_role):
        needed, role = case.needed_role.value, case.role.value
        return Verdict("deny", RIGHT_SENTENCE.format(needed=needed, organization=case.organization, role=role))
    return None


def _apply_rules(matching: Sequence[ActiveRule], verdict: Rule.Verdict) -> Verdict | None:
    rule = next((rule for rule in matching if rule.verdict == verdict), None)
    if rule is None:
        return None
    if verdict == Rule.Verdict.ALLOW:
        return Verdict("allow", allowed_by=rule.words, rule_id=rule.rule_id)
    if verdict == Rule.Verdict.DENY:
        return Verdict("deny", f"{rule.sentence_start} denies this tool.", rule_id=rule.rule_id)
    return Verdict("ask", f"{rule.sentence_start} asks before this tool runs.")


def _judge_headless(case: Case, matching: Sequence[ActiveRule]) -> Verdict | None:
    """The fixed list of a turn that nobody watches. A rule can only take from it."""
    if case.origin != Turn.Origin.HEADLESS:
        return None
    if asks := _apply_rules(matching, Rule.Verdict.ASK):
        return Verdict("deny", f"{asks.why} Nobody is there to be asked.")
    if case.access in READS and not case.writes_thread:
        return Verdict("allow", allowed_by="reading needs no approval")
    if case.needs_person:
        return Verdict("deny", NO_PERSON)
    if case.is_refined:
        return Verdict("deny", REFINED)
    if excess := _check_excess(case):
        return Verdict("deny", f"{excess.why} Nobody is there to be asked.")
    if not case.is_consequential and (case.tool in HEADLESS_TOOLS or case.is_own):
        return Verdict("allow", allowed_by="automatic setup", mode="headless")
    return Verdict("deny", "Automatic setup only adds a schema and a prompt, changes its own, and runs the extraction.")


def _plan_change(case: Case) -> Verdict | None:
    if case.mode == Thread.Mode.PLAN and case.access not in READS:
        return Verdict("plan", "A step of the plan. Nothing has been changed yet.")
    return None


def _check_person(case: Case) -> Verdict | None:
    return Verdict("ask", PERSONS_WORD) if case.needs_person else None


def _allow_own_words(case: Case) -> Verdict | None:
    """Whatever was read before: a request that holds none of it carries none of it out."""
    return Verdict("allow", allowed_by=OWN_WORDS) if case.foreign == "" else None


def _check_taint(case: Case, matching: Sequence[ActiveRule]) -> Verdict | None:
    """Text of a document must not set off what reaches further; only an admin may lift that, by the tool's name."""
    if not (case.tainted and case.is_consequential) or _is_lifted_by_admin(case, matching):
        return None
    return Verdict("ask", f"{_describe_consequence(case)} {_describe_taint(case)}, so it always asks.")


def _check_read_elsewhere(case: Case, matching: Sequence[ActiveRule]) -> Verdict | None:
    """Nor must what one document says change another."""
    if not case.read_elsewhere or case.access in READS or _is_lifted_by_admin(case, matching):
        return None
    return Verdict("ask", f"This thread has also read {case.read_elsewhere[:150]}, so a change of this document asks.")


def _check_outside(case: Case, matching: Sequence[ActiveRule]) -> Verdict | None:
    """What leaves for others runs by itself only where an admin's rule names the tool."""
    if case.access is not Access.EXTERNAL or _is_named_by_admin(case, matching):
        return None
    rule = "Only a rule of an admin that names the tool lets it run."
    return Verdict("ask", f"{_describe_consequence(case)} {rule}")


def _is_lifted_by_admin(case: Case, matching: Sequence[ActiveRule]) -> bool:
    return case.access not in (Access.DESTRUCTIVE, Access.EXTERNAL) and _is_named_by_admin(case, matching)


def _is_named_by_admin(case: Case, matching: Sequence[ActiveRule]) -> bool:
    return any(
        rule.verdict == Rule.Verdict.ALLOW and rule.scope in ADMINS_SCOPES and rule.tool == case.tool
        for rule in matching
    )


def _check_excess(case: Case) -> Verdict | None:
    """A rule speaks of a tool and not of how often a document may have it called, so no rule lifts this."""
    if case.max_created is None or case.created < case.max_created:
        return None
    number = case.created + 1
    return Verdict("ask", f"A turn creates {case.max_created} things without asking, and this is number {number}.")


def _describe_consequence(case: Case) -> str:
    if case.access is Access.DESTRUCTIVE:
        return "It removes something."
    if case.access is Access.EXTERNAL:
        return case.foreign or "It acts outside DocRouter."
    if case.access is Access.COSTLY:
        return "It runs a model on more than one document."
    if case.origin == Turn.Origin.MCP:
        return f"It changes what everybody in {case.organization} works with."
    return "It changes more than this document."


def _describe_taint(case: Case) -> str:
    is_client = case.origin == Turn.Origin.MCP
    return "What the MCP client has read is not known" if is_client else "This turn has read a document"


def _apply_client_approval(case: Case) -> Verdict | None:
    if case.is_consequential or case.access in READS:
        return None
    if EVERY_TOOL in case.auto_approved or case.tool in case.auto_approved:
        return Verdict("allow", allowed_by="an API client, which approved it automatically", mode="client")
    return None


def _apply_mode(case: Case) -> Verdict | None:
    if case.access in READS:
        return Verdict("allow", allowed_by="reading needs no approval")
    if case.mode == Thread.Mode.AUTO and not case.is_consequential:
        return Verdict("allow", allowed_by="mode auto", mode=case.mode)
    if case.mode == Thread.Mode.AUTO:
        return Verdict("ask", f"{_describe_consequence(case)} Mode auto runs only what stays with this document.")
    if case.mode == Thread.Mode.ASK:
        cost = case.access is Access.COSTLY
        return Verdict("ask", COSTS if cost else "Changes wait for a person in this thread.")
    return None
