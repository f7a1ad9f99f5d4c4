"""The operations on bulk actions: summaries, queries, examples, and how each is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from docrouter.openapi.routes.operations import Operation
from documents.api.bulk import actions
from documents.bulk.kinds.downloading import NEEDS
from documents.bulk.requesting import KEY_USED, NOT_YOURS, NOTHING, NOTHING_LEFT
from documents.models import BulkAction, BulkItem

Route = tuple[type, str]
_ID = "65f1a2b3c4d5e6f708192a3b"
_TAG = OpenApiExample(
    "Tag two documents",
    request_only=True,
    value={"action": "tag", "tag_id": "65f1a2b3c4d5e6f708192a04", "document_ids": [_ID, "65f1a2b3c4d5e6f708192a3c"]},
)
_RUN = OpenApiExample(
    "Run a prompt on all that wait",
    request_only=True,
    value={
        "action": "run",
        "prompt_revid": "65f1a2b3c4d5e6f708192a08",
        "document_filters": {"q": "state:read"},
    },
)
_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="The same key with the same request gives the action of the first time.",
)


def _window(default: int, maximum: int) -> list[OpenApiParameter]:
    limit = {"type": "integer", "minimum": 1, "maximum": maximum, "default": default}
    return [
        OpenApiParameter("skip", {"type": "integer", "minimum": 0, "default": 0}, description="Rows to leave out."),
        OpenApiParameter("limit", limit, description="Rows to give."),
    ]


OPERATIONS: Mapping[Route, Operation] = {
    (actions.BulkActions, "GET"): Operation(
        "List bulk actions",
        query=[
            *_window(10, 100),
            OpenApiParameter("status", str, enum=BulkAction.Status.values, description="In this state."),
        ],
    ),
    (actions.BulkActions, "POST"): Operation("Change many documents", query=[_KEY], examples=[_TAG, _RUN]),
    (actions.OneBulkAction, "GET"): Operation(
        "Get a bulk action with its documents",
        query=[
            *_window(100, 1000),
            OpenApiParameter("item_status", str, enum=BulkItem.Status.values, description="Documents in this state."),
        ],
    ),
    (actions.BulkStop, "POST"): Operation("Stop a bulk action"),
    (actions.BulkUndo, "POST"): Operation("Undo a bulk action"),
    (actions.BulkFile, "GET"): Operation("Get the file of a download"),
}
ABOUT: Mapping[Route, str] = {
    (actions.BulkActions, "GET"): "Those of everybody, the newest first. They are kept for EVENT_DAYS (30).",
}
REFUSALS: Mapping[Route, Mapping[int, Sequence[str]]] = {
    (actions.BulkActions, "POST"): {
        400: [actions.SELECTION, NOTHING, NEEDS, f"Invalid document IDs: ['{_ID}']"],
        404: ["Tag not found", "Prompt not found"],
        409: [KEY_USED],
        413: ["100,000 documents are the most of one bulk action of this kind. Narrow the filter, then go on."],
    },
    (actions.BulkStop, "POST"): {403: [NOT_YOURS], 409: ["This bulk action has ended already."]},
    (actions.BulkUndo, "POST"): {
        400: ["What this bulk action did cannot be undone.", NOTHING_LEFT],
        403: [NOT_YOURS],
        409: ["This bulk action is still under way. Stop it first."],
    },
    (actions.BulkFile, "GET"): {400: ["This bulk action is no download."]},
}
