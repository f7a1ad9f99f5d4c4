"""What a task is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.agent_tasks.good_model import Script
from benchmarks.agent_tasks.office import Office

Play = Callable[[Office], str]
"""Prepares documents, asks as a person would, looks at the end state: empty when done, else what is missing."""


@dataclass(frozen=True)
class Task:
    """`offline`: the built-in offline model can do it too. `is_long`: too long for the tests."""

    name: str
    play: Play
    script: Callable[[], Script]
    offline: bool = False
    without_tools: bool = False
    is_long: bool = False


def name_missing(**expected: bool) -> str:
    """The names of those that do not hold."""
    return ", ".join(name.replace("_", " ") for name, holds in expected.items() if not holds)
