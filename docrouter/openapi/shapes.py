"""JSON Schemas (2020-12, as in OpenAPI 3.1) of what /v0 answers: `SHAPES` by name, used by reference."""

from __future__ import annotations

from typing import Any

Shape = dict[str, Any]


def ref(name: str) -> Shape:
    return {"$ref": f"#/components/schemas/{name}"}


def listed(of: Shape) -> Shape:
    return {"type": "array", "items": of}


def record(**fields: Shape) -> Shape:
    """An object that always has these fields, and may get more."""
    return {"type": "object", "properties": fields, "required": list(fields)}


def told(sentence: str, **more: Shape) -> Shape:
    return record(**more, message=such_as(TEXT, sentence))


def such_as(shape: Shape, example: object) -> Shape:
    return {**shape, "examples": [example]}


def page(plural: str, of: str) -> Shape:
    return record(**{plural: listed(ref(of))}, total_count=WHOLE, skip=WHOLE)


def maybe(shape: Shape) -> Shape:
    return {**shape, "type": [shape["type"], "null"]}


TEXT: Shape = {"type": "string"}
WHOLE: Shape = {"type": "integer"}
NUMBER: Shape = {"type": "number"}
TRUTH: Shape = {"type": "boolean"}
ANY: Shape = {"type": "object"}
TEXTS: Shape = listed(TEXT)
ID: Shape = {"type": "string", "description": "24 lowercase hex characters"}
TIME: Shape = {"type": "string", "format": "date-time", "description": "UTC, ends in Z"}

_FAULT = record(type=TEXT, loc={"type": "array", "items": {"type": ["string", "integer"]}}, msg=TEXT, input={})
_PROBLEM = record(where=TEXT, message=TEXT)
_ERROR: Shape = {
    "type": "object",
    "required": ["detail"],
    "properties": {
        "detail": {"type": "string", "description": "A sentence for people."},
        "problems": listed(_PROBLEM),
        "winner": {"type": "object", "description": "With 409: what holds now."},
        "code": {"type": "string", "description": "A word for programs, where there is one."},
    },
}
_VALUES: Shape = {"type": "object", "description": "With the corrections of people on top."}
_RESULT = record(
    prompt_revid=TEXT, prompt_id=TEXT, prompt_version=WHOLE, prompt_display_name=TEXT, document_id=ID,
    llm_result={"type": "object", "description": "What the run found; never changed."},
    updated_llm_result=_VALUES,
    is_edited=TRUTH, is_verified=TRUTH, created_at=TIME, updated_at=TIME, extraction_id=ID, model=TEXT,
    pages_seen=listed(WHOLE), page_count=WHOLE,
)  # fmt: skip
_CHAT_MODEL = record(
    litellm_model=TEXT, litellm_provider=TEXT, max_input_tokens=WHOLE, max_output_tokens=WHOLE,
    input_cost_per_token=NUMBER, output_cost_per_token=NUMBER, provider_name=TEXT, provider_display_name=TEXT,
)  # fmt: skip
_DOCUMENT = record(
    id=ID, pdf_id=ID, document_name=TEXT, upload_date=TIME, uploaded_by=TEXT,
    state={"type": "string", "enum": ["uploaded", "ocr_processing", "ocr_completed", "ocr_failed", "llm_processing",
                                      "llm_completed", "llm_failed"]},
    state_reason=TEXT, tag_ids=TEXTS, type=maybe(TEXT), metadata=ANY,
)  # fmt: skip
_ONE_DOCUMENT = record(**_DOCUMENT["properties"], content=maybe(TEXT))
_COUNTS = {"prompt_tokens": WHOLE, "completion_tokens": WHOLE, "total_tokens": WHOLE}
_MARKS = {"is_edited": TRUTH, "is_verified": TRUTH, "created_at": TIME, "updated_at": TIME}

