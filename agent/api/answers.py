"""The bodies of answers about chats, threads, turns and cards (see accounts.api.wire.answers)."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from accounts.api.wire.answers import Id, Page, Timestamp
from agent import models
from agent.toolkit import turn_changes
from documents.api.answers import Values
from kit.json_types import JsonObject

CallStatus = Annotated[str, Field(json_schema_extra={"enum": models.ToolCall.Status.values})]
TurnStatus = Annotated[str, Field(json_schema_extra={"enum": models.Turn.Status.values})]
PauseReason = Annotated[str, Field(json_schema_extra={"enum": models.Turn.Pause.values})]
Mode = Annotated[str, Field(json_schema_extra={"enum": models.Thread.Mode.values})]
SentenceState: TypeAlias = Literal["proven", "cited, not checked", "unsupported"]
DecisionKind = Annotated[str, Field(json_schema_extra={"enum": models.Decision.Kind.values})]


class ToolCall(TypedDict):
    """A call of a tool."""

    id: Id
    name: str
    arguments: Annotated[str, Field(description="A JSON object as text.")]


class RoundCall(ToolCall):
    """A call and its outcome."""

    status: CallStatus


class Round(TypedDict):
    """An answer of the model whose calls have all ended."""

    thinking: str | None
    text: str
    tool_calls: list[RoundCall]


class WorkingState(TypedDict):
    """What the thread worked on last."""

    schema_revid: Id | None
    prompt_revid: Id | None
    extraction: Values | None


class TurnChanges(TypedDict):
    """What became of the calls of a turn that were to change something, by rows."""

    sentence: Annotated[str, Field(description="Such as: Nothing was changed; 2 calls failed.")]
    counts: Annotated[dict[str, int], Field(description=f"Calls by their end: {', '.join(turn_changes.End)}.")]


class Citation(TypedDict):
    """The line that a number in brackets in the answer means."""

    number: int
    document_id: Id
    document_name: str
    page: int
    block_ids: Annotated[list[str], Field(description="Of lines; `blocks/{block_id}` finds them, and they stay true.")]
    box: Annotated[list[float], Field(description="Left, top, right, bottom in page fractions.")]
    cited_text: str
    supported: Annotated[bool, Field(description="False where a sentence that names it is not proven.")]
    state: Annotated[SentenceState, Field(description="That of the weakest sentence which names it.")]


class CheckedAnswer(TypedDict):
    """The part of an answer that tells what its check has found."""

    citations: Annotated[list[Citation], Field(description="What the answer names, once it is checked.")]
    unsupported: Annotated[list[str], Field(description="Sentences that nothing read proves.")]
    unsupported_because: Annotated[list[str], Field(description="What was not found, of each of `unsupported`.")]
    not_checked: Annotated[list[str], Field(description="Cited, not checked: their lines may say them.")]
    not_checked_because: Annotated[list[str], Field(description="Why, of each of `not_checked`.")]
    nothing_read: Annotated[bool, Field(description="It tells of documents, and none was read for it.")]
    coverage: Annotated[dict[str, int | None] | None, Field(description="Documents cited, read, in_part, documents.")]


class TurnState(TypedDict):
    """Where the turn is."""

    id: Id
    status: TurnStatus
    pause_reason: PauseReason | None
    reason: Annotated[str, Field(description="What happened, as a sentence.")]
    rounds: int
    max_rounds: int
    cost_micros: Annotated[int, Field(description="Millionths of a dollar.")]
    changes: Annotated[TurnChanges | None, Field(description="Null where it meant to change nothing.")]


class UnknownCalls(TypedDict):
    unknown_calls: NotRequired[Annotated[list[str], Field(description="Ids in `approvals` without a call.")]]


class ChatResult(CheckedAnswer, UnknownCalls):
    """The turn has ended, or waits for a decision."""

    text: str
    thinking: str | None
    working_state: WorkingState
    executed_rounds: list[Round] | None
    model: str
    thread_id: Id
    turn: TurnState
    turn_id: NotRequired[Annotated[Id, Field(description="There while the turn can still go on.")]]
    tool_calls: NotRequired[
        Annotated[list[ToolCall], Field(description="With turn_id: the calls that wait for a decision.")]
    ]


class ChatUnderWay(ChatResult):
    """There is no answer yet: `text` is empty, and `Location` says where it will be."""

    status: TurnStatus
    detail: str


class TurnResult(ChatResult):
    """The turn as it is now."""

    error: Annotated[str | None, Field(description="Why there is no answer, where it failed.")]


class ChatTools(TypedDict):
    """The names of the tools."""

    read_only: list[str]
    read_write: list[str]
    disabled: list[str]
    categories: dict[str, str]


class ChatThread(TypedDict):
    """A thread in a list."""

    id: Id
    title: str
    created_at: Timestamp
    updated_at: Timestamp


class Mention(TypedDict):
    """What a person named with @: `id` is that of a revision, a tag or a document."""

    type: str
    id: str


class UserMessage(TypedDict):
    """What a person wrote."""

    role: Literal["user"]
    content: str
    tool_calls: None
    tool_call_id: None
    mentions: list[Mention]
    created_at: Timestamp


class AgentMessage(CheckedAnswer):
    """What the agent answered, and what it did before."""

    role: Literal["assistant"]
    content: Annotated[str, Field(description="With the numbers of its citations, once it is checked.")]
    tool_calls: Annotated[list[RoundCall] | None, Field(description="Those that a person was asked about.")]
    changes: Annotated[TurnChanges | None, Field(description="What its turn has changed, as it is now.")]
    thinking: str | None
    executed_rounds: list[Round] | None
    turn_id: Id
    created_at: Timestamp


ThreadMessage: TypeAlias = Annotated[UserMessage | AgentMessage, Field(discriminator="role")]


class LiveTurn(TypedDict):
    """A turn that is under way, or waits."""

    id: Id
    status: TurnStatus


class Scope(TypedDict, total=False):
    """Which documents are meant: by their ids, or by the filters of a list; all where it is empty."""

    document_ids: list[Id]
    query: str


class WholeThread(ChatThread):
    """The thread with its newest messages."""

    messages: list[ThreadMessage]
    message_count: Annotated[int, Field(description="Of all messages.")]
    extraction: Values | None
    mode: Mode
    model: str | None
    turn: LiveTurn | None
    scope: Annotated[Scope, Field(description="Of the newest turn.")]


class BegunThread(TypedDict):
    """The thread is there."""

    thread_id: Id


class ThreadDeletion(TypedDict):
    """It is done."""

    ok: bool


class CallChain(TypedDict):
    """The place of a call among those of its answer that build on one another."""

    id: Annotated[str, Field(description="The same for all steps of the chain.")]
    step: Annotated[int, Field(description="From 1 on, in the order in which they run.")]
    builds_on: Annotated[list[int], Field(description="Steps without which this one is superseded.")]


class Card(TypedDict):
    """A call as its card shows it."""

    call_id: Id
    turn_id: Id
    thread_id: Id
    thread_title: str
    document_id: Id | None
    document_name: str | None
    owner: str
    tool: str
    status: CallStatus
    title: str
    why_asks: str
    access: str
    reach: str
    chain: CallChain | None
    arguments: JsonObject
    preview: JsonObject
    version: int
    shown_hash: str
    etag: str
    may_decide: Annotated[bool, Field(description="Whether you can approve it now.")]
    why_not: str
    may_reject: bool
    expires_at: Timestamp | None
    created_at: Timestamp


class CardPage(Page):
    """A page of the cards."""

    approvals: list[Card]


class Decision(TypedDict):
    """The decision that holds."""

    call_id: Id
    version: int
    kind: DecisionKind
    by: str
    at: Timestamp
    reason: str
    edited: bool


class CallDetails(Card):
    """The call and its outcome."""

    decision: Decision | None
    result: JsonObject | None
    newest_call_id: Annotated[Id, Field(description="Another one where a card was made anew.")]
    may_undo: bool
    undone_by: Annotated[Id | None, Field(description="The call that took it back.")]


class Undo(TypedDict):
    """The call that takes it back."""

    call_id: Id
    undoes: Id
    status: CallStatus
    result: JsonObject | None


class UndoneChain(TypedDict):
    """The last step of the chain first."""

    undone: list[Undo]
