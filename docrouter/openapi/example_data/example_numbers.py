"""Numbers and yes or no, for `example_values`."""

from __future__ import annotations

from collections.abc import Mapping

from kit.json_types import Json

NUMBERS: Mapping[str, Json] = {
    # numbers
    "skip": 0,
    "next_skip": 40,
    "lifetime": 30,
    "role_ceiling": "reviewer",
    "upload_only": False,
    "failed_checks_need_reason": False,
    "reason_for_failed_checks": "The vendor rounds each line.",
    "end_tokens": False,
    "pages_seen": [1],
    "pages_missing": [],
    "notes": [],
    "prompt_tokens": 12,
    "completion_tokens": 6,
    "total_tokens": 18,
    "max_input_tokens": 200_000,
    "max_output_tokens": 64_000,
    "max_tokens": 500,
    "OldModel.max_tokens": 64_000,
    "input_cost_per_token": 3e-06,
    "output_cost_per_token": 1.5e-05,
    "input_cost_per_token_batches": 2e-08,
    "EmbeddingModel.input_cost_per_token": 2e-08,
    "cost_per_1m_input_tokens": 3.0,
    "cost_per_1m_output_tokens": 15.0,
    "temperature": 0.7,
    "index": 0,
    # booleans
    "is_edited": False,
    "is_verified": True,
    "edited": False,
    "stream": False,
    "auto_create": None,
    "NewDocument.auto_create": False,
    "UploadForm.auto_create": "false",
    "NewDocument.unpack_many": False,
    "UploadForm.unpack_many": "false",
    "group_id": "65f1a2b3c4d5e6f708192a0e",
    "done_at": "2026-11-21T09:32:00.000000Z",
    "decided_by": "Ada Lovelace",
    "decided_at": "2026-11-21T09:33:00.000000Z",
    "AutoCreateState.status": "accepted",
    "AutoCreateState.reason": None,
    "has_seen_tour": True,
    "experimental_features": False,
    "state_reason": "",
    "state_code": None,
    "Problem.where": "required",
    "Problem.message": 'required names "invoice_id", which is no field. It is kept, but no result needs it.',
}
