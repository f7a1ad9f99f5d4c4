"""Edits and verifications on top of an extraction."""

from documents.services.edits.fields import add_row, remove_row, set_field, set_path, set_result, undo
from documents.services.edits.parsing import parse_input
from documents.services.edits.replacing import replace_result
from documents.services.edits.verifying import unverify, verify

__all__ = [
    "add_row",
    "parse_input",
    "remove_row",
    "replace_result",
    "set_field",
    "set_path",
    "set_result",
    "undo",
    "unverify",
    "verify",
]
