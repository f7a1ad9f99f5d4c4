"""The names and parameters that clients and models know; `?` marks one that may be left out."""

from __future__ import annotations

import pytest

from agent.toolkit.registry import registry
from agent.toolkit.tool_kinds import Access
from kit.json_types import JsonSchema

READ = [
    "get_ocr_text(page_num?, document?, from_line?, pages?)",
    "get_extraction_result(prompt_revid?, document?, detail?)",
    "list_documents(skip?, limit?, name_search?, tag_ids?, metadata_search?, "
    "values?, where?, state?, document_type?, date_from?, date_to?, in_scope?, detail?)",
    "get_schema(schema_revid)",
    "list_schemas(skip?, limit?, name_search?, sort?, filters?)",
    "validate_schema(schema)",
    "validate_against_schema(schema_revid, data)",
    "get_prompt(prompt_revid)",
    "list_prompts(skip?, limit?, name_search?, document_id?, tag_ids?)",
    "get_tag(tag_id)",
    "list_tags(skip?, limit?, name_search?, sort?, filters?)",
    "help_schemas()",
    "help_prompts()",
    "list_llm_models()",
]
# Beyond the published contract.
OURS = ["split_document(parts, document_id?)", "restore_documents(document?, documents?)", "remember_wish(quote)"]
OURS += ["add_document(name?, text?, content?, url?, tag_ids?, unpack_many?)"]
OURS += ["read_all_documents(question, documents?)"]
OURS += ["undo_change(change?)"]
OURS += ["verify_values(paths?, document?, reason?)"]
OUR_READS = [
    "search_documents(query, max_results?, tag_ids?, document_ids?, kind?, date_from?, date_to?, queries?, document?)"
]
OUR_READS += [
    "read_document(document?, focus_query?, pages?, addresses?, detail?)",
    "export_results(documents, values?, format?)",
    "compare_extractions(document?, with_document?)",
    "compare_documents(with_document, document?, pages?, from_change?)",
    "get_current_time(timezone?)",
]
OUR_READS += [
    "read_multiple_documents(document_ids, focus_query?, depth?)",
    "rerank_documents(document_ids, query)",
    "get_document_summary(document?)",
    "query_fields(filters?, columns?, group?, aggregate?, limit?, in_scope?, detail?)",
    "table_query(document?, sheets?, filters?, columns?, group?, aggregate?, join?, limit?, from_row?)",
    "cite_source(cited_text, block_id, citation_number)",
    "open_document(citation_number, reason)",
]
OUR_READS += ["find_tools(query)", "end_turn()"]
OUR_READS += [
    "search_chunks(query, max_chunks?, file_filter?, include_references?)",
    "get_chunks(chunk_ids, expand_depth?, max_total_chunks?)",
]
OUR_READS += ["resolve_reference(text, in_trash?)"]
OUR_READS += ["set_steps(steps?, done?)"]
OUR_READS += ["calculate_expression(expression, document?)", "check_values(value_checks?, document?)"]
WRITE = [
    "create_schema(name, response_format?, value_checks?, template?)",
    "update_schema(schema_id, name?, response_format?, value_checks?, set?, remove?, rename?)",
    "delete_schema(schema_id)",
    "create_prompt(name, content, schema_id?, schema_version?, model?, tag_ids?)",
    "update_prompt(prompt_id, content?, schema_id?, tag_ids?, model?, name?, follow_schema?, replace?)",
    "delete_prompt(prompt_id)",
    "create_tag(name, color?, description?)",
    "update_tag(tag_id, name?, color?, description?)",
    "delete_tag(tag_id)",
    "update_document(document_id?, document_name?, tag_ids?, metadata?, documents?, "
    "add_tags?, remove_tags?, merge_metadata?, name_pattern?, document_type?)",
    "delete_document(document_id?, documents?)",
    "run_extraction(prompt_revid?, document?, documents?, go_on?, pages?)",
    "update_extraction_field(path?, value?, document?, changes?)",
]


def _signature(name: str, parameters: JsonSchema) -> str:
    names = [
        f"{parameter}{'' if parameter in parameters['required'] else '?'}" for parameter in parameters["properties"]
    ]
    return f"{name}({', '.join(names)})"


@pytest.mark.parametrize("signature", READ + WRITE + OURS + OUR_READS)
def test_it_offers_the_tools_of_the_contract(signature: str) -> None:
    tool = registry.find(signature.partition("(")[0])
    assert _signature(tool.name, tool.parameters) == signature
    assert tool.is_read == (signature in READ + OUR_READS)


def test_it_offers_nothing_else_that_changes_anything() -> None:
    assert (len(READ), len(WRITE)) == (14, 13)
    known = {signature.partition("(")[0] for signature in WRITE + OURS}
    assert {tool.name for tool in registry if not tool.is_read} == known


def test_it_removes_only_with_a_destructive_tool_and_can_take_back_every_change() -> None:
    changing = [tool for tool in registry if not tool.is_read]
    assert {tool.name for tool in changing if tool.access is Access.DESTRUCTIVE} == {
        "delete_schema",
        "delete_prompt",
        "delete_tag",
        "delete_document",
    }
    without = ("read_all_documents", "undo_change")
    assert all(tool.inverse and tool.preview for tool in changing if tool.name not in without)
