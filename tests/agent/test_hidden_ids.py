"""Which ids of a result a model does not see."""

from __future__ import annotations

from typing import Any

import pytest

from agent.toolkit.values.hidden_ids import hide_ids

A, B, C = "a" * 24, "b" * 24, "c" * 24


@pytest.mark.parametrize(
    ("result", "seen"),
    [
        ({"documents": [{"document_id": A, "document_name": "x"}]}, {"documents": [{"document_name": "x"}]}),
        ({"results": [{"document_id": A, "filename": "x"}]}, {"results": [{"filename": "x"}]}),
        ({"tags": [{"tag_id": A, "name": "Paid"}]}, {"tags": [{"name": "Paid"}]}),
        ({"extraction_id": A, "reading_id": B, "total": 5}, {"total": 5}),
        # What a call has made names its version by an id.
        (
            {"schema_id": A, "schema_revid": B, "name": "Invoice"},
            {"schema_id": A, "schema_revid": B, "name": "Invoice"},
        ),
        # Without a name, or with one that another row of the result has, only the id tells which is meant.
        ({"documents": [{"document_id": A}]}, {"documents": [{"document_id": A}]}),
        (
            {"documents": [{"document_id": A, "document_name": "x"}, {"document_id": B, "document_name": "x"}]},
            {"documents": [{"document_id": A, "document_name": "x"}, {"document_id": B, "document_name": "x"}]},
        ),
        ({"document_id": C, "document_name": C}, {"document_id": C, "document_name": C}),
        ({"document_id": "no id", "document_name": "x"}, {"document_id": "no id", "document_name": "x"}),
        ({"call_id": A, "job_id": B, "name": "x"}, {"call_id": A, "job_id": B, "name": "x"}),
    ],
)
def test_it_keeps_what_a_name_does_not_say(result: dict[str, Any], seen: dict[str, Any]) -> None:
    assert hide_ids(result) == seen
