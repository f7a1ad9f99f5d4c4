"""What a row of a list says of the values of its document."""

from __future__ import annotations

import pytest

from documents.views.value_counts import ValueCounts


@pytest.mark.parametrize(
    ("uncertain", "failing", "checks", "words"),
    [(0, 0, 0, ""), (2, 0, 0, "2 uncertain"), (1, 1, 1, "1 failed check"), (3, 1, 2, "2 uncertain · 2 failed checks")],
)
def test_a_value_is_named_once(uncertain: int, failing: int, checks: int, words: str) -> None:
    assert ValueCounts(9, 0, uncertain, failed_checks=checks, failing=failing).describe_doubts() == words
