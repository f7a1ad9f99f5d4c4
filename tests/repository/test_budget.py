"""The house does not grow unnoticed, and its sentences only get better."""

from __future__ import annotations

import pytest

from tests.repository import budget
from tests.repository.budget import Budget, Step

OF_FILE = budget.read_budget()


def test_the_source_lines_keep_to_their_budget() -> None:
    lines, limit = budget.count_source_lines(), OF_FILE["source_lines"][-1]["lines"]
    remedy = 'Take as much away, or run `python -m tests.repository.budget --because "…"` and say so in the commit.'
    assert lines <= limit, f"{lines} source lines, {limit} are allowed. {remedy}"


def test_each_rise_of_the_budget_says_why() -> None:
    assert not budget.list_unexplained(OF_FILE["source_lines"])


def test_start_words_only_fall() -> None:
    now, limits = budget.count_start_words(), OF_FILE["start_words"]
    assert set(now) <= set(limits)
    risen = [f"{word} (now {now[word]}, was {limit})" for word, limit in limits.items() if now[word] > limit]
    assert not risen, f"Write docstrings and comments as sentences with a subject or imperatives: {', '.join(risen)}."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('def f():\n    """What is left."""\n', ["What"]),
        ("# Of one upload.\n# What is nested counts.\nA = 1  # Those of rows\n", ["Of", "Those"]),
        ("# Whatever comes.\nA = 'x'\n", []),
        ('"""The same again.\n\nOf course."""\n', ["The same"]),
    ],
)
def test_it_knows_the_first_words(text: str, words: list[str]) -> None:
    assert [*budget.start_words(text)] == words


def test_a_fall_lowers_the_last_step_and_a_rise_adds_one() -> None:
    before: Budget = {"source_lines": [Step(lines=10, because="the beginning of it")], "start_words": {}}
    assert budget.lower(before, 8, "") == [Step(lines=8, because="the beginning of it")]
    assert budget.lower(before, 12, "one more kind")[-1] == Step(lines=12, because="one more kind")
    with pytest.raises(SystemExit):
        budget.lower(before, 12, "")
    assert budget.list_unexplained([Step(lines=10, because=""), Step(lines=12, because="")]) == [12]
