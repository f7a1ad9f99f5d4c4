"""docs/architecture.md can be read and reviewed line by line."""

from __future__ import annotations

from tests.repository.counts import ROOT

PAGE = ROOT / "docs/architecture.md"
MAX_CHARACTERS = 160


def test_no_line_is_too_long() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert not [number for number, line in enumerate(lines, 1) if len(line) > MAX_CHARACTERS]
