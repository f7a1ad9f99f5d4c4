"""An example for every body and answer, put together from one value for each name of a field.

`VALUES` knows `field`, and `Shape.field` where the same name means something else inside one shape. A value `…` says
that the table lacks the name; a test finds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]
UNKNOWN = "…"
_SCHEMA = {
    "type": "object",
    "properties": {"invoice_number": {"type": "string", "description": "The number of the invoice"}},
    "required": ["invoice_number"],
    "additionalProperties": False,
}
_BOX = {"Left": 0.1, "Top": 0.05, "Width": 0.2, "Height": 0.02}
_CORNERS = [{"X": 0.1, "Y": 0.05}, {"X": 0.3, "Y": 0.05}, {"X": 0.3, "Y": 0.07}, {"X": 0.1, "Y": 0.07}]
_FOUND = {"invoice_number": "INV-7"}

VALUES: Mapping[str, Any] = {
    # ids
    "id": "65f1a2b3c4d5e6f708192a3b",
    "made_by": "65f1a2b3c4d5e6f708192a0a",
    "user_id": "65f1a2b3c4d5e6f708192a01",
    "organization_id": "65f1a2b3c4d5e6f708192a02",
    "document_id": "65f1a2b3c4d5e6f708192a3b",
    "pdf_id": "65f1a2b3c4d5e6f708192a3b",
    "tag_name": "Invoices",
    "tag_id": "65f1a2b3c4d5e6f708192a04",
    "tag_ids": ["65f1a2b3c4d5e6f708192a04"],
    "UploadForm.tag_ids": '["65f1a2b3c4d5e6f708192a04"]',
    "DocumentFilters.tag_ids": "65f1a2b3c4d5e6f708192a04",
    "schema_id": "65f1a2b3c4d5e6f708192a05",
    "schema_revid": "65f1a2b3c4d5e6f708192a06",
    "prompt_id": "65f1a2b3c4d5e6f708192a07",
    "prompt_revid": "65f1a2b3c4d5e6f708192a08",
    "extraction_id": "65f1a2b3c4d5e6f708192a09",
    "run_id": "65f1a2b3c4d5e6f708192a09",
    "call_id": "65f1a2b3c4d5e6f708192a0a",
    "thread_id": "65f1a2b3c4d5e6f708192a0b",
    "turn_id": "65f1a2b3c4d5e6f708192a0c",
    "created_by": "65f1a2b3c4d5e6f708192a01",
    "kb_id": None,
    "Completion.id": "chatcmpl-65f1a2b3c4d5e6f708192a0d",
    "OldModel.id": "claude-sonnet-4-6",
    # times
    "created_at": "2026-11-21T09:30:00.000000Z",
    "updated_at": "2026-11-21T09:31:12.500000Z",
    "upload_date": "2026-11-21T09:30:00.000000Z",
    "expires_at": "2026-12-21T09:30:00.000000Z",
    "last_used_at": "2026-11-21T09:30:00.000000Z",
    "token_created_at": "2026-11-21T09:30:00.000000Z",
    "extraction_date": "2026-11-21T09:32:00.000000Z",
    "ocr_date": "2026-11-21T09:30:04.250000Z",
    "finished_at": "2026-11-21T09:30:09.000000Z",
    "at": "2026-11-21T09:33:00.000000Z",
    "created": 1795253400,
    # names and words
    "name": "Invoice",
    "title": "The total of the invoice",
    "NewDocument.name": "invoice.pdf",
    "UploadForm.name": "invoice.pdf",
    "Tag.name": "Invoices",
    "TagConfig.name": "Invoices",
    "TagChange.name": "Invoices",
    "NewToken.name": "Nightly import",
    "AccessToken.name": "Nightly import",
    "Organization.name": "Acme",
    "NewOrganization.name": "Acme",
    "ChangedOrganization.name": "Acme",
    "User.name": "Ada Lovelace",
    "NewUser.name": "Ada Lovelace",
    "ChangedUser.name": "Ada Lovelace",
    "Provider.name": "anthropic",
    "Refusal.name": "notes.exe",
    "OldModel.name": "claude-sonnet-4-6",
    "organization_name": "Acme",
    "document_name": "invoice.pdf",
    "uploaded_by": "Ada Lovelace",
    "by": "Ada Lovelace",
    "email": "ada@example.com",
    "old_password": "a sentence of before",
    "password": "correct horse battery staple",
    "description": "Bills from suppliers",
    "OldModel.description": "claude-sonnet-4-6 by Anthropic",
    "display_name": "Anthropic",
    "prompt_display_name": "Read invoices",
    "prompt_name": "Take the number of the invoice.",
    "text": "Invoice INV-7",
    "reason": "",
    "Execution.reason": "missing",
    "NewDecision.reason": "The total is right.",
    "detail": "Document not found",
    "Refusal.detail": "Unsupported file extension .exe: notes.exe",
    "input": "The text to embed",
    "shown_hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "idempotency_key": "click-1",
    "name_search": "invoice",
    "metadata_search": "case=4711",
    "filters": {"items": [{"field": "state", "operator": "is", "value": "ocr_completed"}]},
    "peer_match_keys": ["invoice_number"],
    "metadata_keys": ["case"],
    "ocr_type": "text-layer",
    "color": "#3B82F6",
    "key_setting": "ANTHROPIC_API_KEY",
    "token": "org_9fK2xQ",
    "Provider.token": "********WXYZ",
    "ChangedProvider.token": "sk-ant-api03-0000",
    "thread_title": "Invoice 7",
    "owner": "Ada Lovelace",
    "tool": "update_document",
    "Card.title": "Rename this document",
    "Card.status": "pending",
    "why_asks": "Writes ask in this thread.",
    "why_not": "",
    "access": "write",
    "reach": "document",
    "etag": '"1.9f86d081"',
    "preview": {"before": "invoice.pdf", "after": "invoice-7.pdf"},
    "pause_reason": None,
    "executed_rounds": None,
    "thinking": None,
    "unknown_calls": [],
    "ToolCall.name": "update_extraction_field",
    "ToolCall.arguments": '{"path": "total", "value": 30.5}',
    "RoundCall.name": "update_extraction_field",
    "RoundCall.arguments": '{"path": "total", "value": 30.5}',
    "RoundCall.status": "succeeded",
    "Round.text": "I set the total.",
    "ChatResult.text": "The total is 30.50.",
    "TurnResult.text": "The total is 30.50.",
    "error": None,
    "TurnState.status": "completed",
    "LiveTurn.status": "running",
    "UserMessage.content": "What is the total?",
    "AgentMessage.content": "The total is 30.50.",
    "Mention.type": "schema",
    "CallDetails.status": "succeeded",
    "CallDetails.title": "Rename this document",
    "Undo.status": "succeeded",
    "disabled": ["delete_document"],
    "read_only": ["get_ocr_text", "list_tags"],
    "read_write": ["create_tag", "update_document"],
    "extraction": {"invoice_number": "INV-7"},
    "newest_call_id": "65f1a2b3c4d5e6f708192a0a",
    "undone_by": None,
    "undoes": "65f1a2b3c4d5e6f708192a0a",
    # contents
    "content": "Take the number of the invoice.",
    "PlainMessage.content": "What is an invoice?",
    "ChatMessage.content": "What is the total?",
    "Answered.content": "A request for payment.",
    "NewDocument.content": "JVBERi0xLjQK",
    "Document.content": "JVBERi0xLjQK",
    "file": "(the bytes of the file)",
    "metadata": {"case": "4711"},
    "UploadForm.metadata": '{"case": "4711"}',
    "response_format": {"type": "json_schema", "json_schema": {"name": "invoice", "schema": _SCHEMA, "strict": True}},
    "data": _FOUND,
    "llm_result": _FOUND,
    "updated_llm_result": _FOUND,
    "extraction_result": _FOUND,
    "result": _FOUND,
    "RunUnderWay.result": None,
    "RunUnderWay.extraction": None,
    "RunUnderWay.detail": "There is no result yet: the run is running. "
    "GET /v0/orgs/65f1a2b3c4d5e6f708192a02/llm/runs/65f1a2b3c4d5e6f708192a09 gives it once the run has ended.",
    "arguments": {"document_name": "invoice-7.pdf"},
    "winner": {"kind": "approved", "by": "Ada Lovelace"},
    "BoundingBox": _BOX,
    "Polygon": _CORNERS,
    "Confidence": 99.5,
    "Text": "Invoice",
    "BlockType": "WORD",
    "Type": "CHILD",
    "Ids": ["1.1.1", "1.1.2"],
    "path": "total",
    "message": "12,5 is not of type 'number'",
    "Id": "1.1.1",
    "embedding": [0.0123, -0.0456, 0.0789],
    "dimensions": 1536,
    "Embedded.dimensions": 3,
    "ocr_config": {"mode": "pymupdf"},
    "ReadingConfig.mode": "pymupdf",
    "modes": ["pymupdf"],
    "ModelConfig.provider": None,
    "ModelConfig.model": None,
    "mistral_enabled": False,
    "mistral_vertex_enabled": False,
    # choices and models
    "role": "admin",
    "PlainMessage.role": "user",
    "ChatMessage.role": "user",
    "Answered.role": "assistant",
    "docrouter_role": "admin",
    "type": "application/pdf",
    "Organization.type": "team",
    "NewOrganization.type": "team",
    "ChangedOrganization.type": "team",
    "organization_type": "team",
    "status": "success",
    "Schema.status": "accepted",
    "Prompt.status": "accepted",
    "RunUnderWay.status": "running",
    "state": "llm_completed",
    "kind": "approved",
    "mode": "missing",
    "object": "chat.completion",
    "finish_reason": "stop",
    "flow_log_level": "ERROR",
    "model": "claude-sonnet-4-6",
    "NewEmbedding.model": "text-embedding-3-small",
    "Embedded.model": "text-embedding-3-small",
    "EmbeddingModel.litellm_model": "text-embedding-3-small",
    "EmbeddingModel.litellm_provider": "openai",
    "litellm_model": "claude-sonnet-4-6",
    "litellm_provider": "anthropic",
    "provider": "anthropic",
    "provider_name": "anthropic",
    "provider_display_name": "Anthropic",
    "models": ["claude-sonnet-4-6", "offline/rules"],
    "litellm_models_available": ["claude-sonnet-4-6"],
    "litellm_models_enabled": ["claude-sonnet-4-6"],
    "litellm_models_chat_agent": ["claude-sonnet-4-6"],
    # numbers
    "skip": 0,
    "next_skip": 40,
    "lifetime": 30,
    "role_ceiling": "reviewer",
    "upload_only": False,
    "end_tokens": False,
    "pages_seen": [1],
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


def example_of(schema: Json, shapes: Mapping[str, Json], name: str = "", inside: str = "") -> Any:
    """`inside` is the shape whose field this is."""
    value = next((VALUES[key] for key in (f"{inside}.{name}", name) if key in VALUES), UNKNOWN)
    if "examples" in schema:
        return schema["examples"][0]
    if "const" in schema:
        return schema["const"]
    if "$ref" in schema:
        shape = schema["$ref"].rpartition("/")[2]
        return example_of(shapes[shape], shapes, "", shape)
    if _has_fields(schema):
        inside = schema.get("title", inside)
        return {field: example_of(part, shapes, field, inside) for field, part in schema["properties"].items()}
    if _has_fields(schema.get("items", {})) or "$ref" in schema.get("items", {}):
        return [example_of(schema["items"], shapes, "", inside)]
    for several in ("allOf", "oneOf", "anyOf"):
        if several in schema:
            return example_of(schema[several][0], shapes, name, inside)
    fits = value is not UNKNOWN and value in schema.get("enum", [value])
    return value if fits else _plain(schema)


def _has_fields(schema: Json) -> bool:
    return bool(schema.get("properties"))


def _plain(schema: Json) -> Any:
    """What needs no value of its own: a choice, a truth, a count."""
    kinds = schema.get("type", "object")
    kind = kinds[0] if isinstance(kinds, list) else kinds
    if "enum" in schema:
        return schema["enum"][0]
    if kind == "integer":
        return schema.get("minimum", 1)
    return {"boolean": True, "object": {}, "array": [], "number": 1.0, "null": None}.get(kind, UNKNOWN)
