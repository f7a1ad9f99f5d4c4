"""Records the examples of the OpenAPI document from requests and answers that tests send and get.

    RECORD_EXAMPLES=1 .venv/bin/python -m pytest -q tests/api/test_tags.py

adds to `docrouter/openapi/examples.json` what is missing there, and replaces what fits its schema no longer. What fits
stays, so a second run changes nothing.
"""

from __future__ import annotations

import atexit
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from jsonschema import Draft202012Validator

from docrouter.openapi import views
from docrouter.openapi.examples import PATH, read_examples
from docrouter.openapi.hooks import list_contents
from tests.described_answers import EVENTS, JSON, DescribedAnswersMiddleware, find_operation

BEST_LENGTH, MAX_TEXT = 700, 1500
_recorded: dict[str, Any] = {}


class RecordingMiddleware(DescribedAnswersMiddleware):
    def process_request(self, request: HttpRequest) -> None:
        """The body is kept before a parser takes it, so that it can be read once more."""
        if request.path.startswith("/v0/") and request.content_type == JSON:
            request.body  # noqa: B018 - reading keeps it

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response = super().process_response(request, response)
        operation = find_operation(request)
        if operation and 200 <= response.status_code < 300:
            _record_request(f"{operation['operationId']} request {request.content_type}", request)
            sent = response.get("Content-Type", "").partition(";")[0]
            _record_answer(f"{operation['operationId']} {response.status_code} {sent}", response)
        return response


def _record_request(key: str, request: HttpRequest) -> None:
    if request.content_type == JSON:
        _keep(key, json.loads(request.body or b"{}"))
    else:
        _keep(key, {**request.POST.dict(), **dict.fromkeys(request.FILES, "(the bytes of the file)")})


def _record_answer(key: str, response: Any) -> None:
    if response.streaming and key.endswith(EVENTS):
        _record_stream(key, response)
    elif not response.streaming and not response.get("Content-Encoding") and "octet-stream" not in key:
        text = response.content.decode(errors="replace")
        _keep(key, json.loads(text) if key.endswith(JSON) else text[:MAX_TEXT])


def _record_stream(key: str, response: Any) -> None:
    whole, texts = response.streaming_content, list[str]()

    def note(part: bytes) -> bytes:
        texts.append(part.decode())
        _keep(key, "".join(texts)[:MAX_TEXT])
        return part

    async def go_by() -> AsyncIterator[bytes]:
        async for part in whole:
            yield note(part)

    response.streaming_content = go_by() if response.is_async else map(note, whole)


def _keep(key: str, value: Any) -> None:
    """Keeps the one whose length is nearest to what is read at a glance."""
    value = _hide_credentials(value)
    if key not in _recorded or _distance(value) < _distance(_recorded[key]):
        _recorded[key] = value


def _distance(value: Any) -> int:
    return abs(len(json.dumps(value)) - BEST_LENGTH)


def _hide_credentials(value: Any) -> Any:
    if isinstance(value, list):
        return [_hide_credentials(entry) for entry in value]
    if isinstance(value, dict):
        return {name: _hide_credentials(entry) for name, entry in value.items()}
    is_token = isinstance(value, str) and value.startswith(("org_", "acc_")) and len(value) > 20
    return f"{value[:10]}…" if is_token else value


@atexit.register
def _write() -> None:
    schemas = dict(_list_schemas())
    found = {**_recorded, **{key: value for key, value in read_examples().items() if _fits(value, schemas.get(key))}}
    whole = {key: value for key, value in sorted(found.items()) if _fits(value, schemas.get(key))}
    PATH.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n")


def _list_schemas() -> Iterator[tuple[str, Any]]:
    for methods in views.document()["paths"].values():
        for operation in methods.values():
            yield from ((key, content["schema"]) for key, content in list_contents(operation))


def _fits(value: Any, schema: Any) -> bool:
    whole = {"components": views.document()["components"], **(schema or {})}
    return schema is not None and Draft202012Validator(whole).is_valid(value)
