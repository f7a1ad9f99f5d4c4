"""The words of tools as programs from outside read them: for these there is no thread, no message and no open document.

What a tool takes for a conversation alone is not listed, and the document is named in every call that is about one.
"""

from __future__ import annotations

import re

from agent.toolkit.registry import Tool
from agent.toolkit.signatures import rename_alike
from kit.errors import Invalid
from kit.json_types import JsonObject, JsonSchema

# What only serves the conversation of a person with the agent.
NOT_FOR_CLIENTS = ("end_turn", "find_tools", "open_document", "remember_wish", "set_steps")
ASKS = "Waits for a person's approval."
COSTS = "Costs money."
NAME_IT = "{tool}: say which document is meant, by its name or id, as {parameter}."
_OF_CONVERSATIONS = ("in_scope", "message")
_NAMING = ("document", "document_id")
# It may be about numbers alone, and a list about all.
_NEEDS_NONE = ("calculate_expression", "list_prompts", "search_documents")
_OWN_DOCUMENT = re.compile(r"(?:; )?without it this (?:one|document)$")
_DESCRIPTIONS = {
    "cite_source": "Where words of a line are, to cite them: the page and the box around them.",
    "compare_documents": "Compares the texts of two documents, such as two versions: numbers and dates "
    "first, then what was changed, added, removed or moved, each with its block ids in both. Exact and free: do not "
    "read both.",
    "query_fields": "Lists, groups and adds up the current values of many documents. A field of a "
    "table's rows, such as line_items.amount, gives a line for each row; @name, @state, @kind, "
    "@uploaded, @tag are of the document. block_ids are the lines of the values, to cite.",
    "read_all_documents": "Asks each document, or each of `documents`, the same question, where an answer has to be "
    'complete: lists, counts, "which of them". Its cost is approved first. not_read names those that could not be '
    "read and why; asked again, only these are read and paid.",
    "read_result": "The text of an earlier result from a position on.",
    "undo_change": "Takes back a change that you have made.",
    "run_extraction": "Runs a prompt on a document and keeps the values; or on several, as a job.",
    "search_documents": "Finds documents by the words on their pages, in their names, tags and extracted values, the "
    "best first. Ask for words on the page, or a question.",
}
_JOIN = (
    '{"with": "values", "key": "Reference", "with_key": "invoice_number", "compare": "Amount", '
    '"with_compare": "total"}; '
    "with is values of documents, or another document's or sheet's name. A key may be within a longer text"
)
_PARAMETERS = {
    ("get_extraction_result", "detail"): "concise or full",
    ("table_query", "join"): _JOIN,
    ("cite_source", "block_id"): "of the line in which they begin, such as D1:2.14, as a tool has answered it",
    ("list_prompts", "document_id"): "only prompts that share a tag with the document of this name or id: they run on "
    "it by themselves",
    ("read_all_documents", "documents"): "ids or names; without them all documents",
    ("verify_values", "reason"): "your user's own words why the values are right although checks fail",
}


def describe(tool: Tool) -> str:
    text = _DESCRIPTIONS.get(tool.name, tool.description)
    text = f"{text} {COSTS}" if tool.cost else text
    return text if tool.is_read else f"{text} {ASKS}"


def build_schema(tool: Tool) -> JsonSchema:
    """Of a tool's arguments, as clients read them."""
    listed = {name: each for name, each in tool.parameters["properties"].items() if name not in _OF_CONVERSATIONS}
    properties = {name: _reword(tool, name, schema) for name, schema in listed.items()}
    needed = find_needed_document(tool)
    required = [*tool.parameters["required"], *([needed] if needed else [])]
    return {**tool.parameters, "properties": properties, "required": required}


def find_needed_document(tool: Tool) -> str:
    """The parameter that names the document where every call is about one; empty for other tools."""
    properties = tool.parameters["properties"]
    if tool.name in _NEEDS_NONE or "documents" in properties:
        return ""
    return next((name for name in _NAMING if name in properties and name not in tool.parameters["required"]), "")


def check_document(tool: Tool, arguments: JsonObject) -> None:
    """Raises Invalid for a call that leaves out the document that it is about."""
    needed = find_needed_document(tool)
    if needed and not rename_alike(tool.parameters, arguments).get(needed):
        raise Invalid(NAME_IT.format(tool=tool.name, parameter=needed))


def _reword(tool: Tool, name: str, schema: JsonSchema) -> JsonSchema:
    text = str(schema.get("description", ""))
    text = _PARAMETERS.get((tool.name, name), text).replace("without it the thread's last, else", "without it")
    text = text.replace("name or id of another document", "name or id of the document")
    if name in _NAMING and _OWN_DOCUMENT.search(text):
        text = _OWN_DOCUMENT.sub("", text) or "its id or name"
        text += ", or several by documents" if "documents" in tool.parameters["properties"] else ""
    return {**schema, "description": text} if text else schema
