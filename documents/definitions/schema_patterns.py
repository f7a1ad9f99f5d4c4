"""Which patterns a schema may contain: they are matched with texts that strangers have written."""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

from documents.definitions.schema_parts import iterate_nodes
from documents.values.patterns import MAX_COUNTED, ONE_SIGN, count_repeats
from documents.values.stored import Schema
from kit.errors import Problem

MAX_PATTERN = 200
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
        if wrong := _find_pattern_problem(pattern):
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


def _find_pattern_problem(pattern: str) -> str:
    if len(pattern) > MAX_PATTERN:
        return f"is longer than {MAX_PATTERN} characters"
    if count_repeats(pattern) > MAX_COUNTED:
        return f"counts more than {MAX_COUNTED:,} repeats; use * or + instead"
    if _repeats_a_choice(pattern):
        return "repeats a group that repeats or chooses, which can take for ever; write it without the outer repeat"
    try:
        # The second is the one that matches, and it refuses some that the first takes.
        re.compile(pattern)
        regex.compile(pattern)
    except (re.error, regex.error) as error:
        return f"is no regular expression: {error}"
    return ""


def _repeats_a_choice(pattern: str) -> bool:
    """Whether a group is repeated in which something repeats, may be missing or is one of several, such as (a|a)*b.

    There are then many ways to read a short text, and all of them are tried before it does not match: hours of them.
    """
    signs = ONE_SIGN.sub("x", pattern)
    chooses = [False]
    for before, sign, after in zip(f" {signs}", signs, f"{signs[1:]} ", strict=False):
        if sign == "(":
            chooses.append(False)
        elif sign == ")" and len(chooses) > 1:
            inner = chooses.pop()
            if inner and after in "*+{":
                return True
            chooses[-1] |= inner
        elif sign in "*+{|" or (sign == "?" and before != "("):
            chooses[-1] = True
    return False
