"""Values of bulk actions, for `example_values`."""

from __future__ import annotations

from collections.abc import Mapping

from kit.json_types import Json

VALUES_OF_BULK: Mapping[str, Json] = {
    "bulk_action_id": "65f1a2b3c4d5e6f708192a10",
    "action": "tag",
    "BulkState.arguments": {"tag_id": "65f1a2b3c4d5e6f708192a04", "name": "Invoices"},
    "WholeBulkState.arguments": {"tag_id": "65f1a2b3c4d5e6f708192a04", "name": "Invoices"},
    "BulkState.status": "running",
    "WholeBulkState.status": "running",
    "BulkState.reason": "",
    "WholeBulkState.reason": "",
    "BulkState.finished_at": None,
    "WholeBulkState.finished_at": None,
    "total": 4897,
    "done": 312,
    "left_out": 2,
    "failed": 0,
    "seconds_left": 240,
    "can_undo": False,
    "undo_of": None,
    "requested_by": "Ada Lovelace",
    "started_at": "2026-11-21T09:30:01.000000Z",
    "BulkItemState.status": "left_out",
    "BulkItemState.code": "tagged",
    "BulkItemState.reason": "It has the tag already.",
    "document_ids": ["65f1a2b3c4d5e6f708192a3b"],
    "again": False,
    "WantedAction.content": "originals",
    "format": "zip",
}
