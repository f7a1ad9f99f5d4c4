"""Hooks of drf-spectacular: which routes the document has, and what is added once all are described."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from accounts.api.access import UnknownRoute
from docrouter.openapi.answers import Shape
from docrouter.openapi.examples import read_examples
from docrouter.openapi.sections import SECTIONS
from kit.json_types import JsonObject

Endpoint: TypeAlias = tuple[str, str, str, Any]
"""Path, pattern, method, and the callback of a view."""


def only_routes(endpoints: list[Endpoint]) -> list[Endpoint]:
    """Without the catch-all, which is no route, and without the routes of the description itself."""
    hidden = (UnknownRoute.__name__, "OpenApiDocument")
    return [entry for entry in endpoints if entry[3].cls.__name__ not in hidden]


def with_shapes(result: JsonObject, **_: object) -> JsonObject:
    """Adds the sections in their order, and the recorded example of every body and answer."""
    shapes = result["components"]["schemas"]
    result["tags"] = [{"name": section.name, "description": section.description} for section in SECTIONS]
    result["paths"] = dict(sorted(result["paths"].items(), key=_place_of))
    shapes = {name: _with_defaults_in_words(_plain(shapes[name])) for name in sorted(shapes)}
    result["components"]["schemas"] = shapes
    result["paths"] = _plain(result["paths"])
    for operation in (operation for methods in result["paths"].values() for operation in methods.values()):
        operation.setdefault("security", [])  # the generator leaves out an empty one, which alone says that it is open
        if "422" in operation["responses"]:
            answer = operation["responses"]["422"]["content"]["application/json"]
            answer["example"] = {"detail": [_fault(operation, shapes)]}
    _add_examples([part for methods in result["paths"].values() for part in methods.values()])
    return result


def _add_examples(operations: Sequence[Shape]) -> None:
    """Takes what was recorded of a route, or else of another one with the same shape."""
    examples = read_examples()
    contents = [part for operation in operations for part in list_contents(operation)]
    alike = {json.dumps(content["schema"]): examples[key] for key, content in contents if key in examples}
    for key, content in contents:
        example = examples.get(key, alike.get(json.dumps(content["schema"])))
        if example is not None:
            content["example"] = example


def list_contents(operation: Shape) -> Iterator[tuple[str, Shape]]:
    """The body and the answers of an operation but its failures, by the names under which examples are recorded."""
    answers = {code: answer for code, answer in operation["responses"].items() if code.startswith("2")}
    for where, part in {"request": operation.get("requestBody", {}), **answers}.items():
        for media_type, content in part.get("content", {}).items():
            yield f"{operation['operationId']} {where} {media_type}", content


def _with_defaults_in_words(shape: Shape) -> Shape:
    """openapi-typescript takes a field with a default for required, and other generators always send it."""
    for field in shape.get("properties", {}).values():
        if "default" in field and (default := field.pop("default")) != "":
            words = f"{json.dumps(default)} if it is left out."
            field["description"] = f"{field.get('description', '')} {words}".strip()
    return shape


def _place_of(entry: tuple[str, dict[str, Shape]]) -> int:
    """Find the place of a path by its operations, all of which are in one section."""
    section = next(iter(entry[1].values()))["tags"][0]
    return [section.name for section in SECTIONS].index(section)


def _plain(part: object) -> Any:
    """The generator marks its enumerations, and lets any JSON or null be one of two, which null then is twice."""
    if isinstance(part, list):
        return [_plain(entry) for entry in part]
    if not isinstance(part, dict):
        return part
    plain = {name: _plain(value) for name, value in part.items() if name != "x-spec-enum-id"}
    return {} if plain.get("oneOf") == [{}, {"type": "null"}] else plain


def _fault(operation: Shape, shapes: Mapping[str, Shape]) -> Shape:
    """Give the likeliest fault as an example: a field of the body that is missing, or a parameter out of range."""
    for content in operation.get("requestBody", {}).get("content", {}).values():
        schema = shapes.get(content["schema"].get("$ref", "").rpartition("/")[2], content["schema"])
        if needed := schema.get("required"):
            return {"type": "missing", "loc": ["body", needed[0]], "msg": "This field is required.", "input": {}}
        if fields := list(schema.get("properties", {})):
            return {"type": "value_error", "loc": ["body", fields[0]], "msg": "Not a valid value.", "input": {}}
    name = next(
        (parameter["name"] for parameter in operation.get("parameters", ()) if parameter["in"] == "query"), "body"
    )
    return {"type": "value_error", "loc": ["query", name], "msg": "Input should be a valid value", "input": "?"}
