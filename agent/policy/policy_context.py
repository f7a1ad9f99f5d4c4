"""As whom a tool call acts, and what the policy says of it at this moment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Role, User
from agent.models import Decision, Rule, Thread, ToolCall, Turn
from agent.policy import agent_settings
from agent.policy.active_rules import ADMINS_SCOPES, ActiveRule, describe_rule
from agent.policy.look_ups import LookUps
from agent.policy.permissions import HEADLESS_TOOLS, MAX_REFINEMENTS, Case, Verdict, evaluate, refuse
from agent.policy.read_elsewhere import ReadElsewhere, has_read_documents
from agent.toolkit.named_documents import list_document_ids
from agent.toolkit.registry import Reach, Tool, ToolContext, registry
from agent.toolkit.signatures import Arguments
from documents.autosetup import refining
from documents.models import PromptRevision, Proposal
from kit.errors import NotFound
from kit.rows.fixed_select import FixedSelect, FixedValues

# A round and a position that no call has.
AFTER_ALL = (1_000_000_000, 0)


def owner_of(thread: Thread) -> Actor:
    """The thread's owner with today's role. Raises NotFound when they have left the organization."""
    return _enter_thread(
        thread.owner, thread, "The owner of this thread has left the organization, so nothing in it runs."
    )


@FixedSelect
def _select_decision(call: str) -> QuerySet[Decision]:
    return Decision.objects.filter(call=call).select_related("user", "rule").order_by("-created_at")[:1]


def decision_on(call: ToolCall) -> Decision | None:
    decision = _select_decision.first(call.pk)
    if decision is not None:
        decision.call = call
    return decision


def decider_of(decision: Decision) -> str:
    """The person, the rule or what else decided, as pages and the log name it; empty where nobody did."""
    if decision.user:
        return decision.user.shown_name
    if decision.rule:
        return describe_rule(decision.rule.scope)
    return decision.call.allowed_by if decision.kind == Decision.Kind.APPROVED else ""


def actor_for(call: ToolCall) -> Actor:
    """Who approved the call; the owner where a rule or mode let it run. Raises NotFound for one who has left."""
    decision = decision_on(call)
    if decision and decision.user:
        decider = _enter_thread(
            decision.user, call.thread, "Who approved this has left the organization; it does not run."
        )
        return decider.as_agent(by_rule=False, call_id=call.pk)
    owner = owner_of(call.thread)
    owner = replace(owner, role=call.turn.limit(owner.role))
    return owner.as_agent(by_rule=True, call_id=call.pk, allowed_by=call.allowed_by)


def _enter_thread(user: User, thread: Thread, gone: str) -> Actor:
    try:
        return enter(user, thread.organization_id, joined=["organization__agent_settings"])
    except NotFound:
        raise NotFound(gone) from None


def context_for(turn: Turn, actor: Actor, *, call_id: str = "", cancelled: Callable[[], bool] = bool) -> ToolContext:
    thread = turn.thread
    return ToolContext(actor, thread, turn, thread.document, call_id=call_id, cancelled=cancelled)


class Policy:
    """What the policy of a thread rests on, read once: its owner's role today, the rules in force, what is off."""

    def __init__(self, thread: Thread) -> None:
        """Raises NotFound when the thread's owner has left the organization."""
        self.thread = thread
        self.owner = owner_of(thread)
        self.disabled = agent_settings.get_joined_settings(self.owner.organization).disabled_tools
        self.rules = _read_active_rules(thread)
        self.read_elsewhere = ReadElsewhere(thread)
        self.look_ups = LookUps(thread)

    @cached_property
    def open_proposals(self) -> list[str]:
        """The ids of the proposals that wait on the thread's document."""
        return refining.list_open_proposals(self.thread.document)

    @cached_property
    def has_read(self) -> bool:
        """Whether results in the conversation hold text of documents: a thread about none can list their names."""
        return has_read_documents(self.thread)

    def judge(
        self,
        tool: Tool,
        turn: Turn,
        *,
        reach: Reach,
        actor: Actor,
        arguments: Arguments,
        call: ToolCall | None = None,
        is_own: bool = False,
        also: Sequence[ActiveRule] = (),
    ) -> Verdict:
        """The answer for a call now. Owner and decider must both have the role; `also` are rules to suppose.

        Of what the turn has created, a `call` counts what was asked for before it; without one everything counts.
        """
        case = case_of(
            self.thread,
            tool,
            turn,
            arguments=arguments,
            reach=reach,
            owner=self.owner,
            actor=actor,
            rules=[*self.rules, *also],
            disabled=self.disabled,
        )
        if refused := refuse(case):
            return refused
        return evaluate(
            replace(
                case,
                tainted=turn.tainted or self.has_read,
                read_elsewhere=self.read_elsewhere.describe(tool, turn, call),
                auto_approved=turn.auto_approved,
                is_own=is_own,
                created=_count_created(turn, call) if tool.creates else 0,
                max_created=settings.MAX_CREATED_UNASKED if tool.creates else None,
                writes_thread=tool.writes_thread,
                is_refined=not tool.is_read and _is_refined(turn, call),
                foreign=self.look_ups.explain_foreign(tool, turn, arguments, call),
            )
        )


