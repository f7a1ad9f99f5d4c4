"""Schemas to edit."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8)


names = words | st.sampled_from(["__proto__", "1", "toString", "properties", 'a"b\\c', "ü", ""])


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=4,
)


# What the list has no column for.
extra = st.dictionaries(
    st.sampled_from(["pattern", "minItems", "x-note", "title", "$comment", "examples", "minimum", "not"]),
    values,
    max_size=3,
)


described = extra | st.fixed_dictionaries({"description": words})


SCALARS: list[dict[str, Any]] = [
    {"type": "string"},
    {"type": "number"},
    {"type": ["null", "integer"]},
    {"type": "string", "format": "date"},
    {"type": ["string", "null"], "enum": ["a", None]},
    {"enum": ["x", "y"]},
    {"type": "string", "format": "iban"},
]


LOCKED: list[Any] = [
    {"$ref": "#/$defs/a"},
    {"oneOf": [{"type": "string"}, {"type": "number"}]},
    {"const": 1.0},
    True,
    {},
    ["odd"],
    {"type": ["string", "number"]},
    {"type": "array", "items": [{"type": "string"}]},
    {"type": "array"},
]


def shuffle(parts: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.permutations(list(parts.items())).map(dict)


def fields_of(properties: dict[str, Any], more: dict[str, Any], drawn: list[int]) -> dict[str, Any]:
    required = [name for name, on in zip(properties, drawn, strict=False) if on]
    return {"type": "object", "properties": properties, **({"required": required} if required else {}), **more}


def group(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    strategy = st.builds(
        fields_of, st.dictionaries(names, inner, max_size=4), extra, st.lists(st.integers(0, 1), min_size=4, max_size=4)
    )
    return strategy.flatmap(shuffle)


scalars = st.builds(lambda base, more: {**more, **base}, st.sampled_from(SCALARS), described).flatmap(shuffle)


fields = st.recursive(
    scalars | st.sampled_from(LOCKED),
    lambda inner: (
        group(inner) | (group(inner) | scalars).map(lambda items: {"items": items, "type": "array", "minItems": 1})
    ),
    max_leaves=8,
)


schemas = st.builds(lambda schema, more: {**schema, "$defs": {"a": more}}, group(fields), extra)
