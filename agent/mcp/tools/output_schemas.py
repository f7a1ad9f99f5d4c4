"""What tools that read answer, as JSON Schemas: the names at the top that programs use, and their kinds.

Every client reads and pays for the list, so rare names are left out. None is required, since a call that waits for a
person or still runs answers its state in the place of its result.
"""

from __future__ import annotations

from functools import cache

from kit.json_types import JsonSchema

_KINDS = {"#": "integer", "$": "string", "?": "boolean", "[]": "array", "{}": "object", "*": ""}
_LIST = "total_count# more$"
_PAGES = "text$ page_count# pages[] more$"
_QUESTION = "call_id$ status$ link$ note$ answer$ citations[]"
_FIELDS = {
    "calculate_expression": "value*",
    "check_values": "passed# failed[] not_computed[]",
    "cite_source": "citation_number# document_id$ page# cited_text$ box*",
    "compare_documents": "changes$ total_changes# compared[] same_passages# more$",
    "compare_extractions": "this{} with{} same# different# differences[]",
    "export_results": "columns[] rows# csv$ file$ without_values[]",
    "find_tools": "tools[] note$",
    "get_current_time": "now$ weekday$ timezone$ next_business_days[]",
    "get_decision": f"{_QUESTION} result{{}}",
    "get_document_summary": "text$ document_id$ document_name$",
    "get_extraction_result": "extraction_id$ result* unsure{} left_out{} unread{} pages_seen[] page_count# checks[]",
    "get_ocr_text": _PAGES,
    "get_prompt": "name$ prompt_id$ prompt_revid$ content$ model$ tags[]",
    "get_schema": "name$ schema_id$ schema_revid$ response_format{} used_by[]",
    "get_tag": "name$ tag_id$ document_count# prompts[]",
    "help_prompts": "guidance$",
    "help_schemas": "guidance$",
    "list_documents": f"documents[] {_LIST}",
    "list_llm_models": "models[] default_for_extractions$",
    "list_prompts": f"prompts[] {_LIST}",
    "list_schemas": f"schemas[] {_LIST}",
    "list_tags": f"tags[] {_LIST}",
    "query_fields": "rows[] total_documents# searched$ more$",
    "read_document": f"{_PAGES} document_id$",
    "read_multiple_documents": "documents[] not_read[]",
    "read_result": "text$ characters# more$",
    "rerank_documents": "documents[] ordered_by$",
    "research": _QUESTION,
    "resolve_reference": "exact? candidates[] more# note$",
    "search_documents": "results[] total_found#",
    "search_chunks": "chunks[] total_found#",
    "get_chunks": "expanded_chunks[] total_chunks#",
    "table_query": "rows* total_rows# tables[] matched# different[] more$ notes[]",
    "validate_against_schema": "valid? errors[]",
    "validate_schema": "valid? problems[]",
    "view_page": "page# page_count# picture$",
}


@cache
def find(tool: str) -> JsonSchema | None:
    """Of the tool of this name; None for one that changes something."""
    fields = _FIELDS.get(tool)
    return {"type": "object", "properties": dict(map(_read_field, fields.split()))} if fields else None


def _read_field(field: str) -> tuple[str, JsonSchema]:
    sign = next(sign for sign in _KINDS if field.endswith(sign))
    kind = _KINDS[sign]
    return field.removesuffix(sign), {"type": kind} if kind else {}
