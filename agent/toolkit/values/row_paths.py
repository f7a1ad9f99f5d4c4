"""Paths of values as the model writes and reads them: a row is named by its key where it has one."""

from __future__ import annotations

from agent.models import ToolCall
from documents.models import Extraction
from documents.values.row_keys import locate_rows, require_key


def locate_path(extraction: Extraction, path: str, call_id: str) -> str:
    """With positions in place of keys of rows. Raises Invalid for a position where a long list has keys, unless the
    call has been shown with it."""
    if "[" in path:
        return locate_rows(extraction.current, path)
    if not _is_shown(call_id, path):
        require_key(extraction.current, path)
    return path


def _is_shown(call_id: str, path: str) -> bool:
    shown = ToolCall.objects.filter(pk=call_id).values_list("effective", flat=True).first() or {}
    changes = [shown, *shown.get("changes", ())]
    return path in [*shown.get("paths", ()), *(each.get("path") for each in changes)]
