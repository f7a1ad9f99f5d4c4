"""The bodies of answers about scope profiles and trials of them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from accounts.api.wire.answers import Id, Timestamp
from agent.models import ScopeProfile


class ScopeProfileRow(TypedDict):
    """Words that say what the agent is for. Turns are held to it where its mode is not off."""

    subject: Annotated[str, Field(description='"organization", or the id of an access token or MCP client.')]
    subject_name: str
    mode: Annotated[str, Field(json_schema_extra={"enum": ScopeProfile.Mode.values})]
    sentence: str
    types: Annotated[list[str], Field(description="Types of documents that are in scope, as `document_type` has them.")]
    tags: list[Id]
    tags_mode: Literal["required", "hint"]
    tags_never: list[Id]
    topics: list[str]
    always: list[str]
    never: list[str]
    refusal: str
    updated_at: Timestamp


class ScopeProfileList(TypedDict):
    """All of the organization, the oldest first."""

    scope_profiles: list[ScopeProfileRow]


class ScopeVerdict(TypedDict):
    """The outcome of a check, the rule that decided, and a sentence."""

    outcome: Literal["in", "out", "unsure"]
    rule: str
    reason: str
    words: Annotated[str, Field(description="Words of the message or document that decided; empty for a type or tag.")]


class DocumentVerdict(ScopeVerdict):
    """The outcome of the check after a tool, for one document."""

    document_id: Id


class ScopeTrial(TypedDict):
    """The answers of both checks: before a turn to the message, after a tool to each document."""

    request: ScopeVerdict
    documents: list[DocumentVerdict]
