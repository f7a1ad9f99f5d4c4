"""The bodies of answers about tags that are set, and about runs that these would begin and that are held."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from accounts.api.wire.answers import Id, Page, Timestamp
from documents import models


class HeldRun(TypedDict):
    """A prompt that a tag asked for and that waits, since the document is surely of another type."""

    held_run_id: Id
    document_id: Id
    document_name: str
    document_type: Annotated[str | None, Field(description="The key of the type that the document had then.")]
    prompt_id: Id
    prompt_name: str
    status: Annotated[str, Field(json_schema_extra={"enum": models.HeldRun.Status.values})]
    reason: Annotated[str, Field(description="Why, in a sentence.")]
    created_at: Timestamp
    decided_by: str | None
    decided_at: Timestamp | None


class HeldRunPage(Page):
    """A page of held runs."""

    held_runs: list[HeldRun]


class ChangedTags(TypedDict):
    """All tags it has now, those it got, those it lost, the runs that began, and those that are held."""

    tag_ids: list[Id]
    added: list[Id]
    removed: list[Id]
    run_ids: list[Id]
    held_runs: list[HeldRun]
