"""Which patterns a schema may hold: they are matched with texts that strangers have written."""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

from docrouter.kit.errors import Problem
from documents.services.schema_parts import iterate_nodes
from documents.services.values.patterns import MAX_COUNTED, ONE_SIGN, count_repeats
from documents.services.values.stored import Schema

MAX_PATTERN = 200
MAX_PATTERNS = 300
MAX_COUNTED_IN_SCHEMA = 50_000
MOST_REPEATS = 3
# Of names in patternProperties, which are matched for each name of an object.
_REPEATS = re.compile(r"[*+?{]")


def find_pattern_problems(schema: Schema) -> Iterator[Problem]:
    number = sum(isinstance(node.get("pattern"), str) + len(_names_matched(node)) for _, node in iterate_nodes(schema))
    if number > MAX_PATTERNS:
        yield Problem("", f"There are {number} patterns in the schema; {MAX_PATTERNS} are the most.")
        return
    patterns = (each for _, node in iterate_nodes(schema) for each in [node.get("pattern"), *_names_matched(node)])
    counted = sum(count_repeats(pattern) for pattern in patterns if isinstance(pattern, str))
    if counted > MAX_COUNTED_IN_SCHEMA:
        yield Problem("", f"The patterns count {counted:,} repeats together; {MAX_COUNTED_IN_SCHEMA:,} are the most.")
        return
    for where, node in iterate_nodes(schema):
        names = _names_matched(node)
        for pattern in [node.get("pattern"), *names]:
            if isinstance(pattern, str) and (wrong := _pattern_problem(pattern)):
                yield Problem(where, f"{where}: the pattern {wrong}.")
        if any(len(_REPEATS.findall(ONE_SIGN.sub("x", pattern))) > MOST_REPEATS for pattern in names):
            yield Problem(where, f"{where}: a pattern of names repeats more than {MOST_REPEATS} times.")


def _names_matched(node: Schema) -> list[str]:
    patterns = node.get("patternProperties")
    return list(patterns) if isinstance(patterns, dict) else []


def _pattern_problem(pattern: str) -> str:
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
