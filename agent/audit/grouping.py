"""One row for entries that say the same of several things: "Tagged 16 documents"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta

from agent.audit.phrases import Phrase
from agent.audit.trail import AuditLine
from kit.formats import count_noun

APART = timedelta(minutes=5)
"""Entries with a longer pause between them have rows of their own."""


@dataclass(frozen=True)
class AuditRow:
    """Neighbouring lines, the newest first, which differ in their target at most."""

    lines: list[AuditLine] = field(default_factory=list)

    @property
    def newest(self) -> AuditLine:
        return self.lines[0]

    @property
    def phrase(self) -> Phrase:
        """Its name is empty where it stands for several things."""
        own = self.newest.phrase
        targets = {line.entry.target_id for line in self.lines}
        if len(targets) > 1:
            return Phrase(f"{own.before}{count_noun(len(targets), self.newest.entry.target_kind)}{own.after}")
        times = f" ({len(self.lines)} times)" if len(self.lines) > 1 else ""
        return Phrase(own.before, own.name, f"{own.after}{times}")


def group_lines(lines: Iterable[AuditLine]) -> list[AuditRow]:
    rows: list[AuditRow] = []
    for line in lines:
        if rows and _belongs(line, rows[-1].lines[-1]):
            rows[-1].lines.append(line)
        else:
            rows.append(AuditRow([line]))
    return rows


def _belongs(line: AuditLine, before: AuditLine) -> bool:
    is_near = before.entry.created_at - line.entry.created_at <= APART
    return is_near and bool(line.phrase.name) and _key(line) == _key(before)


def _key(line: AuditLine) -> tuple[object, ...]:
    entry, phrase = line.entry, line.phrase
    return (entry.user_id, line.by, entry.action, entry.target_kind, phrase.before, phrase.after, line.reason)
