"""The bodies of answers about runs, their results, and models (see accounts.api.wire.answers)."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from accounts.api.wire.answers import Id, Timestamp
from documents.api.answers import PromptId, Values
from documents.api.field_answers import Field as ProvenValue
from documents.checks.findings import Status
from documents.models import Extraction
from kit.json_types import JsonObject

CheckStatus = Annotated[str, Field(json_schema_extra={"enum": [each.value for each in Status]})]
RunStatus = Annotated[str, Field(json_schema_extra={"enum": Extraction.Status.values})]


class ResultMarks(TypedDict):
    """What people did with a result."""

    is_edited: bool
    is_verified: bool
    created_at: Timestamp
    updated_at: Timestamp


class CheckResult(TypedDict):
    """What a value check of the schema says of the current values."""

    check: Annotated[
        int,
        Field(description="Which of the schema's value_checks, from 1; 0 compares rows with totals on the pages."),
    ]
    kind: str
    status: CheckStatus
    message: Annotated[str, Field(description="What is wrong or cannot be computed, else what holds.")]
    paths: Annotated[list[str], Field(description="The fields that it is about, first the one that owns it.")]


class Provenance(TypedDict):
    """What values rest on, with `include=provenance`."""

    provenance: NotRequired[Annotated[dict[str, ProvenValue], Field(description="By the path of the value.")]]
    provenance_next_skip: NotRequired[
        Annotated[int, Field(description="Only where not all have room: `skip` of `…/fields` for those that follow.")]
    ]


class LLMResult(ResultMarks, Provenance):
    """The result of a prompt."""

    prompt_revid: PromptId
    prompt_id: PromptId
    prompt_version: int
    prompt_display_name: str
    document_id: Id
    llm_result: Annotated[JsonObject, Field(description="What the run found; never changed.")]
    updated_llm_result: Values
    check_results: list[CheckResult]
    extraction_id: Id
    model: str
    pages_seen: list[int]
    page_count: int
    pages_missing: Annotated[list[int], Field(description="`llm/run` with go_on asks for these alone.")]
    notes: Annotated[list[str], Field(description="What was left out or not carried over, and why.")]


class Deletion(TypedDict):
    """It is done."""

    status: str
    message: str


class RunAnswer(TypedDict):
    """The run has a result."""

    status: str
    result: Values
    extraction: LLMResult
    run_id: Id


class RunUnderWay(TypedDict):
    """The run goes on; `Location` says where its result will be."""

    status: RunStatus
    run_id: Id
    result: None
    extraction: None
    reason: Annotated[str, Field(description="What the last try failed with, when it will be tried again.")]
    detail: str


class Run(TypedDict):
    """The run as it is now."""

    status: RunStatus
    run_id: Id
    result: Values | None
    extraction: LLMResult | None
    reason: Annotated[str, Field(description="What the last try failed with, when it will be tried again.")]
    document_id: Id
    prompt_revid: PromptId
    model: str
    created_at: Timestamp
    finished_at: Timestamp | None


class SavedResult(Provenance):
    extraction_id: Id
    prompt_revid: PromptId
    prompt_name: str
    prompt_version: int
    extraction_result: JsonObject
    metadata: ResultMarks


class SavedResults(TypedDict):
    """The results of all prompts."""

    document_id: Id
    organization_id: Id
    document_name: str
    extraction_date: Timestamp
    results: list[SavedResult]


class PromptCost(TypedDict):
    """One prompt on so many of the documents. `problem`: why its model cannot be used now; else empty."""

    prompt_revid: Id
    name: str
    model: str
    run_count: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float
    problem: str


class CostEstimate(TypedDict):
    """About what it starts. `unread_count` documents have no text yet: a tag's prompts run on them when they are read.

    `detail` says it in words. A price that nobody knows is counted as the operator's ceiling.
    """

    document_count: int
    unread_count: int
    run_count: int
    tokens: int
    cost_usd: float
    is_price_known: bool
    is_over_budget: bool
    detail: str
    prompts: list[PromptCost]


class WantedRun(TypedDict):
    document_id: Id
    document_name: str


class RunGroup(TypedDict):
    """A prompt, and the documents that it would run on."""

    prompt_revid: Id
    prompt_id: Id
    prompt_version: int
    name: str
    executions: list[WantedRun]


class WantedRuns(TypedDict):
    """The runs that are wanted."""

    total_executions: int
    groups: list[RunGroup]


class ModelNames(TypedDict):
    """The names of the models."""

    models: list[str]


class OldModel(TypedDict):
    """A model, for older clients."""

    id: str
    name: str
    provider: str
    description: str
    max_tokens: int
    cost_per_1m_input_tokens: float
    cost_per_1m_output_tokens: float


class ChatModel(TypedDict):
    """A model that writes answers. Costs are in dollars."""

    litellm_model: str
    litellm_provider: str
    max_input_tokens: int
    max_output_tokens: int
    input_cost_per_token: float
    output_cost_per_token: float
    provider_name: str
    provider_display_name: str


class EmbeddingModel(TypedDict):
    """A model that turns text into numbers. Costs are in dollars."""

    litellm_model: str
    litellm_provider: str
    max_input_tokens: int
    dimensions: int
    input_cost_per_token: float
    input_cost_per_token_batches: float


class Models(TypedDict):
    """The models."""

    models: list[OldModel]
    chat_models: list[ChatModel]
    embedding_models: list[EmbeddingModel]


class Provider(TypedDict):
    """A provider of models."""

    name: str
    display_name: str
    litellm_provider: str
    litellm_models_available: list[str]
    litellm_models_enabled: list[str]
    litellm_models_chat_agent: list[str]
    enabled: bool
    problem: Annotated[str | None, Field(description="Why the stored key cannot be used; null where it can.")]
    token: Annotated[str | None, Field(description="Masked; null without a key.")]
    token_created_at: Annotated[Timestamp | None, Field(description="Null when the key is the environment's.")]
    key_setting: str | None


class Providers(TypedDict):
    """The providers."""

    providers: list[Provider]


class CompletionChunk(TypedDict):
    """Words as they are written; the last has none and is `done`."""

    chunk: str
    done: bool


class CompletionFailure(TypedDict):
    """The last event of a call that failed."""

    error: str


CompletionEvent: TypeAlias = CompletionChunk | CompletionFailure
