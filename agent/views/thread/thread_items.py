"""What a thread is made of on a page: each item has a `key` that stays and a `version` that changes with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from agent.cards.cards import Card
from agent.cards.chain_ends import ChainEnd
from agent.cards.crops import CropView
from agent.citations.checked_answers import find_begun_names, hide_names
from agent.conversation.sources import Source
from agent.models import Message, Turn
from agent.toolkit.previews import format_count
from agent.toolkit.turn_changes import TurnChanges
from agent.turns.outcome_text import TurnOutcome
from agent.turns.surveys.full_pass import FullPass
from agent.turns.surveys.survey_retry import Rest
from agent.views.thread.answer_checks import Check
from agent.views.thread.chips import Chip, MessagePart, split_at_chips
from documents.find.scopes import Scope
from documents.models import Document

LONG_TEXT = 2000
# Above so many, the sources of an answer are folded by document.
MAX_FLAT_SOURCES = 10


@dataclass(frozen=True)
class UserText:
    """What a person wrote. `parts` are the text with its chips, `named` the chips that the text does not hold."""

    key: str
    number: int
    text: str
    parts: list[MessagePart]
    named: list[Chip]
    chips: list[Chip]
    scope: Scope
    version: str = "1"
    kind: str = "user_text"

    @property
    def is_long(self) -> bool:
        """So that it would push the answer out of sight."""
        return len(self.text) > LONG_TEXT

    @property
    def scope_words(self) -> str:
        """Which documents it was about, without their names: those may have changed since."""
        if "query" in self.scope:
            return "About the documents of a filter"
        ids = self.scope.get("document_ids")
        return f"About {format_count(len(ids), 'document')}" if ids else ""


@dataclass(frozen=True)
class Task:
    """The fixed task of a headless turn, which nobody wrote: the head of the log of what it did."""

    key: str
    text: str
    is_over: bool
    version: str
    kind: str = "task"


@dataclass(frozen=True)
class AgentText:
    """What the agent wrote, as Markdown; `cut` says why a text ends in the middle.

    `thought_seconds` is 0 for less than one, and where nobody measured it. `sources` are numbered in a thread about no
    single document; elsewhere the text itself says page and line. After a draft the model was asked for proof. Without
    a `check` the answer names no proof. `rest`: what of its documents was not read and can be asked again; `full_pass`:
    all can be asked, where it denies something of all.
    """

    key: str
    text: str
    thinking: str
    thought_seconds: int
    cut: str
    number: int
    sources: Sequence[Source] = ()
    turn_id: str = ""
    check: Check | None = None
    is_draft: bool = False
    rest: Rest | None = None
    full_pass: FullPass | None = None
    version: str = "1"
    kind: str = "agent_text"

    @property
    def source_groups(self) -> list[tuple[Document | None, list[Source]]]:
        """By document, where they are too many for one list."""
        if len(self.sources) <= MAX_FLAT_SOURCES:
            return []
        groups: dict[str, tuple[Document | None, list[Source]]] = {}
        for source in self.sources:
            key = source.document.pk if source.document else ""
            groups.setdefault(key, (source.document, []))[1].append(source)
        return list(groups.values())


ICONS = {
    "searching": "search",
    "exploring": "list",
    "reading": "file-text",
    "summarising": "file-search",
    "analysing": "git-compare",
    "opening": "locate-fixed",
    "planning": "info",
}


@dataclass(frozen=True)
class RanRow:
    """A call that needed no card. `state` is ok, bad or running; `seconds` is how long it took.

    `crop`: what the model saw of the document `document_id`.
    `action` is what kind of step it is: searching, exploring, reading, analysing, summarising, opening or planning.
    """

    title: str
    summary: str
    state: str
    seconds: float | None
    arguments: str
    result: str
    action: str
    crop: CropView | None = None
    document_id: str = ""

    @property
    def icon(self) -> str:
        return ICONS[self.action]


@dataclass(frozen=True)
class RanCalls:
    """`sentence` says in short what the rows did, where they are folded: once they are done and not a single one.

    `cost_micros` is that of their turn, under its last rows once it has ended.
    """

    key: str
    rows: list[RanRow]
    version: str
    sentence: str = ""
    turn_id: str = ""
    cost_micros: int = 0
    kind: str = "ran"

    @property
    def seconds(self) -> float:
        return sum(row.seconds or 0 for row in self.rows)


@dataclass(frozen=True)
class PlanHead:
    """What stands before the first step of a plan or call chain. `waiting` is how many of its steps wait."""

    key: str
    steps: int
    waiting: int
    sentence: str
    version: str
    name: str = "Plan"
    kind: str = "plan"

    @property
    def is_chain(self) -> bool:
        return self.name == "Chain"


@dataclass(frozen=True)
class Live:
    """The round that is being written. Lengths count characters (code points) and are where deltas go on."""

    key: str
    turn: Turn
    version: str
    is_away: bool = False
    kind: str = "live"

    @property
    def doing(self) -> str:
        if self.is_away:
            return "Waiting for the agent"
        if self.turn.not_before:
            return self.turn.reason or "Waiting for the provider."
        if self.turn.status == Turn.Status.QUEUED:
            return "The agent goes on in a moment" if self.turn.round else "The agent begins in a moment"
        return "The agent is working"

    @property
    def text(self) -> str:
        return hide_names(self.turn.partial_text)

    @property
    def begun_name(self) -> str:
        """Its end, where that may become the name of a line: what is written next decides."""
        return find_begun_names(self.turn.partial_text)

    @property
    def text_length(self) -> int:
        return len(self.turn.partial_text)

    @property
    def thinking_length(self) -> int:
        return len(self.turn.partial_thinking)


@dataclass(frozen=True)
class Note:
    """How a turn ended or why it waits, when that was not simply a text."""

    key: str
    turn: Turn
    outcome: TurnOutcome
    version: str
    rest: Rest | None = None
    kind: str = "note"


@dataclass(frozen=True)
class ChangesNote:
    """Under the last words of a turn: what it has changed, which its model may say otherwise."""

    key: str
    changes: TurnChanges
    version: str
    kind: str = "changes"


@dataclass(frozen=True)
class SummaryNote:
    """From here on the model reads a summary in place of the `messages` before. Tokens are estimates."""

    key: str
    messages: int
    before: int
    after: int
    version: str = "1"
    kind: str = "shortened"


Item: TypeAlias = (
    UserText | Task | AgentText | RanCalls | Card | PlanHead | ChainEnd | Live | Note | ChangesNote | SummaryNote
)


def build_user_text(message: Message, text: str, named: list[Chip], scope: Scope) -> UserText:
    parts, rest = split_at_chips(text, named)
    version = "-".join(["1", *(chip.label for chip in named)])
    return UserText(
        key=f"message-{message.pk}",
        number=message.number,
        text=text,
        parts=parts,
        named=rest,
        chips=named,
        scope=scope,
        version=version,
    )