def case_of(
    thread: Thread,
    tool: Tool,
    turn: Turn,
    *,
    arguments: Arguments,
    reach: Reach,
    owner: Actor,
    actor: Actor,
    rules: Sequence[ActiveRule],
    disabled: Collection[str],
    is_about_document: bool = True,
) -> Case:
    """What a refusal rests on; of what the turn has read and made it knows nothing yet."""
    return Case(
        tool=tool.name,
        access=tool.access,
        reach=reach,
        needed_role=_find_needed_role(tool, turn),
        role=turn.limit(min(owner.role, actor.role, key=lambda role: role.rank)),
        mode=Thread.Mode.ASK if turn.origin == Turn.Origin.MCP else thread.mode,
        tainted=False,
        rules=rules,
        stopped=owner.organization.agent_stopped,
        organization=owner.organization.name,
        origin=turn.origin,
        disabled=tool.name in disabled,
        off=tool.off,
        needs_person=tool.needs_person,
        is_in_trash=is_about_document and not tool.restores and _is_in_trash(thread, tool, arguments),
    )


def _is_in_trash(thread: Thread, tool: Tool, arguments: Arguments) -> bool:
    """Whether it is about the thread's document, and that is in the trash. Another is not found there by its name."""
    if thread.document is None or thread.document.trashed_at is None:
        return False
    return thread.document.pk in list_document_ids(thread, tool.category, arguments)


def _count_created(turn: Turn, call: ToolCall | None) -> int:
    """How many calls of the turn have created something, or will when they run."""
    creating = {tool.name for tool in registry if tool.creates}
    place = (call.round, call.position) if call else AFTER_ALL
    tools = _select_tools_before.list(turn.pk, *place)
    return sum(name in creating for (name,) in tools)


def _is_refined(turn: Turn, call: ToolCall | None) -> bool:
    """Whether a headless turn has run what it proposes once and again as often as it may.

    A definition in force that it only tries is no refinement, and a run that failed does not count.
    """
    if turn.origin != Turn.Origin.HEADLESS:
        return False
    runs = _calls_before(turn, call).filter(tool="run_extraction")
    run_revisions = [(arguments or {}).get("prompt_revid") for arguments in runs.values_list("effective", flat=True)]
    proposed = PromptRevision.objects.filter(pk__in=run_revisions).exclude(status=PromptRevision.Status.ACCEPTED)
    own = set(proposed.values_list("pk", flat=True))
    return sum(revision in own for revision in run_revisions) > MAX_REFINEMENTS


def _calls_before(turn: Turn, call: ToolCall | None) -> QuerySet[ToolCall]:
    """The calls that count before this one, by their place: the same ones whenever somebody counts."""
    place = (call.round, call.position) if call else AFTER_ALL
    return _select_calls_before(turn.pk, *place)


def _select_calls_before(turn: str, round: int, position: int) -> QuerySet[ToolCall]:
    counted = ToolCall.objects.filter(turn=turn).exclude(status__in=ToolCall.WITHOUT_EFFECT)
    return counted.filter(Q(round__lt=round) | Q(round=round, position__lt=position))


@FixedValues
def _select_tools_before(turn: str, round: int, position: int) -> QuerySet[ToolCall, tuple[str]]:
    return _select_calls_before(turn, round, position).values_list("tool")


def _find_needed_role(tool: Tool, turn: Turn) -> Role:
    """What a headless turn makes is only proposed: who may upload may have that made."""
    return Role.REVIEWER if turn.origin == Turn.Origin.HEADLESS and not tool.is_read else tool.needed_role


def candidates_of(turn: Turn) -> list[PromptRevision]:
    """The accepted definitions that the product put before a headless turn: it may propose changes of these."""
    candidates = Proposal.objects.filter(members__turn_id=turn.pk).values_list("candidates", flat=True).first() or []
    ids = [each["prompt_revid"] for each in candidates]
    rows = PromptRevision.objects.for_org(turn.thread.organization).filter(pk__in=ids, prompt__trashed_at=None)
    return sorted(rows.select_related("prompt", "schema_revision__schema"), key=lambda row: ids.index(row.pk))


def list_own_ids(turn: Turn) -> set[str]:
    """What a headless turn may propose changes of: what it made itself, and the candidates."""
    candidates = candidates_of(turn)
    heads = {revision.prompt_id for revision in candidates}
    schemas = {revision.schema_revision.schema_id for revision in candidates if revision.schema_revision}
    revisions = {revision.pk for revision in candidates} | {str(revision.schema_revision_id) for revision in candidates}
    return list_created_ids(turn) | heads | schemas | revisions


def list_created_ids(turn: Turn) -> set[str]:
    """The ids of what the turn's own calls have made so far."""
    done = turn.calls.filter(status=ToolCall.Status.SUCCEEDED, tool__in=list(HEADLESS_TOOLS))
    return {str((call.result or {}).get(name)) for call in done for name in HEADLESS_TOOLS[call.tool]}


def filter_in_force(rows: QuerySet[Rule]) -> QuerySet[Rule]:
    """Neither revoked nor expired."""
    return rows.filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()), revoked_at=None)


@FixedSelect
def _select_rules(thread: str, owner: str, organization: str) -> QuerySet[Rule]:
    about = (
        Q(scope=Rule.Scope.THREAD, thread=thread) | Q(scope=Rule.Scope.USER, user=owner) | Q(scope__in=ADMINS_SCOPES)
    )
    return Rule.objects.filter(about, organization=organization, revoked_at=None).order_by("created_at")


def _read_active_rules(thread: Thread) -> list[ActiveRule]:
    now = timezone.now()
    rules = _select_rules.list(thread.pk, thread.owner_id, thread.organization_id)
    return [to_active_rule(rule) for rule in rules if rule.expires_at is None or rule.expires_at > now]


def to_active_rule(rule: Rule) -> ActiveRule:
    return ActiveRule(rule.pk, rule.scope, rule.verdict, rule.tool, rule.occasion)
