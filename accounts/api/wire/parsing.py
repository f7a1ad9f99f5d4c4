"""The JSON of requests, refused where a database could not keep it; and answers in JSON, whatever is accepted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from kit import sanitize
from kit.json_types import Json


class PlainJSONParser(JSONParser):
    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, object] | None = None
    ) -> Json:
        try:
            # Programs on Windows begin with a byte order mark, which this leaves out. Other charsets came no further.
            return sanitize.parse(stream.read().decode("utf-8-sig"))
        except sanitize.HoldsNul as error:
            faults: Any = [sanitize.NO_NUL]
            for name in reversed(error.place):
                faults = {name: faults}
            raise ValidationError(faults) from error
        except ValueError as error:
            raise ParseError(f"JSON parse error - {error}") from error


class AlwaysJson(DefaultContentNegotiation):
    """The published TypeScript client accepts text/plain where it streams, and failures are JSON all the same."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)