SHAPES: dict[str, Shape] = {
    "Error": _ERROR,
    "ValidationError": {
        "type": "object",
        "required": ["detail"],
        "properties": {"detail": {"anyOf": [listed(_FAULT), {"type": "string"}]}},
    },
    "LLMResult": _RESULT,
    "RunAnswer": record(status=TEXT, result=_VALUES, extraction=ref("LLMResult"), run_id=ID),
    "RunUnderWay": record(
        status=TEXT, run_id=ID, result={"type": "null"}, extraction={"type": "null"}, reason=TEXT, detail=TEXT
    ),
    "Run": record(
        status=TEXT, run_id=ID, result=maybe(_VALUES), extraction={"anyOf": [ref("LLMResult"), {"type": "null"}]},
        reason=TEXT, document_id=ID, prompt_revid=TEXT, model=TEXT, created_at=TIME, finished_at=maybe(TIME),
    ),
    "ChatModel": _CHAT_MODEL,
    "OldModel": record(
        id=TEXT, name=TEXT, provider=TEXT, description=TEXT, max_tokens=WHOLE, cost_per_1m_input_tokens=NUMBER,
        cost_per_1m_output_tokens=NUMBER,
    ),
    "EmbeddingModel": record(
        litellm_model=TEXT, litellm_provider=TEXT, max_input_tokens=WHOLE, dimensions=WHOLE,
        input_cost_per_token=NUMBER, input_cost_per_token_batches=NUMBER,
    ),
    "Provider": record(
        name=TEXT, display_name=TEXT, litellm_provider=TEXT, litellm_models_available=TEXTS,
        litellm_models_enabled=TEXTS, litellm_models_chat_agent=TEXTS, enabled=TRUTH,
        token={"type": ["string", "null"], "description": "Masked; null without a key."},
        token_created_at={**maybe(TIME), "description": "Null when the key is the environment's."},
        key_setting=maybe(TEXT),
    ),
    "Completion": record(
        id=TEXT, object=TEXT, created=WHOLE, model=TEXT,
        choices=listed(record(index=WHOLE, message=ref("Answered"), finish_reason=TEXT)), usage=record(**_COUNTS),
    ),
    "Answered": record(role=TEXT, content=TEXT),
    "Embedded": record(
        model=TEXT, dimensions=WHOLE, embedding=listed(NUMBER), usage=record(prompt_tokens=WHOLE, total_tokens=WHOLE)
    ),
    "ListedDocument": _DOCUMENT,
    "Document": {**_ONE_DOCUMENT, "description": "`content` is base64, and null with include_content=false."},
    "StoredDocument": record(document_name=TEXT, document_id=ID, tag_ids=TEXTS, metadata=ANY),
    "Refusal": record(name=TEXT, detail=TEXT),
    "Execution": record(document_id=ID, document_name=TEXT, reason=TEXT),
    "RunGroup": record(
        prompt_revid=ID, prompt_id=ID, prompt_version=WHOLE, name=TEXT,
        executions=listed(record(document_id=ID, document_name=TEXT)),
    ),
    "SavedResult": record(
        prompt_revid=TEXT, prompt_name=TEXT, prompt_version=WHOLE, extraction_result=ANY, metadata=record(**_MARKS)
    ),
    "Block": {
        "type": "object",
        "required": ["BlockType", "Id", "Page", "Geometry"],
        "description": "As Textract gives it; boxes are fractions of the page.",
        "properties": {
            "BlockType": {"type": "string", "enum": ["PAGE", "LINE", "WORD"]}, "Id": TEXT, "Page": WHOLE,
            "Text": TEXT, "Confidence": NUMBER, "Geometry": record(BoundingBox=ANY, Polygon=listed(ANY)),
            "Relationships": listed(ANY),
        },
    },
    "Fault": record(path=TEXT, message=TEXT),
    "CallDecision": record(call_id=ID, version=WHOLE, kind=TEXT, by=TEXT, at=TIME, reason=TEXT, edited=TRUTH),
    "Tag": record(id=ID, name=TEXT, color=TEXT, description=maybe(TEXT), created_at=TIME, created_by=maybe(TEXT)),
    "Schema": record(name=TEXT, response_format=ANY, schema_revid=ID, schema_id=ID, schema_version=WHOLE,
                     created_at=TIME, created_by=maybe(TEXT), status=TEXT),
    "Prompt": record(
        name=TEXT, content=TEXT, schema_id=maybe(ID), schema_version=maybe(WHOLE), tag_ids=TEXTS, model=TEXT,
        kb_id=maybe(TEXT), peer_match_keys=TEXTS, include=record(ocr_text=TRUTH, metadata_keys=TEXTS, pdf=TRUTH),
        prompt_revid=TEXT, prompt_id=TEXT, prompt_version=WHOLE, created_at=TIME, created_by=maybe(TEXT), status=TEXT,
    ),
}  # fmt: skip
