"""Every tool, reach, mode, rule and taint against the policy as it was decided, written down a second time here."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import agent.tools  # noqa: F401 - registers the tools
from accounts.models import Role
from agent.policy.active_rules import ActiveRule
from agent.policy.permissions import Case, evaluate
from agent.toolkit.registry import Reach, Tool, registry
from agent.toolkit.tool_kinds import Access

MODES = ("ask", "auto", "plan", "headless")
SCOPES = ("thread", "user", "organization")
RULES: list[tuple[str, str] | None] = [None, *product(SCOPES, ("allow", "ask", "deny"))]
STRICTNESS = {"allow": 0, "ask": 1, "deny": 2}
HEADLESS = ("create_schema", "create_prompt", "run_extraction")
TOOLS = {tool.name: tool for tool in registry}
CREATING = ("create_schema", "create_prompt", "create_tag", "split_document", "add_document")


def outcome(
    tool: Tool,
    reach: Reach,
    mode: str,
    rules: list[tuple[str, str]],
    tainted: bool,
    *,
    own: bool = False,
    created: int = 0,
) -> str:
    case = Case(
        tool=tool.name,
        access=tool.access,
        reach=reach,
        needed_role=tool.needed_role,
        role=Role.ADMIN,
        mode="ask" if mode == "headless" else mode,
        origin="headless" if mode == "headless" else "chat",
        tainted=tainted,
        rules=[ActiveRule("1", scope, verdict, tool.name) for scope, verdict in rules],
        is_own=own,
        created=created,
        max_created=5 if tool.creates else None,
    )
    return evaluate(case).outcome


def expect_outcome(
    tool: Tool, reach: Reach, mode: str, rule: tuple[str, str] | None, tainted: bool, *, created: int = 0
) -> str:
    """DESIGN §7 in its own order of sentences: the first one that applies."""
    reads = tool.access in ("read", "costly_read")
    consequential = tool.access in ("destructive", "external") or (reach == "organization" and not reads)
    lifts = rule == ("organization", "allow") and tool.access not in ("destructive", "external")
    verdict = rule[1] if rule else ""
    excessive = tool.name in CREATING and created >= 5
    sentences = [
        ("any deny: deny", verdict == "deny", "deny"),
        ("headless: no card, so what asks is denied", mode == "headless" and verdict == "ask", "deny"),
        ("headless: all reads", mode == "headless" and reads, "allow"),
        ("headless: consequential is on no list", mode == "headless" and consequential, "deny"),
        ("headless: five new things are enough", mode == "headless" and excessive, "deny"),
        ("headless: the list", mode == "headless" and tool.name in HEADLESS, "allow"),
        ("headless: nothing else, whatever the rules say", mode == "headless", "deny"),
        ("plan: validates and previews only", mode == "plan" and not reads, "plan"),
        ("else any ask: ask", verdict == "ask", "ask"),
        ("tainted and consequential asks in every mode", tainted and consequential and not lifts, "ask"),
        ("the sixth new thing of a turn asks", excessive, "ask"),
        ("else any allow: allow", verdict == "allow", "allow"),
        ("reads run", reads, "allow"),
        ("mode ask: writes ask", mode == "ask", "ask"),
        ("mode auto: consequential asks", consequential, "ask"),
        ("mode auto: writes of reach document run", True, "allow"),
    ]
    return next(answer for _, holds, answer in sentences if holds)


@pytest.mark.parametrize("name", TOOLS)
def test_it_answers_every_case_of_the_tool_as_the_design_says(name: str) -> None:
    tool = TOOLS[name]
    wrong = [
        (reach.value, mode, rule, tainted, created, actual, expected)
        for reach, mode, rule, tainted, created in product(Reach, MODES, RULES, (True, False), (0, 4, 5, 40))
        if (actual := outcome(tool, reach, mode, [rule] if rule else [], tainted, created=created))
        != (expected := expect_outcome(tool, reach, mode, rule, tainted, created=created))
    ]
    assert wrong == []


def test_the_tools_that_create_something_say_so() -> None:
    assert tuple(tool.name for tool in registry if tool.creates) == tuple(sorted(CREATING))


@pytest.mark.parametrize("name", ["create_tag", "update_tag", "delete_tag"])
def test_a_tag_is_the_organizations(name: str) -> None:
    nobody: Any = None  # its reach asks nothing of where it is called
    assert TOOLS[name].reach(nobody, {"tag_id": "0" * 24, "name": "New"}) is Reach.ORGANIZATION


@pytest.mark.parametrize("name", TOOLS)
def test_of_two_rules_the_stricter_one_holds(name: str) -> None:
    tool = TOOLS[name]
    pairs = [pair for pair in product(RULES[1:], RULES[1:]) if pair[0][1] != pair[1][1]]  # type: ignore[index]
    for reach, mode, tainted in product(Reach, MODES, (True, False)):
        alone = {rule: outcome(tool, reach, mode, [rule], tainted) for rule in RULES[1:]}  # type: ignore[list-item]
        for pair in pairs:
            both = outcome(tool, reach, mode, list(pair), tainted)  # type: ignore[arg-type]
            stricter = max(pair, key=lambda rule: STRICTNESS[rule[1]])  # type: ignore[index]
            assert both == alone[stricter], (reach, mode, tainted, pair)


@pytest.mark.parametrize("name", [name for name in TOOLS if not TOOLS[name].is_read])
def test_a_headless_turn_changes_what_it_made_itself_while_that_stays_its_own(name: str) -> None:
    tool = TOOLS[name]
    removes = tool.access in (Access.DESTRUCTIVE, Access.EXTERNAL)
    assert outcome(tool, Reach.DOCUMENT, "headless", [], True, own=True) == ("deny" if removes else "allow")
    assert outcome(tool, Reach.ORGANIZATION, "headless", [("organization", "allow")], True, own=True) == "deny"


@pytest.mark.parametrize("name", TOOLS)
def test_whom_the_role_does_not_cover_gets_nothing_by_any_rule_or_mode(name: str) -> None:
    tool = TOOLS[name]
    if tool.needed_role is Role.VIEWER:
        return
    for mode, rule in product(MODES, RULES):
        standing = [ActiveRule("1", *rule, name)] if rule else []
        case = Case(
            tool=name,
            access=tool.access,
            reach=Reach.DOCUMENT,
            needed_role=tool.needed_role,
            role=Role.VIEWER,
            mode=mode,
            tainted=False,
            rules=standing,
            auto_approved=["*"],
            is_own=True,
        )
        assert evaluate(case).outcome == "deny"
