"""One row for entries that say the same of several things, "Tagged 16 documents", and for those of one setup."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta

from agent.audit.automatic_setups import SetUpDocument
from agent.audit.phrases import Phrase
from agent.audit.trail import AuditLine
from kit.formats import count_noun

APART = timedelta(minutes=5)
"""Entries with a longer pause between them have rows of their own."""


@dataclass(frozen=True)
class AuditRow:
    """Lines that differ in their target at most, or that one automatic setup has left; the newest first."""

    lines: list[AuditLine] = field(default_factory=list)

    @property
    def newest(self) -> AuditLine:
        return self.lines[0]

    @property
    def setup(self) -> SetUpDocument | None:
        """The document, where the row stands for several steps of its setup."""
        return self.newest.setup if len(self.lines) > 1 else None

    @property
    def address(self) -> str:
        return self.setup.address if self.setup else self.newest.address

    @property
    def phrase(self) -> Phrase:
        """Its name is empty where it stands for several things."""
        if self.setup:
            return Phrase("Set up ", self.setup.name, " automatically")
        own = self.newest.phrase
        targets = {line.entry.target_id for line in self.lines}
        if len(targets) > 1:
            return Phrase(f"{own.before}{count_noun(len(targets), self.newest.entry.target_kind)}{own.after}")
        times = f" ({len(self.lines)} times)" if len(self.lines) > 1 else ""
        return Phrase(own.before, own.name, f"{own.after}{times}")


def group_lines(lines: Iterable[AuditLine]) -> list[AuditRow]:
    rows: list[AuditRow] = []
    setups: dict[str, AuditRow] = {}
    for line in lines:
        row = setups.get(line.setup.id) if line.setup else rows[-1] if rows else None
        if row and _belongs(line, row.lines[-1]):
            row.lines.append(line)
            continue
        rows.append(AuditRow([line]))
        if line.setup:
            setups[line.setup.id] = rows[-1]
    return rows


def _belongs(line: AuditLine, before: AuditLine) -> bool:
    """Steps of several setups that run at once lie between each other."""
    is_near = before.entry.created_at - line.entry.created_at <= APART
    if line.setup or before.setup:
        return is_near and line.setup == before.setup
    return is_near and bool(line.phrase.name) and _key(line) == _key(before)


def _key(line: AuditLine) -> tuple[object, ...]:
    entry, phrase = line.entry, line.phrase
    return (entry.user_id, line.by, entry.action, entry.target_kind, phrase.before, phrase.after, line.reason)
