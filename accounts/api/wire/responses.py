"""Answers of the handlers of /v0. A handler's return annotation is what the OpenAPI document says of it:

    def get(self, request: Request) -> Answer[answers.Tag] | Accepted[answers.RunUnderWay]: …

The body is a TypedDict of an app's `answers.py`, which mypy compares with what is given here; its docstring describes
the answer. What is no JSON is a class with a `media_type` and a docstring; of lines of JSON the type is that of a line.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, Iterable, Mapping
from typing import ClassVar, Generic, TypeVar

from django.http import HttpResponse, StreamingHttpResponse
from rest_framework.response import Response

from accounts.api.wire.answers import Error

T = TypeVar("T")
JSON = "application/json"
ANY, BYTES_OF_ANY = "*/*", "application/octet-stream"


class Answer(Generic[T], Response):
    """200 with a JSON body."""

    # Generic comes first: Response has a __class_getitem__ of its own, which forgets the type.

    media_type: ClassVar[str] = JSON

    def __init__(self, body: T, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(body, headers=headers)


class Accepted(Answer[T]):
    """202: what was asked for goes on, and is fetched later."""

    status_code = 202


class JsonText(HttpResponse, Generic[T]):
    """200 with a JSON body that was written before."""

    media_type: ClassVar[str] = JSON

    def __init__(self, content: bytes, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(content, content_type=self.media_type, headers=headers)


class NoContent(HttpResponse):
    """Nothing new."""

    status_code = 204
    media_type: ClassVar[str] = ""

    def __init__(self) -> None:
        super().__init__()
        del self["Content-Type"]


class Failure(Response):
    """A refusal that says more than an AppError does. As for those, the words name its codes and sentences."""

    def __init__(self, body: Error, status: int) -> None:
        super().__init__(body, status=status)


class JsonLines(HttpResponse, Generic[T]):
    """One JSON object a line."""

    media_type: ClassVar[str] = "application/x-ndjson"

    def __init__(self, lines: Iterable[T]) -> None:
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        super().__init__(text, content_type=f"{self.media_type}; charset=utf-8")


class EventStream(StreamingHttpResponse, Generic[T]):
    """Server-sent events. The `data:` of each is one line of JSON; the last says `done`, or `error`."""

    media_type: ClassVar[str] = "text/event-stream"

    def __init__(
        self, events: AsyncIterable[str | bytes] | Iterable[str], *, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(events, content_type=f"{self.media_type}; charset=utf-8", headers=headers)
        self["Cache-Control"] = "private, no-store, no-transform"
        self["X-Accel-Buffering"] = "no"
