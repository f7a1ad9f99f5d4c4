"""Compares each answer of /v0 that any test gets with the OpenAPI document: no name more, no name less.

A middleware of the tests' settings (tests/environment.py). Clients may be told of fields that come later; here none may
be missing in the document, so every object that lists its fields is closed. Lines of JSON are compared one by one, and
those of a stream as they go by.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from functools import cache
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from docrouter.openapi import views

JSON, EVENTS = "application/json", "text/event-stream"
DATA = "data: "
SHAPES = "urn:shapes"


class DescribedAnswersMiddleware(MiddlewareMixin):
    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if operation := find_operation(request):
            problems = problems_of(operation, response)
            assert not problems, f"{request.method} {request.path} {response.status_code}: {'; '.join(problems)}"
            compare_events(operation, response)
        return response


def find_operation(request: HttpRequest) -> dict[str, Any] | None:
    match = request.resolver_match
    if not match or not match.route.startswith("v0/"):
        return None
    path = "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", match.route)
    operation: dict[str, Any] | None = views.document()["paths"].get(path, {}).get(str(request.method).lower())
    return operation


def problems_of(operation: dict[str, Any], response: HttpResponseBase) -> list[str]:
    """What of this answer the document does not say."""
    code, sent = str(response.status_code), response.get("Content-Type", "").partition(";")[0]
    if code not in operation["responses"]:
        # Any route can fail unexpectedly, and be called by a method that it does not have.
        return [] if code == "405" or code.startswith("5") else [f"{code} is not described"]
    described = operation["responses"][code].get("content", {})
    if sent not in described and "*/*" not in described:
        return [f"{sent or 'an empty answer'} is not described"] if sent or described else []
    if sent not in described or response.streaming or response.get("Content-Encoding"):
        return []
    schema = described[sent]["schema"]
    if sent != JSON and "contentSchema" not in schema:
        return []  # text, or a file such as a workbook
    text = response.content.decode()  # type: ignore[attr-defined]
    return list(_faults(schema, [text]) if sent == JSON else _faults(schema["contentSchema"], text.splitlines()))


def compare_events(operation: dict[str, Any], response: HttpResponseBase) -> None:
    """Raises AssertionError inside the stream, at the first event that the document does not describe."""
    if not isinstance(response, StreamingHttpResponse) or not response["Content-Type"].startswith(EVENTS):
        return
    schema, whole = (
        operation["responses"]["200"]["content"][EVENTS]["schema"]["contentSchema"],
        response.streaming_content,
    )

    def compare(part: bytes) -> bytes:
        lines = [line.removeprefix(DATA) for line in part.decode().splitlines() if line.startswith(DATA)]
        problems = list(_faults(schema, lines))
        assert not problems, f"{lines}: {'; '.join(problems)}"
        return part

    async def go_by() -> AsyncIterator[bytes]:
        async for part in whole:  # type: ignore[union-attr]
            yield compare(part)

    response.streaming_content = go_by() if response.is_async else map(compare, whole)  # type: ignore[arg-type]


def _faults(schema: dict[str, Any], texts: Iterable[str]) -> Iterator[str]:
    validator = _validator(json.dumps(schema))
    for text in texts:
        yield from (f"{error.json_path}: {error.message}" for error in validator.iter_errors(json.loads(text)))


@cache
def _validator(schema: str) -> Any:
    """The named shapes stand in one resource, so that they are searched for references once and not for each answer."""
    own = json.loads(schema.replace('"#/', f'"{SHAPES}#/'))
    return Draft202012Validator(close(own), registry=_shapes())


@cache
def _shapes() -> Registry[Any]:
    shapes = DRAFT202012.create_resource({"components": close(views.document()["components"])})
    return Registry().with_resource(SHAPES, shapes).crawl()


def close(part: Any) -> Any:
    """The same with `additionalProperties: false` wherever properties are listed."""
    if isinstance(part, list):
        return [close(entry) for entry in part]
    if not isinstance(part, dict):
        return part
    closed = {name: close(value) for name, value in part.items()}
    is_object = closed.get("type") in ("object", ["object", "null"]) and isinstance(closed.get("properties"), dict)
    return {"additionalProperties": False, **closed} if is_object else closed
