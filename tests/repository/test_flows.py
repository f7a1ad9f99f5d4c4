"""Which tests are flows: by what they ask for, so that no new one has to be told."""

from __future__ import annotations

import pytest

from tests.scripted_model import ScriptedModel
from tests.suites import NOT_FAST, SUITES


def is_marked(request: pytest.FixtureRequest) -> bool:
    return request.node.get_closest_marker("flows") is not None


def test_a_tight_case_is_none(request: pytest.FixtureRequest, db: None) -> None:
    assert not is_marked(request)


def test_what_asks_a_model_is_one(request: pytest.FixtureRequest, scripted_model: ScriptedModel) -> None:
    assert is_marked(request)


@pytest.mark.django_db(transaction=True)
def test_what_commits_is_one(request: pytest.FixtureRequest) -> None:
    assert is_marked(request)


def test_flows_have_a_suite_and_run_on_the_servers_too() -> None:
    commands = {suite.name: " ".join(suite.commands[0]) for suite in SUITES}
    assert "flows" in NOT_FAST and "-m flows and not" in commands["flows"]
    assert "not flows" in commands["fast"] and "not flows" not in commands["services"]
