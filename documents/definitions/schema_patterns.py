"""Which patterns a schema may contain: they are matched with texts that strangers have written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from documents.definitions.schema_parts import iterate_nodes
from documents.values.patterns import ONE_SIGN, count_repeats, find_pattern_problem
from documents.values.stored import Schema
from kit.errors import Problem

MAX_PATTERNS = 300
MAX_COUNTED_IN_SCHEMA = 50_000
MAX_REPEATS = 3
_REPEATS = re.compile(r"[*+?{]")


def find_pattern_problems(schema: Schema) -> Iterator[Problem]:
    patterns = list(_iterate_patterns(schema))
    if len(patterns) > MAX_PATTERNS:
        yield Problem("", f"There are {len(patterns)} patterns in the schema; {MAX_PATTERNS} are the most.")
        return
    counted = sum(count_repeats(pattern) for _, pattern, _ in patterns)
    if counted > MAX_COUNTED_IN_SCHEMA:
        yield Problem("", f"The patterns count {counted:,} repeats together; {MAX_COUNTED_IN_SCHEMA:,} are the most.")
        return
    for where, pattern, of_names in patterns:
        if wrong := find_pattern_problem(pattern):
            yield Problem(where, f"{where}: the pattern {wrong}.")
        if of_names and len(_REPEATS.findall(ONE_SIGN.sub("x", pattern))) > MAX_REPEATS:
            yield Problem(where, f"{where}: a pattern of names repeats more than {MAX_REPEATS} times.")


def _iterate_patterns(schema: Schema) -> Iterator[tuple[str, str, bool]]:
    """Place and pattern, and whether it is of names: in patternProperties, matched for each name of an object."""
    for where, node in iterate_nodes(schema):
        pattern, names = node.get("pattern"), node.get("patternProperties")
        if isinstance(pattern, str):
            yield where, pattern, False
        if isinstance(names, dict):
            yield from ((where, name, True) for name in names)
