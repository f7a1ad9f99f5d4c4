from __future__ import annotations

from typing import Any

import pytest

from accounts.models import Role
from agent.policy.active_rules import ActiveRule
from agent.policy.permissions import Case, evaluate
from agent.toolkit.registry import Reach
from agent.toolkit.tool_kinds import Access

TOOL = "update_thing"


def rule(verdict: str, scope: str = "thread", tool: str = TOOL) -> ActiveRule:
    return ActiveRule("1", scope, verdict, tool)


def outcome(
    access: str = "write", reach: str = "document", mode: str = "ask", *, tainted: bool = True, **more: object
) -> str:
    facts = {"needed_role": Role.REVIEWER, "role": Role.BUILDER} | more
    return evaluate(
        Case(tool=TOOL, access=Access(access), reach=Reach(reach), mode=mode, tainted=tainted, **facts)
    ).outcome  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("access", "reach", "mode", "tainted", "expected"),
    [
        ("read", "document", "ask", True, "allow"),
        ("read", "organization", "ask", True, "allow"),
        ("read", "document", "plan", True, "allow"),
        ("write", "document", "ask", True, "ask"),
        ("costly", "document", "ask", True, "ask"),
        ("write", "document", "auto", True, "allow"),
        ("costly", "document", "auto", True, "allow"),
        ("write", "organization", "auto", True, "ask"),
        ("write", "organization", "auto", False, "ask"),
        ("destructive", "document", "auto", True, "ask"),
        ("destructive", "document", "auto", False, "ask"),
        ("external", "document", "auto", True, "ask"),
        ("write", "document", "plan", True, "plan"),
        ("costly", "document", "plan", False, "plan"),
        ("write", "document", "unheard of", False, "deny"),
    ],
)
def test_it_answers_by_mode(access: str, reach: str, mode: str, tainted: bool, expected: str) -> None:
    assert outcome(access, reach, mode, tainted=tainted) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (["allow", "ask", "deny"], "deny"),
        (["allow", "ask"], "ask"),
        (["allow"], "allow"),
        ([], "ask"),
    ],
)
def test_it_lets_deny_win_over_ask_over_allow(rules: list[str], expected: str) -> None:
    assert outcome(rules=[rule(verdict) for verdict in rules]) == expected


@pytest.mark.parametrize(
    ("occasion", "origins"),
    [("", ["chat", "api", "headless", "mcp"]), ("alone", ["headless"]), ("asked", ["chat", "api"])],
)
def test_a_rule_holds_on_its_occasion(occasion: str, origins: list[str]) -> None:
    rules = [ActiveRule("1", "user", "deny", TOOL, occasion)]
    denied = [
        each for each in ("chat", "api", "headless", "mcp") if outcome("read", rules=rules, origin=each) == "deny"
    ]
    assert denied == origins


def test_it_leaves_out_rules_of_other_tools() -> None:
    assert outcome(rules=[rule("allow", tool="other")]) == "ask"
    assert outcome(rules=[rule("allow", tool="*")]) == "allow"


@pytest.mark.parametrize(
    ("access", "standing", "tainted", "expected"),
    [
        ("write", rule("allow", "thread"), True, "ask"),
        ("write", rule("allow", "user"), True, "ask"),
        ("write", rule("allow", "organization", "*"), True, "ask"),
        ("write", rule("allow", "organization"), True, "allow"),
        ("write", rule("allow", "thread"), False, "allow"),
        ("destructive", rule("allow", "organization"), True, "ask"),
        ("external", rule("allow", "organization"), True, "ask"),
        ("destructive", rule("allow", "organization"), False, "allow"),
    ],
)
def test_it_asks_for_what_reaches_further_once_a_document_was_read(
    access: str, standing: ActiveRule, tainted: bool, expected: str
) -> None:
    assert outcome(access, "organization", "auto", tainted=tainted, rules=[standing]) == expected


def test_it_refuses_whom_the_role_does_not_cover_whatever_the_rules_say() -> None:
    assert outcome("read", role=Role.VIEWER, needed_role=Role.REVIEWER) == "deny"
    assert outcome(role=Role.REVIEWER, needed_role=Role.BUILDER, rules=[rule("allow", "organization")]) == "deny"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"mode": "auto", "tainted": False}, "ask"),
        ({"rules": [rule("allow", "organization"), rule("allow", "organization", "*")]}, "ask"),
        ({"auto_approved": ["*", TOOL]}, "ask"),
        ({"mode": "plan"}, "plan"),
        ({"origin": "headless", "is_own": True}, "deny"),
        ({"rules": [rule("deny")]}, "deny"),
    ],
)
def test_a_persons_word_is_given_by_a_person_alone(more: dict[str, Any], expected: str) -> None:
    assert outcome(needs_person=True, **more) == expected


def test_it_refuses_everything_while_the_organization_is_stopped() -> None:
    assert outcome("read", stopped=True) == "deny"


def test_a_read_needs_no_approval_also_where_a_client_gave_one() -> None:
    read = Case(
        tool=TOOL,
        access=Access.READ,
        reach=Reach.DOCUMENT,
        needed_role=Role.VIEWER,
        role=Role.VIEWER,
        mode="ask",
        tainted=True,
        auto_approved=["*"],
    )
    assert evaluate(read).allowed_by == "reading needs no approval"


def test_it_says_of_what_reads_many_documents_that_a_model_runs() -> None:
    case = Case(
        tool=TOOL,
        access=Access.COSTLY,
        reach=Reach.ORGANIZATION,
        needed_role=Role.BUILDER,
        role=Role.ADMIN,
        mode="ask",
        tainted=True,
    )
    assert evaluate(case).why.startswith("It runs a model on more than one document. This turn has read")


@pytest.mark.parametrize(
    ("origin", "why"),
    [
        ("chat", "It changes more than this document. This turn has read a document, so it always asks."),
        (
            "mcp",
            "It changes what everybody in Delmar works with."
            " What the MCP client has read is not known, so it always asks.",
        ),
    ],
)
def test_it_says_why_in_a_sentence(origin: str, why: str) -> None:
    verdict = evaluate(
        Case(
            tool=TOOL,
            access=Access.WRITE,
            reach=Reach.ORGANIZATION,
            needed_role=Role.BUILDER,
            role=Role.ADMIN,
            mode="auto",
            tainted=True,
            organization="Delmar",
            origin=origin,
        )
    )
    assert verdict.why == why


@pytest.mark.parametrize(
    ("approved", "more", "expected"),
    [
        ([TOOL], {}, "allow"),
        (["*"], {}, "allow"),
        (["other"], {}, "ask"),
        ([TOOL], {"access": "costly"}, "allow"),
        ([TOOL], {"reach": "organization", "tainted": False}, "ask"),
        ([TOOL], {"access": "destructive", "tainted": False}, "ask"),
        ([TOOL], {"access": "external", "tainted": False}, "ask"),
        ([TOOL], {"rules": [rule("ask", "user")]}, "ask"),
        ([TOOL], {"rules": [rule("deny")]}, "deny"),
        ([TOOL], {"mode": "plan"}, "plan"),
    ],
)
def test_what_a_client_approved_beforehand_is_the_weakest_allow(
    approved: list[str], more: dict[str, Any], expected: str
) -> None:
    assert outcome(auto_approved=approved, **more) == expected
