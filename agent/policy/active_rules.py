"""Rules in force as policy compares them with a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agent.models import Rule, Turn

EVERY_TOOL = "*"
_SCOPE_WORDS = {
    Rule.Scope.THREAD: "for this thread",
    Rule.Scope.USER: "of the thread's owner",
    Rule.Scope.ORGANIZATION: "of the organization",
    Rule.Scope.MCP: "for MCP clients",
}
# Rules in which only admins speak.
ADMINS_SCOPES = (Rule.Scope.ORGANIZATION, Rule.Scope.MCP)
OCCASIONS: Mapping[str, tuple[str, ...]] = {
    Rule.Occasion.ALONE: (Turn.Origin.HEADLESS,),
    Rule.Occasion.ASKED: (Turn.Origin.CHAT, Turn.Origin.API),
}


def describe_rule(scope: str) -> str:
    return f"a rule {_SCOPE_WORDS[Rule.Scope(scope)]}"


@dataclass(frozen=True)
class ActiveRule:
    """A rule in force that matches the call's thread, owner or organization."""

    rule_id: str
    scope: str
    verdict: str
    tool: str
    occasion: str = Rule.Occasion.ANY

    @property
    def words(self) -> str:
        return describe_rule(self.scope)

    @property
    def sentence_start(self) -> str:
        return f"A{self.words[1:]}"
