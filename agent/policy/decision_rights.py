"""Why a person cannot decide a card, asked alike by the decision itself, the page and the API."""

from __future__ import annotations

from functools import cached_property

from django.utils import timezone

from accounts.actor import Actor
from agent.models import Rule, Thread, ToolCall, Turn
from agent.outside.catalog import find_tool_of
from agent.policy import agent_settings
from agent.policy.active_rules import ADMINS_SCOPES
from agent.policy.permissions import refuse
from agent.policy.policy_context import case_of, filter_in_force, owner_of, to_active_rule
from agent.toolkit.registry import Reach, Tool
from kit.errors import AppError, Denied, NotFound

BY_A_PERSON = (
    "What an MCP client asks for is approved by a person who is signed in to DocRouter, never with an access token."
)
TIME_OVER = "The time to decide this card is over, and nothing ran. Ask the agent again."


class Barriers:
    """What stands in this actor's way. What it rests on is read once, since a list has many cards of few owners."""

    def __init__(self, actor: Actor) -> None:
        self.actor = actor
        self._owners: dict[str, Actor | NotFound] = {}

    def to_decide(self, call: ToolCall) -> str:
        """The sentence that says why this card cannot be decided either way; empty when it can be rejected."""
        return self._sentence(call, approves=False)

    def to_approve(self, call: ToolCall) -> str:
        """As `to_decide`, or why it can only be rejected; empty when it can be approved."""
        return self._sentence(call, approves=True)

    def require(self, call: ToolCall, *, approves: bool) -> None:
        """Both must be allowed to do it themselves: who decides, and whose thread it is. Nobody approves a denial.

        Raises Denied, or NotFound when the thread's owner has left.
        """
        tool = find_tool_of(call)
        self.actor.require(tool.needed_role)
        owner = self._owner_of(call.thread)
        if not owner.may(tool.needed_role):
            raise Denied(f"The owner of this thread may not do this: it needs the role {tool.needed_role.value}.")
        if approves and call.turn.origin == Turn.Origin.MCP and self.actor.token:
            raise Denied(BY_A_PERSON)
        if approves and call.reach:  # what never became a card has no reach, and cannot be decided
            self._require_no_refusal(call, tool, owner)

    def _sentence(self, call: ToolCall, *, approves: bool) -> str:
        try:
            self.require(call, approves=approves)
        except AppError as error:
            return error.sentence
        return TIME_OVER if is_overdue(call) else ""

    def _require_no_refusal(self, call: ToolCall, tool: Tool, owner: Actor) -> None:
        thread = call.thread
        rules = [to_active_rule(rule) for rule in self._denying if _concerns(rule, thread)]
        verdict = refuse(
            case_of(
                thread,
                tool,
                call.turn,
                arguments=call.effective or {},
                reach=Reach(call.reach),
                owner=owner,
                actor=self.actor,
                rules=rules,
                disabled=agent_settings.get_joined_settings(owner.organization).disabled_tools,
            )
        )
        if verdict is not None:
            raise Denied(verdict.why)

    def _owner_of(self, thread: Thread) -> Actor:
        if thread.owner_id not in self._owners:
            try:
                self._owners[thread.owner_id] = owner_of(thread)
            except NotFound as gone:
                self._owners[thread.owner_id] = gone
        owner = self._owners[thread.owner_id]
        if isinstance(owner, NotFound):
            raise owner
        return owner

    @cached_property
    def _denying(self) -> list[Rule]:
        rules = Rule.objects.filter(organization=self.actor.organization, verdict=Rule.Verdict.DENY)
        return list(filter_in_force(rules).order_by("created_at"))


def _concerns(rule: Rule, thread: Thread) -> bool:
    if rule.scope == Rule.Scope.THREAD:
        return rule.thread_id == thread.pk
    return rule.scope in ADMINS_SCOPES or rule.user_id == thread.owner_id


def is_overdue(call: ToolCall) -> bool:
    """Whether the time of a card is over that nobody has ended yet."""
    return call.status == ToolCall.Status.PENDING and call.expires_at is not None and call.expires_at <= timezone.now()
