"""The tools of a model that is told of them in words: few, since such models are weak. `find_tools` adds any other."""

from __future__ import annotations

from collections.abc import Collection

from agent.models import Turn
from documents.models import Extraction

MAX_FEW = 8
_CHANGE = ("run_extraction", "update_schema", "update_prompt", "update_document")
FOR_NEW = ("create_schema", "create_prompt", *_CHANGE, "get_ocr_text", "find_tools")
"""Beside a document without values: to set up an extraction."""
FOR_VALUES = (*_CHANGE, "update_extraction_field", "list_documents", "get_ocr_text", "find_tools")
"""Beside a document with values: to correct them, to change how they are taken, and to do the same elsewhere."""
FOR_ORGANIZATION = (
    *("search_documents", "list_documents", "read_document", "read_all_documents", "query_fields"),
    *("run_extraction", "update_document", "find_tools"),
)
_INSTEAD = {"read_document": "get_ocr_text", "table_query": "update_prompt", "restore_documents": "update_document"}
"""A long document, a file of tables and one in the trash want these more."""


def choose_few(turn: Turn, needed: Collection[str]) -> tuple[str, ...]:
    """Names for its thread. `needed`: the rare tools that its document asks for."""
    if turn.thread.document_id is None:
        return FOR_ORGANIZATION
    few = FOR_VALUES if _has_values(turn) else FOR_NEW
    replaced = {usual: rare for rare, usual in _INSTEAD.items() if rare in needed}
    return tuple(replaced.get(name, name) for name in few)


def _has_values(turn: Turn) -> bool:
    """Since before the turn, so that its tools stay the same until it ends."""
    runs = Extraction.objects.filter(document=turn.thread.document_id, created_at__lt=turn.created_at)
    return runs.filter(status=Extraction.Status.COMPLETED).exists()
