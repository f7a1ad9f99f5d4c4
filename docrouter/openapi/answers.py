"""The answers of a view, read off the annotations of its handlers (accounts.api.wire.responses)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from inspect import getdoc
from types import UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from accounts.api.wire.responses import JSON, Failure
from kit.json_types import JsonObject

Shape: TypeAlias = JsonObject
Hint: TypeAlias = Any
"""A type, in one of the many forms that an annotation has."""
REFERENCE = "#/components/schemas/{model}"


@dataclass(frozen=True)
class StatedAnswer:
    """`body` is the type of a JSON body, or of each of its lines; None for text, for bytes and for no body, which has
    no media type either.
    """

    code: int
    media_type: str
    description: str
    body: Hint | None = None


def read_stated_answers(view: type, method: str) -> list[StatedAnswer]:
    """Raises TypeError for a handler whose annotation leaves one open."""
    handler = getattr(view, method.lower())
    stated = get_type_hints(handler, include_extras=True)["return"]
    several = get_args(stated) if get_origin(stated) in (Union, UnionType) else (stated,)
    answers = [annotation for annotation in several if annotation is not Failure]
    if not all(hasattr(_response_of(annotation), "media_type") for annotation in answers):
        raise TypeError(f"{view.__name__} does not state what {method} answers. See accounts.api.wire.responses.")
    return [_read(annotation) for annotation in answers]


def _response_of(annotation: Hint) -> Hint:
    """The class of `Answer[Tag]`, which is Answer."""
    return get_origin(annotation) or annotation


def _read(annotation: Hint) -> StatedAnswer:
    response, body = _response_of(annotation), next(iter(get_args(annotation)), None)
    describes_itself = body is None or response.media_type != JSON
    words = _describe(response if describes_itself else body)
    return StatedAnswer(response.status_code, response.media_type, words, body)


def _describe(of: object) -> str:
    """Its docstring; for a list that of its entries."""
    if get_origin(of) is list:
        return f"A list. Each: {_describe(get_args(of)[0])}"
    return (getdoc(of) or "").partition("\n\n")[0].replace("\n", " ")


def lines_of(shape: Shape, stated: StatedAnswer) -> Shape:
    """A text whose lines are JSON of this shape: those of a log, and those behind `data:` of server-sent events."""
    text = {"type": "string", "description": stated.description}
    return {**text, "contentMediaType": stated.media_type, "contentSchema": shape}


class _WithoutTitles(GenerateJsonSchema):
    """A title would be the name of the field once more."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False


def register_shapes(registry: ComponentRegistry, body: Hint) -> Shape:
    """The schema of a type. The TypedDicts in it become components of their names; TypeError for two of one name."""
    schema, named = _shapes_of(body)
    for name, shape in named.items():
        component = ResolvedComponent(name, ResolvedComponent.SCHEMA, shape, name)  # type: ignore[no-untyped-call]
        registry.register_on_missing(component)
        if registry[component].schema != shape:
            raise TypeError(f"Two shapes of the OpenAPI document are called {name}.")
    return schema


@cache
def _shapes_of(body: Hint) -> tuple[Shape, dict[str, Shape]]:
    """As JSON Schema (2020-12, as in OpenAPI 3.1), and that of each TypedDict in it by its name."""
    schemas, named = TypeAdapter.json_schemas(
        [("body", "serialization", TypeAdapter(body))], ref_template=REFERENCE, schema_generator=_WithoutTitles
    )
    return schemas["body", "serialization"], named.get("$defs", {})
