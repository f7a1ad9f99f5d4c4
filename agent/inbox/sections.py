"""The groups of the inbox, and the two numbers that they add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.inbox.inbox_rows import CARD, CHECKS, DOUBT, FAILED, HELD, PAUSED, PROPOSAL, UNREAD, VERIFY, InboxRow
from kit import formats

# A section's number is exact up to here.
MAX_IN_SECTION = 1000
SECTIONS = {
    "cards": ("Changes to approve", (CARD,)),
    "proposals": ("Proposals", (PROPOSAL,)),
    "held": ("Held prompts", (HELD,)),
    "stopped": ("Stopped", (DOUBT, PAUSED)),
    "failed": ("Failed", (UNREAD, FAILED)),
    "checks": ("Failed checks", (CHECKS,)),
    "verify": ("To verify", (VERIFY,)),
}
# The navigation does not count these: nothing stands still for them.
UNCOUNTED = ("checks", "verify")
LONG_AGO = "Failed long ago"


@dataclass(frozen=True)
class Section:
    """`total` is how many there are, exact up to MAX_IN_SECTION; `more` how many of them are not in `rows`.

    `after` is the key from which the next page goes on, empty where this is the last. `is_stale`: nothing was added
    for so long that what can be verified comes first.
    """

    name: str
    title: str
    rows: list[InboxRow]
    total: int
    more: int
    after: str
    is_stale: bool = False

    @property
    def is_capped(self) -> bool:
        return self.total > MAX_IN_SECTION

    @property
    def is_counted(self) -> bool:
        return self.name not in UNCOUNTED

    @property
    def shown_total(self) -> str:
        return _format_total([self])


@dataclass(frozen=True)
class Numbers:
    """The two numbers of the page: of the groups that the navigation counts too, and of those that it does not."""

    to_decide: str
    to_verify: str


def add_up(sections: Sequence[Section]) -> Numbers:
    counted = [section for section in sections if section.is_counted]
    return Numbers(_format_total(counted), _format_total([section for section in sections if not section.is_counted]))


def _format_total(sections: Sequence[Section]) -> str:
    total = sum(min(section.total, MAX_IN_SECTION) for section in sections)
    return f"{formats.format_number(total)}{'+' * any(section.is_capped for section in sections)}"
