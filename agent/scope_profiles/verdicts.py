"""A check of the scope answers in, out or unsure, names the rule and says why in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["in", "out", "unsure"]
IN: Outcome = "in"
OUT: Outcome = "out"
UNSURE: Outcome = "unsure"


@dataclass(frozen=True)
class Verdict:
    outcome: Outcome
    rule: str
    reason: str
    words: str = ""
    """The words of the message or text that decided; empty where something else did."""


def join_verdicts(verdicts: list[Verdict]) -> Verdict:
    """A wish that is out decides for all of them, then one that is unsure."""
    for outcome in (OUT, UNSURE):
        if decisive := next((each for each in verdicts if each.outcome == outcome), None):
            return decisive
    return verdicts[0]
