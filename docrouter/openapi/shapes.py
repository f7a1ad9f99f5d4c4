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
MESSAGE: Shape = record(message=TEXT)

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
_RESULT = record(
    prompt_revid=TEXT, prompt_id=TEXT, prompt_version=WHOLE, prompt_display_name=TEXT, document_id=ID,
    llm_result={"type": "object", "description": "What the run found; never changed."},
    updated_llm_result={"type": "object", "description": "With the corrections of people on top."},
    is_edited=TRUTH, is_verified=TRUTH, created_at=TIME, updated_at=TIME, extraction_id=ID, model=TEXT,
    pages_seen=listed(WHOLE), page_count=WHOLE,
)  # fmt: skip
_MEMBER = record(
    user_id=ID,
    role={"type": "string", "enum": ["admin", "user"]},
    docrouter_role={"type": "string", "enum": ["viewer", "reviewer", "builder", "admin"]},
)
_CHAT_MODEL = record(
    litellm_model=TEXT, litellm_provider=TEXT, max_input_tokens=WHOLE, max_output_tokens=WHOLE,
    input_cost_per_token=NUMBER, output_cost_per_token=NUMBER, provider_name=TEXT, provider_display_name=TEXT,
)  # fmt: skip
_DOCUMENT = record(
    id=ID, pdf_id=ID, document_name=TEXT, upload_date=TIME, uploaded_by=TEXT,
    state={"type": "string", "enum": ["uploaded", "ocr_processing", "ocr_completed", "ocr_failed", "llm_processing",
                                      "llm_completed", "llm_failed"]},
    tag_ids=TEXTS, type=maybe(TEXT), metadata=ANY,
)  # fmt: skip

SHAPES: dict[str, Shape] = {
    "Error": _ERROR,
    "ValidationError": {
        "type": "object",
        "required": ["detail"],
        "properties": {"detail": {"anyOf": [listed(_FAULT), {"type": "string"}]}},
    },
    "LLMResult": _RESULT,
    "RunAnswer": record(status=TEXT, result=ref("LLMResult"), run_id=ID),
    "RunUnderWay": record(status=TEXT, run_id=ID, result=ANY, reason=TEXT),
    "Organization": record(
        id=ID, name=TEXT, members=listed(_MEMBER),
        type={"type": "string", "enum": ["individual", "team", "enterprise"]},
        default_prompt_enabled=TRUTH, experimental_features=TRUTH, flow_log_level=TEXT, ocr_config=ANY,
        ocr_catalog=ANY, created_at=TIME, updated_at=TIME,
    ),
    "User": record(
        id=ID, email=TEXT, name=TEXT, role={"type": "string", "enum": ["admin", "user"]}, email_verified=TRUTH,
        created_at=TIME, has_password=TRUTH, has_seen_tour=maybe(TRUTH),
    ),
    "AccessToken": record(
        id=ID, user_id=ID, organization_id=maybe(ID), name=TEXT, created_at=TIME, lifetime=WHOLE,
        token={"type": "string", "description": "Whole in the answer to POST, its first ten characters afterwards."},
        expires_at=maybe(TIME), last_used_at=maybe(TIME),
    ),
    "ChatModel": _CHAT_MODEL,
    "Completion": record(
        id=TEXT, object=TEXT, created=WHOLE, model=TEXT,
        choices=listed(record(index=WHOLE, message=record(role=TEXT, content=TEXT), finish_reason=TEXT)),
        usage=record(prompt_tokens=WHOLE, completion_tokens=WHOLE, total_tokens=WHOLE),
    ),
    "Document": _DOCUMENT,
    "Tag": record(id=ID, name=TEXT, color=TEXT, description=maybe(TEXT), created_at=TIME, created_by=maybe(TEXT)),
    "Schema": record(name=TEXT, response_format=ANY, schema_revid=ID, schema_id=ID, schema_version=WHOLE,
                     created_at=TIME, created_by=maybe(TEXT)),
    "Prompt": record(name=TEXT, content=TEXT, prompt_revid=ID, prompt_id=ID, prompt_version=WHOLE, created_at=TIME,
                     created_by=maybe(TEXT)),
}  # fmt: skip
