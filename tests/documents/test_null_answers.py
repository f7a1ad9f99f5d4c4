"""Null is a right answer, also where the schema requires a value."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json

import pytest

from accounts.actor import Actor
from documents import extractions
from documents.extractions import edits
from documents.extractions.model_requests.nullable_fields import allow_null
from documents.models import Document, PromptRevision
from kit.errors import Invalid
from tests.documents.extraction_rows import RESULT, builder, document, prompt  # noqa: F401 - some are fixtures
from tests.scripted_model import ScriptedModel, answers


@pytest.mark.django_db(transaction=True)
def test_a_required_value_that_the_document_does_not_say_may_be_null(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(answers({**RESULT, "number": None}))
    extraction = extractions.store(
        builder, draft=extractions.prepare(builder, document=document, prompt_revision=prompt)
    )
    assert len(scripted_model.requests) == 1
    assert (extraction.current["number"], extraction.provenance["number"]["state"]) == (None, "left_out")
    edits.set_result(builder, extraction=extraction, result={**RESULT, "number": None, "total": 31})
    assert extraction.current["total"] == 31, "what is empty may stay so"
    edits.set_path(builder, extraction=extraction, path="number", value="INV-7")
    with pytest.raises(Invalid, match="number must be text, not empty"):
        edits.set_result(builder, extraction=extraction, result={**RESULT, "number": None})


def test_null_is_allowed_wherever_a_single_value_is_required() -> None:
    row = {"type": "object", "required": ["kind", "free"], "properties": {"kind": {"enum": ["a"], "type": "string"}}}
    schema = {
        "type": "object",
        "required": ["rows", "party", "fixed", "total"],
        "properties": {
            "rows": {"type": "array", "items": {"$ref": "#/definitions/row"}},
            "party": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
            "fixed": {"const": 1, "type": "integer"},
            "total": {"anyOf": [{"type": "number"}]},
            "free": {"type": "string"},
        },
        "definitions": {"row": row},
    }
    asked = allow_null({"json_schema": {"schema": schema}})["json_schema"]["schema"]
    expected = json.loads(json.dumps(schema))
    expected["properties"]["party"]["properties"]["name"]["type"] = ["string", "null"]
    expected["definitions"]["row"]["properties"]["kind"] = {"enum": ["a", None], "type": ["string", "null"]}
    assert asked == expected
