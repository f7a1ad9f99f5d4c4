"""What comes line by line: the events of a turn as it goes, and its log afterwards (see accounts.api.wire.answers)."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from accounts.api.wire.answers import Id, Timestamp
from agent.api.answers import CallStatus, ChatResult, Citation, Decision, Mention, Round, ToolCall, TurnState
from agent.cards.steps import ResearchStep
from agent.models import Message
from kit.json_types import Json, JsonObject

MessageRole = Annotated[str, Field(json_schema_extra={"enum": Message.Role.values})]
RoundIndex = Annotated[int, Field(description="Counts the model's answers from 0.")]


class ChunkEvent(TypedDict):
    """Words as they are written."""

    type: Literal["thinking_chunk", "assistant_text_chunk"]
    chunk: str
    round_index: RoundIndex


class RoundRestartedEvent(TypedDict):
    """Another worker took the round over, and its words begin anew."""

    type: Literal["round_restarted"]
    round_index: RoundIndex


class ToolCallsEvent(TypedDict):
    """Calls that run, or with `pending` those that wait for you."""

    type: Literal["tool_calls"]
    round_index: RoundIndex
    tool_calls: list[ToolCall]
    pending: bool
    steps: Annotated[list[ResearchStep], Field(description="Each call as a step that begins; none while they wait.")]


class ToolResultEvent(TypedDict):
    """A call has ended. `result` is left out where it is long; `preview` is its beginning."""

    type: Literal["tool_result"]
    round_index: RoundIndex
    call_id: Id
    name: str
    success: bool
    result: NotRequired[JsonObject]
    preview: NotRequired[str]
    error: NotRequired[str]
    step: ResearchStep


class ToolProgressEvent(TypedDict):
    """How far a call is that visits many documents."""

    type: Literal["tool_progress"]
    round_index: RoundIndex
    call_id: Id
    name: str
    done: int
    total: int


class RoundExecutedEvent(Round):
    """All calls of a round have ended."""

    type: Literal["round_executed"]
    round_index: RoundIndex


class ThinkingDoneEvent(TypedDict):
    """All that was thought before the answer."""

    type: Literal["thinking_done"]
    thinking: str
    round_index: RoundIndex


class TextDoneEvent(TypedDict):
    """The whole answer."""

    type: Literal["assistant_text_done"]
    full_text: str
    round_index: RoundIndex


class CitationEvent(Citation):
    """After a whole answer that was checked: the line that one of its numbers in brackets means."""

    type: Literal["citation"]


class DoneEvent(TypedDict):
    """The last event. `result` is what the answer without a stream would be."""

    type: Literal["done"]
    result: ChatResult


class ErrorEvent(TypedDict):
    """The last event of a turn that failed."""

    type: Literal["error"]
    error: str


TurnEvent: TypeAlias = Annotated[
    ChunkEvent
    | RoundRestartedEvent
    | ToolCallsEvent
    | ToolResultEvent
    | ToolProgressEvent
    | RoundExecutedEvent
    | ThinkingDoneEvent
    | TextDoneEvent
    | CitationEvent
    | DoneEvent
    | ErrorEvent,
    Field(discriminator="type"),
]


class TurnLine(TurnState):
    """The turn; the first line."""

    type: Literal["turn"]
    thread_id: Id
    document_id: Id | None
    origin: str
    started_by: str
    model: str
    at: Timestamp
    auto_approved: Annotated[list[str], Field(description="Tools that ask nobody in this turn.")]
    code_version: str
    finished_at: Timestamp | None


class MessageLine(TypedDict):
    """What a person wrote, or the model answered."""

    type: Literal["message"]
    id: Id
    at: Timestamp
    number: int
    round: int
    role: MessageRole
    model: str
    blocks: list[JsonObject]
    mentions: list[Mention]
    complete: bool
    dropped: bool


class CallLine(TypedDict):
    """A call. `proposed` are the model's arguments, `decided` a person's, and `effective` those that ran."""

    type: Literal["call"]
    id: Id
    at: Timestamp
    round: int
    position: int
    version: int
    tool: str
    status: CallStatus
    proposed_text: str
    proposed: Json
    decided: JsonObject | None
    effective: JsonObject | None
    why_asks: str
    allowed_by: str
    result: JsonObject | None
    undoes: Id | None
    replaces: Id | None
    finished_at: Timestamp | None


class DecisionLine(Decision):
    """A decision on the call before it."""

    type: Literal["decision"]
    rule: str | None
    mode: Annotated[str, Field(description="Empty where no mode of the thread decided.")]


class CostLine(TypedDict):
    """What one call of a model cost."""

    type: Literal["cost"]
    at: Timestamp
    purpose: str
    model: str
    cost_micros: Annotated[int, Field(description="Millionths of a dollar.")]
    prompt_tokens: int
    completion_tokens: int


LogLine: TypeAlias = Annotated[TurnLine | MessageLine | CallLine | DecisionLine | CostLine, Field(discriminator="type")]
