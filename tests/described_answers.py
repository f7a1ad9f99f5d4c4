"""Compares each answer of /v0 that any test gets with the OpenAPI document: no name more, no name less.

A middleware of the tests' settings (tests/environment.py). Clients may be told of fields that come later; here none may
be missing in the document, so every object that lists its fields is closed.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin
from jsonschema import Draft202012Validator

from docrouter.openapi import views
from docrouter.openapi.answers import stated_answers

JSON = "application/json"


class DescribedAnswersMiddleware(MiddlewareMixin):
    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        match, method = request.resolver_match, str(request.method)
        if match and match.route.startswith("v0/"):
            path = "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", match.route)
            operation = views.document()["paths"].get(path, {}).get(method.lower())
            # Answers that no annotation states are not compared yet.
            if operation and stated_answers(match.func.cls, method):
                problems = problems_of(operation, response)
                assert not problems, f"{method} {path} {response.status_code}: {'; '.join(problems)}"
        return response


def problems_of(operation: dict[str, Any], response: HttpResponseBase) -> list[str]:
    """What of this answer the document does not say."""
    code, sent = str(response.status_code), response.get("Content-Type", "").partition(";")[0]
    if code not in operation["responses"]:
        return [] if code.startswith(("4", "5")) else [f"{code} is not described"]
    described = operation["responses"][code].get("content", {})
    if sent not in described and "*/*" not in described:
        return [f"{sent or 'an empty answer'} is not described"] if sent or described else []
    if (
        sent != JSON
        or sent not in described
        or getattr(response, "streaming", False)
        or response.get("Content-Encoding")
    ):
        return []
    body = json.loads(response.content)  # type: ignore[attr-defined]
    return [
        f"{error.json_path}: {error.message}"
        for error in _validator(json.dumps(described[JSON]["schema"])).iter_errors(body)
    ]


@cache
def _validator(schema: str) -> Any:
    components = close(views.document()["components"])
    return Draft202012Validator({**close(json.loads(schema)), "components": components})


def close(part: Any) -> Any:
    """The same with `additionalProperties: false` wherever properties are listed."""
    if isinstance(part, list):
        return [close(entry) for entry in part]
    if not isinstance(part, dict):
        return part
    closed = {name: close(value) for name, value in part.items()}
    is_object = closed.get("type") in ("object", ["object", "null"]) and isinstance(closed.get("properties"), dict)
    return {"additionalProperties": False, **closed} if is_object else closed
