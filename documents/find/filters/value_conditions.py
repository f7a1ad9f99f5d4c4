"""Conditions as a person types them: `total > 1000`, `vendor = "ACME"`, `due < 2026-12-01`, `iban is empty`."""

from __future__ import annotations

import re

from documents.find.field_conditions import FieldCondition, Literal, read_literal
from kit.errors import Invalid

MAX_LETTERS = 500
EXAMPLE = "such as total > 1000"
_OPERATORS = {"=": "eq", "!=": "ne", ">": "gt", ">=": "ge", "<": "lt", "<=": "le", "~": "contains"}
_COMPARISON = re.compile(r"(?P<path>[^=<>!~]+?)\s*(?P<sign>!=|>=|<=|=|>|<|~)\s*(?P<literal>.*)", re.DOTALL)
_EMPTY = re.compile(r"(?P<path>[^=<>!~]+?)\s+is\s+(?P<negated>not\s+)?empty", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?\d{1,17}(\.\d{1,9})?")


def parse_condition(text: str) -> FieldCondition:
    """Raises Invalid with what is wrong about it."""
    text = text.strip().replace("\0", "")
    if len(text) > MAX_LETTERS:
        raise Invalid(f"A filter has {MAX_LETTERS} characters at most; this one has {len(text):,}.")
    if empty := _EMPTY.fullmatch(text):
        words = f"{empty['path']} is {'not ' if empty['negated'] else ''}empty"
        return FieldCondition(empty["path"], "empty", (not empty["negated"],), words)
    match = _COMPARISON.fullmatch(text)
    if match is None:
        raise Invalid(f"“{text}” compares nothing. Write a field, a sign and a value, {EXAMPLE}.")
    path, sign, written = match["path"].strip(), match["sign"], match["literal"].strip()
    literal = _parse_literal(written, text)
    if isinstance(literal, str) and sign not in ("=", "!=", "~"):
        raise Invalid(f"“{literal}” is no number and no day such as 2026-12-31, so {sign} cannot compare it.")
    choice = _unquote(written) if sign == "~" else literal
    return FieldCondition(path, _OPERATORS[sign], (choice,), f"{path} {sign} {written}")


def write_equality(path: str, text: str) -> str:
    """The condition that the field has this value, as it is typed; empty where it cannot be."""
    if isinstance(read_literal(text, _NUMBER), str):
        return "" if '"' in text else f'{path} = "{text}"'
    return f"{path} = {text}"


def _parse_literal(written: str, text: str) -> Literal:
    if not written:
        raise Invalid(f"“{text}” lacks a value. Write one after the sign, {EXAMPLE}, or “is empty”.")
    return _unquote(written) if written[0] == '"' else read_literal(written, _NUMBER)


def _unquote(written: str) -> str:
    if not written.startswith('"'):
        return written
    if len(written) < 2 or not written.endswith('"'):
        raise Invalid(f"The quotation mark before {written[1:40]} is never closed.")
    return written[1:-1]
