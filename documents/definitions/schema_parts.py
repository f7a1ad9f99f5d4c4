"""The schemas inside of a schema: where each stands, and what a $ref brings to another place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from documents.values.references import get_target
from documents.values.stored import Schema
from kit.errors import Problem
from kit.json_types import Json

MAX_DEPTH = 60
# Of the schema with each $ref replaced by what it names. A check of values visits all of it, perhaps for each value.
MAX_EXPANDED = 5_000
TOO_MANY_PARTS = (
    f"With what each $ref names in its place the schema has more than {MAX_EXPANDED:,} parts. "
    "Use fewer $ref, allOf, anyOf and oneOf."
)
# Maps of names to schemas. Draft 7 does not know $defs: what stands there counts where a $ref names it.
_DRAFT_7_MAPS = ("properties", "definitions", "patternProperties", "dependencies")
MAPS = (*_DRAFT_7_MAPS, "$defs")
LISTS = ("allOf", "anyOf", "oneOf", "items")
SINGLE = (
    "items",
    "additionalItems",
    "contains",
    "additionalProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
)
_PLAIN_DATA = ("enum", "const", "default", "examples", "required")


def find_reference_problems(schema: Schema) -> Iterator[Problem]:
    schemas = {id(node) for _, node in iterate_nodes(schema)}
    for where, node in iterate_nodes(schema):
        reference = node.get("$ref")
        for word in ("$id", "$schema"):
            if where and isinstance(node.get(word), str):
                sentence = f"{where}: {word} is for the top of a schema; here it would lead each $ref astray."
                yield Problem(where, sentence)
        if reference is None:
            continue
        # What is written with % is read in two ways.
        if not isinstance(reference, str) or not reference.startswith("#/") or "%" in reference:
            yield Problem(where, f"{where}: $ref may only point into this schema, such as #/definitions/address.")
        elif id(get_target(reference, schema)) not in schemas:
            yield Problem(where, f"{where}: {reference} leads nowhere.")


def iterate_targets_elsewhere(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """What a $ref names where draft 7 expects no schema, with its dotted place; nothing inside of another twice."""
    references = (node.get("$ref") for _, node in iterate_nodes(schema))
    targets = {id(get_target(name, schema)) for name in references if isinstance(name, str)}
    seen = {id(part.schema) for part in _iterate_parts(schema)}
    for where, node in iterate_nodes(schema):
        if id(node) in targets and id(node) not in seen:
            seen |= {id(part.schema) for part in _iterate_parts(node)}
            yield where, node


def find_expansion_problems(schema: Schema) -> Iterator[Problem]:
    """Goes the ways that a check of values may go, as often as it may go them, and stops counting at the limit."""
    waiting = [_SchemaPart(schema, "", 0, ())]
    visits = 0
    while waiting:
        part = waiting.pop()
        visits += 1
        if visits > MAX_EXPANDED:
            yield Problem("", TOO_MANY_PARTS)
            return
        if part.level > MAX_DEPTH:
            yield Problem(
                "", f"With what each $ref names in its place the schema is more than {MAX_DEPTH} levels deep."
            )
            return
        reference = part.schema.get("$ref")
        if reference is None:
            waiting += _parts_inside(part)
        elif reference in part.references:
            yield Problem(part.where, f"{part.where}: {reference} contains itself; an extraction needs an end.")
            return
        else:
            target = get_target(reference, schema)
            waiting.append(_SchemaPart(target, part.where, part.level + 1, (*part.references, reference)))


class _SchemaPart(NamedTuple):
    """A subschema at its place. `references` led to it, one inside the other."""

    schema: Schema
    where: str
    level: int
    references: tuple[str, ...]


def _iterate_parts(schema: Schema) -> Iterator[_SchemaPart]:
    """Every schema in this one, without following references."""
    waiting = [_SchemaPart(schema, "", 0, ())]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += _parts_inside(part)


def _parts_inside(part: _SchemaPart) -> Iterator[_SchemaPart]:
    """What stands directly inside: only where JSON Schema expects a schema, so no default and no choice."""
    for word, value in part.schema.items():
        inner: Iterable[tuple[str, Json]] = ()
        if word in _DRAFT_7_MAPS and isinstance(value, dict):
            inner = value.items()
        elif word in LISTS and isinstance(value, list):
            inner = ((str(at), item) for at, item in enumerate(value))
        elif word in SINGLE:
            inner = (("", value),)
        for name, schema in inner:
            if isinstance(schema, dict):
                where = ".".join(filter(None, (part.where, word, name)))
                yield _SchemaPart(schema, where, part.level + 1, part.references)


def iterate_nodes(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """Every subschema with its dotted place, without following references or recursing in Python."""
    waiting: list[tuple[str, Json]] = [("", schema)]
    while waiting:
        where, node = waiting.pop()
        if isinstance(node, list):
            waiting += [(join_path(where, str(at)), item) for at, item in enumerate(node)]
        if not isinstance(node, dict):
            continue
        yield where, node
        for word, value in node.items():
            if word in MAPS and isinstance(value, dict):
                waiting += [(join_path(where, name), inner) for name, inner in value.items()]
            elif word not in _PLAIN_DATA:
                waiting.append((join_path(where, word), value))


def join_path(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
