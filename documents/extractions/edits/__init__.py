"""Edits and verifications on top of an extraction."""

from documents.extractions.edits.changing import search
from documents.extractions.edits.corrections import (
    MAX_CORRECTIONS,
    Correction,
    plan_corrections,
    search_corrections,
    search_undo_of_all,
    store_corrections,
    undo_all,
)
from documents.extractions.edits.evidence import NO_EVIDENCE, OUTDATED, Evidence, store_with_evidence
from documents.extractions.edits.fields import (
    add_row,
    make_change_by_path,
    remove_row,
    search_undo,
    set_field,
    set_path,
    set_result,
    undo,
)
from documents.extractions.edits.parsing import parse_input
from documents.extractions.edits.replacing import replace_result
from documents.extractions.edits.verifying import undo_verifications, unverify, unverify_value, verify

__all__ = [
    "MAX_CORRECTIONS",
    "NO_EVIDENCE",
    "OUTDATED",
    "Correction",
    "Evidence",
    "add_row",
    "make_change_by_path",
    "parse_input",
    "plan_corrections",
    "remove_row",
    "replace_result",
    "search",
    "search_corrections",
    "search_undo",
    "search_undo_of_all",
    "set_field",
    "set_path",
    "set_result",
    "store_corrections",
    "store_with_evidence",
    "undo",
    "undo_all",
    "undo_verifications",
    "unverify",
    "unverify_value",
    "verify",
]
