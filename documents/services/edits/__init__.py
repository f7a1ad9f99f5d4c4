"""Edits and verifications on top of an extraction."""

from documents.services.edits.changing import search
from documents.services.edits.evidence import NO_EVIDENCE, OUTDATED, Evidence, with_evidence
from documents.services.edits.fields import (
    add_row,
    change_by_path,
    remove_row,
    search_undo,
    set_field,
    set_path,
    set_result,
    undo,
)
from documents.services.edits.parsing import parse_input
from documents.services.edits.replacing import replace_result
from documents.services.edits.verifying import unverify, verify

__all__ = [
    "NO_EVIDENCE",
    "OUTDATED",
    "Evidence",
    "add_row",
    "change_by_path",
    "parse_input",
    "remove_row",
    "replace_result",
    "search",
    "search_undo",
    "set_field",
    "set_path",
    "set_result",
    "undo",
    "unverify",
    "verify",
    "with_evidence",
]
