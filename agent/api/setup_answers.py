"""The bodies of answers about automatic setup (see accounts.api.wire.answers)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from accounts.api.wire.answers import Id
from documents.api.answers import AutoCreateState, Values


class Setup(TypedDict):
    """The automatic setup as it is now."""

    document_id: Id
    auto_create: AutoCreateState


class SetupSibling(TypedDict):
    """A document like the one that an automatic setup studied, and what came out when its prompt was tried on it."""

    document_id: Id
    document_name: str
    likeness: Annotated[float, Field(description="0 to 1.")]
    page_count: int
    pages_read: Annotated[list[int], Field(description="Pages of which the agent has read the whole text.")]
    prompt_revid: Id | None
    reason: Annotated[str | None, Field(description="Why it was not tried.")]
    values: Values | None
    unsure: Annotated[dict[str, str], Field(description="Paths of values that are in doubt, and why.")]
    empty: Annotated[list[str], Field(description="Paths of fields without a value.")]


class SetupSiblings(TypedDict):
    """What an automatic setup has read, of the document that it studied and of those like it."""

    document_id: Id | None
    page_count: int
    pages_read: Annotated[list[int], Field(description="Pages of which the agent has read the whole text.")]
    siblings: list[SetupSibling]
