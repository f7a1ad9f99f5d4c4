"""As `example_values`: of what values rest on, what waits, what works and what was done."""

from __future__ import annotations

from collections.abc import Mapping

from kit.json_types import Json

VALUES_OF_PROOF: Mapping[str, Json] = {
    # what values rest on
    "ProvenField.value": 30.5,
    "Field.value": 30.5,
    "ChangedField.value": 30.5,
    "left": 0.62,
    "top": 0.81,
    "right": 0.68,
    "bottom": 0.83,
    "words": "30.50",
    "note": "",
    "addresses": [],
    "verified_by": "Ada Lovelace",
    "verified_at": "2026-11-21T09:33:00.000000Z",
    "edit_id": "65f1a2b3c4d5e6f708192a0f",
    "old": 30,
    "new": 30.5,
    "allowed_by": "",
    "provenance": {},
    "FailedCheck.kind": "sum",
    "FailedCheck.message": "2 lines add up to 30.50; the page says 31.50.",
    # inbox, jobs, audit
    "InboxItem.id": "card-65f1a2b3c4d5e6f708192a0a",
    "InboxItem.title": "Rename this document",
    "Job.id": "reading-65f1a2b3c4d5e6f708192a10",
    "Job.title": "Read invoice.pdf",
    "Job.error": "",
    "Job.status": "queued",
    "Action.name": "decide",
    "Action.path": "/v0/orgs/65f1a2b3c4d5e6f708192a02/tool_calls/65f1a2b3c4d5e6f708192a0a/decision",
    "Links.page": "/orgs/65f1a2b3c4d5e6f708192a02/documents/65f1a2b3c4d5e6f708192a3b",
    "Links.api": "/v0/orgs/65f1a2b3c4d5e6f708192a02/tool_calls/65f1a2b3c4d5e6f708192a0a",
    "about": "invoice.pdf",
    "since": "2026-11-21T09:30:00.000000Z",
    "next": None,
    "proposal_id": None,
    "ValueChange.old": "30",
    "ValueChange.new": "30.5",
    "action": "renamed",
    "user_name": "Ada Lovelace",
    "target_kind": "document",
    "target_id": "65f1a2b3c4d5e6f708192a3b",
    "target_name": "invoice-7.pdf",
    "card_title": "Rename this document",
    "AuditLine.tool": "update_document",
    "AuditLine.detail": {"version": 2},
    "AuditLine.by": "agent, approved by a person",
}
