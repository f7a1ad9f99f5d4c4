"""Two texts line by line: what was added and what was taken out, with the lines around it."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

AROUND = 2


@dataclass(frozen=True)
class TextLine:
    """`skipped` stands for lines that are the same, and says how many."""

    kind: Literal["same", "add", "cutout", "skipped"]
    text: str


def list_changed_lines(before: str, after: str) -> list[TextLine]:
    """Empty when the texts are the same."""
    old, new = before.splitlines(), after.splitlines()
    lines: list[TextLine] = []
    done = 0
    for group in SequenceMatcher(None, old, new).get_grouped_opcodes(AROUND):
        lines += _make_skipped_lines(group[0][1] - done)
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                lines += [TextLine("same", line) for line in old[start:end]]
                continue
            lines += [TextLine("cutout", line) for line in old[start:end]]
            lines += [TextLine("add", line) for line in new[new_start:new_end]]
        done = group[-1][2]
    return [*lines, *_make_skipped_lines(len(old) - done)] if lines else []


def _make_skipped_lines(count: int) -> list[TextLine]:
    return [TextLine("skipped", f"{count} line{'s' if count > 1 else ''} the same")] if count > 0 else []
