"""An answer as it is given to people and programs: with its sources, and the sentences that are not proven."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from agent.citations.checked_answers import (
    CheckedText,
    CitedThread,
    get_coverage,
    has_read_nothing,
    hide_names,
    is_checked,
    list_not_checked,
    list_unsupported,
    mark_answer,
)
from agent.citations.reviewing import Coverage
from agent.citations.statements.checking import State
from agent.conversation.sources import PLACE, Source, find_sources
from agent.models import Citation, Message, Thread


@dataclass(frozen=True)
class CitedMessage:
    """`text` and the unproven sentences have whole block ids. `citations` are by number; those in `doubtful` are named
    by an unproven sentence, those in `open_numbers` by one that is not checked. `reasons` say of each unproven sentence
    what was not found, `open_reasons` of each that is not checked why. `nothing_read`: it tells of documents, and its
    turn has read none. `coverage`: how many documents it names and its turn has read.
    """

    text: str
    sources: Sequence[Source] = ()
    unsupported: Sequence[str] = ()
    citations: Mapping[int, Citation] = field(default_factory=dict)
    doubtful: frozenset[int] = frozenset()
    reasons: Sequence[str] = ()
    nothing_read: bool = False
    not_checked: Sequence[str] = ()
    open_numbers: frozenset[int] = frozenset()
    open_reasons: Sequence[str] = ()
    coverage: Coverage | None = None

    def get_state(self, number: int) -> State:
        """The state of the weakest sentence which names this citation."""
        if number in self.doubtful:
            return State.UNSUPPORTED
        is_open = number in self.open_numbers or number not in self.citations
        return State.NOT_CHECKED if is_open else State.PROVEN

    @property
    def numbered(self) -> str:
        """With [1] in place of block ids."""
        return self._number(self.text)

    @property
    def numbered_unsupported(self) -> list[str]:
        """As they stand in `numbered`."""
        return [self._number(each) for each in self.unsupported]

    @property
    def numbered_not_checked(self) -> list[str]:
        return [self._number(each) for each in self.not_checked]

    def _number(self, text: str) -> str:
        numbers = {source.block_id: source.number for source in self.sources}
        return PLACE.sub(lambda match: f"[{numbers[match[1]]}]" if match[1] in numbers else match[0], text)


def read_message(message: Message) -> CitedMessage:
    return read_messages(message.thread, [message])[message.pk]


def read_messages(thread: Thread, messages: Sequence[Message]) -> dict[str, CitedMessage]:
    """Of one thread, by their ids. An answer that was never checked names its sources by whole block ids alone."""
    checked = _expand_checked(thread, [message for message in messages if is_checked(message)])
    on_the_way = {each.pk: _read_words(each) for each in messages if each.pk not in checked}
    texts = {each.pk: (checked.get(each.pk) or on_the_way[each.pk]).text for each in messages}
    sources = find_sources(thread.organization, texts)
    return {
        key: replace(checked[key], sources=number_sources(sources.get(key, []), checked[key].citations))
        if key in checked
        else replace(on_the_way[key], sources=sources.get(key, []))
        for key in texts
    }


def _read_words(message: Message) -> CitedMessage:
    """Read words beside calls, and what was never checked: without the lines that they name."""
    unproven, open_ones = list_unsupported(message), list_not_checked(message)
    return CitedMessage(
        hide_names(mark_answer(message)),
        unsupported=[hide_names(each.text) for each in unproven],
        reasons=[each.reason for each in unproven],
        not_checked=[hide_names(each.text) for each in open_ones],
        open_reasons=[each.reason for each in open_ones],
    )


def _expand_checked(thread: Thread, messages: Sequence[Message]) -> dict[str, CitedMessage]:
    """Without their sources."""
    if not messages:
        return {}
    cited, numbers = CitedThread(thread), dict(thread.turns.values_list("pk", "number"))
    expanded: dict[str, CitedMessage] = {}
    for message in messages:
        number = numbers[message.turn_id]
        checked = cited.expand(number, mark_answer(message))
        unproven = [cited.expand(number, each.text) for each in list_unsupported(message)]
        open_ones = [cited.expand(number, each.text) for each in list_not_checked(message)]
        expanded[message.pk] = CitedMessage(
            checked.text,
            unsupported=[sentence.text for sentence in unproven],
            citations=checked.citations,
            doubtful=_join_numbers(unproven),
            reasons=[each.reason for each in list_unsupported(message)],
            nothing_read=has_read_nothing(message),
            not_checked=[sentence.text for sentence in open_ones],
            open_numbers=_join_numbers(open_ones),
            open_reasons=[each.reason for each in list_not_checked(message)],
            coverage=get_coverage(message),
        )
    return expanded


def _join_numbers(sentences: Iterable[CheckedText]) -> frozenset[int]:
    return frozenset(number for sentence in sentences for number in sentence.citations)


def number_sources(sources: Sequence[Source], citations: Mapping[int, Citation]) -> list[Source]:
    """With the numbers of the citations; what has none gets one that none of them has."""
    numbers = {row.block_id: number for number, row in reversed(list(citations.items()))}
    free = (number for number in count(1) if number not in citations)
    numbered = (replace(each, number=numbers.get(each.block_id) or next(free)) for each in sources)
    return sorted(numbered, key=lambda each: each.number)
