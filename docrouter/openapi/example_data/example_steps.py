"""Values for the steps of an answer over documents."""

from __future__ import annotations

from collections.abc import Mapping

from kit.json_types import Json

VALUES_OF_STEPS: Mapping[str, Json] = {
    "step": 1,
    "ResearchStep.message": "Found 3 documents",
    "action_type": "searching",
    "timestamp": "2026-11-23T09:30:00Z",
    "tool_name": "search_documents",
    "tool_input": {"query": "roof"},
    "tool_output": '{"total_found": 3}',
    "tool_status": "complete",
    "depth": "concise",
}
