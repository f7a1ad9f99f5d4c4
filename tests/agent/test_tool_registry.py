"""A tool is registered whole or the product does not start; what is told of tools comes from their registrations."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.toolkit.registry import Result, ToolContext, registry, tool
from tests.repository import tools_page

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = """
from agent.toolkit.registry import registry
from business_days import tools
found = registry.find("count_business_days")
print(found.is_read, found.needed_role, found.parameters["required"])
print(found.run(None, first="2026-03-02", last="2026-03-31"), found.run(None, first="2026-03-31", last="2026-03-02"))
"""


def nameless(context: ToolContext, text: str) -> Result:
    return {"text": text}


def untyped(context: ToolContext, text) -> Result:  # type: ignore[no-untyped-def]
    """Takes anything."""
    return {"text": text}


def get_current_time(context: ToolContext) -> Result:
    """Has the name of another."""
    return {}


def typed(context: ToolContext, text: str) -> Result:
    """Is whole."""
    return {"text": text}


@pytest.mark.parametrize(
    ("function", "registration", "error"),
    [
        (nameless, {"access": "read"}, "nameless: its docstring says"),
        (untyped, {"access": "read"}, "untyped.text: a tool parameter has a type"),
        (get_current_time, {"access": "read"}, "two tools called get_current_time"),
        (typed, {}, "access"),
        (typed, {"access": "maybe"}, "maybe"),
        (typed, {"access": "read", "category": "misc"}, "misc"),
        (typed, {"access": "read", "cost": "nothing"}, "`cost` says"),
        (typed, {"access": "costly_read", "timeout": 5}, "`cost` says"),
        (typed, {"access": "costly_read", "cost": "a model call"}, "`timeout` says"),
    ],
)
def test_half_a_registration_stops_the_start(
    function: Callable[..., Result], registration: dict[str, object], error: str
) -> None:
    before = list(registry)
    with pytest.raises((ValueError, TypeError), match=error):
        tool(**{"category": "help", "title": "Try", **registration})(function)  # type: ignore[arg-type]
    assert list(registry) == before


def test_the_page_of_tools_says_what_is_registered() -> None:
    page = tools_page.PAGE.read_text(encoding="utf-8")
    assert page == tools_page.print_page(), "Run `python -m tests.repository.tools_page`."


def test_an_app_beside_the_product_adds_a_tool() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "docs/examples"), "EXTRA_APPS": "business_days"}
    ran = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", EXAMPLE],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    answer = ran.stdout.splitlines()[-2:]
    assert answer == [
        "True viewer ['first', 'last']",
        "{'business_days': 22} {'error': 'The last date lies after the first, by at most 36,600 days.'}",
    ], ran.stderr
