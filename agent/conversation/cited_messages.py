"""An answer as it is given to people and programs: with its sources, and the sentences that are not proven."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from agent.citations.checked_answers import CheckedText, CitedThread, is_checked, list_unsupported, mark_answer
from agent.conversation.sources import PLACE, Source, find_sources
from agent.models import Citation, Message


@dataclass(frozen=True)
class CitedMessage:
    """`text` has whole block ids. `citations` are by number; those in `doubtful` are named by an unproven sentence."""

    text: str
    sources: Sequence[Source] = ()
    unsupported: Sequence[str] = ()
    citations: Mapping[int, Citation] = field(default_factory=dict)
    doubtful: frozenset[int] = frozenset()

    @property
    def numbered(self) -> str:
        """With [1] in place of block ids."""
        numbers = {source.block_id: source.number for source in self.sources}
        return PLACE.sub(lambda match: f"[{numbers[match[1]]}]" if match[1] in numbers else match[0], self.text)


def read_message(message: Message) -> CitedMessage:
    """An answer that was never checked names its sources by whole block ids alone."""
    organization = message.thread.organization
    if not is_checked(message):
        text = message.join_text()
        return CitedMessage(text, find_sources(organization, {"": text}).get("", []))
    cited = CitedThread(message.thread)
    checked = cited.expand(message.turn.number, mark_answer(message))
    unsupported = [each.text for each in list_unsupported(message)]
    doubtful = frozenset(number for each in unsupported for number in cited.expand(message.turn.number, each).citations)
    sources = number_sources(find_sources(organization, {"": checked.text}).get("", []), checked)
    return CitedMessage(checked.text, sources, unsupported, checked.citations, doubtful)


def number_sources(sources: Sequence[Source], checked: CheckedText) -> list[Source]:
    """With the numbers of the citations; what has none gets one that none of them has."""
    numbers = {row.block_id: number for number, row in reversed(list(checked.citations.items()))}
    free = (number for number in count(1) if number not in checked.citations)
    numbered = (replace(each, number=numbers.get(each.block_id) or next(free)) for each in sources)
    return sorted(numbered, key=lambda each: each.number)
