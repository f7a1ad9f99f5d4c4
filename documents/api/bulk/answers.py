"""The bodies of answers about bulk actions (see accounts.api.wire.answers)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field as About
from typing_extensions import TypedDict

from accounts.api.wire.answers import Id, Page, Timestamp
from documents.models import BulkAction, BulkItem
from kit.json_types import JsonObject

Kind = Annotated[str, About(json_schema_extra={"enum": BulkAction.Kind.values})]
Status = Annotated[str, About(json_schema_extra={"enum": BulkAction.Status.values})]
ItemStatus = Annotated[str, About(json_schema_extra={"enum": BulkItem.Status.values})]


class BulkState(TypedDict):
    """A bulk action and how far it has come. The counts are at most some seconds old, and exact once it has ended."""

    bulk_action_id: Id
    action: Kind
    arguments: JsonObject
    status: Status
    reason: Annotated[str, About(description="Why it waits, was stopped or has failed.")]
    total: int
    done: int
    left_out: Annotated[int, About(description="To which it did not apply; each says why.")]
    failed: int
    seconds_left: Annotated[int | None, About(description="At the pace so far.")]
    cost_usd: Annotated[float, About(description="Of the runs that it began and that brought a result.")]
    estimate_usd: Annotated[float | None, About(description="About, when it was asked for; of `run` and `tag`.")]
    can_undo: bool
    undo_of: Id | None
    undone_by: Id | None
    requested_by: Annotated[str, About(description="Name of the person.")]
    created_at: Timestamp
    started_at: Timestamp | None
    finished_at: Timestamp | None


class BulkItemState(TypedDict):
    """A document of a bulk action, and its outcome."""

    document_id: Id
    document_name: str
    status: ItemStatus
    code: Annotated[str, About(description="The reason for programs, such as `tagged` or `not_read`.")]
    reason: str


class WholeBulkState(BulkState, Page):
    """With its documents in parts. `total_count` and `skip` are about these."""

    items: list[BulkItemState]


class BulkPage(Page):
    """A page of the bulk actions, the newest first."""

    bulk_actions: list[BulkState]
