"""One line of what was decided today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Model
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from kit.http.undo_buttons import UndoButton

YOU = "You"


@dataclass(frozen=True)
class DecisionRow:
    """`words` name the decision and `title` what it was about; `is_done`: whether it let something happen.

    `note` is the reason that was given, or the outcome. `undo` takes it back, for those who may.
    """

    entry: AuditEntry
    words: str
    title: str
    who: str
    is_done: bool = True
    about: str = ""
    note: str = ""
    undo: UndoButton | None = None
    is_undone: bool = False

    @property
    def version(self) -> str:
        """Differs when the page has to draw the row anew."""
        return f"{self.entry.pk}{self.undo is not None}{self.is_undone}{len(self.words)}{len(self.title)}"

    @property
    def place(self) -> str:
        """What it is about, unless the title has named that."""
        return "" if self.about in self.title else self.about

    @property
    def sentence(self) -> str:
        return f"{self.words} {self.title}"

    @property
    def is_own(self) -> bool:
        """The reader decided it."""
        return self.who == YOU


@dataclass(frozen=True)
class Decided:
    """The decision of somebody, the newest entry first: several where they are one decision of many values."""

    actor: Actor
    entries: Sequence[AuditEntry]
    target: Model

    @property
    def entry(self) -> AuditEntry:
        return self.entries[0]

    @property
    def who(self) -> str:
        if self.entry.user_id == self.actor.user.pk:
            return YOU
        return self.entry.user.shown_name if self.entry.user else ""

    def make_undo(
        self,
        route: str,
        *ids: str,
        role: Role = Role.REVIEWER,
        values: Mapping[str, str | Sequence[str]] | None = None,
        returns_to: str = "",
    ) -> UndoButton | None:
        """None for those who may not. Z takes back one's own decisions alone."""
        if not self.actor.may(role):
            return None
        return UndoButton(
            address=reverse(route, args=(self.actor.organization.pk, *ids)),
            values={**(values or {}), "stay": "1"},
            key=f"decided-{self.entry.pk}" if self.who == YOU else "",
            since=int(self.entry.created_at.timestamp() * 1_000_000),
            returns_to=returns_to,
        )


def quote(reason: str) -> str:
    return f"“{reason}”" if reason else ""
