"""The outcome of the check of an answer, as the page shows it below the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.citations.checked_answers import NOT_CITED, UnprovenSentence
from agent.citations.reviewing import Coverage
from agent.citations.statements.checking import State
from agent.conversation.sources import Source


@dataclass(frozen=True)
class SumPart:
    """A row of a sum: the place that a number stands at, with its source where the answer numbers it."""

    block_id: str
    sign: str
    written: str
    source: Source | None = None

    @property
    def page(self) -> str:
        return self.block_id.split(".")[1]


@dataclass(frozen=True)
class SumTable:
    result: str
    parts: Sequence[SumPart]
    note: str = ""


@dataclass(frozen=True)
class Check:
    """What the check of an answer has found. `nothing_read` is a sentence, where it tells of documents all the same."""

    unsupported: Sequence[UnprovenSentence] = ()
    not_checked: Sequence[UnprovenSentence] = ()
    sums: Sequence[SumTable] = ()
    coverage: Coverage | None = None
    nothing_read: str = ""
    is_answer: bool = True

    @property
    def title(self) -> str:
        return _count_sentences(len(self.unsupported), State.UNSUPPORTED)

    @property
    def open_title(self) -> str:
        words = {each.word for each in self.not_checked}
        return _count_sentences(len(self.not_checked), words.pop() if len(words) == 1 else NOT_CITED)

    @property
    def request(self) -> str:
        """What a person may ask for next."""
        quoted = " ".join(f"“{each.text}”" for each in self.unsupported)
        return f"Look for words that prove this, and take back what none do: {quoted}"


def _count_sentences(count: int, state: str) -> str:
    return f"One sentence is {state}." if count == 1 else f"{count} sentences are {state}."
